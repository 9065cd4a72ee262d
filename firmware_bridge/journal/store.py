"""The writer of the journal.

1. One segment is written, by one connection: write-ahead log, every commit on the disk before it returns.
2. Entries that arrive together are committed together, all or none; they get their numbers and digests here.
3. At the end of a round its record, a snapshot and the signed head are committed in one piece, after the events they
   speak of. If that is lost in a crash, the events make it again.
4. Nothing here decides what a damaged file means: every error of SQLite goes to the caller, and nothing is written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.journal import schema, segments, signing
from firmware_bridge.journal.chain import GENESIS, Row, link
from firmware_bridge.journal.signing import Head, Signer

SNAPSHOTS = 2
"""How many snapshots of a segment are kept."""
LONG = 10_000
"""Events after which the next shoe begins a new segment."""


class Entry(NamedTuple):
    """One row, before it has a number and a digest."""

    at: str
    device: str
    kind: str
    body: str | None = None
    number: int | None = None
    clock: int | None = None
    raw: bytes | None = None


class RoundRecord(NamedTuple):
    """A round that is over, as people look it up."""

    number: int
    game: str
    first: int
    last: int
    began: str
    ended: str
    outcome: str
    boxes: str
    report: str
    state: bytes


class FindingRecord(NamedTuple):
    """A finding of a round."""

    n: int
    code: str
    clause: str
    ruling: str
    places: str
    cards: str
    whose: str


class RulingRecord(NamedTuple):
    """What somebody said or did about a finding, which is counted from 0 within its round."""

    finding: int | None
    n: int
    at: str
    who: str
    what: str


class Journal:
    """The journal of one table, open for writing."""

    def __init__(self, state: Path, at: str) -> None:
        """Open the newest segment, or begin the first.

        Raises:
            sqlite3.DatabaseError: the newest segment is damaged.
        """
        self.state = state
        self.signer = Signer(state)
        present = segments.segments(state)
        self._number = segments.number_of(present[-1]) if present else 1
        self._open()
        if self.n == 0 and not present:
            self._begin(at, 0, GENESIS, "first")

    @classmethod
    def after(cls, state: Path, at: str, head: Head | None) -> Journal:
        """A journal whose newest segment was set aside: it goes on after the head that was published last."""
        journal = cls.__new__(cls)
        journal.state, journal.signer = state, Signer(state)
        present = [segments.number_of(path) for path in state.glob("journal-*") if path.suffix != ".gz"]
        journal._number = max(present, default=0)  # noqa: SLF001  its own
        journal.n, journal.chain = (head.n, head.chain) if head is not None else (0, GENESIS)
        journal._next_segment(at, None, "quarantine")  # noqa: SLF001  its own
        return journal

    def _open(self) -> None:
        self.path = segments.segment_path(self.state, self._number)
        self._connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(schema.TABLES)
            last = self._connection.execute("SELECT n, chain FROM events ORDER BY n DESC LIMIT 1").fetchone()
            first = self._connection.execute("SELECT n FROM events ORDER BY n LIMIT 1").fetchone()
        except sqlite3.Error:
            self._connection.close()
            raise
        self.n, self.chain = (int(last[0]), bytes(last[1])) if last else (0, GENESIS)
        self.first = int(first[0]) if first else 1

    def _begin(self, at: str, n: int, chain: bytes, reason: str) -> None:
        """The first row of a segment says what it follows."""
        self.n, self.chain, self.first = n, chain, n + 1
        body = f'{{"follows":{n},"chain":"{chain.hex()}","reason":"{reason}"}}'
        self.append([Entry(at, "daemon", schema.SEGMENT, body)])

    # --- writing -----------------------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry]) -> int:
        """Write entries; they are durable when this returns. The number of the first.

        Raises:
            sqlite3.Error: none of them is written.
        """
        n, chain = self.n, self.chain
        written = []
        for entry in entries:
            n += 1
            row = Row(n, entry.at, entry.device, entry.number, entry.clock, entry.kind, entry.body, entry.raw)
            chain = link(chain, row)
            written.append((*row, chain))
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

        def write(execute: Callable[[str, Sequence[object]], sqlite3.Cursor]) -> None:
            known = execute("SELECT id FROM rounds WHERE first = ?", (round_.first,)).fetchone()
            if known is None:
                number = execute("INSERT INTO rounds VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", round_).lastrowid
                made = [
                    execute("INSERT INTO findings VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", (number, *finding)).lastrowid
                    for finding in findings
                ]
                for ruling in rulings:
                    about = None if ruling.finding is None else made[ruling.finding]
                    execute("INSERT INTO rulings VALUES (NULL, ?, ?, ?, ?, ?, ?)", (number, about, *ruling[1:]))
            self._keep(execute, snapshot)
            execute("INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)", (head.n, at, *head[1:]))

        self._commit(write)
        signing.publish(self.state, head)
        return head

    def sign(self, at: str, snapshot: tuple[int, bytes] | None = None) -> Head:
        """Sign the head as it is, with the table as it stands if that is told."""
        head = self.signer.sign(self.n, self.chain)

        def write(execute: Callable[[str, Sequence[object]], sqlite3.Cursor]) -> None:
            if snapshot is not None:
                self._keep(execute, snapshot)
            execute("INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)", (head.n, at, *head[1:]))

        self._commit(write)
        signing.publish(self.state, head)
        return head

    def _keep(self, execute: Callable[[str, Sequence[object]], sqlite3.Cursor], snapshot: tuple[int, bytes]) -> None:
        execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (self.n, *snapshot))
        older = "DELETE FROM snapshots WHERE n NOT IN (SELECT n FROM snapshots ORDER BY n DESC LIMIT ?)"
        execute(older, (SNAPSHOTS,))

    def _commit(self, write: Callable[[Callable[[str, Sequence[object]], sqlite3.Cursor]], object]) -> None:
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

    def rotate(self, at: str, snapshot: tuple[int, bytes], reason: str = "long") -> None:
        """End this segment with a signed head and begin the next, which holds the table as it stands."""
        self.sign(at, snapshot)
        self._connection.close()
        self._next_segment(at, snapshot, reason)

    def quarantine(self, at: str, snapshot: tuple[int, bytes] | None) -> Path:
        """Set a damaged segment aside and go on in a new one; where the damaged one lies."""
        self._connection.close()
        aside = segments.set_aside(self.path)
        self._next_segment(at, snapshot, "quarantine")
        return aside

    def _next_segment(self, at: str, snapshot: tuple[int, bytes] | None, reason: str) -> None:
        n, chain = self.n, self.chain
        self._number += 1
        self._open()
        self._begin(at, n, chain, reason)
        if snapshot is not None:
            self.sign(at, snapshot)

    # --- reading -----------------------------------------------------------------------------------------------------

    def rows(self, after: int = 0) -> Iterator[tuple[Row, bytes]]:
        """The rows of this segment after a number, each with its digest."""
        return segments.rows(self._connection, after)

    @property
    def is_first(self) -> bool:
        """Whether this is the first segment of all."""
        return self.first == 1

    def snapshots(self, format_: int) -> list[tuple[int, bytes]]:
        """The snapshots of a format, newest first, each with the number of the event after which it was taken."""
        chosen = "SELECT n, state FROM snapshots WHERE format = ? ORDER BY n DESC"
        return [(int(n), bytes(state)) for n, state in self._connection.execute(chosen, (format_,))]

    def digest_of(self, n: int) -> bytes | None:
        """The digest of a row."""
        row = self._connection.execute("SELECT chain FROM events WHERE n = ?", (n,)).fetchone()
        return None if row is None else bytes(row[0])

    def past_rounds(self, count: int) -> list[bytes]:
        """The last rounds of this segment as they were kept, oldest first."""
        chosen = "SELECT state FROM rounds ORDER BY id DESC LIMIT ?"
        return [bytes(row[0]) for row in self._connection.execute(chosen, (count,))][::-1]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
