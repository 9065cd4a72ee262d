"""The daemon's two sockets: one that only reads, and one that commands.

1. Each line is one request as a JSON object, each answer one line with the same ``id``. An answer that must wait for
   something may come after later ones. What a request may ask: `firmware_bridge.control.requests`.
2. ``read.sock`` lies beside the control socket. It needs no login, commands nothing, and never names a card that does
   not lie open. It has `READERS` places, of which one user may have half.
3. The control socket commands and reads; on a table with roles only after a login. It has `CONNECTIONS` places. On a
   table with roles one user may have `NOBODYS` of them without a login.
4. A connection that finds no place is told so and ended at once: people must not use up the descriptors that devices
   need. So is one whose user has used up their share (`connection`); to connect costs `COMING` seconds of it. The
   control socket of an open table knows no share.
5. How a connection is served: `connection`. The paths and who may use them: `unix_socket`.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from firmware_bridge.control.client import read_path
from firmware_bridge.control.connection import Turns, Visitor
from firmware_bridge.control.requests import Requests
from firmware_bridge.control.unix_socket import Door
from firmware_bridge.people.guard import Session
from firmware_bridge.people.login.lockouts import Origin

READERS, CONNECTIONS, NOBODYS = 8, 64, 8
COMING = 0.001
"""Seconds of the loop's time that it takes to open and to end a connection."""
READ_GROUP, CONTROL_GROUP = "truedeal", "truedeal-control"


class Control:
    """Serves both sockets."""

    def __init__(self, requests: Requests, tell: Callable[[str], None] = lambda _: None) -> None:
        """Answer by `requests`; `tell` hears what is wrong with a socket."""
        self._requests = requests
        self._tell = tell
        self._turns = Turns()
        self._visitors: set[Visitor] = set()
        self._tasks: set[asyncio.Task[object]] = set()
        self._doors: list[Door] = []

    async def listen(self, path: Path) -> None:
        """Listen at the path of the control socket, and at the reading one beside it.

        Raises:
            TakenError: another daemon listens there.
        """
        commands, reads = partial(self._connected, reads=False), partial(self._connected, reads=True)
        for door in (
            Door(path, CONTROL_GROUP, commands, self._tell),
            Door(read_path(path), READ_GROUP, reads, self._tell),
        ):
            try:
                door.open()
            except BaseException:
                await self.close()
                raise
            self._doors.append(door)

    async def close(self) -> None:
        """Close both sockets and end every connection."""
        for door in self._doors:
            door.close()
        self._doors.clear()
        for visitor in list(self._visitors):
            visitor.end()
        await asyncio.sleep(0)
        for visitor in list(self._visitors):
            visitor.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._requests.close()

    def _connected(self, accepted: socket.socket, uid: int, *, reads: bool) -> None:
        """Let somebody in, or say why not."""
        session = Session(origin=Origin(uid), reads=reads)
        refused = self._no_place(session)
        if refused is not None:
            with accepted, suppress(OSError):
                accepted.send(json.dumps({"id": None, "error": refused}).encode() + b"\n")
            return
        visitor = Visitor(self._requests, self._turns, session, self._visitors.discard)
        self._visitors.add(visitor)
        loop = asyncio.get_running_loop()
        task: asyncio.Task[object] = loop.create_task(loop.connect_accepted_socket(lambda: visitor, accepted))
        self._tasks.add(task)

        def begun(done: asyncio.Task[object]) -> None:
            self._tasks.discard(done)
            if done.cancelled() or done.exception() is not None:  # it went before it was there
                self._visitors.discard(visitor)

        task.add_done_callback(begun)

    def _no_place(self, session: Session) -> str | None:
        """Why there is no place for a session; None if there is."""
        others = [visitor.session for visitor in self._visitors if visitor.session.reads is session.reads]
        most = READERS if session.reads else CONNECTIONS
        if len(others) >= most:
            return f"{most} connections are open, which is the most allowed"
        if not session.reads and self._requests.open:
            return None
        mine = sum(other.origin.uid == session.origin.uid and not other.role for other in others)
        most = READERS // 2 if session.reads else NOBODYS
        if mine >= most:
            return f"{most} connections of yours are open, which is the most allowed"
        share = self._turns.share(session.origin.uid)
        if share.delay(asyncio.get_running_loop().time()):
            return "too much of yours is asked at once: try again"
        share.pay(COMING)
        return None
