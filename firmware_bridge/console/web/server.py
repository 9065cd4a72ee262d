"""Serves the console until it is told to end.

1. `serve` runs in any loop, in any thread: it takes no signals. `bind` makes its socket first, so that a port of 0 is
   known before the first request, and a Unix socket is for its owner and group alone from its first moment.
2. When it is told to end, every stream ends, idle connections are closed, requests that are under way have `GRACE`
   seconds, and what is left is cut.
3. The server speaks HTTP/1.1 by h11 and nothing else: no proxies' headers, no websockets. A request that it cannot read
   is answered with 400 and `HEADERS`.
4. A connection is ended if no whole head of a request, the first or a later one, comes within `SILENT` seconds. So is a
   TCP connection whose other end does not acknowledge what was sent for as long: a browser that was switched off holds
   no place. An address of another computer has at most `AN_ADDRESS` connections.
5. A request's state holds the function that ends its connection at once (`stream`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import stat
import struct
from collections.abc import AsyncIterator, Callable, Generator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_bridge.console.settings import Address, Tls
from firmware_bridge.console.web.errors import ConsoleError
from firmware_bridge.console.web.policy import HEADERS
from firmware_bridge.console.web.stream import ABORT

GRACE = 0.5
SILENT = 15.0
AN_ADDRESS = 64
MODE = 0o660
_HEAD = 16384  # bytes of the longest head of a request
_BACKLOG = 256


class _Protocol(H11Protocol):
    """A connection that a request can abort, and that does not wait for one for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its parent has it
        """Let requests find how to end it."""
        super().connection_made(transport)
        self._silent: asyncio.TimerHandle | None = self.loop.call_later(SILENT, self._give_up)
        self.app_state = {**self.app_state, ABORT: lambda: _abort(transport)}
        if self._from_one_address() > AN_ADDRESS:
            _abort(transport)

    def _from_one_address(self) -> int:
        """How many connections the other end's address has, if it is not this computer."""
        host = self.client[0] if self.client else ""
        if not host or Address(host).loopback:
            return 0
        return sum(isinstance(one, _Protocol) and (one.client or ("",))[0] == host for one in self.connections)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more is waited for."""
        self._end_silence()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes; what they begin must end soon."""
        super().data_received(data)
        if self._under_way():
            self._end_silence()
        elif self._silent is None and not self.transport.is_closing():
            self._silent = self.loop.call_later(SILENT, self._give_up)

    def _under_way(self) -> bool:
        """Whether a request has come whole and is being answered."""
        request = self.cycle
        return bool(request) and not request.response_complete

    def _end_silence(self) -> None:
        if self._silent is not None:
            self._silent.cancel()
            self._silent = None

    def _give_up(self) -> None:
        self._silent = None
        if not self._under_way():
            _abort(self.transport)

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read."""
        lines = [f"HTTP/1.1 400 {msg}", "Connection: close", "Content-Length: 0"]
        lines += [f"{name}: {value}" for name, value in HEADERS.items()]
        self.transport.write("\r\n".join([*lines, "", ""]).encode("ascii"))
        self.transport.close()


def _abort(transport: asyncio.Transport) -> None:
    """End a connection at once; what the system still holds for it is thrown away."""
    bound = transport.get_extra_info("socket")
    if bound is not None and bound.family != socket.AF_UNIX:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


class _Server(uvicorn.Server):
    """A server that leaves signals to its caller, and says when it is ready."""

    ready: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take none."""
        yield


def bind(address: Address) -> socket.socket:
    """Bind an address.

    Raises:
        ConsoleError: it is in use, or not of this computer.
    """
    if address.path is not None:
        return _bind_path(address.path)
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        bound = socket.create_server((address.host, address.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        said = os.strerror(error.errno) if error.errno else str(error)
        raise ConsoleError(f"{address.name}:{address.port}: {said}") from error
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SILENT * 1000))
    return bound


def _bind_path(path: Path) -> socket.socket:
    """Bind a path, after removing the socket that an earlier run has left there."""
    bound = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o777 & ~MODE)
    try:
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()
        bound.bind(str(path))
    except OSError as error:
        bound.close()
        raise ConsoleError(f"{path}: {error.strerror or error}") from error
    finally:
        os.umask(mask)
    return bound


def url(address: Address, bound: socket.socket, *, tls: bool) -> str:
    """The address for a browser, or the path of the socket."""
    if address.path is not None:
        return str(address.path)
    return f"{'https' if tls else 'http'}://{address.name}:{bound.getsockname()[1]}/"


async def serve(
    app: Starlette,
    bound: socket.socket,
    ended: asyncio.Event,
    tls: Tls | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve at a socket until `ended` is set; `ready` is called when the first request can come."""
    config = uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=_HEAD,
        ssl_certfile=tls.certificate if tls else None,
        ssl_keyfile=tls.key if tls else None,
    )
    server = _Server(config)
    server.ready = ready
    async with _ending(server, app, ended):
        await server.serve(sockets=[bound])


@contextlib.asynccontextmanager
async def _ending(server: _Server, app: Starlette, ended: asyncio.Event) -> AsyncIterator[None]:
    """End a server when the event is set."""

    async def end() -> None:
        await ended.wait()
        app.state.parts.feed.close()
        server.should_exit = True
        await asyncio.sleep(GRACE)
        server.force_exit = True
        for connection in list(server.server_state.connections):
            connection.transport.abort()

    task = asyncio.create_task(end())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
