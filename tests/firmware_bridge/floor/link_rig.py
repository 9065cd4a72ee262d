"""Links between tables and brokers that can be cut and made slow: every byte of a shipper passes here."""

from __future__ import annotations

import asyncio
import random
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

_PIECE = 16 * 1024


class Link:
    """One link: a port of this machine that leads to one of several others."""

    def __init__(self, targets: list[int], chance: random.Random) -> None:
        """Nothing listens yet."""
        self._targets, self._chance = targets, chance
        self._connections: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port, self.away, self.delay = 0, False, 0.0
        """Where it begins; whether nothing passes; seconds for which each piece of a few bytes is held back."""

    async def listen(self) -> None:
        """Listen at a port that is free."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def end(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    def cut(self) -> None:
        """End every connection, and take no other until it is mended; in the loop of the link."""
        self.away = True
        for writer in list(self._connections):
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        try:
            if self.away:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self._chance.choice(self._targets))
            self._connections.add(back)
            try:
                await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))
            finally:
                self._connections.discard(back)
                back.transport.abort()
        except OSError:
            return
        finally:
            self._connections.discard(writer)
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()


class Links:
    """Some links, in a thread of their own; they end with the block."""

    def __init__(self, chance: random.Random) -> None:
        """There are none yet."""
        self._links: list[Link] = []
        self._chance = random.Random(chance.random())
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """End all of them."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def add(self, targets: list[int]) -> Link:
        """A link to one of these ports, another one for each connection."""
        link = Link(targets, self._chance)
        self._links.append(link)
        asyncio.run_coroutine_threadsafe(link.listen(), self._loop).result()
        return link

    def cut(self, link: Link) -> None:
        """Let nothing pass."""
        self._loop.call_soon_threadsafe(link.cut)

    def slow(self, link: Link, seconds: float) -> None:
        """Hold every piece back."""
        self._loop.call_soon_threadsafe(setattr, link, "delay", seconds)

    def mend(self, link: Link) -> None:
        """Let everything pass at once."""
        self._loop.call_soon_threadsafe(setattr, link, "delay", 0.0)
        self._loop.call_soon_threadsafe(setattr, link, "away", False)

    async def _end(self) -> None:
        for link in self._links:
            await link.end()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
