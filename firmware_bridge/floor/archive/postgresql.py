"""PostgreSQL as a dialect (`dialects`): the one file that imports its driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

import psycopg
from psycopg import sql
from psycopg.errors import Diagnostic

from firmware_bridge.floor.archive.dialects import COPIED, ArchiveError, Condition, RefusedRowsError, Row

_MIGRATING = 0x74727565  # the number of the advisory lock
_NOT_REPLICATED = "synchronous replication"
_SOME = 500  # rows of a long answer at once


class Postgresql:
    """An archive in a PostgreSQL server."""

    name = "postgresql"
    for_update = " FOR UPDATE"

    def __init__(self, url: str) -> None:
        """Connect.

        Raises:
            ArchiveError: the server does not let us.
        """
        try:
            self._connection = psycopg.connect(url, autocommit=True, connect_timeout=5)
        except psycopg.Error as error:
            raise _error(error) from error
        self._warned = ""
        self._connection.add_notice_handler(self._notice)

    def _notice(self, said: Diagnostic) -> None:
        if _NOT_REPLICATED in (said.message_primary or ""):
            self._warned = said.message_primary or ""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction; a commit that was not replicated is an error."""
        self._warned = ""
        try:
            with self._connection.transaction():
                yield
        except psycopg.Error as error:
            raise _error(error) from error
        if self._warned:
            raise ArchiveError(self._warned)

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement; returns its rows."""
        try:
            done = self._connection.execute(_with_marks(statement), values)
            return done.fetchall() if done.description is not None else []
        except psycopg.Error as error:
            raise _error(error) from error

    def execute_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each row of values, without waiting for each."""
        try:
            with self._connection.cursor() as cursor:
                cursor.executemany(_with_marks(statement), rows)
        except psycopg.Error as error:
            raise _error(error) from error

    def script(self, text: str) -> None:
        """Run several statements of our own."""
        try:
            self._connection.execute(sql.SQL(text))
        except psycopg.Error as error:
            raise _error(error) from error

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Write many rows, a lot of them by COPY."""
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        try:
            with self._connection.cursor() as cursor:
                if len(rows) >= COPIED:
                    command = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
                    with cursor.copy(command) as copying:
                        for row in rows:
                            copying.write_row(row)
                elif rows:
                    marks = sql.SQL(", ").join([sql.Placeholder()] * len(columns))
                    one = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, marks)
                    cursor.executemany(one, rows)
        except psycopg.Error as error:
            raise _error(error) from error

    def stream(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """The rows of a long answer, from a cursor of the server."""
        try:
            with self._connection.transaction(), self._connection.cursor("long_answer") as cursor:
                cursor.itersize = _SOME
                cursor.execute(_with_marks(statement), values)
                yield from cursor
        except psycopg.Error as error:
            raise _error(error) from error

    def prepare_month(self, day: date) -> None:
        """Make the partition of a month."""
        self.execute("SELECT prepare_month(?)", (day,))

    def lock_migrations(self) -> None:
        """Let nobody else migrate until the transaction ends."""
        self.execute("SELECT pg_advisory_xact_lock(?)", (_MIGRATING,))

    def limit_time(self, seconds: float) -> None:
        """Give up every statement that takes longer from now on."""
        self.execute("SELECT set_config('statement_timeout', ?, false)", (str(int(seconds * 1000)),))

    def condition(self) -> Condition:
        """How the database is; the lag of a replica is told only to roles that may see it."""
        months = "SELECT max(right(relname, 7)) FROM pg_class WHERE relname ~ '^events_[0-9]{4}_[0-9]{2}$'"
        ((month,),) = self.execute(months)
        parts = (f"EXISTS (SELECT FROM {table}_otherwise)" for table in ("events", "rounds", "wagers"))
        ((astray,),) = self.execute(f"SELECT {' OR '.join(parts)}")
        ((lag,),) = self.execute("SELECT extract(epoch FROM max(replay_lag))::float8 FROM pg_stat_replication")
        return Condition(month, bool(astray), lag)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _with_marks(statement: str) -> Any:
    return sql.SQL(statement.replace("%", "%%").replace("?", "%s"))


def _error(error: psycopg.Error) -> ArchiveError:
    refused = isinstance(error, psycopg.IntegrityError | psycopg.DataError)
    return RefusedRowsError(str(error)) if refused else ArchiveError(str(error))
