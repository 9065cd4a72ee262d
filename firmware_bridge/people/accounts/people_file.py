"""The people of a table: ``people.json`` of the state folder, under the journal.

1. Each person has one entry: staff number, name, role, the kept form of the PIN, since when it is theirs, whether
   somebody else chose it, and the last day on which they may log in. The file is the daemon's alone (0600).
2. The journal names the digest of the list in force. A change is first written beside the file, in the folder `KEPT`
   under its digest; then its row; then the file is replaced. A file that is not the one that the journal named last is
   an alarm, and the kept one counts. If that is gone too, nobody may log in until root begins a list.
3. Where there is no list, root begins one by leaving it in `FIRST` before a start. Without `FIRST`, a journal that has
   never named a list takes over ``[roles]`` of the configuration, where the name is the staff number too.
4. One change at a time: while one is being written (`writing`) there is no other.
5. There are at most `MOST`. Nobody is ever taken off the list: somebody who has left has a last day. Their number stays
   theirs in the journal.
6. Where the centre of a floor keeps the people (`kept_at_centre`), they are changed there and not here
   (`accounts.central_roster`).
7. No change may take away the last shift manager who can propose changes, or the last other person who can confirm
   them (`stuck`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from firmware_bridge.journal.segments import put_in_place
from firmware_bridge.people.accounts.journal_digest import DIGEST, last_digest
from firmware_bridge.people.accounts.roles import (
    PIT_MANAGER,
    ROLES,
    SHIFT_MANAGER,
    Person,
    PinError,
    at_least,
    read_pin,
)
from firmware_bridge.people.permissions import PEOPLE_CHANGED

FILE, FIRST, KEPT = "people.json", "people.first.json", "people.kept"
MOST = 400
"""People of a table, those who have left too: the row of a start names each."""
COPIES = 8
"""Earlier lists that are kept."""


def today() -> date:
    """The day by which PINs and people grow old."""
    return datetime.now(UTC).date()


class PeopleRead(NamedTuple):
    """A list in a file."""

    people: tuple[Person, ...]
    digest: str


class Register:
    """The people of one table."""

    def __init__(self, state: Path, people: Sequence[Person] = (), digest: str = "") -> None:
        """Hold this list, whose digest the journal names."""
        self._state = state
        self.people = tuple(people)
        self.digest = digest
        self.writing = False
        self.today: Callable[[], date] = today
        self.kept_at_centre: Callable[[], bool] = lambda: False

    def find(self, said: str) -> Person | None:
        """The person with this staff number, or the only one with this name; case does not matter."""
        wanted = said.casefold()
        exact = [one for one in self.people if one.id == said]
        numbered = exact or [one for one in self.people if one.id.casefold() == wanted]
        called = [one for one in self.people if one.name.casefold() == wanted]
        return next((found[0] for found in (numbered, called) if len(found) == 1), None)

    def is_valid(self, person: Person) -> bool:
        """Whether somebody may log in today."""
        return not person.until or date.fromisoformat(person.until) >= self.today()

    def with_one(self, person: Person) -> tuple[Person, ...]:
        """The list with a person added, or changed."""
        others = [one for one in self.people if one.id != person.id]
        return tuple(sorted((*others, person), key=lambda one: one.id))

    def stuck(self, people: Sequence[Person]) -> bool:
        """Whether nobody could change this list any more, though somebody can change the present one."""
        return self.changeable(self.people) and not self.changeable(people)

    def changeable(self, people: Sequence[Person]) -> bool:
        """Whether a list has somebody who proposes a change and another person who confirms it."""
        valid = [one.role for one in people if self.is_valid(one)]
        return SHIFT_MANAGER in valid and sum(at_least(role, PIT_MANAGER) for role in valid) > 1

    # --- files -------------------------------------------------------------------------------------------------------

    def write_next(self, people: Sequence[Person]) -> str:
        """Write a list beside the one in force, and remove the oldest kept; return its digest, for the journal.

        Raises:
            OSError: it cannot be written.
        """
        data = written(people)
        digest = _digest(data)
        folder = self._state / KEPT
        folder.mkdir(mode=0o700, exist_ok=True)
        others = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in others[COPIES:]:
            if path.stem != self.digest:
                path.unlink()
        write(folder / f"{digest}.json", data)
        return digest

    def put_in_force(self, people: Sequence[Person], digest: str) -> None:
        """Put a list in force, now that the journal names its digest."""
        self.people, self.digest = tuple(people), digest
        self.write_list_in_force()

    def write_list_in_force(self) -> None:
        """Write the list in force to its file, once the journal names it; if that fails, the next start tries again."""
        found = load(self._state / FILE)
        if self.people and (found is None or found.digest != self.digest):
            with suppress(OSError):
                write(self._state / FILE, written(self.people))
        (self._state / FIRST).unlink(missing_ok=True)


def enter(state: Path, roles: Sequence[Person]) -> tuple[Register, list[dict[str, object]]]:
    """The people in force at a start, and what the journal must say of them; one with ``alarm`` is an alarm."""
    named, there = last_digest(state), load(state / FILE)
    if there is not None and there.digest == named:
        return Register(state, *there), []
    notes: list[dict[str, object]] = []
    kept = load(state / KEPT / f"{named}.json") if named else None
    kept = kept if kept is not None and kept.digest == named else None
    if (state / FILE).exists() or (named and kept is None):
        counts = "the list that the journal named last counts" if kept else "nobody may log in until root names people"
        notes.append({"people": f"{FILE} is not the list that the journal names: {counts}", "alarm": PEOPLE_CHANGED})
    if kept is not None:
        return Register(state, *kept), notes
    first = load(state / FIRST)
    new, by = (first.people, "root") if first is not None else (() if named else _taken_over(roles), "[roles]")
    register = Register(state)
    if new:
        register.people, register.digest = new, register.write_next(new)
    notes += [row("first" if first else "taken over", one, register.digest, by=by) for one in new]
    return register, notes


def row(what: str, person: Person, digest: str, *, by: str, second: str = "") -> dict[str, object]:
    """What the journal says of a change."""
    said = {"number": person.id, "name": person.name, "role": person.role, "until": person.until or None}
    return {"people": what, **said, "by": by, "second": second or None, DIGEST: digest}


def _taken_over(roles: Sequence[Person]) -> tuple[Person, ...]:
    return tuple(replace(person, pin_set=today().isoformat()) for person in roles)


def somebody(state: Path) -> bool:
    """Whether there is a list, or root has left one."""
    return any((state / name).exists() for name in (FILE, FIRST, KEPT))


def load(path: Path) -> PeopleRead | None:
    """The list in a file; None if there is none, or it cannot be read."""
    try:
        data = path.read_bytes()
        people = tuple(person_of(one) for one in json.loads(data)["people"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return PeopleRead(people, _digest(data))


def written(people: Sequence[Person]) -> bytes:
    """A list as it stands in a file."""
    listed = [
        {
            "number": one.id,
            "name": one.name,
            "role": one.role,
            "until": one.until,
            "pin": one.pin.text,
            "pin-set": one.pin_set,
            "given": one.given,
        }
        for one in people
    ]
    return (json.dumps({"people": listed}, ensure_ascii=False, indent=1) + "\n").encode()


def write(path: Path, data: bytes) -> None:
    """Replace a file as a whole, on the disk, for its owner alone."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    put_in_place(new, path)


def person_of(said: dict[str, Any]) -> Person:
    """Somebody as a file has them.

    Raises:
        ValueError: it is none.
    """
    role, until, since = said["role"], str(said["until"]), str(said["pin-set"])
    if role not in ROLES:
        raise PinError(f"expected one of {', '.join(ROLES)}")
    for day in filter(None, (until, since)):
        date.fromisoformat(day)
    pin = read_pin(said["pin"])
    return Person(str(said["name"]), role, pin, str(said["number"]), until, since, said["given"] is True)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=32).hexdigest()
