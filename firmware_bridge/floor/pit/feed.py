"""What every browser of the floor is told: all tiles when it comes, then those that have changed.

1. Every `EVERY` seconds the tiles that have changed go out as one event, written into bytes once for all browsers.
2. Each browser has a queue that is bounded (`Reader` of the table's console). One that reads too slowly is cut, comes
   back, and gets all tiles.
3. Whether broker and archive are there goes out at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from firmware_bridge.console.live.feed import Reader, written
from firmware_bridge.floor.pit.answers import CentreNews, PitNews, TilesNews
from firmware_bridge.floor.pit.figures import PitFigures
from firmware_bridge.floor.pit.tiles import Tiles

EVERY = 0.25
MOST = 4 * 1024 * 1024
"""Bytes that may wait for one browser: all tiles of a large floor."""


class PitFeed:
    """Tells every browser what is heard of the tables."""

    def __init__(
        self, casino: str, tiles: Tiles, figures: PitFigures | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._casino, self._tiles, self._figures, self._clock = casino, tiles, figures, clock
        self._last = 0.0  # when tiles went out last
        self._readers: set[Reader] = set()
        self._ticking: asyncio.Task[None] | None = None
        self.broker = self.archive = False

    def start(self) -> None:
        """Send what has changed from now on."""
        self._ticking = asyncio.create_task(self._tick())

    @property
    def alive(self) -> bool:
        """Whether changes still go out."""
        return self._ticking is None or not self._ticking.done()

    def show_centre(self, *, broker: bool | None = None, archive: bool | None = None) -> None:
        """Say whether broker and archive are there."""
        before = self.broker, self.archive
        self.broker = self.broker if broker is None else broker
        self.archive = self.archive if archive is None else archive
        if before != (self.broker, self.archive):
            news: CentreNews = {"broker": self.broker, "archive": self.archive}
            self._send(written("centre", news))

    def send_changes(self) -> None:
        """Send every browser the tiles that have changed."""
        now = self._clock()
        tiles, gone = self._tiles.changed(now)
        if tiles or gone:
            news: TilesNews = {"now_ms": int(now * 1000), "tiles": tiles, "gone": gone}
            self._send(written("tiles", news))
        if self._figures is not None:
            self._figures.sent(tiles, self._last, now)
        self._last = now

    async def _tick(self) -> None:
        while True:
            self.send_changes()
            await asyncio.sleep(EVERY)

    # --- who reads ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many browsers watch."""
        return len(self._readers)

    def begin(self, last: int | None = None) -> Reader:
        """Begin to read for a browser: it gets every tile, whatever it has seen before."""
        del last
        now = self._clock()
        reader = Reader(MOST)
        news: PitNews = {
            "casino": self._casino,
            "now_ms": int(now * 1000),
            "broker": self.broker,
            "archive": self.archive,
            "tiles": self._tiles.all(now),
        }
        reader.put(written("pit", news))
        self._readers.add(reader)
        return reader

    def end(self, reader: Reader) -> None:
        """Forget a browser that has gone."""
        self._readers.discard(reader)

    def close(self) -> None:
        """End the queue of every browser, and send nothing more."""
        if self._ticking is not None:
            self._ticking.cancel()
        for reader in list(self._readers):
            reader.close()

    def _send(self, line: bytes) -> None:
        for reader in list(self._readers):
            reader.put(line)
