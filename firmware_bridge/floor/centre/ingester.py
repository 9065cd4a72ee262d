"""``truedeal ingest``: hears the tables of a casino on the broker, and answers after the commit.

1. Two or more ingesters share a queue: one of them hears each message. They need nothing of each other: the archive's
   locked mark keeps them apart.
2. The table is the one of the subject. An answer goes only where that table hears (`wire.subjects`): a message that
   wants it elsewhere is named in the log and gets no answer.
3. Another thread verifies and writes (`archivist`). If it cannot keep up, tables are told to ask again later. A table
   that sends more than `EACH` messages at once gets no answer to the rest.
4. What the centre has to say of a table, such as a quarantine, is published to the consoles (`wire.subjects`).
5. Where an address is named, Prometheus may ask for figures there; where a syslog server is named, it is told every
   alarm (`alarm_syslog`).
6. TERM and INT end it. Tables that got no answer ask again.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.anchors.targets import SyslogTarget
from firmware_bridge.floor.broker import Broker, BrokerError, BrokerMessage
from firmware_bridge.floor.centre.alarm_syslog import AlarmSyslog
from firmware_bridge.floor.centre.archivist import EACH, Archivist, Came
from firmware_bridge.floor.centre.complaints import Complaints
from firmware_bridge.floor.centre.ingester_key import IngesterKey
from firmware_bridge.floor.metrics import serve_metrics
from firmware_bridge.floor.wire import answers, subjects
from firmware_bridge.floor.wire.answers import Answer, pack_answer
from firmware_bridge.floor.wire.live import CentreAlarm, pack_centre
from firmware_bridge.floor.wire.nkeys import Nkey

QUEUE = "ingest"
LATER = 500
"""Milliseconds after which a table that was told ``busy`` asks again."""
_AGAIN = 0.25  # seconds between two looks at the connection, or tries to make one


class Centre(NamedTuple):
    """Where an ingester hears: the casino, the broker's servers, its CA, its nkey; where its key for receipts lies."""

    casino: str
    servers: list[str]
    ca: Path | None
    nkey: Nkey
    receipts: Path
    metrics: tuple[str, int] | None = None
    syslog: SyslogTarget | None = None
    syslog_ca: Path | None = None


async def ingest(centre: Centre, url: str) -> None:
    """Hear tables until a signal ends it.

    Raises:
        OSError, ValueError: its key for receipts cannot be used, or nobody can listen at the address for figures.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    speaking = _Speaking(loop)
    archivist = Archivist(url, IngesterKey(centre.receipts), speaking.say)
    archivist.start()
    listening = None if centre.metrics is None else await serve_metrics(archivist.figures.all, *centre.metrics)
    telling = None if centre.syslog is None else AlarmSyslog(url, centre.syslog, centre.syslog_ca)
    if telling is not None:
        telling.start()
    while not ended.is_set():
        try:
            await _hear_tables(centre, archivist, speaking, ended)
        except BrokerError as error:
            sys.stderr.write(f"truedeal ingest: the broker is away: {error}\n")
            sys.stderr.flush()
        await _wait_for_end(ended, _AGAIN)
    if listening is not None:
        listening.close()
    if telling is not None:
        telling.end()
    archivist.end()
    await asyncio.to_thread(archivist.join, 10)


class _Speaking:
    """Tells the consoles what the centre has to say, while there is a broker."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.broker: Broker | None = None
        self._telling: set[asyncio.Task[None]] = set()

    def say(self, alarm: CentreAlarm) -> None:
        """Say something; from any thread."""
        self._loop.call_soon_threadsafe(self._begin, alarm)

    def _begin(self, alarm: CentreAlarm) -> None:
        task = self._loop.create_task(self._publish(alarm))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _publish(self, alarm: CentreAlarm) -> None:
        if self.broker is not None:
            with suppress(BrokerError):  # it is in the archive too
                await self.broker.publish(subjects.of_centre(alarm.casino, alarm.table), pack_centre(alarm))


async def _hear_tables(centre: Centre, archivist: Archivist, speaking: _Speaking, ended: asyncio.Event) -> None:
    """Hear tables while the broker is there.

    Raises:
        BrokerError: it is not.
    """
    name = f"ingest {centre.casino}"
    broker = await Broker.connect(centre.servers, centre.nkey, centre.ca, f"r.{centre.casino}", name)
    try:
        hearing = _Hearing(broker, archivist, asyncio.get_running_loop())
        for what in (subjects.ASK, subjects.SHIP):
            await broker.subscribe(f"t.{centre.casino}.*.{what}", QUEUE, hearing.came, EACH)
        speaking.broker = broker
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not ended.is_set() and not broker.is_away:
            await _wait_for_end(ended, _AGAIN)
    finally:
        speaking.broker = None
        await broker.close()


async def _wait_for_end(ended: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)


class _Hearing:
    """Brings messages to the archivist, and answers to the tables."""

    def __init__(self, broker: Broker, archivist: Archivist, loop: asyncio.AbstractEventLoop) -> None:
        self._broker, self._archivist, self._loop = broker, archivist, loop
        self._complaints = Complaints()
        self._answering: set[asyncio.Task[None]] = set()

    async def came(self, heard: BrokerMessage) -> None:
        """A message of a table."""
        speaker = subjects.speaker(heard.subject)
        if speaker is None:
            return
        casino, table, _ = speaker
        if not subjects.may_answer(heard.reply, casino, table):
            self._complaints.complain(f"{casino}/{table}", "wants its answer elsewhere", repr(heard.reply[:100]))
            return

        if self._archivist.is_flooded(casino, table):
            return

        def answer(said: Answer) -> None:
            self._loop.call_soon_threadsafe(self._send, heard.reply, said)

        if not self._archivist.add(Came(casino, table, heard.edition, heard.body, answer, time.monotonic())):
            self._send(heard.reply, Answer(answers.BUSY, wait_ms=LATER))

    def _send(self, reply: str, said: Answer) -> None:
        task = self._loop.create_task(self._broker.answer(reply, pack_answer(said)))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
