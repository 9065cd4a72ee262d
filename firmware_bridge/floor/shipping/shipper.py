"""``truedeal ship``: sends a table's journal to the centre, in order, for ever.

1. It asks what the centre has, and sends what follows, one batch at a time. It sends the next one when the centre has
   said that the one before is committed. The journal is the queue: nothing is kept here, and a centre that has less
   than yesterday gets the rest again.
2. After anything that went wrong it asks first. If no answer comes in `PATIENCE` seconds, the batch may stand or not.
   It tries again after a random time, up to `SELDOM` seconds: a thousand tables that lost their centre do not all come
   back in the same moment.
3. A backlog gives way to the table (`pace`). Live news go apart and first, over a connection of their own
   (`live_news`).
4. Where the daemon's reading socket is named, its news wake the shipper. It looks once more after `AGAIN` seconds,
   because the head of a round is written after its last row, and every `SELDOM_LOOK` seconds for rows that are no news.
   Without a daemon it looks every `LOOK` seconds.
5. If a status file is named, it says how the shipper is: what the centre said last, how far it has come, and what is
   wrong.
6. If a folder for it is named, the centre's receipt is kept there (`kept_receipt`), and in another one the floor's
   roster (`roster_keeper`).
7. It writes nothing into the state folder; at the table it writes only these files, and temporary copies of archived
   segments. The daemon does not know that it is there.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.floor.broker import Broker, BrokerError
from firmware_bridge.floor.metrics import COUNTER, GAUGE, HISTOGRAM, Figure, serve_metrics
from firmware_bridge.floor.shipping.kept_receipt import KeptReceipt
from firmware_bridge.floor.shipping.live_news import LiveNews, Shipped, Telling
from firmware_bridge.floor.shipping.pace import LEAST, Pace
from firmware_bridge.floor.shipping.roster_keeper import RosterKeeper
from firmware_bridge.floor.shipping.source import Source, SourceError
from firmware_bridge.floor.shipping.table_watch import TableWatch
from firmware_bridge.floor.wire import answers, subjects
from firmware_bridge.floor.wire.answers import Answer, AnswerError, read_answer
from firmware_bridge.floor.wire.batch import Batch, pack
from firmware_bridge.floor.wire.marks import Mark
from firmware_bridge.floor.wire.nkeys import Nkey
from firmware_bridge.journal.signed.signing import replace

PATIENCE, LOOK, AGAIN, SELDOM_LOOK = 10.0, 1.0, 0.3, 5.0
SOON, SELDOM = 0.25, 15.0
SLOW = 0.5
"""A batch that takes more seconds than this is a line of the log."""
_NO_MARK = frozenset({answers.UNKNOWN, answers.TOO_NEW})
_HOUR = timedelta(hours=1)


class Table(NamedTuple):
    """Who ships, and where to: names, state folder, the broker's servers and CA, the key.

    `status` is the file of its status, `watch` the reading socket of its daemon, `centre` the folder of its receipt.
    `metrics` is where Prometheus may ask, `people` the folder of the roster.
    """

    casino: str
    name: str
    state: Path
    servers: list[str]
    ca: Path | None
    nkey: Nkey
    status: Path | None = None
    watch: Path | None = None
    centre: Path | None = None
    metrics: tuple[str, int] | None = None
    people: Path | None = None


class Figures:
    """What a shipper counts, for Prometheus."""

    def __init__(self) -> None:
        """Begin with nothing."""
        name = "truedeal_ship"
        self.rows = Figure(f"{name}_rows_total", COUNTER, "events that the centre has committed")
        self.batch = Figure(f"{name}_batch_seconds", HISTOGRAM, "from sending a batch to its answer")
        self.lag_rows = Figure(f"{name}_lag_rows", GAUGE, "rows that the centre does not have yet")
        self.lag_seconds = Figure(f"{name}_lag_seconds", GAUGE, "since the centre had all")
        self.connected = Figure(f"{name}_connected", GAUGE, "whether there is a connection to the broker")

    @property
    def all(self) -> list[Figure]:
        """Every figure."""
        return list(vars(self).values())


class Shipper:
    """Ships one journal."""

    def __init__(self, table: Table, chance: random.Random | None = None) -> None:
        """Nothing is connected yet."""
        self._table = table
        self._chance = chance or random.Random()  # noqa: S311  spreads tables in time, no secret
        self._source = Source(table.state)
        self._broker: Broker | None = None
        self._have: Mark | None = None
        self._pace = Pace()
        self.figures = Figures()
        self._receipt = None if table.centre is None else KeptReceipt(table.centre)
        self._tries = 0
        self._told: dict[str, object] = {}
        self._watch: TableWatch | None = None
        self._journal = ""
        self._end = 0  # the last row that is known here
        self._whole = time.monotonic()  # when all of the journal was last at the centre
        self._woken = -AGAIN

    async def run(self, ended: asyncio.Event) -> None:
        """Ship until told to end."""
        ending = asyncio.create_task(ended.wait())
        beside = await self._beside()
        metrics = self._table.metrics
        listening = None if metrics is None else await serve_metrics(self.figures.all, *metrics)
        try:
            while not ended.is_set():
                step = asyncio.create_task(self._step())
                await asyncio.wait({step, ending, *beside}, return_when=asyncio.FIRST_COMPLETED)
                for task in beside:
                    if task.done():
                        task.result()  # a fault of our own: the process ends with it, and is started again
                if not step.done():
                    step.cancel()
                    await asyncio.wait({step})
                elif pause := step.result():
                    self._count()
                    await self._rest(ending, pause)
        finally:
            if listening is not None:
                listening.close()
            ending.cancel()
            for task in beside:
                task.cancel()
            await asyncio.wait({ending, *beside})
            self._source.close()
            if self._broker is not None:
                await self._broker.close()

    async def _beside(self) -> list[asyncio.Task[None]]:
        """Begin to tell live news, and to fetch the roster, if the table has these."""
        table, tasks = self._table, await self._live()
        if table.people is not None and self._receipt is not None and self._receipt.floor:
            keeper = RosterKeeper(table.people, self._receipt.floor, table.casino, self._want)
            tasks.append(asyncio.create_task(keeper.run()))
        return tasks

    async def _live(self) -> list[asyncio.Task[None]]:
        """Begin to watch the table and to tell live news of it, where its daemon is named."""
        table = self._table
        if table.watch is None:
            return []
        self._watch = TableWatch(table.watch)
        try:
            ended = await asyncio.to_thread(self._source.round_ends, datetime.now(UTC) - _HOUR)
        except SourceError:
            ended = []
        telling = Telling(self._watch, self.shipped, ended)
        subject = lambda what: subjects.spoken(table.casino, table.name, what)  # noqa: E731
        live = LiveNews(telling, self._watch, lambda: self._connect("live"), subject)
        return [asyncio.create_task(self._watch.run()), asyncio.create_task(live.run())]

    async def _want(self, question: bytes) -> bytes:
        if self._broker is None:
            raise BrokerError("not connected")
        subject = subjects.spoken(self._table.casino, self._table.name, subjects.WANT)
        return await self._broker.request(subject, question, PATIENCE)

    def shipped(self) -> Shipped:
        """How it is."""
        told = self._told
        have = 0 if self._have is None else self._have.n
        end = max(self._end, 0 if self._watch is None else int(self._watch.scene.get("n") or 0))
        lag = max(0, end - have) if self._have is not None else 0
        have_n, sealed, backed = (int(str(told.get(key, 0))) for key in ("have", "sealed", "backed"))
        waits = 0.0 if self._have is not None and not lag else round(time.monotonic() - self._whole, 1)
        said, problem = str(told.get("said", "")), str(told.get("problem", ""))
        return Shipped(self._journal, said, problem, have_n, sealed, backed, lag, waits)

    def _count(self) -> None:
        """Put the figures that say how it is now."""
        shipped, table = self.shipped(), f"{self._table.casino}/{self._table.name}"
        self.figures.lag_rows.put(shipped.lag_rows, table=table)
        self.figures.lag_seconds.put(shipped.lag_seconds, table=table)
        self.figures.connected.put(int(self._broker is not None and not self._broker.is_away))

    async def _rest(self, ending: asyncio.Task[bool], pause: float) -> None:
        """Wait, or until it is told to end; when all is sent also until the table has written something."""
        waits: set[asyncio.Task[bool]] = {ending}
        rows = None
        if self._watch is not None and pause in {LOOK, AGAIN, SELDOM_LOOK}:
            rows = asyncio.create_task(self._watch.rows.wait())
            waits.add(rows)
        await asyncio.wait(waits, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        if rows is not None:
            if rows.done() and self._watch is not None:
                self._watch.rows.clear()
                self._woken = time.monotonic()
            rows.cancel()

    async def _connect(self, what: str) -> Broker:
        table = self._table
        inbox = subjects.subjects_for_table(table.casino, table.name)
        name = f"{what} {table.casino}/{table.name}"
        return await Broker.connect(table.servers, table.nkey, table.ca, inbox, name)

    async def _step(self) -> float:
        """Do the next thing; returns how long to wait after it."""
        try:
            if self._broker is None:
                self._broker = await self._connect("ship")
            if self._have is None:
                return await self._ask()
            batch = await asyncio.to_thread(self._source.batch_after, self._have)
            return self._look_later() if batch is None else await self._ship(batch)
        except (BrokerError, SourceError, AnswerError) as error:
            self._have = None
            if self._broker is not None and self._broker.is_away:
                await self._broker.close()
                self._broker = None
            self._tell_status("away", str(error))
            self._tries += 1
            return self._chance.uniform(0, min(SOON * 2**self._tries, SELDOM))

    def _look_later(self) -> float:
        """How long to wait for the next rows: all is at the centre."""
        self._whole = time.monotonic()
        if self._have is not None:
            self._end = self._have.n
        if self._watch is None or not self._watch.there:
            return LOOK
        return AGAIN if self._whole - self._woken < AGAIN else SELDOM_LOOK

    async def _ask(self) -> float:
        end = await asyncio.to_thread(self._source.end)
        journal = await asyncio.to_thread(self._source.journal)
        self._end, self._journal = end.n, journal.hex()
        return self._take_answer(await self._request(subjects.ASK, Batch(journal, end, end, ())))

    async def _ship(self, batch: Batch) -> float:
        begun = time.monotonic()
        before = self._have
        self._end = max(self._end, batch.last.n)
        pause = self._take_answer(await self._request(subjects.SHIP, batch))
        now = time.monotonic()
        self.figures.batch.observe(now - begun)
        if before is not None and self._have is not None:
            self.figures.rows.add(max(0, self._have.n - before.n))
        if now - begun > SLOW:
            sys.stderr.write(f"truedeal ship: slow: {len(batch.items)} items took {now - begun:.3f} s to be answered\n")
        in_round = self._watch is not None and self._watch.in_round
        stays = before == self._have  # nothing came of it: the table has nothing that would
        rest = self._pace.pause_after(batch, now, now - begun, in_round=in_round)
        return max(pause, rest, LOOK if stays else 0)

    async def _request(self, what: str, batch: Batch) -> Answer:
        if self._broker is None:
            raise BrokerError("not connected")
        subject = subjects.spoken(self._table.casino, self._table.name, what)
        return read_answer(await self._broker.request(subject, pack(batch), PATIENCE))

    def _take_answer(self, answer: Answer) -> float:
        """Take an answer; returns how long to wait before the next thing."""
        self._tell_status(answer.said, "", answer)
        if self._receipt is not None and answer.receipt is not None and answer.keys is not None:
            self._receipt.keep_highest(answer.receipt, answer.keys)
        if answer.said in {answers.OK, answers.BEHIND}:
            self._have, self._tries = answer.have, 0
            return answer.wait_ms / 1000
        self._have = None
        if answer.said == answers.BUSY:
            return max(answer.wait_ms / 1000, LEAST)
        return SELDOM

    def _tell_status(self, said: str, problem: str, answer: Answer | None = None) -> None:
        """Write how it is, where it has changed; a change of words is a line of the log too."""
        told: dict[str, object] = {"said": said, "problem": problem}
        if (said, problem) != (self._told.get("said"), self._told.get("problem")):
            sys.stderr.write(f"truedeal ship: {said}{f': {problem}' if problem else ''}\n")
            sys.stderr.flush()
        if answer is not None and answer.said not in _NO_MARK:
            told |= {"have": answer.have.n, "sealed": answer.sealed.n, "backed": answer.backed, "epoch": answer.epoch}
        else:
            told = {**self._told, **told}
        if told != self._told and self._table.status is not None:
            with suppress(OSError):  # a full disk stops nothing here
                replace(self._table.status, json.dumps(told).encode() + b"\n")
        self._told = told
