"""The console with the harness joined to it, served from this process.

1. It runs in a thread of its own with a loop of its own, and touches nothing of the simulated table: what a browser
   asks for goes to the playing thread as a job. It takes no signals.
2. It listens at loopback only: at the port that is named, else at the first that is free from `FIRST` on.
3. It ends within a second or two: streams are ended, requests that are under way are cut.
4. What it logs goes to a file in the table's folder, as what the other processes write on stderr does.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette

from firmware_bridge.console.settings import PORT, Address, Extra, Settings
from firmware_bridge.console.web.app import make
from firmware_bridge.console.web.errors import ConsoleError
from firmware_bridge.console.web.log import NAME
from firmware_bridge.console.web.server import bind, serve, url
from hal_sim.harness.routes import extra
from hal_sim.harness.scenario_player import Library
from hal_sim.table.signal_shelter import ENDING

if TYPE_CHECKING:
    from hal_sim.harness.player_thread import TablePlayer

FIRST, LAST = PORT, PORT + 20
LOG = "console.log"
BADGE = "%"
"""What the simulated badge reader types first."""
END = 5.0
"""Seconds in which the thread must have ended."""


class NoPortError(OSError):
    """No port can be listened at."""


class Page:
    """The console with the harness, at a port that is ours from the beginning."""

    def __init__(self, port: int | None = None) -> None:
        """Take hold of the port that is named, or of the first that is free.

        Raises:
            NoPortError: there is none.
        """
        why = ""
        for number in range(FIRST, LAST) if port is None else [port]:
            address = Address(port=number)
            try:
                self._bound = bind(address)
            except ConsoleError as error:
                why = str(error)
            else:
                self.url = url(address, self._bound, tls=False)
                return
        raise NoPortError(why)

    @contextmanager
    def serving(
        self, player: TablePlayer, folders: tuple[Path, ...] = (), more: Sequence[Extra] = (), route: str = "harness"
    ) -> Iterator[None]:
        """Serve the page of this player; `more` joins too, and `route` is where it begins."""
        settings = Settings(player.at.control_path, player.at.state_path, badge=BADGE)
        app = make(settings, [extra(player, Library(folders)), *more])
        with _logged(player.at.directory / LOG):
            thread = _Thread(app, self._bound)
            try:
                player.show_address(f"{self.url}#/{route}")
                yield
            finally:
                thread.end()

    def close(self) -> None:
        """Give the port back."""
        self._bound.close()


@contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Let what the console logs go to a file."""
    handler = logging.FileHandler(path, encoding="utf-8")
    loggers = [logging.getLogger(name) for name in (NAME, "uvicorn")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.propagate = True
        handler.close()


class _Thread:
    """The loop that serves, in its thread."""

    def __init__(self, app: Starlette, bound: socket.socket) -> None:
        self._app, self._bound = app, bound
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="console", daemon=True)
        self._thread.start()
        self._ready.wait(END)

    def end(self) -> None:
        """End it."""
        if self._loop is not None and self._ended is not None:
            with suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(END)

    def _run(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # they are for the thread that plays
        try:
            asyncio.run(self._serve())
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        await serve(self._app, self._bound, self._ended, ready=self._ready.set)
