"""Hears the tables of a casino on the broker, and what the centre says of them.

1. It connects, subscribes and brings each message to the tiles; while the broker is away it tries again, after a random
   time up to `SELDOM` seconds. Every console hears everything: there is no queue.
2. The table is the one of the subject. What is no live news is dropped: no table stops the console.
3. A table that wants the roster of the floor is answered by one console, where that table hears (`wire.wanted`).
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.console.web.log import NAME
from firmware_bridge.floor.broker import Broker, BrokerError, BrokerMessage
from firmware_bridge.floor.pit.tiles import Tiles
from firmware_bridge.floor.wire import subjects, wanted
from firmware_bridge.floor.wire.live import LiveError, read_centre, read_live
from firmware_bridge.floor.wire.nkeys import Nkey

LOOK, SELDOM = 0.25, 5.0
QUEUE = "floor"
"""The consoles that share the answering."""
_EVERYBODY = ""  # no queue: each subscriber hears each message


class Ears(NamedTuple):
    """Where a console hears: the broker's servers, its CA, and the console's own key."""

    servers: list[str]
    ca: Path | None
    nkey: Nkey


class Hearing:
    """Brings live news to the tiles."""

    def __init__(
        self,
        casino: str,
        ears: Ears,
        tiles: Tiles,
        there: Callable[[bool], None],
        roster: Callable[[int], bytes | None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is connected yet; `there` is told whether the broker is, `roster` gives what is above a version."""
        self._roster = roster
        self._casino, self._ears, self._tiles, self._there, self._clock = casino, ears, tiles, there, clock
        self._task: asyncio.Task[None] | None = None
        self._log = logging.getLogger(NAME)

    def start(self) -> None:
        """Hear from now on."""
        self._task = asyncio.create_task(self._run())

    @property
    def alive(self) -> bool:
        """Whether it hears, or tries to."""
        return self._task is None or not self._task.done()

    async def close(self) -> None:
        """Hear no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        tries = 0
        while True:
            try:
                await self._hear_tables()
                tries = 0
            except BrokerError as error:
                if tries == 0:
                    self._log.warning("the broker is away: %s", error)
                tries += 1
            self._there(False)
            pause = random.uniform(0, min(LOOK * 2**tries, SELDOM))  # noqa: S311  spreads consoles in time
            await asyncio.sleep(pause)

    async def _hear_tables(self) -> None:
        """Hear while the broker is there.

        Raises:
            BrokerError: it is not.
        """
        ears, casino = self._ears, self._casino
        broker = await Broker.connect(ears.servers, ears.nkey, ears.ca, f"f.{casino}", f"floor {casino}")

        async def answer(message: BrokerMessage) -> None:
            await self._answer_table(broker, message)

        try:
            await broker.subscribe(subjects.spoken(casino, "*", subjects.WANT), QUEUE, answer)
            await broker.subscribe(subjects.of_live(casino), _EVERYBODY, self._read_table_news)
            await broker.subscribe(subjects.of_centre(casino), _EVERYBODY, self._read_centre_news)
            self._there(True)
            while not broker.is_away:  # noqa: ASYNC110  the client tells nobody
                await asyncio.sleep(LOOK)
        finally:
            await broker.close()

    async def _answer_table(self, broker: Broker, message: BrokerMessage) -> None:
        speaker = subjects.speaker(message.subject)
        if speaker is None or not subjects.may_answer(message.reply, *speaker[:2]):
            return
        try:
            body = wanted.pack_answer(self._roster(wanted.read_question(message.body)))
        except wanted.WantedError as error:
            self._log.info("%s/%s wants something: %s", *speaker[:2], error)
            return
        await broker.answer(message.reply, body)

    async def _read_table_news(self, message: BrokerMessage) -> None:
        speaker = subjects.speaker(message.subject)
        if speaker is None:
            return
        try:
            self._tiles.hear_table(speaker[1], read_live(speaker[2], message.body), self._clock())
        except LiveError:
            self._log.info("%s/%s says what is no live news", *speaker[:2])

    async def _read_centre_news(self, message: BrokerMessage) -> None:
        try:
            self._tiles.hear_centre(read_centre(message.body), self._clock())
        except LiveError:
            self._log.info("the centre says what is no alarm")
