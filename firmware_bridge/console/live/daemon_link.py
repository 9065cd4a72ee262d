"""The console's connections to the daemon's sockets (`control.async_client`).

1. A login holds for one connection. So each logged-in session has its own connection to the control socket; the `Watch`
   has one to the socket that only reads. On a table without roles all commands go over one shared connection, made when
   the first is given (`OpenTable`).
2. The `Watch` connects, watches, and fetches the scene at once. When the connection ends it says `gone`, tries again,
   at first soon and then every `SLOWEST` seconds, and says `back`.
3. The scene is fetched again `DEBOUNCE` seconds after news, so that what happens together is one picture, and at most
   every `APART` seconds. One fetch is under way at a time; news that come meanwhile ask for another after it. If more
   happens than at any real table, pictures become rarer: `EACH` seconds apart for each piece of news, at most
   `MOST_APART`, because a scene costs the daemon time.
4. The watch asks nothing of the daemon while nothing happens.
5. A daemon that says what cannot be understood is treated as gone. A fault of our own ends the watch; `alive` then says
   so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from firmware_bridge.console.web.errors import daemon_gone
from firmware_bridge.console.web.log import NAME
from firmware_bridge.control.async_client import GONE, Connection, News

DEBOUNCE = 0.005
APART, EACH, MOST_APART = 0.04, 0.005, 0.5
FASTEST, SLOWEST = 0.05, 1.0
"""Seconds between two tries to connect."""


class Asked(Protocol):
    """Whatever can be asked."""

    async def ask(self, do: str, **request: object) -> Mapping[str, Any]:
        """Ask, and wait for the answer."""
        ...


class Watcher(Protocol):
    """Hears what the daemon says."""

    def news(self, news: News) -> None:
        """Something has happened."""

    def scene(self, scene: dict[str, Any]) -> None:
        """How the table lies now."""

    def gone(self, reason: str) -> None:
        """The daemon does not answer any more."""

    def back(self) -> None:
        """The daemon answers again; the scene follows."""


class Watch:
    """Keeps the connection that watches, and makes it anew whenever it ends."""

    def __init__(self, path: Path, watcher: Watcher) -> None:
        self._path = path
        self._watcher = watcher
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._due = asyncio.Event()
        self._many = 0
        self._was_there = True
        self._log = logging.getLogger(NAME)

    def start(self) -> None:
        """Begin to watch."""
        self._task = asyncio.create_task(self._run())

    @property
    def alive(self) -> bool:
        """Whether it watches, or tries to."""
        return self._task is None or not self._task.done()

    async def close(self) -> None:
        """Watch no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        wait = FASTEST
        while True:
            reason = GONE
            try:
                await self._watch()
                wait = FASTEST
            except (ConnectionError, TimeoutError) as error:
                reason = str(error) or GONE
            finally:
                self._connection = None
            if self._was_there:
                self._was_there = False
                self._log.warning("the daemon has gone: %s", reason)
                self._watcher.gone(reason)
            await asyncio.sleep(wait)
            wait = min(wait * 2, SLOWEST)

    async def _watch(self) -> None:
        """Watch over one connection until it ends."""
        connection = await Connection.open(self._path, self._hand_on_news)
        try:
            await connection.ask("watch")
            self._connection = connection
            self._due.clear()
            scene = await connection.ask("scene")
            if not self._was_there:
                self._was_there = True
                self._log.info("the daemon is back")
                self._watcher.back()
            self._show(scene)
            await self._follow(connection)
        finally:
            await connection.close()

    def _hand_on_news(self, news: News) -> None:
        self._watcher.news(news)
        self._many += 1
        self._due.set()

    async def _follow(self, connection: Connection) -> None:
        """Fetch the scene after news, until the connection ends."""
        loop = asyncio.get_running_loop()
        ended = asyncio.ensure_future(connection.done())
        try:
            while True:
                due = asyncio.ensure_future(self._due.wait())
                await asyncio.wait([due, ended], return_when=asyncio.FIRST_COMPLETED)
                due.cancel()
                if ended.done():
                    return
                await asyncio.sleep(DEBOUNCE)
                self._due.clear()
                began, apart, self._many = loop.time(), min(max(APART, EACH * self._many), MOST_APART), 0
                self._show(await connection.ask("scene"))
                await asyncio.sleep(max(0.0, began + apart - DEBOUNCE - loop.time()))
        finally:
            ended.cancel()

    def _show(self, answer: dict[str, Any]) -> None:
        scene = answer.get("scene")
        if isinstance(scene, dict):
            self._watcher.scene(scene)


class OpenTable:
    """The connection over which anybody commands a table without roles."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Connection | None = None

    async def ask(self, do: str, **request: object) -> dict[str, Any]:
        """Ask the daemon without a login.

        Raises:
            Problem: it cannot be asked.
        """
        if self._connection is None or not self._connection.up:
            try:
                self._connection = await Connection.open(self._path)
            except ConnectionError as error:
                raise daemon_gone() from error
        return await asked(self._connection, do, **request)

    async def close(self) -> None:
        """Ask nothing more."""
        if self._connection is not None:
            await self._connection.close()


async def asked(connection: Asked, do: str, **request: object) -> dict[str, Any]:
    """Ask over a connection.

    Raises:
        Problem: the daemon has gone, or does not answer in time.
    """
    try:
        return dict(await connection.ask(do, **request))
    except ConnectionError as error:
        raise daemon_gone() from error
    except TimeoutError as error:
        raise daemon_gone("the daemon has not answered in time; what was said may still happen") from error
