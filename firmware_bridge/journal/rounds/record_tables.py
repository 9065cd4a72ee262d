"""The tables of rounds, findings and rulings in a segment: how a record gets there, and how it is read again.

1. A record is added, never changed, and each of its rows goes into the running digest of the records (`covered`).
2. A daemon that begins again from an older snapshot makes the last record once more: one that is there, word for word,
   is not added again.
3. `state` is a column of this edition that nothing is kept in: it is written empty, and nothing reads it. A table that
   goes on takes up no round from a record.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from firmware_bridge.journal import schema
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.journal.signed.covered import add_record

_NO_STATE = b""
_REPORTS = f"SELECT number, report FROM rounds WHERE {schema.NEWEST} ORDER BY first DESC"  # noqa: S608  ours
Execute = Callable[[str, Sequence[object]], sqlite3.Cursor]


def newest(connection: sqlite3.Connection) -> int:
    """The first row of the newest round that has a record in a segment; 0 without any."""
    found: int = connection.execute("SELECT coalesce(max(first), 0) FROM rounds").fetchone()[0]
    return found


def add(execute: Execute, done: Done, digest: bytes, last: int) -> bytes:
    """Write the record of a round, unless this very one is there; return the running digest after it.

    `last` is the first row of the newest round that has a record: a newer one is not looked for.
    """
    if done.round.first <= last and _is_recorded(execute, done):
        return digest

    def insert(table: str, *columns: object) -> int | None:
        nonlocal digest
        marks = ", ".join("?" * len(columns))
        id_ = execute(f"INSERT INTO {table} VALUES (NULL, {marks})", columns).lastrowid  # noqa: S608  the names are ours
        digest = add_record(digest, table, (id_, *columns))
        return id_

    number = insert("rounds", *done.round, _NO_STATE)
    made = [insert("findings", number, *finding) for finding in done.findings]
    for ruling in done.rulings:
        about = None if ruling.finding is None else made[ruling.finding]
        insert("rulings", number, about, *ruling[1:])
    return digest


def _is_recorded(execute: Execute, done: Done) -> bool:
    told = done.round
    columns = ", ".join(told._fields)
    for id_, *kept in execute(f"SELECT id, {columns} FROM rounds WHERE first = ?", (told.first,)).fetchall():  # noqa: S608
        found = execute("SELECT * FROM findings WHERE round = ? ORDER BY id", (id_,)).fetchall()
        said = execute("SELECT * FROM rulings WHERE round = ? ORDER BY id", (id_,)).fetchall()
        if (kept, [row[2:] for row in found], [row[3:] for row in said]) == (
            [*told],
            [tuple(finding) for finding in done.findings],
            [tuple(ruling[1:]) for ruling in done.rulings],
        ):
            return True
    return False


def reports_before(connection: sqlite3.Connection, number: int, most: int) -> list[dict[str, Any]]:
    """The reports of a segment's last rounds before a number, `most` at most, oldest first.

    Another table's are not among them: it has counted its rounds from 1.
    """
    past: list[dict[str, Any]] = []
    for told, report in connection.execute(_REPORTS):
        if told >= number and not past:
            continue
        if told != number - len(past) - 1 or len(past) == most:
            break
        past.append(json.loads(report))
    return past[::-1]
