"""Reads the rounds that are over from the journal's files, beside the daemon's own connection.

1. The newest segment first, until there are enough. Archived segments must be unpacked, which takes time: they are
   opened only where the caller wants them, which the daemon never does. Its loop calls `author` alone, which opens few
   segments; everything else the daemon leaves to a thread.
2. A round is found by its number on the table; where a number was used again, on another table, the newest is meant,
   unless the number of its first event is said. Of several records of one round the newest counts.
   A round that was given up has no record: the row that says so puts it on the list, and `one_round` does not find it.
3. A round in short has the clauses of its findings and the people who said something while it was on; a word about a
   finding has its person. Edition 1 wrote no person down beside what was said.
4. Rounds of a segment that was set aside as damaged are told up to where they can be read: they were played. What
   cannot be read is passed over.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.rounds.round_records import ABANDONED
from firmware_bridge.journal.segments import segments

PAGE = 100
"""How many rounds the daemon tells at once: devices wait meanwhile."""
SHORT = "number, game, first, last, began, ended, outcome, boxes"
"""What a round is in short: the columns of its record."""
_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file
_FINDINGS = "SELECT n, code, clause, ruling, places, whose FROM findings WHERE round = ? ORDER BY id"
_DISPUTED = (
    "SELECT n, at, body FROM events WHERE n > ?1 AND kind = 'note' AND device = 'console'"
    """ AND body LIKE '{"disputed": ' || ?1 || ', %' ORDER BY n DESC"""
)
_GIVEN_UP = (
    "SELECT body FROM events WHERE kind = 'note' AND device = 'console'"
    """ AND body LIKE '{"' || ? || '": %, "round": {"number": %'"""
)
_RULINGS = "SELECT n, at, who, what, {person} FROM rulings WHERE round = ? ORDER BY id"
_LAST = f"SELECT id, {SHORT} FROM rounds WHERE id <= ? ORDER BY id DESC"  # noqa: S608  the names are ours
_CODES = "SELECT round, code, clause FROM findings WHERE round >= ? ORDER BY id"
_PEOPLE = (
    "SELECT id, (SELECT json_group_array(DISTINCT person) FROM events"
    " WHERE n BETWEEN first AND last AND person NOT NULL) AS people FROM rounds WHERE id >= ?"
)
_NAMED = "SELECT 1 FROM pragma_table_info(?) WHERE name = 'person'"


def last_rounds(state: Path, count: int, skip: int = 0, *, archived: bool = False) -> list[dict[str, object]]:
    """The last `count` rounds in short, newest first, after `skip` newer ones."""
    found: dict[object, dict[str, object]] = {}  # by the first event: the newest record of a round comes first
    for connection in _newest_first(state, archived=archived):
        listed: dict[object, dict[str, object]] = {}
        for one in _newest(_each(connection, _LAST, 2**63 - 1), _given_up(connection)):
            if len(found) >= skip + count:
                break
            if one["first"] not in found:
                number = one.pop("id", None)
                found[one["first"]] = one
                if len(found) > skip and number is not None:
                    listed[number] = one
        _add_to(listed, connection)
        if len(found) >= skip + count:
            break
    return list(found.values())[skip:]


def _newest(records: Iterator[dict[str, object]], given_up: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Records and rounds that were given up, both the newest first, in one order."""
    waiting = deque(given_up)
    for one in records:
        while waiting and int(str(waiting[0]["first"])) > int(str(one["first"])):
            yield waiting.popleft()
        yield one
    yield from waiting


def _given_up(connection: sqlite3.Connection) -> list[dict[str, object]]:
    """The rounds of a segment that were given up, the newest first, as the rows that say so tell them."""
    told: list[dict[str, object]] = []
    for row in _rows(connection, _GIVEN_UP, ABANDONED):
        with suppress(ValueError, LookupError, TypeError, RecursionError):  # what a damaged file gives may be none
            one = json.loads(str(row["body"]))["round"]
            told += [one] if type(one["first"]) is int else []
    return sorted(told, key=lambda one: int(str(one["first"])), reverse=True)


def _add_to(listed: dict[object, dict[str, object]], connection: sqlite3.Connection) -> None:
    """Add findings, clauses and people to the rounds of one segment, which are given by their ids."""
    if not listed:
        return
    least = min(map(int, map(str, listed)))
    codes: dict[object, list[dict[str, object]]] = {}
    for finding in _each(connection, _CODES, least):
        codes.setdefault(finding["round"], []).append(finding)
    people = {one["id"]: one["people"] for one in _each(connection, _PEOPLE, least)}
    for number, one in listed.items():
        findings = codes.get(number, [])
        one["findings"] = " ".join(str(finding["code"]) for finding in findings) or None
        one["clauses"] = [finding["clause"] for finding in findings]
        one["people"] = json.loads(str(people.get(number, "[]")))


def one_round(
    state: Path, number: int | None, first: int | None = None, *, archived: bool = False
) -> dict[str, object] | None:
    """One round with its report, findings and rulings: by number, by its first event, or the last one."""
    if first is not None:
        where, value = "WHERE first = ?", first
    elif number is not None:
        where, value = "WHERE number = ?", number
    else:
        where, value = "WHERE ? = 1", 1
    for connection in _newest_first(state, archived=archived):
        found = read_round(connection, where, value)
        if found is not None:
            marks = disputes(state, found["first"], archived=archived)
            return found | ({"disputed": marks} if marks else {})
    return None


def first_event(state: Path, number: int) -> int:
    """The first event of the newest round with a number that is at hand; 0 if there is none."""
    for connection in _newest_first(state, archived=False):
        for found in _rows(connection, "SELECT first FROM rounds WHERE number = ? ORDER BY id DESC LIMIT 1", number):
            return int(str(found["first"]))
    return 0


def may_have_round(state: Path, first: int) -> bool:
    """Whether a round with this first event is at hand, or could be in the archive."""
    for connection in _newest_first(state, archived=False):
        if _rows(connection, "SELECT 1 FROM rounds WHERE first = ? LIMIT 1", first):
            return True
    present = segments(state)
    return bool(compressed_segments.count(state)) and 0 < first < (_begins(present[0]) if present else 0)


def disputes(state: Path, first: object, *, archived: bool = False) -> list[dict[str, object]]:
    """The marks of surveillance on a round, by its first event, the newest first."""
    found: list[dict[str, object]] = []
    for connection in _newest_first(state, archived=archived):
        found += _rows(connection, _DISPUTED, first)
        if _rows(connection, "SELECT 1 FROM events WHERE n = ?", first):
            break  # nobody speaks of a round before it has begun
    return [{"n": one["n"], "at": one["at"], **json.loads(str(one["body"]))} for one in found]


def read_round(connection: sqlite3.Connection, where: str, value: object) -> dict[str, object] | None:
    """The newest round of one segment that a condition names, with its report, findings and rulings.

    The connection gives rows by the names of their columns.
    """
    named = _rows(connection, _NAMED, "rulings")
    rulings = _RULINGS.format(person="person, role" if named else "'' AS person, '' AS role")
    chosen = f"SELECT id, {SHORT}, report FROM rounds {where} ORDER BY id DESC LIMIT 1"  # noqa: S608  the names are ours
    for found in _rows(connection, chosen, value):
        number_in_file = found.pop("id")
        try:
            report = json.loads(str(found.pop("report")))
        except (ValueError, RecursionError):
            continue
        return found | {
            "report": report,
            "findings": _rows(connection, _FINDINGS, number_in_file),
            "rulings": _rows(connection, rulings, number_in_file),
        }
    return None


def author(state: Path, n: int) -> tuple[str, str] | None:
    """Person and role of a row that is at hand; None if it is nobody's word, or of an edition that named nobody."""
    chosen = "SELECT person, role FROM events WHERE n = ? AND person IS NOT NULL"
    present = segments(state)
    place = bisect_right(present, n, key=_begins)
    for connection in _connected([*present[max(place - 1, 0) : place], *_set_aside(state)]):
        for found in _rows(connection, chosen, n):
            return str(found["person"]), str(found["role"] or "")
    return None


def _begins(path: Path) -> int:
    """The first event of a segment; one that cannot be read counts as before all."""
    for connection in _connected([path]):
        for found in _rows(connection, "SELECT n FROM events WHERE n >= ? ORDER BY n LIMIT 1", 0):
            return int(str(found["n"]))
    return 0


def elsewhere(state: Path) -> dict[str, object]:
    """Where older rounds are, for anyone who asks for more than is at hand; empty if nothing is archived."""
    many = compressed_segments.count(state)
    return {"archived": {"segments": many, "state": str(state.absolute())}} if many else {}


def _newest_first(state: Path, *, archived: bool) -> Iterator[sqlite3.Connection]:
    """A connection to each segment in turn; one that cannot be read is passed over."""
    present = [*(compressed_segments.every(state) if archived else segments(state)), *_set_aside(state)]
    yield from _connected(sorted(present, key=lambda path: path.name, reverse=True))


def _set_aside(state: Path) -> list[Path]:
    """The segments that were set aside as damaged."""
    return [path for path in state.glob("journal-??????.db.quarantined*") if not path.name.endswith(_BESIDE)]


def _connected(paths: Iterable[Path]) -> Iterator[sqlite3.Connection]:
    """A connection to each of these in turn; one that cannot be read is passed over."""
    for path in paths:
        try:
            with compressed_segments.opened(path) as connection:
                connection.execute("SELECT 1 FROM rounds LIMIT 1").fetchone()
                connection.row_factory = sqlite3.Row
                yield connection
        except sqlite3.Error:
            continue


def _rows(connection: sqlite3.Connection, chosen: str, value: object) -> list[dict[str, object]]:
    """The rows that are chosen, up to where they can be read."""
    return list(_each(connection, chosen, value))


def _each(connection: sqlite3.Connection, chosen: str, value: object) -> Iterator[dict[str, object]]:
    """The rows that are chosen one by one, up to one that cannot be read; none by a number that is too large."""
    with suppress(sqlite3.Error, OverflowError, UnicodeDecodeError):
        for row in connection.execute(chosen, (value,)):
            yield dict(row)
