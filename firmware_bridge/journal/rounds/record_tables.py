"""The tables of rounds, findings and rulings in a segment: how a record gets there, and how it is read again.

1. A record is added, never changed, and each of its rows goes into the running digest of the records (`covered`).
2. A daemon that begins again from an older snapshot makes the last record once more: one that is there, word for word,
   is not added again. The round as it lay, `state`, is not compared.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.journal.signed.covered import add_record

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

    number = insert("rounds", *done.round)
    made = [insert("findings", number, *finding) for finding in done.findings]
    for ruling in done.rulings:
        about = None if ruling.finding is None else made[ruling.finding]
        insert("rulings", number, about, *ruling[1:])
    return digest


def _is_recorded(execute: Execute, done: Done) -> bool:
    told = done.round
    columns = ", ".join(told._fields[:-1])  # the round as it lay is not compared: the rest says what it was
    for id_, *kept in execute(f"SELECT id, {columns} FROM rounds WHERE first = ?", (told.first,)).fetchall():  # noqa: S608
        found = execute("SELECT * FROM findings WHERE round = ? ORDER BY id", (id_,)).fetchall()
        said = execute("SELECT * FROM rulings WHERE round = ? ORDER BY id", (id_,)).fetchall()
        if (kept, [row[2:] for row in found], [row[3:] for row in said]) == (
            [*told[:-1]],
            [tuple(finding) for finding in done.findings],
            [tuple(ruling[1:]) for ruling in done.rulings],
        ):
            return True
    return False


def past(connection: sqlite3.Connection, seen: set[int]) -> Iterator[tuple[int, bytes]]:
    """The rounds of one segment, newest first, without those in `seen`, which later records have told."""
    for first, number, state in connection.execute("SELECT first, number, state FROM rounds ORDER BY id DESC"):
        if first not in seen:
            seen.add(first)
            yield number, state
