"""A journal in the archive, read by the audit as one in a folder is (`audit.journal_reader`).

1. A segment is a part. It is made again as a file from the bytes that came, when it is read: rows, records and heads as
   they were, with the digests that the centre has made. So `verify`, `replay`, `export` and `affected` are the same
   code for a folder and for the archive.
2. A segment whose next one follows damage was set aside at the table. What the table had sent of it after that point is
   also here, on a line of its own.
3. What the archive cannot show: snapshots, which are not sent, and the bytes of the table's files. Those are checked at
   the table.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from firmware_bridge.audit.journal_reader import Part, UnreadableError
from firmware_bridge.floor.archive.archive import Archive, Place
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.intake.intake import QUARANTINE
from firmware_bridge.floor.intake.known import Known
from firmware_bridge.floor.wire import items
from firmware_bridge.journal import schema
from firmware_bridge.journal.signed.signing import AnyHead


class ArchivedJournal:
    """One journal of the archive."""

    def __init__(self, archive: Archive, place: Place) -> None:
        """Read this journal."""
        self._archive, self._place = archive, place

    def __str__(self) -> str:
        """The table and the journal."""
        return f"{self._place.casino}/{self._place.name} {self._place.journal.hex()}"

    def root(self) -> bytes:
        """The first public key, as the table was enrolled with it."""
        return self._known().root

    def head(self) -> AnyHead | None:
        """The last head that came."""
        found: AnyHead | None = None
        for line, number, *_ in list(self._archive.segments(self._place.journal))[-2:]:
            for data in self._archive.heads(self._place.journal, line, number):
                found = items.head_of(data, self._place.journal, number)
        return found

    def parts(self) -> list[Part]:
        """The segments, oldest first.

        Raises:
            UnreadableError: there are none.
        """
        try:
            found = list(self._archive.segments(self._place.journal))
        except ArchiveError as error:
            raise UnreadableError(str(error)) from error
        if not found:
            raise UnreadableError(f"{self}: nothing of this journal has come")
        parts = []
        for place, (line, number, edition, _) in enumerate(found):
            aside = place + 1 < len(found) and _follows_damage(found[place + 1][3])
            name = f"journal-{number:06d}.db" + (".quarantined" if aside else "")
            parts.append(Part(number, Path(name), aside, _Writer(self._archive, self._place, line, number, edition)))
        return parts

    def _known(self) -> Known:
        place = self._place
        known = self._archive.known(*place)
        if known is None:
            raise UnreadableError(f"{self}: there is no such journal")
        return known


class _Writer:
    """Makes a segment again."""

    def __init__(self, archive: Archive, place: Place, line: int, number: int, edition: int) -> None:
        self._archive, self._edition = archive, edition
        self._where = place.journal, line, number

    def __call__(self, path: Path) -> None:
        """Write it to a file.

        Raises:
            UnreadableError: the archive does not give it.
            sqlite3.Error: what came is no segment.
        """
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("BEGIN")
                for statement in schema.MADE[self._edition]:
                    connection.execute(statement)
                self._fill(connection)
                connection.execute("COMMIT")
        except ArchiveError as error:
            raise UnreadableError(str(error)) from error
        except (items.ItemError, UnicodeEncodeError) as error:
            raise sqlite3.DatabaseError(str(error)) from error

    def _fill(self, connection: sqlite3.Connection) -> None:
        for data, chain in self._archive.events(*self._where):
            row, edition = items.row_of(data)
            _insert(connection, "events", (*(row[:8] if edition == 1 else row), chain))
        for data in self._archive.heads(*self._where):
            _insert(connection, "heads", items.columns_of(data))
        for data in self._archive.records(*self._where):
            table, *columns = items.columns_of(data)
            _insert(connection, str(table), columns)


def _insert(connection: sqlite3.Connection, table: str, columns: Sequence[object]) -> None:
    marks = ", ".join("?" * len(columns))
    connection.execute(f"INSERT INTO {table} VALUES ({marks})", columns)  # noqa: S608  one of our tables, marks alone


def _follows_damage(said: str) -> bool:
    try:
        return bool(json.loads(said).get("reason") == QUARANTINE)
    except (AttributeError, ValueError, RecursionError):
        return False
