"""Watches a table over the daemon's reading socket: that rows came, and how the table stands.

1. It asks ``watch`` and hears news. Any of them wakes the shipper (`rows`) and the teller of live news (`changed`).
2. The scene and who is on duty are fetched after news, at most every `APART` seconds, because a scene costs the daemon
   time; health is fetched every `HEALTH` seconds. While nothing happens nothing else is asked.
3. A daemon that is away is tried again, ever less often. What was known of it stays, with `there` false.
4. What the reading socket tells names no card that does not lie open.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from firmware_bridge.control.async_client import Connection, News
from firmware_bridge.floor.wire.live import APART
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.people.accounts.roles import DEALER

HEALTH = 30.0
FASTEST, SLOWEST = 0.1, 2.0
"""Seconds between two tries to connect."""
_SHOE = "shoe"
_OPEN = "open"


class TableWatch:
    """Watches one table."""

    def __init__(self, path: Path) -> None:
        """Watch at this socket; nothing is connected yet."""
        self._path = path
        self._due = asyncio.Event()
        self.rows, self.changed = asyncio.Event(), asyncio.Event()
        self.there = False
        self.scene: dict[str, Any] = {}
        self.health: dict[str, Any] = {}
        self.dealer = ""
        self.at = self.card = ""  # by the table's clock, when something was last told, and when the shoe moved last

    @property
    def in_round(self) -> bool:
        """Whether a round is on."""
        return self.there and self.scene.get("outcome") == _OPEN and bool(self.scene.get("round"))

    async def run(self) -> None:
        """Watch until cancelled."""
        wait = FASTEST
        while True:
            try:
                await self._watch()
                wait = FASTEST
            except (ConnectionError, TimeoutError):
                pass
            finally:
                gone, self.there = self.there, False
            if gone:
                self.changed.set()
            await asyncio.sleep(wait)
            wait = min(wait * 2, SLOWEST)

    async def _watch(self) -> None:
        """Watch over one connection until it ends."""
        connection = await Connection.open(self._path, self._note_news)
        ended = asyncio.ensure_future(connection.done())
        try:
            await connection.ask("watch")
            while not ended.done():
                await self._fetch_state(connection)
                due = asyncio.ensure_future(self._due.wait())
                await asyncio.wait([due, ended], timeout=HEALTH, return_when=asyncio.FIRST_COMPLETED)
                due.cancel()
        finally:
            ended.cancel()
            await connection.close()

    async def _fetch_state(self, connection: Connection) -> None:
        """Fetch how the table stands, and rest."""
        loop = asyncio.get_running_loop()
        news = self._due.is_set() or not self.there
        self._due.clear()
        if news:
            scene, duty = await connection.ask("scene"), await connection.ask("duty")
            self.scene = _object_or_empty(scene.get("scene"))
            self.dealer = _dealer(duty.get("people"))
        if not self.there or loop.time() - self._asked >= HEALTH:
            self._asked = loop.time()
            self.health = _object_or_empty((await connection.ask("health")).get("health"))
        self.there = True
        self.changed.set()
        if news:
            await asyncio.sleep(APART)

    _asked = 0.0

    def _note_news(self, news: News) -> None:
        self.at = wall_clock()
        match news:
            case {"seen": {"device": str(device)}} if device == _SHOE:
                self.card = self.at
        self.rows.set()
        self._due.set()


def _object_or_empty(said: object) -> dict[str, Any]:
    return said if isinstance(said, dict) else {}


def _dealer(people: object) -> str:
    """The staff number of the Dealer who logged in last, of those on duty."""
    for one in people if isinstance(people, list) else ():
        match one:
            case {"role": str(role), "number": str(number)} if role == DEALER:
                return number
    return ""
