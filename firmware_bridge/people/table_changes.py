"""Other tables at run time: only those that are configured, proposed by one person and put in place by another.

1. ``[[tables]]`` of the configuration names them. No header comes from anywhere else where people log in.
2. An engineer or a shift-manager proposes one by name; a shift-manager who is another person confirms, between rounds.
3. A proposal is a note in the journal. The last one counts, for `LASTS` seconds; a restart drops it.
4. At a start the table of ``[table]`` is in force again, unless a round is on: that is played out as it began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from firmware_bridge.people.accounts.roles import ENGINEER, SHIFT_MANAGER
from firmware_bridge.people.permissions import allows, refusal
from firmware_bridge.people.two_names import same
from firmware_bridge.pump.items import NewTable
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
    def waiting(self) -> Proposed | None:
        """What waits to be confirmed."""
        one = self._proposed
        return one if one is not None and self.clock() - one.at < LASTS else None

    def confirms(self, name: str, person: str) -> bool:
        """Whether somebody who names a table confirms it; else they propose it."""
        waiting = self.waiting
        return waiting is not None and waiting.name == name and not same(waiting.by, person)

    def propose(self, name: str, person: str, role: str) -> str | None:
        """Let a table wait; why it may not."""
        if not allows(role, PROPOSERS):
            return refusal(f"table {name}", PROPOSERS, role)
        if name not in self.known:
            return f"no table is configured as {name!r}: there are {', '.join(self.known) or 'none'}"
        self._proposed = Proposed(name, person, self.clock())
        return None

    def refuses(self, new: NewTable, person: str, table: Table) -> str | None:
        """Why another table may not be put in place now by this person."""
        if table.round_is_on:
            return f"round {table.round_number} is on: another table is put there after it"
        known = [name for name, header in self.known.items() if write_header(header) == new.text]
        if not any(self.confirms(name, person) for name in known):
            return "another table is proposed by one person and confirmed by another"
        return None

    def done(self) -> None:
        """Nothing waits any more."""
        self._proposed = None
