"""Reads a table's journal from a mark on, as the items that are sent.

1. The journal is the queue: anyone who says how far they have come gets what follows, at most one batch, from one
   segment. Nothing is remembered here that the files do not say.
2. The segment that is being written is read beside the daemon, in transactions of one batch, so that its checkpoint
   never waits long. A log is synchronised once, before it is first read: what a killed daemon has written and not
   synchronised could be gone after the next power cut, and what is sent must stay.
3. A segment that was set aside as damaged is read up to the event that the next one follows. What cannot be read there
   is not sent; the centre sees the gap.
4. Rows are chained before they are sent. Where the digest does not fit, they are read once more: a file may change
   while it is read. What still does not fit is sent as it is: the centre judges.
5. A journal of training is not sent (`journal.domain`).
6. The mark that a batch follows is that of *this* journal: the event that was asked for, with the digest that this
   journal has there.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_bridge.audit import journal_reader
from firmware_bridge.audit.journal_reader import Part, UnreadableError
from firmware_bridge.audit.rows import said_to_follow
from firmware_bridge.floor.shipping.segment_items import items_after
from firmware_bridge.floor.wire.batch import Batch
from firmware_bridge.floor.wire.marks import Mark
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.signed import covered, signing
from firmware_bridge.journal.signed.signing import Head

Point = tuple[int, bytes]


class SourceError(Exception):
    """The journal cannot be read now; the message says why."""


class Source:
    """The journal of one state folder."""

    def __init__(self, state: Path) -> None:
        """Look into this folder; nothing is opened yet."""
        self._state = state
        self._synced: set[tuple[str, int]] = set()  # logs that were synchronised, by name and inode
        self._unpacked: tuple[str, TemporaryDirectory[str]] | None = None

    def close(self) -> None:
        """Remove what was unpacked."""
        if self._unpacked is not None:
            self._unpacked[1].cleanup()
            self._unpacked = None

    def root(self) -> bytes:
        """The first public key of the journal.

        Raises:
            SourceError: the folder has none.
        """
        try:
            return bytes.fromhex((self._state / signing.PUBLIC).read_text(encoding="ascii"))
        except (OSError, ValueError) as error:
            raise SourceError(f"{self._state / signing.PUBLIC}: {error}") from error

    def journal(self) -> bytes:
        """The id of the journal."""
        return signing.journal_id(self.root())

    def end(self) -> Mark:
        """Where the journal ends here.

        Raises:
            SourceError: it cannot be read.
        """
        newest = next((part for part in reversed(self._parts()) if not part.aside), None)
        if newest is None:
            return Mark()
        with self._opened(newest) as connection:
            n, chain = segments.end(connection)
            heads = covered.any_heads(connection)
            head = heads[-1].number if heads and isinstance(heads[-1], Head) else 0
            return Mark(segment=newest.number, n=n, chain=chain, head=head)

    def round_ends(self, since: datetime) -> list[datetime]:
        """When the rounds of the newest segment have ended that did so after a moment, in order.

        Raises:
            SourceError: it cannot be read.
        """
        newest = next((part for part in reversed(self._parts()) if not part.aside), None)
        if newest is None:
            return []
        with self._opened(newest) as connection:
            chosen = f"SELECT ended FROM rounds WHERE {schema.NEWEST} AND ended > ? ORDER BY ended"  # noqa: S608  ours
            found = connection.execute(chosen, (since.isoformat(),)).fetchall()
        with suppress(ValueError, TypeError):
            return [datetime.fromisoformat(ended) for (ended,) in found]
        return []

    def batch_after(self, have: Mark) -> Batch | None:
        """What follows a mark, at most a batch; None if nothing does.

        Raises:
            SourceError: it cannot be read.
        """
        parts = [part for part in self._parts() if part.number >= have.segment]
        for place, part in enumerate(parts):
            if part.aside and not (following := self._following(parts[place:])):
                return None  # nothing follows it yet
            limit = following if part.aside else None
            found = self._of_part(part, have, limit, done=place + 1 < len(parts))
            if found is not None:
                return found
        return None

    def _following(self, parts: list[Part]) -> int:
        """The last event of a damaged segment that the next one follows; 0 if there is none."""
        for part in parts:
            if not part.aside:
                with self._opened(part) as connection:
                    told = _follows(connection)
                    return 0 if told is None else told[0]
        return 0

    def _of_part(self, part: Part, have: Mark, limit: int | None, *, done: bool) -> Batch | None:
        try:
            with suppress(_TornError):
                return self._read(part, have, limit, done=done, careful=True)
            return self._read(part, have, limit, done=done, careful=False)
        except SourceError:
            if not part.aside:
                raise
            return None  # it is damaged, as its name says

    def _read(self, part: Part, have: Mark, limit: int | None, *, done: bool, careful: bool) -> Batch | None:
        """What follows in one segment."""
        with self._opened(part) as connection:
            begin = _begin(connection, part, have)
            if begin is None:
                return None
            found = items_after(connection, begin, limit, done=done)
            if careful and found.torn:
                raise _TornError
            journal = self.journal()
        after = begin
        if part.number != have.segment:  # it follows what the centre has of the segment before
            after = begin._replace(segment=have.segment, records=have.records, head=have.head)
        return Batch(journal, after, found.last, tuple(found.items)) if found.items else None

    def _parts(self) -> list[Part]:
        try:
            return journal_reader.parts(self._state)
        except UnreadableError as error:
            raise SourceError(str(error)) from error

    # --- opening -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _opened(self, part: Part) -> Iterator[sqlite3.Connection]:
        """A segment at one moment."""
        try:
            path = self._unpack(part.path) if part.packed else part.path
            with closing(self._connected(path)) as connection:
                connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
                connection.execute("BEGIN")
                if segments.beginning(connection).get("domain"):
                    raise SourceError(f"{part.path}: it is training's, which is kept apart from tables")
                yield connection
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise SourceError(f"{part.name}: {error}") from error

    def _connected(self, path: Path) -> sqlite3.Connection:
        """A connection that cannot write; beside the daemon's own where there is one."""
        self._sync_log(path)
        address = path.resolve().as_uri()
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
        try:
            connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN:
                raise
            # Nobody writes: there is no log, and none can be made here.
            connection = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
        return segments.careful(connection)

    def _sync_log(self, path: Path) -> None:
        """What lies in the log beside a segment is on the disk when this returns; once for each log."""
        log = path.with_name(f"{path.name}-wal")
        with suppress(FileNotFoundError):
            known = log.name, log.stat().st_ino
            if known in self._synced:
                return
            handle = os.open(log, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            self._synced.add(known)

    def _unpack(self, path: Path) -> Path:
        """Where an archived segment lies unpacked; one at a time."""
        if self._unpacked is None or self._unpacked[0] != path.name:
            self.close()
            folder = TemporaryDirectory(prefix="truedeal-")
            self._unpacked = path.name, folder
            if wrong := compressed_segments.unpack(path, Path(folder.name) / path.stem):
                self.close()
                raise segments.damage(wrong)
        return Path(self._unpacked[1].name) / path.stem


class _TornError(Exception):
    """What was read does not hang together."""


def _follows(connection: sqlite3.Connection) -> Point | None:
    """What a segment follows, as its first row says."""
    first = next(segments.rows(connection), None)
    return None if first is None else said_to_follow(first[0])


def _begin(connection: sqlite3.Connection, part: Part, have: Mark) -> Mark | None:
    """The mark from which a segment is read, with the digest that lies here; None where it has no such event."""
    if part.number == have.segment and have.n:
        found = connection.execute("SELECT chain FROM events WHERE n = ?", (have.n,)).fetchone()
        return None if found is None or not isinstance(found[0], bytes) else have._replace(chain=found[0])
    told = _follows(connection)
    return None if told is None else Mark(have.line, part.number, *told)
