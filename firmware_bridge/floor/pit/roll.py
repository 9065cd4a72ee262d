"""Which tables and people there are: asked of the archive every `EVERY` seconds.

A table comes with the game that it played last.

A table is a tile as soon as it is enrolled, though nobody has heard it yet; one that is struck off is none any more.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from firmware_bridge.console.web.log import NAME
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.archive.rosters import newest_roster
from firmware_bridge.floor.pit.archive_desk import ArchiveDesk
from firmware_bridge.floor.pit.people.staff import Staff
from firmware_bridge.floor.pit.tiles import Tiles

EVERY = 5.0
_LAST = "SELECT game FROM rounds WHERE casino = ? AND name = ? ORDER BY began DESC LIMIT 1"


class Enrolment(NamedTuple):
    """What the archive knows of the tables of a casino: the game of each, and why its journal is quarantined."""

    games: dict[str, str]
    quarantined: dict[str, str]


def enrolment(archive: Archive, casino: str, known: dict[str, str]) -> Enrolment:
    """Ask which tables there are; the games of those that are `known` are not asked for again."""
    games = {}
    for table in archive.tables():
        if table.casino == casino:
            name = table.name
            games[name] = known[name] if name in known else _last_game(archive, casino, name)
    wrong = {place.name: reason for place, reason in archive.quarantined() if place.casino == casino}
    return Enrolment(games, wrong)


def _last_game(archive: Archive, casino: str, name: str) -> str:
    found = archive.dialect.execute(_LAST, (casino, name))
    return str(found[0][0]) if found else ""


class Roll:
    """Keeps the tiles up to date with the archive."""

    def __init__(
        self, casino: str, desk: ArchiveDesk, tiles: Tiles, staff: Staff, there: Callable[[bool], None]
    ) -> None:
        """Nothing is asked yet; `there` is told whether the archive answers."""
        self._casino, self._desk, self._tiles, self._staff, self._there = casino, desk, tiles, staff, there
        self._task: asyncio.Task[None] | None = None
        self._log = logging.getLogger(NAME)

    def start(self) -> None:
        """Ask from now on."""
        self._task = asyncio.create_task(self._run())

    @property
    def alive(self) -> bool:
        """Whether it asks."""
        return self._task is None or not self._task.done()

    async def close(self) -> None:
        """Ask no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._desk.close()

    async def _run(self) -> None:
        answered, games = True, dict[str, str]()
        while True:
            try:
                games, quarantined = await self._desk.ask(partial(enrolment, casino=self._casino, known=games))
                self._tiles.enrol(games, quarantined, time.time())
                if self._staff.needed:
                    self._staff.take_roster(await self._desk.ask(partial(newest_roster, casino=self._casino)))
                answered = True
            except ArchiveError as error:
                if answered:
                    self._log.warning("the archive is away: %s", error)
                answered = False
            self._there(answered)
            await asyncio.sleep(EVERY)
