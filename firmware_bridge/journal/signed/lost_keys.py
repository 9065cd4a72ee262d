"""A segment whose key nothing certifies, because the one before it was lost: who has accepted it.

1. Two people may accept it, each of pit-manager or above, one of them a shift manager: two different staff numbers.
   Each acceptance is a row of the journal with the segment, its key, person and role. A segment that has not been
   accepted stays wrong for `verify` for ever; one that was accepted is as good as the anchors outside say.
2. The rows are those of the segment in question and of later ones. They are signed by that very key, or by keys that
   follow it: they prove that two people knew, and nothing of the past.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from typing import Any, NamedTuple

from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.writer import Journal
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, at_least
from firmware_bridge.people.permissions import lacks_role
from firmware_bridge.people.two_names import number_of, same
from firmware_bridge.texts.denials import Denial, Ground, deny

ACCEPTED = "key-accepted"
"""The key of the note by which somebody accepts a segment; its value is the number of the segment."""
_NOTES = f"SELECT body FROM events WHERE kind = '{schema.NOTE}' AND body LIKE '{{\"{ACCEPTED}\"%' ORDER BY n"  # noqa: S608


class Acceptance(NamedTuple):
    """Somebody has accepted the key of a segment."""

    segment: int
    key: str
    person: str
    role: str


class Lost(NamedTuple):
    """A segment whose key nothing certifies, and who has accepted it."""

    segment: int
    key: str
    by: tuple[Acceptance, ...] = ()


def read(body: str | None) -> Acceptance | None:
    """What a note says, if somebody accepts a key in it."""
    try:
        said: Any = json.loads(body or "")
        return Acceptance(int(said[ACCEPTED]), str(said["key"]), str(said["person"]), str(said["role"]))
    except (LookupError, TypeError, ValueError, RecursionError):
        return None


def is_accepted(by: Iterable[Acceptance]) -> bool:
    """Whether those who have accepted it are enough."""
    allowed = [one for one in by if at_least(one.role, PIT_MANAGER)]
    people = {number_of(one.person) for one in allowed}
    return len(people) > 1 and any(at_least(one.role, SHIFT_MANAGER) for one in allowed)


def newest(journal: Journal) -> Lost | None:
    """The newest segment at hand whose key nothing certifies; None if every key is certified."""
    found: list[Acceptance] = []
    for path in reversed([*journal.before(), journal.path]):
        with suppress(sqlite3.Error), closing(segments.open_for_reading(path)) as connection:
            said = segments.beginning(connection)
            found += [one for (body,) in connection.execute(_NOTES) if (one := read(body)) is not None]
            if segments.edition(connection) > 1 and said.get("certificate") is None and said.get("reason") != "first":
                number, key = segments.number_of(path), str(said.get("key"))
                return Lost(number, key, tuple(one for one in found if (one.segment, one.key) == (number, key)))
    return None


def refuses(lost: Lost | None, segment: int, person: str, role: str) -> Denial | None:
    """Why somebody may not accept the key of a segment; None if they may."""
    if lost is None or is_accepted(lost.by):
        return deny(Ground.NO_KEY_WAITS)
    if not at_least(role, PIT_MANAGER):
        return lacks_role("accept-key", (PIT_MANAGER,), role)
    if segment != lost.segment:
        return deny(Ground.OTHER_SEGMENT, number=lost.segment)
    if any(same(one.person, person) for one in lost.by):
        return deny(Ground.ACCEPTED_BY_YOU, person=person)
    if lost.by and not is_accepted([*lost.by, Acceptance(segment, lost.key, person, role)]):
        return deny(Ground.ONE_MUST_BE, role=SHIFT_MANAGER)
    return None


def note(lost: Lost, person: str, role: str) -> str:
    """The row by which somebody accepts it."""
    return json.dumps({ACCEPTED: lost.segment, "key": lost.key, "person": person, "role": role}, ensure_ascii=False)
