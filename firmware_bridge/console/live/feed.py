"""What every browser is told as it happens, as server-sent events.

1. An event is written into bytes once, however many browsers watch.
2. Each browser has a `Reader` of its own, a queue that is bounded in bytes. Nothing waits for a browser: one whose
   queue is full is cut, and comes back by itself with the number of the last event that it has.
3. Every ``seen`` is queued, with the row of the journal as its id. Only the newest scene waits: a browser that is busy
   gets fewer pictures, never an old one after a newer event.
4. The last `KEPT` bytes of ``seen`` are kept: a browser that comes back within them has missed none.
5. News go out together with the picture that follows them, which comes soon, or after `LATEST` seconds without one: so
   a browser is woken once for what happens together, however many watch and however fast cards come. That the daemon
   has gone or is back goes out at once.
6. A browser that begins to read gets the scene at once, and hears if the daemon has gone.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from firmware_bridge.console.web.errors import GONE_REMEDY
from firmware_bridge.shown.news_type import GoneNews
from gamecore.view.veil import veiled

MOST = 512 * 1024
"""Bytes that may wait for one browser."""
KEPT = MOST // 2
"""Bytes of what was seen that are kept."""
LATEST = 0.2
SCENE = "scene"


def written(event: str, data: object, number: int | None = None) -> bytes:
    """One event as it goes over the wire."""
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {event}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


class Reader:
    """What waits for one browser."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._queue: deque[bytes | None] = deque()  # None stands where the scene belongs
        self._scene: bytes | None = None
        self._bytes = 0
        self._ready = asyncio.Event()
        self.cut: Callable[[], None] | None = None
        self.closed = False

    def put(self, event: bytes) -> None:
        """Queue an event that goes out at once; one too many cuts the browser off."""
        self.enqueue(event)
        self.wake()

    def enqueue(self, event: bytes) -> None:
        """Queue an event that goes out with the next that wakes the browser."""
        if self.closed:
            return
        self._bytes += len(event)
        if self._bytes > self._most:
            self.close()
            self._queue.clear()
            if self.cut is not None:
                self.cut()
            return
        self._queue.append(event)

    def wake(self) -> None:
        """Let what waits go out."""
        if self._queue:
            self._ready.set()

    def picture(self, scene: bytes) -> None:
        """Let this be the scene that is sent next, after the events that wait; one that still waits is left out."""
        if self.closed:
            return
        if self._scene is not None:
            self._queue.remove(None)
        self._scene = scene
        self._queue.append(None)
        self._ready.set()

    def close(self) -> None:
        """Nothing more comes; what waits is still sent."""
        self.closed = True
        self._ready.set()

    async def next(self, patience: float) -> bytes | None:
        """Everything that waits, as soon as there is something; empty after `patience` seconds; None at the end."""
        if not self._ready.is_set():
            try:
                async with asyncio.timeout(patience):
                    await self._ready.wait()
            except TimeoutError:
                return b""
        scene = self._scene or b""
        waiting = b"".join(scene if event is None else event for event in self._queue)
        self._queue.clear()
        self._scene = None
        self._bytes = 0
        if not self.closed:
            self._ready.clear()
        return waiting or (None if self.closed else b"")


class Feed:
    """Tells every browser what the daemon says."""

    def __init__(self) -> None:
        self._readers: set[Reader] = set()
        self._kept: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._scene: bytes | None = None
        self._gone: bytes | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.roles = False
        """Whether the table is known to have roles."""

    # --- what the daemon says ----------------------------------------------------------------------------------------

    def news(self, news: Mapping[str, Any]) -> None:
        """Queue what has happened for every browser; a ``seen`` names no card."""
        for event, data in news.items():
            if event == "seen":
                number = int(data["n"])
                line = written(event, veiled(data), number)
                self._store_line(number, line)
            else:
                line = written(event, data)
            for reader in list(self._readers):
                reader.enqueue(line)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LATEST, self._wake)

    def scene(self, scene: Mapping[str, Any]) -> None:
        """Send every browser how the table lies now, with the news that wait."""
        self._gone = None
        self.roles = bool(scene.get("roles"))
        self._scene = written(SCENE, scene)
        for reader in self._readers:
            reader.picture(self._scene)
        self._forget_timer()

    def gone(self, reason: str) -> None:
        """Tell every browser that the daemon does not answer any more."""
        gone: GoneNews = {"reason": reason, "remedy": GONE_REMEDY}
        self._gone = written("gone", gone)
        self._send_to_readers(self._gone)

    def back(self) -> None:
        """Tell every browser that the daemon answers again."""
        self._gone = None
        self._send_to_readers(written("back", {}))

    # --- who reads ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many browsers watch."""
        return len(self._readers)

    def begin(self, last: int | None = None) -> Reader:
        """Begin to read for a browser, or go on after the event with this number."""
        reader = Reader()
        if last is not None:
            for number, line in self._kept:
                if number > last:
                    reader.put(line)
        if self._scene is not None:
            reader.picture(self._scene)
        if self._gone is not None:
            reader.put(self._gone)
        self._readers.add(reader)
        return reader

    def end(self, reader: Reader) -> None:
        """Forget a browser that has gone."""
        self._readers.discard(reader)

    def close(self) -> None:
        """End the queue of every browser; what waits is still sent."""
        self._forget_timer()
        for reader in list(self._readers):
            reader.close()

    def _store_line(self, number: int, line: bytes) -> None:
        self._kept.append((number, line))
        self._bytes += len(line)
        while self._bytes > KEPT:
            self._bytes -= len(self._kept.popleft()[1])

    def _wake(self) -> None:
        self._timer = None
        for reader in self._readers:
            reader.wake()

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send_to_readers(self, line: bytes) -> None:
        for reader in list(self._readers):
            reader.put(line)
