"""The people of a table that are kept at the centre of its floor: a roster in a file, taken between rounds.

1. The file is another program's: what it holds counts if the key of the floor has signed it for this casino
   (`accounts.roster`). A version that is not above the last one taken is not taken: an older archive may have been
   restored. What is not taken is a row, once.
2. Taking one is rows, like any change of the list: one for each person who is changed, then one that names the version
   and the two people who made it. Somebody who is no longer named has a last day, yesterday. Their logins end when the
   last row is durable.
3. A roster that leaves nobody who could change the list, or more people than a table has, is not taken.
4. Beside the roster lies `HEARD`, which the shipper touches whenever the centre has answered. While that is at most
   `ALONE` seconds old, changes at the table are refused (`rules`): they are made at the centre. Later two people may
   change the list here; the next version takes the place of what they did.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from firmware_bridge.journal.foreign_file import Seen, read_bytes, sight
from firmware_bridge.journal.schema import ROSTER
from firmware_bridge.people.accounts.journal_digest import DIGEST
from firmware_bridge.people.accounts.people_file import MOST as MOST_PEOPLE
from firmware_bridge.people.accounts.people_file import Register, row
from firmware_bridge.people.accounts.roles import Person
from firmware_bridge.people.accounts.roster import MOST, Roster, RosterError, read_roster

FILE, HEARD = "roster.json", "heard"
ALONE = 3600.0
"""Seconds after which a table that has not heard of the centre may change the list itself."""
REFUSED = "roster-refused"


class CentralRoster:
    """The roster of one table."""

    def __init__(self, path: Path, key: bytes, casino: str, register: Register, version: int) -> None:
        """Nothing is read yet; `version` is the one that the journal names last."""
        self._path, self._key, self._casino, self._register = path, key, casino, register
        self.version = version
        self._seen: Seen | None = None
        self._refused = ""
        self.clock: Callable[[], float] = time.time

    def rules(self) -> bool:
        """Whether changes are made at the centre alone: a roster of it was taken, and it was heard within the hour."""
        if not self.version:
            return False
        with suppress(OSError):
            return abs(self.clock() - self._path.with_name(HEARD).stat().st_mtime) <= ALONE
        return False

    def changed_file(self) -> bool:
        """Whether the file is another one than at the last look."""
        now = sight(self._path)
        changed, self._seen = now is not None and now != self._seen, now
        return changed

    def forget_look(self) -> None:
        """Read the file again at the next look: what it held could not be taken."""
        self._seen = None

    def read_next(self) -> tuple[Roster | None, str]:
        """The roster that is to be taken, if there is one; else why what lies there is not, unless that was said."""
        try:
            roster = read_roster(read_bytes(self._path, MOST + 1), self._key, self._casino)
        except (OSError, RosterError) as error:
            return None, self._told_once(str(error))
        if roster.version == self.version:
            return None, ""
        if roster.version < self.version:
            return None, self._told_once(f"version {roster.version} is older than {self.version}, which was taken")
        people = self.people_after(roster)
        if len(people) > MOST_PEOPLE:
            return None, self._told_once(f"version {roster.version} has more than {MOST_PEOPLE} people")
        if not self._register.changeable(people):
            return None, self._told_once(f"version {roster.version} leaves nobody who could change the list")
        return roster, ""

    def people_after(self, roster: Roster) -> tuple[Person, ...]:
        """The list after a roster was taken: anyone whom it does not name has a last day."""
        named = {one.id for one in roster.people}
        gone = (self._register.today() - timedelta(days=1)).isoformat()
        left = [
            replace(one, until=gone) if self._register.is_valid(one) else one
            for one in self._register.people
            if one.id not in named
        ]
        return tuple(sorted((*roster.people, *left), key=lambda one: one.id))

    def rows(self, roster: Roster, people: tuple[Person, ...], digest: str) -> list[dict[str, object]]:
        """What the journal says of it: each person who is changed, then the version."""
        before = {one.id: one for one in self._register.people}
        changed = [one for one in people if before.get(one.id) != one]
        by, second = roster.author, roster.second
        last = {ROSTER: roster.version, "made": roster.made, "by": by, "second": second, DIGEST: digest}
        return [*(row("centre", one, digest, by=by, second=second) for one in changed), last]

    def _told_once(self, why: str) -> str:
        if why == self._refused:
            return ""
        self._refused = why
        return why


def version_of(named: object) -> int:
    """The version that the journal names."""
    return named if type(named) is int else 0


def refusal_row(why: str) -> str:
    """What the journal says of a roster that is not taken."""
    return json.dumps({REFUSED: why}, ensure_ascii=False)
