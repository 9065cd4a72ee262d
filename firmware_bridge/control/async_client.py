"""A client of the daemon's sockets that asks and hears news at the same time, for programs with an event loop.

1. Each request has a number, answers come in any order. The end of a `Connection` fails what waits for an answer, and
   is told to `ended` once. News go to `heard`.
2. News are gathered: after some have been read, nothing more is read for `PAUSE` seconds. So the daemon, which writes
   them one by one, wakes nobody for most of them.
3. A daemon that says what cannot be understood is treated as gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PATIENCE = 10.0
"""Seconds in which the daemon must answer."""
LONGEST = 8 * 1024 * 1024
"""Bytes of the longest answer."""
PAUSE = 0.01
GONE = "the daemon does not answer"

News = Mapping[str, Any]


class Connection(asyncio.Protocol):
    """One connection to the daemon."""

    def __init__(self, news: Callable[[News], None] | None = None) -> None:
        self.heard = news
        self._transport: asyncio.Transport | None = None
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._left = b""
        self._number = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.ended: Callable[[], None] | None = None

    @classmethod
    async def open(cls, path: Path, news: Callable[[News], None] | None = None) -> Connection:
        """Connect.

        Raises:
            ConnectionError: no daemon listens there.
        """
        try:
            _, connection = await asyncio.get_running_loop().create_unix_connection(lambda: cls(news), str(path))
        except OSError as error:
            raise ConnectionError(f"no daemon listens at {path}: {error.strerror or error}") from error
        return connection

    @property
    def up(self) -> bool:
        """Whether the daemon is there."""
        return self._transport is not None and not self._transport.is_closing()

    async def ask(self, do: str, **request: object) -> dict[str, Any]:
        """Ask and wait for the answer, which comes without its number.

        Raises:
            ConnectionError: the daemon has gone.
            TimeoutError: it does not answer.
        """
        if self._transport is None or self._transport.is_closing():
            raise ConnectionError(GONE)
        self._number += 1
        number = self._number
        waits: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waits
        try:
            self._transport.write(json.dumps({"id": number, "do": do, **request}).encode() + b"\n")
            async with asyncio.timeout(PATIENCE):
                answer = await waits
        finally:
            self._waiting.pop(number, None)
        answer.pop("id", None)
        return answer

    async def done(self) -> None:
        """Wait until the connection has ended."""
        await asyncio.wait([self._lost])

    async def close(self) -> None:
        """End the connection; `ended` is not called."""
        self.ended = None
        if self._transport is not None:
            self._transport.abort()
            await self.done()

    # --- what the loop says ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The daemon is there."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  what a stream has
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take every whole line; after news wait a little for more of them."""
        *lines, self._left = (self._left + data).split(b"\n")
        try:
            heard = [self._handle_line(json.loads(line)) for line in lines]
        except (ValueError, LookupError, TypeError):
            heard, self._left = [], b""
            self._end()
        if len(self._left) > LONGEST:
            self._end()
        if any(heard) and self._transport is not None:
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(PAUSE, self._resume)

    def connection_lost(self, _: Exception | None) -> None:
        """The daemon has gone."""
        for waits in self._waiting.values():
            if not waits.done():
                waits.set_exception(ConnectionError(GONE))
        self._lost.set_result(None)
        if self.ended is not None:
            self.ended()

    def _handle_line(self, said: object) -> bool:
        """Take what the daemon says; returns whether it was news."""
        if not isinstance(said, dict):
            raise TypeError("expected a JSON object")
        number = said.get("id")
        if not isinstance(number, int):
            if self.heard is not None:
                self.heard(said)
            return True
        waits = self._waiting.get(number)
        if waits is not None and not waits.done():
            waits.set_result(said)
        return False

    def _resume(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def _end(self) -> None:
        """End it because nobody understands what is said."""
        if self._transport is not None:
            self._transport.abort()
