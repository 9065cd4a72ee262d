"""The journal: every event of the table in the order in which it counted, durable before anything is done about it.

1. One SQLite file, write-ahead log, every commit on the disk before it returns, one writing connection.
2. A row is what arrived: the device and its event number, the device's clock, the wall clock, the event (`codec`), a
   note where it means nothing to the game, and the bytes as they came.
3. Rows that arrive together are committed together.
4. A row is never changed and never removed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    n INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    device TEXT NOT NULL,
    number INTEGER,
    clock INTEGER,
    event TEXT,
    note TEXT,
    raw BLOB
) STRICT
"""
_INSERT = "INSERT INTO events (at, device, number, clock, event, note, raw) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Entry(NamedTuple):
    """One row, without its number in the journal."""

    at: str
    device: str
    number: int | None = None
    clock: int | None = None
    event: str | None = None
    note: str | None = None
    raw: bytes | None = None


class Journal:
    """The journal of one table."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(_SCHEMA)

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries; they are durable when this returns.

        Whatever it raises, none of them is written.
        """
        execute = self._connection.execute
        execute("BEGIN")
        try:
            self._connection.executemany(_INSERT, entries)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise

    def entries(self, device: str | None = None) -> Iterator[Entry]:
        """Every row in order, or those of one device."""
        chosen = (
            "SELECT at, device, number, clock, event, note, raw FROM events WHERE ?1 IS NULL OR device = ?1 ORDER BY n"
        )
        for row in self._connection.execute(chosen, (device,)):
            yield Entry(*row)

    def last_number(self, device: str) -> int | None:
        """The last event number of a device that is durable."""
        chosen = "SELECT number FROM events WHERE device = ? AND number IS NOT NULL ORDER BY n DESC LIMIT 1"
        row = self._connection.execute(chosen, (device,)).fetchone()
        return None if row is None else int(row[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
