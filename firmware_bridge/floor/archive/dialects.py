"""The two databases: what differs between them, and nothing else.

1. Statements are plain SQL with a question mark for each value. What both understand is written once, elsewhere.
2. A dialect begins and ends transactions, locks the rows that a writer is about to move, writes many rows at once and
   makes the partition of a month.
3. `ArchiveError` means that the database cannot do it now: the caller gives no answer and tries again over another
   connection. `RefusedRowsError` means that the database is there and does not take these rows. When a wait for its
   replica is cancelled, PostgreSQL reports a warning and a success: here it is an error.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

Row = tuple[Any, ...]
COPIED = 50
"""PostgreSQL gets this many rows or more by COPY."""
_BUSY = 10.0  # seconds for another writer of the same file
_STEPS = 20_000  # of SQLite's machine between two looks at the clock


class ArchiveError(Exception):
    """The database cannot do it now."""


class RefusedRowsError(ArchiveError):
    """The database is there, and does not take these rows: they break a rule of its tables."""


class Condition(NamedTuple):
    """The last month that has partitions, rows that lie where no month was made, seconds that the replica is behind."""

    month: str | None = None
    astray: bool = False
    replica_lag: float | None = None


class Dialect(Protocol):
    """One connection to one database."""

    name: str
    for_update: str

    def transaction(self) -> Any:
        """A transaction as a context; it writes."""
        ...

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement; returns its rows."""
        ...

    def execute_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each row of values."""
        ...

    def script(self, text: str) -> None:
        """Run several statements of our own."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Write many rows."""
        ...

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """The rows of a long answer."""
        ...

    def prepare_month(self, day: date) -> None:
        """Make the partition of a month, where there are any."""
        ...

    def lock_migrations(self) -> None:
        """Let nobody else migrate until the transaction ends."""
        ...

    def limit_time(self, seconds: float) -> None:
        """Give up every statement that takes longer from now on."""
        ...

    def condition(self) -> Condition:
        """How the database is, if it can tell."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


def connect(url: str) -> Dialect:
    """Open the archive that an address names: ``sqlite:PATH`` or ``postgresql://…``.

    Raises:
        ArchiveError: it cannot be opened.
        ValueError: the address names none.
    """
    match urlsplit(url).scheme:
        case "sqlite":
            return Sqlite(Path(url.removeprefix("sqlite:")))
        case "postgresql" | "postgres":
            try:
                from firmware_bridge.floor.archive.postgresql import Postgresql  # noqa: PLC0415  only where it is used
            except ModuleNotFoundError as error:
                raise ArchiveError(f"{error.name} is not installed: it comes with truedeal[floor]") from error
            return Postgresql(url)
        case _:
            message = f"{url}: expected sqlite:PATH or postgresql://…"
            raise ValueError(message)


class Sqlite:
    """An archive in one file."""

    name = "sqlite"
    for_update = ""

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            ArchiveError: it cannot be opened.
        """
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=_BUSY, check_same_thread=False)
            self._limit = self._until = float("inf")
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
                self._connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error as error:
            raise ArchiveError(f"{path}: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction that keeps other writers out from its beginning."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise _error(error) from error

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement; returns its rows."""
        self._until = time.monotonic() + self._limit
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise _error(error) from error

    def execute_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each row of values."""
        try:
            self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise _error(error) from error

    def script(self, text: str) -> None:
        """Run several statements of our own, in the transaction that is on."""
        for statement in text.split(";\n"):
            if statement.strip():
                self.execute(statement)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Write many rows."""
        marks = ", ".join("?" * len(columns))
        try:
            self._connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608
        except sqlite3.Error as error:
            raise _error(error) from error

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """The rows of a long answer."""
        self._until = time.monotonic() + self._limit
        try:
            yield from self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise _error(error) from error

    def prepare_month(self, day: date) -> None:
        """There are no partitions."""

    def lock_migrations(self) -> None:
        """The transaction keeps others out already."""

    def limit_time(self, seconds: float) -> None:
        """Give up every statement that takes longer from now on."""
        self._limit = seconds
        self._connection.set_progress_handler(lambda: time.monotonic() > self._until, _STEPS)

    def condition(self) -> Condition:
        """There are neither partitions nor replicas."""
        return Condition()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _error(error: sqlite3.Error) -> ArchiveError:
    refused = isinstance(error, sqlite3.IntegrityError | sqlite3.DataError | sqlite3.InterfaceError)
    return RefusedRowsError(str(error)) if refused else ArchiveError(str(error))
