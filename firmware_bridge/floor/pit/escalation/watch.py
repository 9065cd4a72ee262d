"""Runs the ladder and the outbox of one console.

1. Every `TICK` seconds the ladder is brought to what is live, and the stages go to the tiles; then letters are sent,
   one after the other, in a thread.
2. While the archive is away, sound and badge go on in the browsers by themselves. A letter of an alarm that is overdue
   is then sent directly, after a random time up to `APART` seconds, once by each console: twice rather than never.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
import time
from functools import partial

from firmware_bridge.console.web.log import NAME
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.pit.archive_desk import ArchiveDesk
from firmware_bridge.floor.pit.escalation import ladder as rungs
from firmware_bridge.floor.pit.escalation import outbox
from firmware_bridge.floor.pit.escalation.ladder import ESCALATED_1, Ladder, Target
from firmware_bridge.floor.pit.escalation.ways import WayError, Ways
from firmware_bridge.floor.pit.figures import PitFigures
from firmware_bridge.floor.pit.tiles import RAISED, AlarmKey, Stage, Tiles

TICK, APART = 1.0, 10.0


class EscalationWatch:
    """Looks after the alarms of one casino."""

    def __init__(
        self, ladder: Ladder, ways: Ways, desk: ArchiveDesk, tiles: Tiles, figures: PitFigures | None = None
    ) -> None:
        """Nothing is looked at yet."""
        self.ladder, self._figures = ladder, figures
        self._ways, self._desk, self._tiles = ways, desk, tiles
        self._holder = secrets.token_hex(8)
        self._alone: dict[AlarmKey, float] = {}  # when a letter goes without the archive; 0 if it went
        self._task: asyncio.Task[None] | None = None
        self._log = logging.getLogger(NAME)

    def start(self) -> None:
        """Look from now on."""
        self._task = asyncio.create_task(self._run())

    @property
    def alive(self) -> bool:
        """Whether it looks."""
        return self._task is None or not self._task.done()

    async def close(self) -> None:
        """Look no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._desk.close()

    async def take_up(self, key: AlarmKey, by: str) -> bool:
        """Somebody takes up an alarm; returns False if it is not open, or somebody has already.

        Raises:
            ArchiveError: it cannot be written.
        """
        now = time.time()
        since = self._tiles.open_alarms(now).get(key)
        if since is None:
            return False
        taken = await self._desk.ask(lambda archive: rungs.take_up(archive, self.ladder, key, since, by, now))
        await self._step()
        return taken

    async def _run(self) -> None:
        while True:
            try:
                await self._step()
                self._alone.clear()
                await self._send_letters()
            except ArchiveError:
                await self._send_alone()
            await asyncio.sleep(TICK)

    async def _step(self) -> None:
        now = time.time()
        live, heard = self._tiles.open_alarms(now), self._tiles.with_alarms()
        step = partial(rungs.step, ladder=self.ladder, now=now, live=live, heard=heard)
        before, self._tiles.stages = self._tiles.stages, await self._desk.ask(step)
        if self._figures is not None:
            self._figures.moved(before, self._tiles.stages)

    async def _send_letters(self) -> None:
        claim = partial(outbox.claim_letter, holder=self._holder, now=time.time())
        while (letter := await self._desk.ask(claim)) is not None:
            problem = await self._sent(letter.id, letter.target, letter.body)
            if problem:
                noted = partial(outbox.note_problem, letter=letter, problem=problem, now=time.time())
                await self._desk.ask(noted)
            else:
                await self._desk.ask(partial(outbox.note_sent, letter=letter))

    async def _sent(self, id_: str, target: Target, body: str) -> str:
        """Send a letter; returns what went wrong."""
        try:
            await asyncio.to_thread(self._ways.send_letter, id_, target, body)
        except WayError as error:
            self._log.warning("%s to %s could not be sent: %s", target.way, target.address, error)
            return str(error)
        return ""

    async def _send_alone(self) -> None:
        """Send letters of alarms that are overdue, without the archive."""
        now = time.time()
        for key, since in self._tiles.open_alarms(now).items():
            if self._tiles.stages.get(key, Stage()).stage != RAISED or now < since + self.ladder.after:
                continue
            due = self._alone.setdefault(key, now + random.uniform(0, APART))  # noqa: S311  spreads consoles in time
            if due and now >= due:
                self._alone[key] = 0.0
                said = {"casino": self.ladder.casino, "table": key.table, "code": key.code, "n": key.n}
                body = json.dumps({**said, "stage": ESCALATED_1})
                for target in self.ladder.targets:
                    await self._sent(secrets.token_hex(12), target, body)
