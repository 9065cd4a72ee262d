"""The alarms that nobody has cleared, as the records tell them: for those without a table, or with part of a journal.

1. A clearing is a note that names the event of each alarm that it ends, with its code and clause. The same finding that
   came again before that note was the same alarm once more.
2. The records do not say whether a finding held its round. So every finding counts whose ruling needs more than a
   dealer: one that was no alarm may have to be cleared, but no alarm is lost.
3. What happened before the table had roles was no alarm.
4. A note may raise an alarm by itself: its ``alarm`` is the code. It has no clause, and `REPORTED` for a ruling.
5. The segments at hand are read, and those that were set aside as far as they can be; the archive is not.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from firmware_bridge.journal import schema
from firmware_bridge.journal.segments import open_for_reading, segments, set_aside_before
from firmware_bridge.people.authority import needs_pit

_STARTS = f"SELECT n, body FROM events WHERE kind = '{schema.START}'"  # noqa: S608  the word is ours
_CLEARED = f"SELECT n, body FROM events WHERE kind = '{schema.NOTE}' AND body LIKE '{{\"cleared\":%'"  # noqa: S608
_RAISED = f"SELECT n, at, body FROM events WHERE kind = '{schema.NOTE}' AND body LIKE '{{%\"alarm\":%'"  # noqa: S608
REPORTED = "report"
_FOUND = (
    "SELECT rounds.first, findings.n, coalesce(events.at, ''), code, clause, ruling, places"  # noqa: S608
    " FROM findings JOIN rounds ON rounds.id = findings.round LEFT JOIN events ON events.n = findings.n"
    f" WHERE {schema.NEWEST} ORDER BY findings.id"
)


class Uncleared(NamedTuple):
    """A finding that nobody has cleared."""

    n: int
    at: str
    code: str
    clause: str
    ruling: str
    places: str


class _Cleared(NamedTuple):
    """An alarm that was cleared by a note; `first` is the event that first proved it, `often` if more have since."""

    n: int
    first: Any
    code: Any
    clause: Any
    often: bool


def uncleared(state: Path) -> list[Uncleared]:
    """The findings of rounds that are over, and the alarms of notes, that nobody has cleared, oldest first."""
    since: int | None = None
    found: dict[int, list[Uncleared]] = {}  # by the first event of the round: a later segment may know more of it
    raised: list[Uncleared] = []
    cleared: list[_Cleared] = []
    for path in sorted([*segments(state), *set_aside_before(state)]):
        with (
            suppress(sqlite3.Error, UnicodeError),
            closing(open_for_reading(path)) as connection,
        ):  # a damaged file gives what it can
            since = since if since is not None else _roles_since(connection)
            for n, body in connection.execute(_CLEARED):
                cleared += _listed(n, body)
            told: dict[int, list[Uncleared]] = {}
            for first, *row in connection.execute(_FOUND):
                told.setdefault(first, []).append(Uncleared(*row))
            found |= told
            for n, at, body in connection.execute(_RAISED):
                code = _read(body).get("alarm")
                raised += [Uncleared(n, at, code, "", REPORTED, "")] if isinstance(code, str) else []
    if since is None:
        return []
    standing = [one for listed in found.values() for one in listed if needs_pit(one.ruling)]
    return [one for one in sorted((*standing, *raised)) if one.n > since and not _is_cleared(one, cleared)]


def _is_cleared(one: Uncleared, cleared: list[_Cleared]) -> bool:
    return any(
        (each.code, each.clause) == (one.code, one.clause)
        and (each.first == one.n or (each.often and each.first < one.n < each.n))
        for each in cleared
    )


def _roles_since(connection: sqlite3.Connection) -> int | None:
    """The first start of a segment at which people were named."""
    return next((n for n, body in connection.execute(_STARTS) if _read(body).get("roles")), None)


def _listed(n: int, body: str) -> list[_Cleared]:
    """The alarms that a note clears."""
    listed = _read(body).get("cleared")
    return [
        _Cleared(n, one.get("n"), one.get("code"), one.get("clause"), often=one.get("times") != 1)
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and isinstance(one.get("n"), int)
    ]


def _read(body: str) -> dict[str, Any]:
    try:
        said = json.loads(body)
    except (TypeError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
