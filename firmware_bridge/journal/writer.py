"""The writer of the journal.

1. One segment is written, by one connection of one process (`folder_lock`), and synced at every commit.
2. Entries that arrive together are committed together, all or none; they get their numbers and digests here. None is
   longer than `LONGEST`: anyone who takes them further can rely on it.
3. At the end of a round its record, a snapshot and the signed head are committed in one piece, after the events they
   speak of. If that is lost in a crash, the events make it again. A record is added, never changed.
4. A segment is opened if its tables are exactly those of an edition. It is signed with its own key, which its first
   row names (`keys`). Without that key nothing is signed: `signer` is None, and a new segment must follow.
5. A new segment begins in this order, and a crash after each step leaves a whole journal: the old one is signed by its
   own key, and its log is in its file, unless it is damaged; the next key is on the disk; the new segment is built
   under another name, with the digest of the old file, the certificate and a head by the new key; it gets its name; the
   old key is erased, once the certificate is seen to be good. The digest covers every byte of a segment that is done.
6. Nothing here decides what a damaged file means: an error of SQLite goes to the caller, and nothing is written.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from firmware_bridge.journal import chain, folder_lock, schema, segments
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.chain import Row, link
from firmware_bridge.journal.clock import since_boot
from firmware_bridge.journal.domain import domain_of, genesis
from firmware_bridge.journal.rounds import record_tables
from firmware_bridge.journal.rounds.record_tables import Execute
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.journal.signed import covered, signing, start_check
from firmware_bridge.journal.signed.keys import Keys
from firmware_bridge.journal.signed.signing import NOTHING, AnyHead, Head, Signer

SNAPSHOTS = 2
"""How many of the newest snapshots of a segment are kept; its first is kept too."""
LONG = 10_000
"""Events after which the next shoe, or where none ends the next round, begins a new segment."""
QUARANTINE = "quarantine"
"""Why a segment begins that follows a damaged one."""
UPGRADE = "upgrade"
"""Why a segment begins that follows one of an earlier edition."""
KEY_LOST = "key-lost"
"""Why a segment begins that follows one whose key is gone."""
LONGEST = 128 * 1024
"""Bytes of the text and of the raw bytes of the longest entry, taken together."""
_PATIENCE = 5000  # milliseconds for others who read the segment that ends

T = TypeVar("T")


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
    """Make a connection that writes rows; nothing else makes one."""
    return segments.careful(sqlite3.connect(path, isolation_level=None))


def _columns(head: Head) -> tuple[object, ...]:
    """A head as its row has it: nothing that is not signed."""
    return head.number, head.n, head.chain, head.records, head.snapshot, head.signature, head.key


def _refuse_long(body: str, raw: bytes) -> None:
    """An entry that may be too long, counted.

    Raises:
        ValueError: it is.
    """
    size = len(body.encode("utf-8", "surrogatepass")) + len(raw)
    if size > LONGEST:
        message = f"an entry of {size} bytes: at most {LONGEST} are written"
        raise ValueError(message)


class Journal:
    """The journal of one table, open for writing."""

    def __init__(self, state: Path, at: str) -> None:
        """Open the newest segment, or begin the first.

        Raises:
            sqlite3.Error: it cannot be opened; `segments.is_damage` tells whether it is damaged.
        """
        self._prepare(state)
        try:
            if self._number == 0:
                self.n, self.chain = 0, genesis(self.domain)
                signing.publish(state, self._begin(at, None, "first"))
            self._open()
        except BaseException:
            os.close(self._lock)
            raise

    def _prepare(self, state: Path) -> None:
        self.state, self._lock = state, folder_lock.lock_folder(state)
        self._keys = Keys(state)
        self._number, self.domain = segments.latest(state), domain_of(state)
        self.signer: Signer | None = None
        self.id, self.head_number = b"", 0  # of the journal; of the last head
        self._records, self._recorded = NOTHING, 0  # their digest; the first row of the newest round among them

    @classmethod
    def after(cls, state: Path, at: str, head: AnyHead | None) -> Journal:
        """A journal whose newest segment is damaged: a new one follows the published head, or the segment before."""
        journal = cls.__new__(cls)
        journal._prepare(state)  # noqa: SLF001  its own
        journal._follow(head)  # noqa: SLF001
        begun = journal._begin(at, None, QUARANTINE)  # noqa: SLF001
        journal._open()  # noqa: SLF001
        with suppress(OSError):  # the next head is published again
            signing.publish(state, begun)
        return journal

    def _follow(self, head: AnyHead | None) -> None:
        """Go on after a head, or after the newest segment that can be read."""
        self.n, self.chain = 0, genesis(self.domain)
        root = self._keys.root()
        self.id = signing.journal_id(root) if root else b""
        for path in reversed(self.all_before()):
            with suppress(sqlite3.Error), compressed_segments.opened(path) as connection:
                self.n, self.chain = segments.end(connection)
                known = covered.heads(connection) if segments.edition(connection) > 1 else []
                self.head_number, self.id = (known[-1].number, known[-1].journal) if known else (0, self.id)
                break
        if head is not None:
            self.n, self.chain = head.n, head.chain
        self.signer = self._keys.seed(self._number) or self._keys.first()
        if isinstance(head, Head):
            self.id, self.head_number = head.journal, max(self.head_number, head.number)

    def _open(self) -> None:
        """Open the segment of this number for writing."""
        path = segments.segment_path(self.state, self._number)
        connection = connect(path)
        try:
            if wrong := segments.foreign_tables(connection):
                raise segments.damage(wrong)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            end = segments.end(connection)
            first = connection.execute("SELECT n FROM events ORDER BY n LIMIT 1").fetchone()
            if first is None or not isinstance(first[0], int):
                raise segments.damage("a segment without its first row")
            self._know(connection)
        except (UnicodeDecodeError, MemoryError, TypeError) as error:  # of what is damaged; of a mad size
            connection.close()
            raise segments.damage(str(error)) from error
        except sqlite3.Error:
            connection.close()
            raise
        self._connection, self.path = connection, path
        self.n, self.chain = end
        self.first = first[0]

    def _know(self, connection: sqlite3.Connection) -> None:
        """Take up the key of a segment, what is signed, and the digest of its records."""
        if segments.edition(connection) == 1:
            signer, root = self._keys.first(), self._keys.root()
            self.signer = signer if signer is None or signer.public == (root or signer.public) else None
            self.id = signing.journal_id(root or (self.signer.public if self.signer is not None else b""))
            return
        said = segments.beginning(connection)
        try:
            self.id, key = bytes.fromhex(str(said["journal"])), bytes.fromhex(str(said["key"]))
        except (LookupError, ValueError) as error:
            raise segments.damage("a segment that names no key") from error
        self.signer = self._keys.of(self._number, key)
        self._records, self._recorded = covered.record_digests(connection)[-1], record_tables.newest(connection)
        self.head_number = max((head.number for head in covered.heads(connection)), default=self.head_number)
        path = segments.segment_path(self.state, self._number)
        if self.signer is not None and start_check.certified(self.state, path, said):
            self._keys.erase_before(self._number)

    def _begin(self, at: str, snapshot: tuple[int, bytes] | None, reason: str, doubt: str = "", file: str = "") -> Head:
        """Make the next segment; it is whole before it has its name. Its first row says what it follows."""
        number, path = self._number + 1, segments.segment_path(self.state, self._number + 1)
        new = path.with_name(path.name + segments.NEW)
        segments.remove(new)
        signer = self._keys.make(number)
        self.id = self.id or signing.journal_id(signer.public)
        said = {"follows": self.n, "chain": self.chain.hex(), "reason": reason, "edition": schema.EDITION}
        said |= {"journal": self.id.hex(), "segment": number, "key": signer.public.hex(), "file": file or None}
        certificate = None if self.signer is None else self.signer.certify(self.id, number, signer.public).hex()
        more = (("doubt", doubt), ("domain", self.domain))
        said |= {"certificate": certificate} | {name: text for name, text in more if text}
        body = json.dumps(said, separators=(",", ":"))
        row = Row(self.n + 1, at, "daemon", None, None, schema.SEGMENT, body, None, since_boot(), how=chain.DAEMON)
        digest = link(self.chain, row)
        kept = NOTHING if snapshot is None else covered.snapshot_digest(*snapshot)
        head = signer.sign(Head(self.id, number, self.head_number + 1, row.n, digest, NOTHING, kept, b""))
        with closing(connect(new)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN")
            for statement in schema.TRAINING_TABLES if self.domain else schema.TABLES:
                connection.execute(statement)
            connection.execute(schema.INSERT_EVENT, (*row, digest))
            connection.execute(schema.INSERT_HEAD, _columns(head))
            if snapshot is not None:
                connection.execute(schema.INSERT_SNAPSHOT, (row.n, *snapshot))
            connection.execute("COMMIT")
        if reason == "first":
            self._keys.publish_first(signer.public)
        segments.put_in_place(new, path)
        self._number = number
        return head

    # --- writing -----------------------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry]) -> int:
        """Write entries, which are durable when this returns; return the number of the first.

        Raises:
            sqlite3.Error, ValueError (one is too long): none of them is written.
        """
        n, chain = self.n, self.chain
        written = []
        for at, device, kind, body, number, clock, raw, mono, person, role, how in entries:
            if len(body or "") * 4 + len(raw or b"") > LONGEST:
                _refuse_long(body or "", raw or b"")
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

    def end_round(self, done: Done, snapshot: tuple[int, bytes]) -> Head:
        """Record a round, keep the table as it stands, and sign the head."""
        return self._sign(snapshot, done)

    def sign(self, snapshot: tuple[int, bytes] | None = None) -> Head:
        """Sign the head as it is, with the table as it stands if that is told."""
        return self._sign(snapshot, None)

    def _sign(self, snapshot: tuple[int, bytes] | None, done: Done | None) -> Head:
        """Commit a head, and what it covers beside the events, in one piece; then publish it."""
        signer = self.signer
        if signer is None:
            raise RuntimeError("the key of this segment is gone: a new segment must follow")
        kept = NOTHING if snapshot is None else covered.snapshot_digest(*snapshot)

        def write(execute: Execute) -> Head:
            records = self._records
            if done is not None:
                records = record_tables.add(execute, done, records, self._recorded)
            if snapshot is not None:
                self._write_snapshot(execute, snapshot)
            made = Head(self.id, self._number, self.head_number + 1, self.n, self.chain, records, kept, b"")
            signed = signer.sign(made)
            execute(schema.INSERT_HEAD, _columns(signed))
            return signed

        head = self._commit(write)
        self.head_number, self._records = head.number, head.records
        self._recorded = max(self._recorded, 0 if done is None else done.round.first)
        signing.publish(self.state, head)
        return head

    def _write_snapshot(self, execute: Execute, snapshot: tuple[int, bytes]) -> None:
        execute(schema.INSERT_SNAPSHOT, (self.n, *snapshot))
        execute(schema.DELETE_SNAPSHOTS, (SNAPSHOTS,))

    def _commit(self, write: Callable[[Execute], T]) -> T:
        execute = self._connection.execute
        execute("BEGIN")
        try:
            written = write(execute)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise
        return written

    # --- segments ----------------------------------------------------------------------------------------------------

    @property
    def long(self) -> bool:
        """Whether the next shoe should begin a new segment."""
        return self.n - self.first >= LONG

    def rotate(self, at: str, snapshot: tuple[int, bytes], reason: str = "long", doubt: str = "") -> None:
        """End this segment with a signed head and begin the next, which holds the table as it stands.

        The first row of the next one has `doubt`: what is in doubt about the table.

        Raises:
            sqlite3.Error, OSError: the next one cannot be made, and this one goes on.
        """
        if self.signer is not None and self.edition == 1:  # a segment has what its own edition writes
            n, *head = self.signer.sign_1(self.n, self.chain)
            self._connection.execute("INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)", (n, at, *head))
        elif self.signer is not None:
            self.sign(snapshot)
        self._go_on(at, snapshot, reason, doubt, self._finished(0 if reason == "long" else _PATIENCE))

    def _finished(self, patience: int) -> str:
        """Take the log into the file of this segment; return the digest of its bytes.

        Raises:
            sqlite3.OperationalError: others read it for longer than `patience` milliseconds.
        """
        execute = self._connection.execute
        execute(f"PRAGMA busy_timeout = {patience}")
        try:
            (busy, *_) = execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        if busy:
            error = sqlite3.OperationalError("others read the segment that ends")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY  # which is no damage
            raise error
        with suppress(FileNotFoundError):
            segments.sync(self.path.with_name(f"{self.path.name}-wal"))  # that it is empty, which SQLite leaves open
        return segments.file_digest(self.path)

    def quarantine(self, at: str, snapshot: tuple[int, bytes] | None) -> Path:
        """Go on in a new segment and set the damaged one aside; return where that one lies.

        Raises:
            sqlite3.Error, OSError: the new one cannot be made, and it may be tried again.
        """
        damaged = self.path
        self._go_on(at, snapshot, QUARANTINE)
        return segments.set_aside(damaged)

    def _go_on(self, at: str, snapshot: tuple[int, bytes] | None, reason: str, doubt: str = "", file: str = "") -> None:
        before = self._connection
        head = self._begin(at, snapshot, reason, doubt, file)
        try:
            self._open()
        except sqlite3.Error:
            segments.remove(segments.segment_path(self.state, self._number))
            self._number -= 1
            raise
        before.close()
        with suppress(OSError):  # the next head is published again
            signing.publish(self.state, head)

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
        """The connection that writes; others may only read with it."""
        return self._connection

    def before(self) -> list[Path]:
        """The segments at hand before this one, oldest first."""
        return [path for path in segments.segments(self.state) if segments.number_of(path) < self._number]

    def all_before(self) -> list[Path]:
        """The segments before this one, those in the archive too, oldest first."""
        return [path for path in compressed_segments.every(self.state) if segments.number_of(path) < self._number]

    def close(self) -> None:
        """Close the file, and let go of the folder."""
        self._connection.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
