"""Other tables at run time: only those that are configured, proposed by one person and put in place by another.

1. ``[[tables]]`` of the configuration names them. No header comes from anywhere else where people log in.
2. An engineer or a shift-manager proposes one by name; a shift-manager who is another person confirms, between rounds.
3. A proposal is a note in the journal. The last one counts, for `LASTS` seconds; a restart drops it.
4. At a start the table of ``[table]`` is in force again where people log in, unless a round is on: it is played out as
   it began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from firmware_bridge.people.accounts.roles import ENGINEER, SHIFT_MANAGER
from firmware_bridge.people.permissions import allows, lacks_role
from firmware_bridge.people.two_names import same
from firmware_bridge.pump.items import NewTable
from firmware_bridge.texts.denials import Denial, Ground, deny
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_header
from gamecore.table import Table

LASTS = 900.0
PROPOSERS = (ENGINEER, SHIFT_MANAGER)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A table that waits to be confirmed: its name, who has proposed it, and when."""

    name: str
    by: str
    at: float


@dataclass(slots=True)
class Tables:
    """The tables that are configured beside the first, and what waits."""

    clock: Callable[[], float]
    known: Mapping[str, Header] = field(default_factory=dict)
    _proposed: Proposed | None = None

    @property
    def proposal(self) -> Proposed | None:
        """What waits to be confirmed."""
        one = self._proposed
        return one if one is not None and self.clock() - one.at < LASTS else None

    def confirms(self, name: str, person: str) -> bool:
        """Whether somebody who names a table confirms it; else they propose it."""
        waiting = self.proposal
        return waiting is not None and waiting.name == name and not same(waiting.by, person)

    def propose(self, name: str, person: str, role: str) -> Denial | None:
        """Let a table wait to be confirmed; return why it may not, None if it may."""
        if not allows(role, PROPOSERS):
            return lacks_role(f"table {name}", PROPOSERS, role)
        if name not in self.known:
            tables = tuple(self.known)
            return deny(Ground.NO_SUCH_TABLE, name=name, tables=tables) if tables else deny(Ground.NO_TABLES, name=name)
        self._proposed = Proposed(name, person, self.clock())
        return None

    def refuses(self, new: NewTable, person: str, table: Table) -> Denial | None:
        """Why this person may not put another table in place now; None if they may."""
        if table.round_is_on:
            return deny(Ground.ROUND_COMES_FIRST, number=table.round_number)
        known = [name for name, header in self.known.items() if write_header(header) == new.text]
        if not any(self.confirms(name, person) for name in known):
            return deny(Ground.TABLE_BY_TWO)
        return None

    def done(self) -> None:
        """Drop the proposal: the table is in place."""
        self._proposed = None
