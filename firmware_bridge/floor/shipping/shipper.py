"""``truedeal ship``: sends a table's journal to the centre, in order, for ever.

1. It asks what the centre has, and sends what follows, one batch at a time. It sends the next one when the centre has
   said that the one before is committed. The journal is the queue: nothing is kept here, and a centre that has less
   than yesterday gets the rest again.
2. After anything that went wrong it asks first. If no answer comes in `PATIENCE` seconds, the batch may stand or not.
   It tries again after a random time, up to `SELDOM` seconds: a thousand tables that lost their centre do not all come
   back in the same moment.
3. A backlog gives way to the table: between two batches it waits as long as the last one took, at least `PACE` seconds.
4. If a status file is named, it says how the shipper is: what the centre said last, how far it has come, and what is
   wrong.
5. It writes nothing into the state folder; at the table it writes only that file, and temporary copies of archived
   segments. The daemon does not know that it is there.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.floor.broker import Broker, BrokerError
from firmware_bridge.floor.shipping.source import Source, SourceError
from firmware_bridge.floor.wire import answers, subjects
from firmware_bridge.floor.wire.answers import Answer, AnswerError, read_answer
from firmware_bridge.floor.wire.batch import Batch, pack
from firmware_bridge.floor.wire.marks import Mark
from firmware_bridge.floor.wire.nkeys import Nkey
from firmware_bridge.journal.signed.signing import replace

PATIENCE, PACE, LOOK = 10.0, 0.05, 1.0
SOON, SELDOM = 0.25, 15.0
_NO_MARK = frozenset({answers.UNKNOWN, answers.TOO_NEW})


class Table(NamedTuple):
    """Who ships, and where to: names, state folder, the broker's servers and CA, the key, the file of its status."""

    casino: str
    name: str
    state: Path
    servers: list[str]
    ca: Path | None
    nkey: Nkey
    status: Path | None = None


class Shipper:
    """Ships one journal."""

    def __init__(self, table: Table, chance: random.Random | None = None) -> None:
        """Nothing is connected yet."""
        self._table = table
        self._chance = chance or random.Random()  # noqa: S311  spreads tables in time, no secret
        self._source = Source(table.state)
        self._broker: Broker | None = None
        self._have: Mark | None = None
        self._tries = 0
        self._told: dict[str, object] = {}

    async def run(self, ended: asyncio.Event) -> None:
        """Ship until told to end."""
        ending = asyncio.create_task(ended.wait())
        try:
            while not ended.is_set():
                step = asyncio.create_task(self._step())
                await asyncio.wait({step, ending}, return_when=asyncio.FIRST_COMPLETED)
                if not step.done():
                    step.cancel()
                    await asyncio.wait({step})
                elif pause := step.result():
                    await asyncio.wait({ending}, timeout=pause)
        finally:
            ending.cancel()
            self._source.close()
            if self._broker is not None:
                await self._broker.close()

    async def _step(self) -> float:
        """Do the next thing; returns how long to wait after it."""
        try:
            if self._broker is None:
                table = self._table
                inbox = subjects.subjects_for_table(table.casino, table.name)
                name = f"ship {table.casino}/{table.name}"
                self._broker = await Broker.connect(table.servers, table.nkey, table.ca, inbox, name)
            if self._have is None:
                return await self._ask()
            batch = await asyncio.to_thread(self._source.batch_after, self._have)
            return LOOK if batch is None else await self._ship(batch)
        except (BrokerError, SourceError, AnswerError) as error:
            self._have = None
            if self._broker is not None and self._broker.is_away:
                await self._broker.close()
                self._broker = None
            self._tell_status("away", str(error))
            self._tries += 1
            return self._chance.uniform(0, min(SOON * 2**self._tries, SELDOM))

    async def _ask(self) -> float:
        end = await asyncio.to_thread(self._source.end)
        journal = await asyncio.to_thread(self._source.journal)
        return self._take_answer(await self._request(subjects.ASK, Batch(journal, end, end, ())))

    async def _ship(self, batch: Batch) -> float:
        begun = time.monotonic()
        before = self._have
        pause = self._take_answer(await self._request(subjects.SHIP, batch))
        took = time.monotonic() - begun
        stays = before == self._have  # nothing came of it: the table has nothing that would
        return max(pause, took, PACE, LOOK if stays else 0)

    async def _request(self, what: str, batch: Batch) -> Answer:
        if self._broker is None:
            raise BrokerError("not connected")
        subject = subjects.spoken(self._table.casino, self._table.name, what)
        return read_answer(await self._broker.request(subject, pack(batch), PATIENCE))

    def _take_answer(self, answer: Answer) -> float:
        """Take an answer; returns how long to wait before the next thing."""
        self._tell_status(answer.said, "", answer)
        if answer.said in {answers.OK, answers.BEHIND}:
            self._have, self._tries = answer.have, 0
            return 0
        self._have = None
        if answer.said == answers.BUSY:
            return max(answer.wait_ms / 1000, PACE)
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
