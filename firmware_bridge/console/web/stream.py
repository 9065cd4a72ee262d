"""The event stream of one browser, as the server sends it.

1. The answer begins at once with how long a browser waits before it comes back; then, if it comes back with
   ``Last-Event-ID``, what it has missed; then the scene.
2. A ``beat`` is sent after `BEAT` seconds in which nothing else was sent: a page that hears nothing for longer knows
   that the line is dead.
3. A browser that has gone ends its stream. One that was cut because it reads too slowly is not waited for: its
   connection is aborted.
4. The stream of a session that ends says so and ends. With TLS there is none without a login.
5. At most `MOST` browsers watch; one more is told 503.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Protocol

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from firmware_bridge.console.live.feed import Reader, written
from firmware_bridge.console.login.sessions import Sessions
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.policy import is_number

BEAT = 5.0
RETRY = 500
"""Milliseconds after which a browser comes back."""
FULL = "the maximum number of browsers is already connected"
MOST = 100
ABORT = "truedeal.abort"
"""Under this name the server puts what ends a connection at once."""
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Readers(Protocol):
    """What has a queue for each browser."""

    def __len__(self) -> int:
        """How many browsers watch."""
        ...

    def begin(self, last: int | None = None) -> Reader:
        """Begin to read for a browser, or go on after the event with this number."""
        ...

    def end(self, reader: Reader) -> None:
        """Forget a browser that has gone."""
        ...


class Stream:
    """Serves the stream to every browser."""

    def __init__(self, feed: Readers, sessions: Sessions) -> None:
        self._feed = feed
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one browser until it goes."""
        request = Request(scope)
        if len(self._feed) >= MOST:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, FULL, "Close one elsewhere.")
        last = request.headers.get("last-event-id", "")
        session = request.state.session
        if scope["method"] == "HEAD":
            await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": b""})
            return
        reader = self._feed.begin(int(last) if is_number(last) else None)
        reader.cut = scope["state"].get(ABORT)
        if session is not None:
            self._sessions.reads(session, reader)
        leaving = asyncio.create_task(_until_gone(receive, reader))
        try:
            await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": _HEADERS})
            await _body(send, f"retry: {RETRY}\n\n".encode())
            while (events := await reader.next(BEAT)) is not None:
                await _body(send, events or written("beat", {}))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._feed.end(reader)
            self._sessions.left(reader)


async def _body(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _until_gone(receive: Receive, reader: Reader) -> None:
    """Close the reader when the browser has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.close()
