"""The archive: what was verified is written once, in order, with the mark that it moves, in one transaction.

1. A journal's row holds its mark. A writer locks the row, and writes only if all that is known of the journal is still
   what the batch was verified against: two ingesters cannot both write a batch, and none writes it twice. Rows are
   locked in the order of their ids, so that two groups never wait for each other.
2. Events, records and heads are stored as the bytes that came. The columns beside them are extracts for people: they
   are cleaned, and prove nothing. The day of arrival is the centre's.
3. Several batches of different journals are one transaction. If it fails, nothing of it is written; the caller may then
   commit each by itself.
4. A journal that is quarantined keeps its mark. What it sent goes aside: its bytes up to `ASIDE_MOST` for a journal;
   then one row counts batches and bytes, with a digest over them, so that nobody fills the disk. The same bytes again
   are only counted.
5. Where a seal rises, the receipt of it is written in the same transaction, signed by the ingester that commits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple

from nacl.signing import SigningKey

from firmware_bridge.anchors.receipts import Receipt
from firmware_bridge.floor.archive import alarms, migrations, questions
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.floor.archive.dialects import ArchiveError, Dialect, Row, connect
from firmware_bridge.floor.archive.sightings import write_sightings
from firmware_bridge.floor.intake.known import ENDED, OPEN, QUARANTINED, Known, Sealed, TakenBatch, Wrong
from firmware_bridge.floor.wire.marks import Mark, Seal
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.signed.signing import Head

ASIDE_MOST = 64 * 1024 * 1024
_MARK = "line, segment, n, chain, records, digest, head"
_SEAL = "seal_head, seal_n, seal_chain"
_KNOWN = f"id, root, {_MARK}, {_SEAL}, segment_key, edition, loose, state"
_MOVE = f"""UPDATE journals SET {", ".join(f"{name} = ?" for name in f"{_MARK}, {_SEAL}".split(", "))},
    segment_key = ?, edition = ?, loose = ? WHERE id = ?"""  # noqa: S608  the names are ours
_SEGMENT = ("journal", "line", "segment", "first", "edition", "segment_key", "said")
_RECORD = ("journal", "line", "segment", "number", "data")
_HEAD = ("journal", "line", "segment", "number", "n", "data")
_RECEIPT = """INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (journal, epoch) DO UPDATE SET
    head = excluded.head, n = excluded.n, chain = excluded.chain, backed = excluded.backed, public = excluded.public,
    signature = excluded.signature, at = excluded.at"""
_AHEAD = 2  # months whose partitions are made ahead


class Enrolled(NamedTuple):
    """A table of the floor."""

    casino: str
    name: str
    nkey: str


class Signer(NamedTuple):
    """The ingester that commits: its key, and the epoch of the archive in which it signs."""

    key: SigningKey
    epoch: str


class Place(NamedTuple):
    """A journal and the table that it belongs to."""

    journal: bytes
    casino: str
    name: str


class Written(NamedTuple):
    """A batch that was written: the last event of its journal in a backup, and the receipt if its seal has risen."""

    backed: int
    receipt: Receipt | None = None


class _Locked(NamedTuple):
    """A journal that nobody else can move now."""

    known: Known
    backed: int
    place: Place


class Archive:
    """One connection to the archive, for one thread."""

    def __init__(self, dialect: Dialect) -> None:
        """Take a connection."""
        self.dialect = dialect
        self._months: set[tuple[int, int]] = set()

    @classmethod
    def open(cls, url: str) -> Archive:
        """Open an archive that has the newest schema.

        Raises:
            ArchiveError: it cannot be opened, or has another schema.
            ValueError: the address names none.
        """
        dialect = connect(url)
        try:
            migrations.check(dialect)
        except ArchiveError:
            dialect.close()
            raise
        return cls(dialect)

    def __enter__(self) -> Archive:
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.dialect.close()

    def is_house(self) -> bool:
        """Whether this is the archive of a house, not of a demonstration."""
        ((kind,),) = self.dialect.execute("SELECT kind FROM archive")
        return bool(kind == migrations.HOUSE)

    def epoch(self) -> str:
        """The epoch of the archive, which changes only when it was restored from a backup."""
        ((epoch,),) = self.dialect.execute("SELECT epoch FROM archive")
        return str(epoch)

    # --- tables and journals -----------------------------------------------------------------------------------------

    def add_table(self, table: Enrolled) -> None:
        """Enrol a table, or give it another key."""
        with self.dialect.transaction():
            self.add_table_within(table)

    def add_table_within(self, table: Enrolled) -> None:
        """The same within a transaction that is on."""
        said = (table.nkey, table.casino, table.name)
        self.dialect.execute("UPDATE floor_tables SET nkey = ? WHERE casino = ? AND name = ?", said)
        known = "SELECT 1 FROM floor_tables WHERE casino = ? AND name = ?"
        if not self.dialect.execute(known, (table.casino, table.name)):
            values = (table.casino, table.name, table.nkey, wall_clock())
            self.dialect.execute("INSERT INTO floor_tables VALUES (?, ?, ?, ?)", values)

    def tables(self) -> list[Enrolled]:
        """All tables, by name."""
        chosen = "SELECT casino, name, nkey FROM floor_tables ORDER BY casino, name"
        return [Enrolled(*row) for row in self.dialect.execute(chosen)]

    def add_journal(self, casino: str, name: str, root: bytes) -> bytes:
        """Add a journal to a table, by its first public key, unless it is known; returns its id."""
        with self.dialect.transaction():
            return self.add_journal_within(casino, name, root)

    def add_journal_within(self, casino: str, name: str, root: bytes) -> bytes:
        """The same within a transaction that is on."""
        known, mark, seal = Known.begin(root), Mark(), Seal()
        values = (known.journal, casino, name, root, wall_clock(), OPEN, "", *mark, *seal, root, 0, 0, 0, 0)
        if not self.dialect.execute("SELECT 1 FROM journals WHERE id = ?", (known.journal,)):
            marks = ", ".join("?" * len(values))
            self.dialect.execute(f"INSERT INTO journals VALUES ({marks})", values)  # noqa: S608  marks alone
        return known.journal

    def places(self) -> list[Place]:
        """All journals with their tables: by casino and table, the oldest first."""
        chosen = "SELECT id, casino, name FROM journals ORDER BY casino, name, added, id"
        return [Place(bytes(id_), casino, name) for id_, casino, name in self.dialect.execute(chosen)]

    def known(self, journal: bytes, casino: str, name: str) -> Known | None:
        """A journal of a table, up to what has come; None if the table has no such journal."""
        chosen = f"SELECT {_KNOWN} FROM journals WHERE id = ? AND casino = ? AND name = ?"  # noqa: S608  ours
        found = self.dialect.execute(chosen, (journal, casino, name))
        return _known(found[0]) if found else None

    def backed(self, journal: bytes) -> int:
        """The last event of a journal that lies in a backup."""
        found = self.dialect.execute("SELECT backed_n FROM journals WHERE id = ?", (journal,))
        return int(found[0][0]) if found else 0

    def chain_at(self, journal: bytes, n: int) -> bytes | None:
        """The digest of an event, on the newest line that has it; None if there is no such event."""
        chosen = "SELECT chain FROM events WHERE journal = ? AND n = ? ORDER BY line DESC LIMIT 1"
        found = self.dialect.execute(chosen, (journal, n))
        return bytes(found[0][0]) if found else None

    # --- writing -----------------------------------------------------------------------------------------------------

    def commit(self, taken: Sequence[TakenBatch], signer: Signer | None = None) -> list[Written | None]:
        """Write batches of different journals that were verified; what became of each, None if its mark had moved.

        All of them share the statements: a group costs hardly more than one batch. With a signer, receipts are written
        for the seals that rise, and its commits are counted.

        Raises:
            ArchiveError: nothing is written, or nobody knows.
        """
        today = datetime.now(UTC).date()
        self._prepare_months(today)
        written: list[Written | None] = [None] * len(taken)
        with self.dialect.transaction():
            found = self._locked([one.known.journal for one in taken])
            going = [number for number, one in enumerate(taken) if found[one.known.journal].known == one.before]
            going.sort(key=lambda number: taken[number].known.journal)
            self._write([(taken[number], found[taken[number].known.journal].place) for number in going], today)
            for number in going:
                one, backed = taken[number], found[taken[number].known.journal].backed
                receipt = None if signer is None or not one.heads else self._write_receipt(one.known, backed, signer)
                written[number] = Written(backed, receipt)
            if signer is not None:
                counted = "UPDATE ingesters SET commits = commits + 1 WHERE public = ?"
                self.dialect.execute(counted, (bytes(signer.key.verify_key),))
        return written

    def _locked(self, journals: Sequence[bytes]) -> dict[bytes, _Locked]:
        """These journals as they are, locked in the order of their ids until the transaction ends."""
        marks = ", ".join("?" * len(journals))
        chosen = f"""SELECT {_KNOWN}, backed_n, casino, name FROM journals WHERE id IN ({marks})
            ORDER BY id{self.dialect.for_update}"""  # noqa: S608  the names are ours
        found = {}
        for *known, backed, casino, name in self.dialect.execute(chosen, journals):
            one = _known(known)
            found[one.journal] = _Locked(one, int(backed), Place(one.journal, casino, name))
        return found

    def _write_receipt(self, known: Known, backed: int, signer: Signer) -> Receipt:
        receipt = Receipt(known.journal, *known.seal, backed, signer.epoch).signed(signer.key)
        values = (receipt.journal, receipt.epoch, *known.seal, backed, receipt.key, receipt.signature, wall_clock())
        self.dialect.execute(_RECEIPT, values)
        return receipt

    def _write(self, going: Sequence[tuple[TakenBatch, Place]], today: date) -> None:
        insert, day = self.dialect.insert, today.isoformat()
        events = [questions.event(place.journal, event, day) for one, place in going for event in one.events]
        records = [(place.journal, *record[:4]) for one, place in going for record in one.records]
        heads = [(place.journal, *_head(head)) for one, place in going for head in one.heads]
        begun = [(place, segment) for one, place in going for segment in one.segments]
        segments = [(place.journal, *segment[:-1], cleaned(segment.said)) for place, segment in begun]
        for table, columns, rows in (
            ("segments", _SEGMENT, segments),
            ("events", questions.EVENT, events),
            ("records", _RECORD, records),
            ("heads", _HEAD, heads),
        ):
            if rows:
                insert(table, columns, rows)
        for one, place in going:
            if one.replaced:
                follows = one.before.mark.n - one.replaced
                alarms.replace_tail(self.dialect, place, one.known.mark.line, follows, one.replaced)
            write_sightings(self.dialect, place, one.events)
            questions.write_records(self.dialect, place, one.records, day)
        moved = [one.known for one, _ in going if one.events or one.records or one.heads]
        if moved:
            to = [(*one.mark, *one.seal, one.key, one.edition, int(one.loose), one.journal) for one in moved]
            self.dialect.execute_many(_MOVE, to)

    def _prepare_months(self, today: date) -> None:
        """Make the partitions of this month and of the next ones, once for each."""
        day = today
        for _ in range(_AHEAD + 1):
            if (day.year, day.month) not in self._months:
                self.dialect.prepare_month(day)
                self._months.add((day.year, day.month))
            day = day.replace(day=28) + timedelta(days=4)

    def quarantine(self, journal: bytes, wrong: Wrong, data: bytes) -> None:
        """Take nothing more of a journal, and keep aside what came; one that is quarantined keeps its first reason."""
        with self.dialect.transaction():
            said = (QUARANTINED, cleaned(f"{wrong.reason}: {wrong.detail}"), journal, OPEN)
            self.dialect.execute("UPDATE journals SET state = ?, reason = ? WHERE id = ? AND state = ?", said)
            for casino, name in self._rows("SELECT casino, name FROM journals WHERE id = ?", journal):
                detail = f"{wrong.reason}: {wrong.detail}"
                alarms.raise_at_centre(self.dialect, Place(journal, casino, name), alarms.QUARANTINED, wrong.n, detail)
            self._set_aside(journal, wrong, data)

    def set_aside(self, journal: bytes, wrong: Wrong, data: bytes) -> None:
        """Keep what came for a journal that is quarantined."""
        with self.dialect.transaction():
            self._set_aside(journal, wrong, data)

    def _set_aside(self, journal: bytes, wrong: Wrong, data: bytes) -> None:
        chosen = f"SELECT id FROM journals WHERE id = ?{self.dialect.for_update}"  # noqa: S608
        self.dialect.execute(chosen, (journal,))
        newest = """SELECT number, digest, data IS NULL, total FROM aside WHERE journal = ?
            ORDER BY number DESC LIMIT 1"""
        last = self._rows(newest, journal)
        number, before, counts, total = last[0] if last else (0, b"", False, 0)
        digest = blake2b(data, digest_size=32).digest()
        full = total + len(data) > ASIDE_MOST
        if last and (digest == bytes(before) or (full and counts)):
            if counts:
                digest = blake2b(bytes(before) + digest, digest_size=32).digest()
            more = """UPDATE aside SET batches = batches + 1, size = size + ?, digest = ?, at = ?
                WHERE journal = ? AND number = ?"""
            self.dialect.execute(more, (len(data) if counts else 0, digest, wall_clock(), journal, number))
            return
        values = (journal, number + 1, wall_clock(), wrong.reason, max(0, min(wrong.n, 2**62)), cleaned(wrong.detail))
        statement = "INSERT INTO aside VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)"
        kept = (len(data), digest, None, total) if full else (len(data), digest, data, total + len(data))
        self.dialect.execute(statement, (*values, *kept))

    def release(self, journal: bytes, person: str, second: str, *, ends: bool) -> None:
        """Two people let a quarantined journal go on from its mark, or end it there; nothing of it is deleted.

        Raises:
            ValueError: it is not quarantined, or the two are one.
        """
        if not person.strip() or not second.strip() or person.strip().casefold() == second.strip().casefold():
            raise ValueError("two different people decide about a quarantined journal")
        state = ENDED if ends else OPEN
        with self.dialect.transaction():
            chosen = f"SELECT reason FROM journals WHERE id = ? AND state = ?{self.dialect.for_update}"  # noqa: S608
            found = self.dialect.execute(chosen, (journal, QUARANTINED))
            if not found:
                raise ValueError("no such journal is quarantined")
            self.dialect.execute("UPDATE journals SET state = ?, reason = '' WHERE id = ?", (state, journal))
            values = (journal, wall_clock(), state, cleaned(person), cleaned(second), found[0][0])
            self.dialect.execute("INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?)", values)
            alarms.clear_at_centre(self.dialect, journal, alarms.QUARANTINED, f"{person}, {second}", state)

    def quarantined(self) -> list[tuple[Place, str]]:
        """The journals that are quarantined, each with the reason."""
        chosen = "SELECT id, casino, name, reason FROM journals WHERE state = ? ORDER BY casino, name, id"
        return [(Place(bytes(row[0]), *row[1:3]), row[3]) for row in self.dialect.execute(chosen, (QUARANTINED,))]

    # --- reading -----------------------------------------------------------------------------------------------------

    def segments(self, journal: bytes) -> Iterable[tuple[int, int, int, str]]:
        """The segments of a journal in their order: line, number, edition, what the first row says."""
        chosen = "SELECT line, segment, edition, said FROM segments WHERE journal = ? ORDER BY segment, line"
        return [(line, number, edition, said) for line, number, edition, said in self._rows(chosen, journal)]

    def events(self, journal: bytes, line: int, segment: int) -> Iterator[tuple[bytes, bytes]]:
        """The events of a segment in order: bytes and digest."""
        chosen = "SELECT data, chain FROM events WHERE journal = ? AND line = ? AND segment = ? ORDER BY n"
        for data, chain in self.dialect.stream(chosen, (journal, line, segment)):
            yield bytes(data), bytes(chain)

    def records(self, journal: bytes, line: int, segment: int) -> Iterator[bytes]:
        """The rows of the records of a segment in order."""
        chosen = "SELECT data FROM records WHERE journal = ? AND line = ? AND segment = ? ORDER BY number"
        for (data,) in self.dialect.stream(chosen, (journal, line, segment)):
            yield bytes(data)

    def heads(self, journal: bytes, line: int, segment: int) -> Iterator[bytes]:
        """The heads of a segment in order."""
        chosen = "SELECT data FROM heads WHERE journal = ? AND line = ? AND segment = ? ORDER BY number"
        for (data,) in self.dialect.stream(chosen, (journal, line, segment)):
            yield bytes(data)

    def _rows(self, chosen: str, *values: object) -> list[Row]:
        return self.dialect.execute(chosen, values)


def _head(one: Sealed) -> tuple[object, ...]:
    """A head as it is stored, without its journal."""
    line, segment, data, head = one
    return line, segment, head.number if isinstance(head, Head) else head.n, head.n, data


def _known(row: Sequence[object]) -> Known:
    id_, root, line, segment, n, chain, records, digest, head, *rest = row
    seal_head, seal_n, seal_chain, key, edition, loose, state = rest
    mark = Mark(_int(line), _int(segment), _int(n), _bytes(chain), _int(records), _bytes(digest), _int(head))
    seal = Seal(_int(seal_head), _int(seal_n), _bytes(seal_chain))
    return Known(_bytes(id_), _bytes(root), mark, seal, _bytes(key), _int(edition), bool(loose), str(state))


def _int(value: object) -> int:
    return int(str(value))


def _bytes(value: object) -> bytes:
    return bytes(value)  # type: ignore[call-overload,no-any-return]  # a memory view or bytes, as the driver has it
