"""Reads the rounds that are over from the journal's files, beside the daemon's own connection.

1. The newest segment first, until there are enough. Archived segments must be unpacked, which takes time: they are
   opened only where that is asked for, which the daemon's loop never does.
2. A round is found by its number on the table; where a number was used again, on another table, the newest is meant,
   unless the number of its first event is said. Of several records of one round the newest counts.
3. A round in short has the clauses of its findings and the people who said something while it was on; a word about a
   finding has its person. Edition 1 wrote no person down beside what was said.
4. Rounds of a segment that was set aside as damaged are told as far as they can be read: they were played. What
   cannot be read is passed over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from firmware_bridge.journal.archive import compressed_segments as archive
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
_RULINGS = "SELECT n, at, who, what, {person} FROM rulings WHERE round = ? ORDER BY id"
_LAST = f"SELECT id, {SHORT} FROM rounds WHERE id <= ? ORDER BY id DESC"  # noqa: S608  the names are ours
_CODES = "SELECT round, code, clause FROM findings WHERE round >= ? ORDER BY id"
_PEOPLE = (
    "SELECT id, (SELECT json_group_array(DISTINCT person) FROM events"
    " WHERE n BETWEEN first AND last AND person NOT NULL) AS people FROM rounds WHERE id >= ?"
)
_NAMED = "SELECT 1 FROM pragma_table_info(?) WHERE name = 'person'"


def last_rounds(state: Path, count: int, skip: int = 0, *, archived: bool = False) -> list[dict[str, object]]:
    """The last rounds in short, newest first, but for so many that are newer still."""
    found: dict[object, dict[str, object]] = {}  # by the first event: the newest record of a round comes first
    for connection in _newest_first(state, archived=archived):
        listed: dict[object, dict[str, object]] = {}
        for one in _each(connection, _LAST, 2**63 - 1):
            if len(found) >= skip + count:
                break
            if one["first"] not in found:
                number = one.pop("id")
                found[one["first"]] = one
                if len(found) > skip:
                    listed[number] = one
        _add_to(listed, connection)
        if len(found) >= skip + count:
            break
    return list(found.values())[skip:]


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
        except ValueError:
            continue
        return found | {
            "report": report,
            "findings": _rows(connection, _FINDINGS, number_in_file),
            "rulings": _rows(connection, rulings, number_in_file),
        }
    return None


def author(state: Path, n: int) -> tuple[str, str] | None:
    """Person and role of a row that is at hand; None if it is nobody's word, or of an edition that named nobody."""
    for connection in _newest_first(state, archived=False):
        for found in _rows(connection, "SELECT person, role FROM events WHERE n = ? AND person IS NOT NULL", n):
            return str(found["person"]), str(found["role"] or "")
    return None


def elsewhere(state: Path) -> dict[str, object]:
    """Where older rounds are, for who asks for more than is at hand; empty if nothing is archived."""
    many = archive.count(state)
    return {"archived": {"segments": many, "state": str(state.absolute())}} if many else {}


def _newest_first(state: Path, *, archived: bool) -> Iterator[sqlite3.Connection]:
    """A connection to each segment in turn; one that cannot be read is passed over."""
    aside = [path for path in state.glob("journal-??????.db.quarantined*") if not path.name.endswith(_BESIDE)]
    present = [*(archive.every(state) if archived else segments(state)), *aside]
    for path in sorted(present, key=lambda path: path.name, reverse=True):
        try:
            with archive.opened(path) as connection:
                connection.execute("SELECT 1 FROM rounds LIMIT 1").fetchone()
                connection.row_factory = sqlite3.Row
                yield connection
        except sqlite3.Error:
            continue


def _rows(connection: sqlite3.Connection, chosen: str, value: object) -> list[dict[str, object]]:
    """The rows that are chosen, as far as they can be read."""
    return list(_each(connection, chosen, value))


def _each(connection: sqlite3.Connection, chosen: str, value: object) -> Iterator[dict[str, object]]:
    """The rows that are chosen one by one, up to one that cannot be read; none by a number that is too large."""
    with suppress(sqlite3.Error, OverflowError, UnicodeDecodeError):
        for row in connection.execute(chosen, (value,)):
            yield dict(row)
