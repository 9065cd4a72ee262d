"""The writer of the journal.

1. One segment is written, by one connection of one process (`holding`): write-ahead log, every commit on the disk
   before it returns.
2. Entries that arrive together are committed together, all or none; they get their numbers and digests here.
3. At the end of a round its record, a snapshot and the signed head are committed in one piece, after the events they
   speak of. If that is lost in a crash, the events make it again. A record is added, never changed.
4. Nothing here decides what a damaged file means: every error of SQLite goes to the caller, and nothing is written.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.clock import since_boot
from firmware_bridge.journal import archive, holding, schema, segments, signing
from firmware_bridge.journal import chain as chain_
from firmware_bridge.journal.chain import GENESIS, Row, link
from firmware_bridge.journal.records import FindingRecord, RoundRecord, RulingRecord
from firmware_bridge.journal.signing import Head, Signer

SNAPSHOTS = 2
"""How many snapshots of a segment are kept."""
LONG = 10_000
"""Events after which the next shoe, or where none ends the next round, begins a new segment."""
QUARANTINE = "quarantine"
"""Why a segment begins that follows a damaged one."""
UPGRADE = "upgrade"
"""Why a segment begins that follows one of an earlier edition."""


_Execute = Callable[[str, Sequence[object]], sqlite3.Cursor]


class Entry(NamedTuple):
    """One row, before it has a number and a digest."""

    at: str
    device: str
    kind: str
    body: str | None = None
    number: int | None = None
    clock: int | None = None
    raw: bytes | None = None
    mono: int | None = None
    person: str | None = None
    role: str | None = None
    how: str | None = None


def connect(path: Path) -> sqlite3.Connection:
    """The one place where a connection that writes is made."""
    return sqlite3.connect(path, isolation_level=None)


def _past_rounds(connection: sqlite3.Connection, seen: set[int]) -> Iterator[tuple[int, bytes]]:
    """The rounds of one segment, newest first, but for those that a later record has told."""
    for first, number, state in connection.execute("SELECT first, number, state FROM rounds ORDER BY id DESC"):
        if first not in seen:
            seen.add(first)
            yield number, state


def _record(
    execute: _Execute, round_: RoundRecord, findings: Sequence[FindingRecord], rulings: Sequence[RulingRecord]
) -> None:
    """Write a record; one of the same round that is there stays as it is."""
    number = execute("INSERT INTO rounds VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", round_).lastrowid
    made = [
        execute("INSERT INTO findings VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, *finding)).lastrowid
        for finding in findings
    ]
    for ruling in rulings:
        about = None if ruling.finding is None else made[ruling.finding]
        execute("INSERT INTO rulings VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", (number, about, *ruling[1:]))


def _is_recorded(
    execute: _Execute, round_: RoundRecord, findings: Sequence[FindingRecord], rulings: Sequence[RulingRecord]
) -> bool:
    """Whether this very record is there: a daemon that begins again from an older snapshot makes it once more."""
    columns = ", ".join(round_._fields[:-1])  # the round as it lay is not compared: the rest says what it was
    for id_, *told in execute(f"SELECT id, {columns} FROM rounds WHERE first = ?", (round_.first,)).fetchall():  # noqa: S608
        found = execute("SELECT * FROM findings WHERE round = ? ORDER BY id", (id_,)).fetchall()
        said = execute("SELECT * FROM rulings WHERE round = ? ORDER BY id", (id_,)).fetchall()
        if (told, [row[2:] for row in found], [row[3:] for row in said]) == (
            [*round_[:-1]],
            [tuple(finding) for finding in findings],
            [tuple(ruling[1:]) for ruling in rulings],
        ):
            return True
    return False


class Journal:
    """The journal of one table, open for writing."""

    def __init__(self, state: Path, at: str) -> None:
        """Open the newest segment, or begin the first.

        Raises:
            sqlite3.Error: it cannot be opened; `segments.is_damage` tells whether it is damaged.
        """
        self.state = state
        self._hold = holding.hold(state)
        try:
            self.signer = Signer(state)
            self._number = segments.latest(state)
            if self._number == 0:
                self.n, self.chain = 0, GENESIS
                self._begin(at, None, "first")
            self._open()
        except BaseException:
            os.close(self._hold)
            raise

    @classmethod
    def after(cls, state: Path, at: str, head: Head | None) -> Journal:
        """A journal whose newest segment is damaged: a new one follows the published head, or the segment before."""
        journal = cls.__new__(cls)
        journal.state, journal._hold = state, holding.hold(state)  # noqa: SLF001  its own
        journal.signer = Signer(state)
        journal._number = segments.latest(state)  # noqa: SLF001  its own
        journal.n, journal.chain = (head.n, head.chain) if head is not None else journal._end_before()  # noqa: SLF001
        journal._begin(at, None, QUARANTINE)  # noqa: SLF001  its own
        journal._open()  # noqa: SLF001  its own
        return journal

    def _open(self) -> None:
        """Open the segment of this number for writing."""
        path = segments.segment_path(self.state, self._number)
        connection = connect(path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            end = segments.end(connection)
            first = connection.execute("SELECT n FROM events ORDER BY n LIMIT 1").fetchone()
            if first is None or not isinstance(first[0], int):
                raise segments.damage("a segment without its first row")
        except (UnicodeDecodeError, MemoryError) as error:  # of a message that quotes what is damaged; of a mad size
            connection.close()
            raise segments.damage(str(error)) from error
        except sqlite3.Error:
            connection.close()
            raise
        self._connection, self.path = connection, path
        self.n, self.chain = end
        self.first = first[0]

    def _begin(self, at: str, snapshot: tuple[int, bytes] | None, reason: str, doubt: str = "") -> None:
        """Make the next segment; it is whole before it has its name. Its first row says what it follows."""
        path = segments.segment_path(self.state, self._number + 1)
        new = path.with_name(path.name + segments.NEW)
        segments.remove(new)
        said = {"follows": self.n, "chain": self.chain.hex(), "reason": reason, "edition": schema.EDITION}
        body = json.dumps(said | ({"doubt": doubt} if doubt else {}), separators=(",", ":"))
        row = Row(
            self.n + 1, at, "daemon", None, None, schema.SEGMENT, body, None, mono=since_boot(), how=chain_.DAEMON
        )
        chain = link(self.chain, row)
        head = self.signer.sign(row.n, chain)
        with closing(connect(new)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN")
            for statement in schema.TABLES:
                connection.execute(statement)
            connection.execute(schema.INSERT_EVENT, (*row, chain))
            connection.execute(schema.INSERT_HEAD, (head.n, at, *head[1:]))
            if snapshot is not None:
                connection.execute(schema.INSERT_SNAPSHOT, (row.n, *snapshot))
            connection.execute("COMMIT")
        segments.put_in_place(new, path)
        self._number += 1

    # --- writing -----------------------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry]) -> int:
        """Write entries; they are durable when this returns. The number of the first.

        Raises:
            sqlite3.Error: none of them is written.
        """
        n, chain = self.n, self.chain
        written = []
        for at, device, kind, body, number, clock, raw, mono, person, role, how in entries:
            n += 1
            row = Row(n, at, device, number, clock, kind, body, raw, mono, person, role, how)
            chain = link(chain, row)
            written.append((*row, chain))
        if len(written) == 1:  # a statement by itself is a transaction: BEGIN and COMMIT would be two more
            self._connection.execute(schema.INSERT_EVENT, written[0])
        else:
            self._commit(lambda execute: [execute(schema.INSERT_EVENT, row) for row in written])
        first, self.n, self.chain = self.n + 1, n, chain
        return first

    def end_round(
        self,
        at: str,
        round_: RoundRecord,
        findings: Sequence[FindingRecord],
        rulings: Sequence[RulingRecord],
        snapshot: tuple[int, bytes],
    ) -> Head:
        """Record a round, keep the table as it stands, and sign the head."""
        head = self.signer.sign(self.n, self.chain)

        def write(execute: _Execute) -> None:
            if not _is_recorded(execute, round_, findings, rulings):
                _record(execute, round_, findings, rulings)
            self._keep(execute, snapshot)
            execute(schema.INSERT_HEAD, (head.n, at, *head[1:]))

        self._commit(write)
        signing.publish(self.state, head)
        return head

    def sign(self, at: str, snapshot: tuple[int, bytes] | None = None) -> Head:
        """Sign the head as it is, with the table as it stands if that is told."""
        head = self.signer.sign(self.n, self.chain)

        def write(execute: _Execute) -> None:
            if snapshot is not None:
                self._keep(execute, snapshot)
            execute(schema.INSERT_HEAD, (head.n, at, *head[1:]))

        self._commit(write)
        signing.publish(self.state, head)
        return head

    def _keep(self, execute: _Execute, snapshot: tuple[int, bytes]) -> None:
        execute(schema.INSERT_SNAPSHOT, (self.n, *snapshot))
        older = (
            "DELETE FROM snapshots WHERE n NOT IN (SELECT n FROM snapshots ORDER BY n DESC LIMIT ?)"
            " AND n <> (SELECT min(n) FROM snapshots)"  # with the first, the segment can be rebuilt by itself
        )
        execute(older, (SNAPSHOTS,))

    def _commit(self, write: Callable[[_Execute], object]) -> None:
        execute = self._connection.execute
        execute("BEGIN")
        try:
            write(execute)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise

    # --- segments ----------------------------------------------------------------------------------------------------

    @property
    def long(self) -> bool:
        """Whether the next shoe should begin a new segment."""
        return self.n - self.first >= LONG

    def rotate(self, at: str, snapshot: tuple[int, bytes], reason: str = "long", doubt: str = "") -> None:
        """End this segment with a signed head and begin the next, which holds the table as it stands.

        What is in doubt about that stands in its first row.

        Raises:
            sqlite3.Error, OSError: the next one cannot be made, and this one goes on.
        """
        self.sign(at, None if reason == UPGRADE else snapshot)  # a segment has what its own edition has written
        self._go_on(at, snapshot, reason, doubt)

    def quarantine(self, at: str, snapshot: tuple[int, bytes] | None) -> Path:
        """Go on in a new segment and set the damaged one aside; where that one lies.

        Raises:
            sqlite3.Error, OSError: the new one cannot be made, and it may be tried again.
        """
        damaged = self.path
        self._go_on(at, snapshot, QUARANTINE)
        return segments.set_aside(damaged)

    def _go_on(self, at: str, snapshot: tuple[int, bytes] | None, reason: str, doubt: str = "") -> None:
        before = self._connection
        self._begin(at, snapshot, reason, doubt)
        try:
            self._open()
        except sqlite3.Error:
            segments.remove(segments.segment_path(self.state, self._number))
            self._number -= 1
            raise
        before.close()
        with suppress(OSError):  # the next head is published again
            signing.publish(self.state, self.signer.sign(self.n, self.chain))

    # --- reading -----------------------------------------------------------------------------------------------------

    def rows(self, after: int = 0) -> Iterator[tuple[Row, bytes]]:
        """The rows of this segment after a number, each with its digest."""
        return segments.rows(self._connection, after)

    @property
    def edition(self) -> int:
        """The edition of the rows of this segment."""
        return segments.edition(self._connection)

    @property
    def connection(self) -> sqlite3.Connection:
        """The one that writes; for reading."""
        return self._connection

    def past_rounds(self) -> Iterator[tuple[int, bytes]]:
        """The numbers of past rounds, each with the round as it was kept, newest first; of the segments before too."""
        seen: set[int] = set()
        yield from _past_rounds(self._connection, seen)
        for path in reversed(self.before()):
            with closing(segments.open_for_reading(path)) as connection:
                yield from _past_rounds(connection, seen)

    def before(self) -> list[Path]:
        """The segments at hand before this one, oldest first."""
        return [path for path in segments.segments(self.state) if segments.number_of(path) < self._number]

    def all_before(self) -> list[Path]:
        """The segments before this one, those in the archive too, oldest first."""
        return [path for path in archive.every(self.state) if segments.number_of(path) < self._number]

    def _end_before(self) -> tuple[int, bytes]:
        """The end of the newest segment before this one that can be read."""
        for path in reversed(self.all_before()):
            with suppress(sqlite3.Error), archive.opened(path) as connection:
                return segments.end(connection)
        return 0, GENESIS

    def close(self) -> None:
        """Close the file, and let go of the folder."""
        self._connection.close()
        if self._hold >= 0:
            os.close(self._hold)
            self._hold = -1
