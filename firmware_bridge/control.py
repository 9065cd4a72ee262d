"""The control socket: what people say at the console, and what they want to know.

1. A Unix socket; each line is one request as a JSON object, each answer one line with the same ``id``. Requests of one
   connection are taken in their order; an answer that must wait for something may come after later ones. What a
   request may ask: `firmware_bridge.requests`.
2. A request that cannot be understood is answered with ``error``; the connection stays. One longer than `LONGEST` ends
   it, and so do answers and news of which nobody reads more than `UNREAD`.
3. At most `CONNECTIONS` are served at once: people must not take the descriptors that the devices need.
4. A card is named only to those who may see every card (`Requests.sees_cards`).
5. Only a socket that an earlier run has left is removed from the path, nothing else that lies there.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

from firmware_bridge.people.guard import Session
from firmware_bridge.people.masking import hidden
from firmware_bridge.requests import REQUESTS, Answer, Asked, RequestError, Requests, of
from gamecore.notation.syntax import NotationError

LONGEST = 65536
"""Bytes of the longest request."""
UNREAD = 4 * 1024 * 1024
"""Bytes that may wait to be read."""
MODE = 0o660
CONNECTIONS = 64
_write = json.JSONEncoder(separators=(",", ":")).encode


class Control:
    """Serves the control socket."""

    def __init__(self, requests: Requests) -> None:
        """Serve what these requests ask."""
        self._requests = requests
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def listen(self, path: Path) -> None:
        """Listen at a path; a socket that an earlier run has left there is removed."""
        if path.is_socket():  # noqa: ASYNC240  before anything is served
            path.unlink()  # noqa: ASYNC240
        self._server = await asyncio.start_unix_server(self._connected, path=path, limit=LONGEST)
        os.chmod(path, MODE)  # noqa: PTH101  the socket, not what a link points to

    async def close(self) -> None:
        """End every connection."""
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if len(self._tasks) >= CONNECTIONS:
            writer.write(
                _write({"id": None, "error": f"{CONNECTIONS} connections are open, which is the most"}).encode() + b"\n"
            )
            writer.close()
            return
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        def send(answer: dict[str, object]) -> None:
            if writer.is_closing():
                return
            if writer.transport.get_write_buffer_size() > UNREAD:
                writer.transport.abort()
                return
            writer.write(_line(answer))

        session = Session()

        def watcher(news: dict[str, object]) -> None:
            send(news if self._requests.sees_cards(session) else _without_cards(news))

        try:
            while line := await reader.readline():
                self._take(line, send, session, watcher)
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass  # who asked has gone, or asks for more than a line holds
        finally:
            self._requests.gone(session, watcher)
            writer.close()

    def _take(self, line: bytes, send: Answer, session: Session, watcher: Answer) -> None:
        """One request."""
        number: object = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise RequestError("a request is a JSON object")
            number = request.get("id")
            do = of(request, "do", str)
            if do not in REQUESTS:
                raise RequestError(f"do: expected one of {', '.join(REQUESTS)}, got {do!r}")
            asked = Asked(request, lambda answer: send({"id": number, **answer}), session, watcher)
            REQUESTS[do](self._requests, asked)
        except RecursionError:
            send({"id": None, "error": "the request is nested too deeply"})
        except (ValueError, NotationError) as error:
            send({"id": number, "error": getattr(error, "message", None) or str(error)})


def _line(answer: dict[str, object]) -> bytes:
    return _write(answer).encode() + b"\n"


def _without_cards(news: dict[str, object]) -> dict[str, object]:
    """News as those hear them who may not know of every card."""
    return {what: hidden(said) for what, said in news.items()}
