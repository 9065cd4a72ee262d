"""The archivist: one thread that verifies what came, writes it in groups, and says what to answer.

1. Messages that come within `GATHER` seconds, at most `GROUP`, are a group. Each batch is verified in memory against
   what is known of its journal; then the group is one transaction. A group has one batch of a journal: a second one is
   told ``busy``.
2. The table is the one of the subject, and only its own journals are looked for. A journal that nobody enrolled is
   ``unknown``, and so is a body that is no batch.
3. Nothing that a table sends stops the archivist. It has places for a few messages of each table, so that a flood keeps
   nobody else waiting. What is wrong quarantines that journal. If the database refuses the rows of a group, its batches
   are written one by one, and a batch that is refused by itself quarantines its journal. So does the same gap `GAPS`
   times within `WITHIN` seconds.
4. A quarantine is loud: a row among the alarms, a line of the log, news to every console. What a quarantined journal
   sends from then on is kept aside.
5. An answer after a seal has risen, or to an ask, has the receipt of it.
6. If the database is away, or nobody knows whether a commit stands, there is no answer: the table asks again, and the
   mark is read again. The connection is tried again, ever less often.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from firmware_bridge.anchors.receipts import CentreKeys
from firmware_bridge.floor.archive.alarms import QUARANTINED, TAIL_REPLACED
from firmware_bridge.floor.archive.archive import Archive, Signer, Written
from firmware_bridge.floor.archive.dialects import ArchiveError, RefusedRowsError
from firmware_bridge.floor.archive.receipts import newest_keys, newest_receipt
from firmware_bridge.floor.centre.complaints import Complaints
from firmware_bridge.floor.centre.figures import Figures
from firmware_bridge.floor.centre.ingester_key import IngesterKey
from firmware_bridge.floor.intake.intake import judge_end, take_batch
from firmware_bridge.floor.intake.known import BODY, GAP, OPEN, Known, TakenBatch, Wrong
from firmware_bridge.floor.wire import answers
from firmware_bridge.floor.wire.answers import Answer
from firmware_bridge.floor.wire.batch import FORMAT, Batch, BatchError, unpack
from firmware_bridge.floor.wire.live import CentreAlarm
from firmware_bridge.journal.clock import wall_clock

GATHER, GROUP = 0.005, 64
WAITING, EACH, BYTES = 1024, 4, 64 * 1024 * 1024
"""The most messages that may wait, of all tables and of one, and their bytes; `add` refuses more. An honest table has
one under way: whoever floods the centre fills its own places, and nobody else's."""
SLOW = 0.5
"""A group whose first message waits longer than this for its answer is logged, with its stages."""
LOOK = 15.0
"""Seconds between two looks at the archive for the figures."""
GAPS, WITHIN = 3, 60.0
"""The same gap this many times within this many seconds quarantines a journal."""
LATE = "late"
"""The reason of what a journal sent after it was quarantined."""
_KEYS_FOR = 30.0  # seconds for which a list of keys is not read again
_AGAIN, _SELDOM = 0.2, 5.0  # seconds between two tries to reach the database

Key = tuple[str, str, bytes]


class Came(NamedTuple):
    """A message of a table, and whom to answer."""

    casino: str
    table: str
    edition: str
    body: bytes
    answer: Callable[[Answer], None]
    at: float = 0.0  # when it came, by the clock that nobody sets


class _Ready(NamedTuple):
    came: Came
    key: Key
    taken: TakenBatch


class Archivist(threading.Thread):
    """Writes into one archive."""

    def __init__(self, url: str, key: IngesterKey, alarmed: Callable[[CentreAlarm], None] = lambda _: None) -> None:
        """Nothing is opened yet; `alarmed` hears what the centre has to say of a table, from this thread."""
        super().__init__(name="archivist", daemon=True)
        self._url, self._key, self._alarmed = url, key, alarmed
        self.figures = Figures()
        self._looked = -LOOK
        self._signer: Signer | None = None
        self._keys: CentreKeys | None = None
        self._keys_read = 0.0
        self._queue: queue.Queue[Came | None] = queue.Queue(WAITING)
        self._archive: Archive | None = None
        self._house, self._epoch = True, ""
        self._known: dict[Key, Known] = {}
        self._gaps: dict[tuple[Key, int], list[float]] = {}
        self._places = threading.Lock()
        self._waiting: Counter[tuple[str, str]] = Counter()
        self._bytes = 0
        self._complaints = Complaints()
        self._ends = False
        self._pause = _AGAIN

    def add(self, came: Came) -> bool:
        """Add a message; returns whether there was room for it."""
        table = came.casino, came.table
        with self._places:
            if self._waiting[table] >= EACH or self._bytes + len(came.body) > BYTES:
                return False
            try:
                self._queue.put_nowait(came)
            except queue.Full:
                return False
            self._waiting[table] += 1
            self._bytes += len(came.body)
        return True

    def is_flooded(self, casino: str, table: str) -> bool:
        """Whether as many messages of a table wait as may."""
        with self._places:
            return self._waiting[casino, table] >= EACH

    def _leave_place(self, group: list[Came]) -> None:
        """Let others have the places of messages that wait no more."""
        with self._places:
            for came in group:
                table = came.casino, came.table
                self._waiting[table] -= 1
                self._bytes -= len(came.body)
                if not self._waiting[table]:
                    del self._waiting[table]

    def end(self) -> None:
        """End after the group at hand; what still waits gets no answer, and the tables ask again."""
        self._ends = True
        with suppress(queue.Full):
            self._queue.put_nowait(None)

    def run(self) -> None:
        """Write groups until `end` is called."""
        while not self._ends:
            group = self._gathered()
            self._leave_place(group)
            try:
                if group:
                    self._work(group)
                if time.monotonic() - self._looked >= LOOK:
                    self._looked = time.monotonic()
                    self.figures.look_at(self._opened())
                self._pause = _AGAIN
            except ArchiveError as error:
                _say(f"the archive is away: {str(error).strip()}")
                self._lose_archive()
        self._key.note()
        self._lose_archive(wait=False)

    def _gathered(self) -> list[Came]:
        """What came within a moment."""
        try:
            first = self._queue.get(timeout=LOOK)
        except queue.Empty:
            return []
        group = [] if first is None else [first]
        until = time.monotonic() + GATHER
        while len(group) < GROUP and (left := until - time.monotonic()) > 0:
            try:
                came = self._queue.get(timeout=left)
            except queue.Empty:
                break
            group += [] if came is None else [came]
        return group

    def _lose_archive(self, *, wait: bool = True) -> None:
        if self._archive is not None:
            with suppress(ArchiveError):
                self._archive.close()
        self._archive = None
        self._known.clear()
        if wait:
            time.sleep(self._pause)
            self._pause = min(self._pause * 2, _SELDOM)

    # --- a group -----------------------------------------------------------------------------------------------------

    def _work(self, group: list[Came]) -> None:
        begun = time.monotonic()
        archive = self._opened()
        ready: dict[bytes, _Ready] = {}
        for came in group:
            found = self._judge(archive, came)
            if found is not None and found.key[2] in ready:
                self._answer(came, answers.BUSY, found.taken.before)
            elif found is not None:
                ready[found.key[2]] = found
        verified = time.monotonic()
        if ready:
            self._commit(archive, list(ready.values()))
        self._measure(group, list(ready.values()), begun, verified)

    def _measure(self, group: list[Came], ready: list[_Ready], begun: float, verified: float) -> None:
        """Count what a group was; a slow one is a line of the log, by its stages."""
        now, figures = time.monotonic(), self.figures
        figures.verify.observe(verified - begun)
        if ready:
            figures.commit.observe(now - verified)
            figures.group.observe(len(ready))
        oldest = min((came.at for came in group if came.at), default=begun)
        for came in group:
            if came.at:
                figures.batch.observe(now - came.at)
        if now - oldest > SLOW:
            rows = sum(len(one.taken.events) for one in ready)
            stages = f"waited {begun - oldest:.3f} s, verified {verified - begun:.3f} s, wrote {now - verified:.3f} s"
            _say(f"slow: {len(group)} messages with {rows} rows took {now - oldest:.3f} s: {stages}")

    def _opened(self) -> Archive:
        if self._archive is None:
            self._archive = Archive.open(self._url)
            self._signer = self._key.sign_in(self._archive)
            self._house, self._epoch = self._archive.is_house(), self._signer.epoch
        return self._archive

    def _judge(self, archive: Archive, came: Came) -> _Ready | None:
        """Verify one message, and answer it unless something is to be written."""
        if came.edition != FORMAT:
            self._refuse(came, answers.TOO_NEW)
            return None
        try:
            batch = unpack(came.body)
        except BatchError as error:
            self._complaints.complain(f"{came.casino}/{came.table}", "sent what is no batch", str(error))
            self._refuse(came, answers.UNKNOWN)
            return None
        key = came.casino, came.table, batch.journal
        known = self._known.get(key) or archive.known(batch.journal, came.casino, came.table)
        if known is None:
            table = f"{came.casino}/{came.table}"
            self._complaints.complain(table, "sent a journal that is not its own", batch.journal.hex())
            self._refuse(came, answers.UNKNOWN)
            return None
        if known.state != OPEN:
            if known.state == QUARANTINED and batch.items:
                late = Wrong(LATE, batch.after.n + 1, "it came while the journal was quarantined")
                archive.set_aside(batch.journal, late, came.body)
            self._answer(came, answers.QUARANTINED, known)
            return None
        self._known[key] = known
        if batch.items:
            return self._shipped(archive, came, key, batch)
        self._asked(archive, came, key, batch)
        return None

    def _asked(self, archive: Archive, came: Came, key: Key, batch: Batch) -> None:
        known = archive.known(batch.journal, came.casino, came.table)
        if known is None:
            return
        self._known[key] = known
        wrong = judge_end(known, batch.after)
        if wrong is not None:
            self._quarantine(archive, came, key, wrong)
        else:
            self._answer(came, answers.OK, known, sealed=True)

    def _shipped(self, archive: Archive, came: Came, key: Key, batch: Batch) -> _Ready | None:
        known = self._known[key]
        outcome = take_batch(known, batch, lambda n: archive.chain_at(batch.journal, n), house=self._house)
        if isinstance(outcome, TakenBatch):
            return _Ready(came, key, outcome)
        if isinstance(outcome, Wrong):
            now = archive.known(batch.journal, came.casino, came.table)
            if now == known:  # what was known here is what is there
                self._quarantine(archive, came, key, outcome)
                return None
        self._behind(archive, came, key, batch)
        return None

    def _behind(self, archive: Archive, came: Came, key: Key, batch: Batch) -> None:
        """Answer how far the journal is; a gap that comes again and again is one that the table cannot fill."""
        known = archive.known(batch.journal, came.casino, came.table)
        if known is None:
            return
        self._known[key] = known
        if batch.after.n > known.mark.n:
            now = time.monotonic()
            seen = [at for at in self._gaps.get((key, known.mark.n), []) if now - at < WITHIN]
            self._gaps = {(key, known.mark.n): [*seen, now]} | {
                other: at for other, at in self._gaps.items() if other[0] != key
            }
            if len(seen) + 1 >= GAPS:
                detail = f"the table goes on after event {batch.after.n}, event {known.mark.n} is the last that came"
                self._quarantine(archive, came, key, Wrong(GAP, known.mark.n + 1, detail))
                return
        self._answer(came, answers.BEHIND, known)

    def _quarantine(self, archive: Archive, came: Came, key: Key, wrong: Wrong) -> None:
        _say(f"QUARANTINED {came.casino}/{came.table}: {wrong.reason} at event {wrong.n}: {wrong.detail}")
        archive.quarantine(key[2], wrong, came.body)
        self._alarm(key, QUARANTINED, wrong.n, f"{wrong.reason}: {wrong.detail}")
        known = archive.known(key[2], came.casino, came.table)
        self._known.pop(key, None)
        if known is not None:
            self._answer(came, answers.QUARANTINED, known)

    def _commit(self, archive: Archive, ready: list[_Ready]) -> None:
        try:
            written = archive.commit([one.taken for one in ready], self._signer)
        except RefusedRowsError as error:
            if len(ready) == 1:
                wrong = Wrong(BODY, ready[0].taken.before.mark.n + 1, f"the archive refuses it: {str(error).strip()}")
                self._quarantine(archive, ready[0].came, ready[0].key, wrong)
                return
            for one in ready:
                self._commit(archive, [one])
            return
        self._key.committed()
        for one, done in zip(ready, written, strict=True):
            if done is not None:
                self._known[one.key] = one.taken.known
                if one.taken.replaced:
                    detail = f"tail replaced, {one.taken.replaced} rows"
                    _say(f"{one.came.casino}/{one.came.table}: {detail}")
                    self._alarm(one.key, TAIL_REPLACED, one.taken.known.mark.n, detail)
                self.figures.rows.add(len(one.taken.events))
                self._answer_written(archive, one, done)
            else:
                known = archive.known(one.key[2], one.came.casino, one.came.table)
                self._known.pop(one.key, None)
                if known is not None:
                    self._answer(one.came, answers.BEHIND, known)

    def _alarm(self, key: Key, code: str, n: int, detail: str) -> None:
        casino, table, journal = key
        self._alarmed(CentreAlarm(casino, table, journal.hex(), wall_clock(), code, max(0, min(n, 2**62)), detail))

    def _refuse(self, came: Came, said: str) -> None:
        self.figures.refused.add(reason=said)
        came.answer(Answer(said))

    def _answer_written(self, archive: Archive, one: _Ready, written: Written) -> None:
        """Answer what was committed; the commit itself has read what the answer needs."""
        keys = None if written.receipt is None else self._centre_keys(archive)
        receipt, known = (None if keys is None else written.receipt), one.taken.known
        told = Answer(answers.OK, known.mark, known.seal, written.backed, self._epoch, 0, receipt, keys)
        one.came.answer(told)

    def _answer(self, came: Came, said: str, known: Known, *, sealed: bool = False) -> None:
        if said != answers.OK:
            self.figures.refused.add(reason=said)
        archive, receipt, keys = self._archive, None, None
        backed = 0 if archive is None else archive.backed(known.journal)
        if archive is not None and sealed and known.seal.n:
            receipt = newest_receipt(archive, known.journal, self._epoch)
            keys = self._centre_keys(archive) if receipt is not None else None
        came.answer(Answer(said, known.mark, known.seal, backed, self._epoch, 0, receipt, keys))

    def _centre_keys(self, archive: Archive) -> CentreKeys | None:
        """The list of keys, read again now and then."""
        now = time.monotonic()
        if self._keys is None or now - self._keys_read > _KEYS_FOR:
            self._keys, self._keys_read = newest_keys(archive), now
        return self._keys


def _say(text: str) -> None:
    sys.stderr.write(f"truedeal ingest: {text}\n")
    sys.stderr.flush()
