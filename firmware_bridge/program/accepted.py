"""Which program has run at a table, and who has accepted it: as the rows of the journal tell it.

1. Each start names the version and the digest of its program. The first program that a journal names is accepted.
2. A program other than the accepted one, an earlier version too, begins no round until two people have accepted it: an
   engineer and a shift manager. Their names show who updated. A round in play goes on.
3. Anyone who accepts a program names it by its digest, at least `SHOWN` characters of it, as the maker has told them.
   Each acceptance is a row of the journal; a restart loses none. Another program begins with none.
4. The floor is the highest version of all starts. A version below it can be accepted like any other; the refusal says
   that it is older.
5. A table without people has nobody who could accept: there the start's row is all.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Self

from firmware_bridge.people.accounts.roles import ENGINEER, SHIFT_MANAGER
from firmware_bridge.people.two_names import number_of, same
from firmware_bridge.texts.denials import Denial, Ground, deny

ACCEPTED = "program-accepted"
"""The key of the note that says who has accepted which program."""
NEEDED = (ENGINEER, SHIFT_MANAGER)
SHOWN = 16
"""Characters of a digest that tell one program from another."""


@dataclass(frozen=True, slots=True)
class Programs:
    """What the journal tells; a program is ``VERSION DIGEST``. `by` are those who have accepted the one that runs."""

    running: str = ""
    accepted: str = ""
    floor: str = ""
    by: tuple[tuple[str, str], ...] = ()

    def started(self, version: str, digest: str) -> Programs:
        """Take up the program of a start; earlier editions did not name theirs, which changes nothing."""
        if not digest:
            return self
        running = f"{version} {digest}"
        by = self.by if running == self.running else ()
        return Programs(running, self.accepted or running, max(self.floor, version, key=_order), by)

    def agreed(self, program: str, name: str, role: str) -> Programs:
        """Add somebody who has accepted a program; it is accepted when each role that is needed has."""
        if program != self.running:
            return self
        by = (*self.by, (name, role))
        return replace(self, accepted=self.running, by=()) if _enough(by) else replace(self, by=by)

    def waits(self) -> Denial | None:
        """Why no round may begin; None if one may."""
        if self.running == self.accepted:
            return None
        version, _, digest = self.running.partition(" ")
        program, given = f"{version} {digest[:SHOWN]}", {role for _, role in self.by}
        missing = tuple(role for role in NEEDED if role not in given)
        if _order(version) < _order(self.floor):
            return deny(Ground.PROGRAM_OLDER, program=program, version=self.floor, signatories=missing)
        return deny(Ground.PROGRAM_NOT_ACCEPTED, program=program, signatories=missing)

    def refuses(self, said: str, name: str, role: str) -> Denial | None:
        """Why somebody may not accept the program that they name; None if they may."""
        digest = self.running.partition(" ")[2]
        if self.waits() is None:
            return deny(Ground.NO_PROGRAM_WAITS)
        if not role:
            return deny(Ground.PROGRAM_NEEDS_NOBODY, roles=NEEDED)
        if role not in NEEDED:
            return deny(Ground.PROGRAM_NEEDS, roles=NEEDED, role=role)
        if len(said) < min(SHOWN, len(digest)) or not digest.startswith(said):
            return deny(Ground.OTHER_PROGRAM, program=digest[:SHOWN])
        if any(same(name, other) for other, _ in self.by):
            return deny(Ground.ACCEPTED_BY_YOU, person=name)
        if any(role == other for _, other in self.by):
            return deny(Ground.ACCEPTED_BY_ROLE, role=role)
        return None

    # --- rows and snapshots -------------------------------------------------------------------------------------------

    def note(self, name: str, role: str) -> str:
        """The row by which somebody accepts the program that runs."""
        return json.dumps({ACCEPTED: self.running, "person": name, "role": role}, ensure_ascii=False)

    def noted(self, said: dict[str, Any]) -> Programs:
        """Take such a row again; any other changes nothing."""
        return self.agreed(str(said[ACCEPTED]), str(said["person"]), str(said["role"])) if ACCEPTED in said else self

    def kept(self) -> dict[str, object]:
        """As plain data."""
        return {"running": self.running, "accepted": self.accepted, "floor": self.floor, "by": self.by}

    @classmethod
    def resumed(cls, said: Any) -> Self:
        """From plain data."""
        by = tuple((str(name), str(role)) for name, role in said["by"])
        return cls(str(said["running"]), str(said["accepted"]), str(said["floor"]), by)


def _enough(by: tuple[tuple[str, str], ...]) -> bool:
    """Whether each role that is needed has accepted, each by another person."""
    return set(NEEDED) <= {role for _, role in by} and len({number_of(name) for name, _ in by}) >= len(NEEDED)


def _order(version: str) -> tuple[int, ...]:
    """What versions are ordered by."""
    return tuple(int(part) for part in re.findall(r"\d+", version))
