"""Takes batches of one journal: chain, records, heads and keys are verified before anything is written.

1. A batch says which mark it follows, as the table has it. If that is the centre's mark, it is taken. If it is an
   earlier or later point of the same journal, it is `Behind`, which is no error: the table is told the mark and sends
   again. If the table has another digest where the centre has one, it has another past: a fork.
2. Rows are taken in order, and each is chained by its own bytes. At the end of a batch the table's digest must equal
   the one that the centre has made: a row that was changed at the table is found before it is written.
3. A segment begins as its first row says: what it follows, its key and the certificate by the key before it. A key that
   nothing certifies quarantines the journal, except the first key of all, which came with the enrolment. From then on
   nothing of the segment before is taken: its key may be in other hands, and counts no more.
4. A segment that follows a *damaged* one may begin before the end of what was sent, but not before what was sealed:
   that is a new line (`wire.marks`). A segment that begins before the seal is a fork.
5. A head seals. It must be of this journal and segment, over the event, the digest and the records that are here, and
   signed by the segment's key. Its number must be the next one; after damage any higher one will do. Heads of edition 1
   cover events alone.
6. Nothing here reads a clock, a file or a database: `chain_at` gives the digest of an event that the centre has.
7. A journal whose chain does not begin as a table's does is quarantined. So is a table without roles, in the archive of
   a house.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from firmware_bridge.floor.intake import known as why
from firmware_bridge.floor.intake.known import Begun, Behind, Event, Known, Record, Sealed, TakenBatch, Wrong
from firmware_bridge.floor.wire import items
from firmware_bridge.floor.wire.batch import Batch
from firmware_bridge.floor.wire.items import Item, ItemError
from firmware_bridge.floor.wire.marks import Mark, Seal
from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import GENESIS, SIZE, Row
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.signed.signing import NOTHING, Head

ChainAt = Callable[[int], bytes | None]
QUARANTINE = "quarantine"
"""The reason that a segment gives if it follows a damaged one."""
_TABLES = frozenset({"rounds", "findings", "rulings"})


class _WrongError(Exception):
    """Ends the reading of a batch."""

    def __init__(self, reason: str, n: int, detail: str) -> None:
        super().__init__(detail)
        self.wrong = Wrong(reason, n, detail)


def judge_end(known: Known, end: Mark) -> Wrong | None:
    """What is wrong with a journal that ends at `end` at the table: it was put back, or has another past."""
    if end.n < known.seal.n:
        detail = f"the table's journal ends with event {end.n}, {known.seal.n} was sealed"
        return Wrong(why.ROLL_BACK, end.n, detail)
    if end.n == known.seal.n and end.chain != known.seal.chain:
        return Wrong(why.FORK, end.n, f"event {end.n} is another one than was sealed")
    return None


def take_batch(known: Known, batch: Batch, chain_at: ChainAt, *, house: bool = True) -> TakenBatch | Behind | Wrong:
    """Take a batch, if it follows; with `house` a table that runs without people is wrong."""
    try:
        return _Intake(known, chain_at, house=house).batch(batch)
    except _WrongError as error:
        return error.wrong
    except ItemError as error:
        return Wrong(why.BODY, known.mark.n + 1, str(error))


class _Intake:
    """One batch on its way in."""

    def __init__(self, known: Known, chain_at: ChainAt, *, house: bool) -> None:
        self._before = self._known = known
        self._chain_at, self._house = chain_at, house
        self._taken = TakenBatch(known, known)
        self._replaced = 0

    def batch(self, batch: Batch) -> TakenBatch | Behind:
        """Take it whole, or not at all."""
        if not self._follows(batch):
            return Behind(self._before)
        for item in batch.items:
            self._item(item)
        mark = self._known.mark
        if (batch.last.n, batch.last.chain) != (mark.n, mark.chain):
            first = batch.after.n + 1
            detail = f"something from event {first} to {mark.n} is not as it was written"
            raise _WrongError(why.CHAIN, first, detail)
        return replace(self._taken, known=self._known, replaced=self._replaced)

    # --- where it begins ---------------------------------------------------------------------------------------------

    def _follows(self, batch: Batch) -> bool:
        """Whether a batch follows what is here."""
        mark, after = self._known.mark, batch.after
        if after.n == mark.n and after.chain == mark.chain:
            return (after.records, after.head) == (mark.records, mark.head) or self._begins_segment(batch)
        if after.n > mark.n:
            return False
        if after.n == 0 and after.chain != GENESIS:
            raise _WrongError(why.DOMAIN, 1, "the journal is no table's: its chain begins otherwise")
        here = self._chain_at(after.n) if after.n else GENESIS
        if here is not None and here != after.chain:
            detail = f"event {after.n} is another one at the table than the one that was sent"
            raise _WrongError(why.FORK, after.n, detail)
        return self._goes_back(batch)

    def _begins_segment(self, batch: Batch) -> bool:
        """Whether a batch begins with a segment that follows a damaged one, whose last records or head are lost."""
        return _quarantine(batch) is not None

    def _goes_back(self, batch: Batch) -> bool:
        """Whether a batch begins a new line before the mark."""
        row = _quarantine(batch)
        if row is None:
            return False
        follows = batch.after.n
        if self._chain_at(follows + 1) == blake2b(batch.after.chain + batch.items[0].data, digest_size=SIZE).digest():
            return False  # it has come before
        if follows < self._known.seal.n:
            detail = f"the table goes on after event {follows}, {self._known.seal.n} was sealed"
            raise _WrongError(why.FORK, follows + 1, detail)
        mark = self._known.mark
        self._replaced = mark.n - follows
        self._known = self._known.moved(line=mark.line + 1, n=follows, chain=batch.after.chain)
        return True

    # --- items -------------------------------------------------------------------------------------------------------

    def _item(self, item: Item) -> None:
        match item.kind:
            case items.EVENT:
                self._event(item.data)
            case items.RECORD:
                self._record(item.data)
            case _:
                self._head(item.data)

    def _event(self, data: bytes) -> None:
        row, edition = items.row_of(data)
        mark = self._known.mark
        if row.n != mark.n + 1:
            raise _WrongError(why.CHAIN, mark.n + 1, f"event {row.n} follows event {mark.n}")
        if row.kind == schema.SEGMENT:
            self._segment(row, edition)
        elif edition != self._known.edition:
            raise _WrongError(why.CHAIN, row.n, f"a row of edition {edition} in a segment of {self._known.edition}")
        elif row.kind == schema.START and self._house and _is_open(row):
            raise _WrongError(why.DOMAIN, row.n, "the table runs without people: this archive is of a house")
        chain = blake2b(mark.chain + data, digest_size=SIZE).digest()
        self._known = self._known.moved(n=row.n, chain=chain)
        now = self._known.mark
        self._taken.events.append(Event(now.line, now.segment, chain, data, row))

    def _record(self, data: bytes) -> None:
        mark = self._known.mark
        match items.columns_of(data):
            case (str(table), *columns) if table in _TABLES and self._known.edition:
                made = Record(mark.line, mark.segment, mark.records + 1, data, table, tuple(columns))
            case _:
                raise ItemError("no row of a record")
        digest = blake2b(mark.digest + data, digest_size=SIZE).digest()
        self._taken.records.append(made)
        self._known = self._known.moved(records=mark.records + 1, digest=digest)

    def _head(self, data: bytes) -> None:
        known, mark = self._known, self._known.mark
        head = items.head_of(data, known.journal, mark.segment)
        if isinstance(head, Head):
            expected = (known.edition, mark.n, mark.chain, mark.digest, known.key)
            wrong = expected != (2, head.n, head.chain, head.records, head.key)
            number, skipped = head.number, head.number <= mark.head if known.loose else head.number != mark.head + 1
            wrong = wrong or skipped
        else:
            number = head.n  # what heads of edition 1 are known by
            wrong = (1, mark.n, mark.chain, known.root) != (known.edition, head.n, head.chain, head.key)
        if wrong or not signing.verify(head):
            raise _WrongError(why.SIGNATURE, mark.n, f"the head after event {mark.n} does not cover what came")
        self._taken.heads.append(Sealed(mark.line, mark.segment, data, head))
        seal = Seal(number, mark.n, mark.chain)
        self._known = replace(known, mark=mark._replace(head=number), seal=seal, loose=False)

    # --- segments ----------------------------------------------------------------------------------------------------

    def _segment(self, row: Row, edition: int) -> None:
        """The first row of a segment."""
        known, said = self._known, _body_of(row)
        mark, reason = known.mark, said.get("reason")
        if (said.get("follows"), said.get("chain")) != (mark.n, mark.chain.hex()):
            raise _WrongError(why.CHAIN, row.n, "the segment does not follow what came before it")
        if edition < known.edition:
            raise _WrongError(why.CHAIN, row.n, "an earlier edition follows a later one")
        number = mark.segment + 1
        key = known.root
        if edition > 1:
            number, key = self._keyed(row, said)
        before = known.edition
        known = replace(known, key=key, edition=edition, loose=reason == QUARANTINE or known.loose)
        head = 0 if edition > 1 == before else mark.head
        self._known = known.moved(segment=number, records=0, digest=NOTHING, head=head)
        self._taken.segments.append(Begun(mark.line, number, row.n, edition, key, row.body or ""))

    def _keyed(self, row: Row, said: dict[str, Any]) -> tuple[int, bytes]:
        """The number and the key of a segment, if the key before it vouches for them."""
        known, mark = self._known, self._known.mark
        try:
            number, key = int(said["segment"]), bytes.fromhex(said["key"])
        except (LookupError, TypeError, ValueError):
            raise _WrongError(why.CHAIN, row.n, "the first row of a segment names no key") from None
        skips = number <= mark.segment if said.get("reason") == QUARANTINE else number != mark.segment + 1
        if said.get("journal") != known.journal.hex() or skips:
            raise _WrongError(why.CHAIN, row.n, "the first row is that of another journal or segment")
        if said.get("certificate") is None:
            if row.n == 1 and said.get("reason") == "first" and key == known.root:
                return number, key
            raise _WrongError(why.KEY, row.n, f"nothing certifies the key of segment {number}")
        if not signing.certified(said, known.key):
            raise _WrongError(why.SIGNATURE, row.n, f"the key before it has not certified the key of segment {number}")
        return number, key


def _quarantine(batch: Batch) -> Row | None:
    """The first row of a batch, if it begins a segment after a damaged one."""
    if not batch.items or batch.items[0].kind != items.EVENT:
        return None
    row, _ = items.row_of(batch.items[0].data)
    return row if row.kind == schema.SEGMENT and _body_of(row).get("reason") == QUARANTINE else None


def _body_of(row: Row) -> dict[str, Any]:
    try:
        said = json.loads(row.body or "")
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _is_open(row: Row) -> bool:
    return _body_of(row).get("open") is True
