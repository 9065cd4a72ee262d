"""The control socket: what people say at the console, and what they want to know.

1. A Unix socket; each line is one request as a JSON object, each answer one line with the same ``id``. Requests of one
   connection are taken in their order; an answer that must wait for something may come after later ones.
2. ``say`` takes a statement of deal notation, as a person at the console would tell it. ``place PLACE [exposed]`` tells
   where the next card will lie, on a table without position sensors.
3. A request that cannot be understood is answered with ``error``; the connection stays. One longer than `LONGEST` ends
   it, and so do answers and news of which nobody reads more than `UNREAD`.
4. What a request may ask: `REQUESTS`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from firmware_bridge.bridge.translate import Told
from firmware_bridge.items import CONSOLE, Item, NewTable
from firmware_bridge.pump import Pump
from gamecore import events as ev
from gamecore.games import GAMES
from gamecore.notation.expectations import check
from gamecore.notation.header import read_header
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line, split
from gamecore.notation.parser import read_statement
from gamecore.notation.syntax import Claim, Draw, Load, Noise, NotationError, Pull
from gamecore.places import PlaceError, place

T = TypeVar("T")
Request = dict[str, Any]
Answer = Callable[[dict[str, object]], None]
LONGEST = 65536
"""Bytes of the longest request."""
UNREAD = 4 * 1024 * 1024
"""Bytes that may wait to be read."""
MODE = 0o660


class RequestError(ValueError):
    """A request that cannot be understood."""


class Control:
    """Serves the control socket of one pump."""

    def __init__(self, pump: Pump, links: Callable[[], dict[str, bool]]) -> None:
        """Serve this pump; `links` says which devices are there."""
        self._pump = pump
        self._links = links
        self._link_waiters: list[tuple[str, bool, Callable[[], None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        pump.watchers.append(self._news)

    async def listen(self, path: Path) -> None:
        """Listen at a path; what an earlier run has left there is removed."""
        path.unlink(missing_ok=True)  # noqa: ASYNC240  before anything is served
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
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        def send(answer: dict[str, object]) -> None:
            if writer.is_closing():
                return
            if writer.transport.get_write_buffer_size() > UNREAD:
                writer.transport.abort()
                return
            writer.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")

        try:
            while line := await reader.readline():
                self._take(line, send)
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass  # who asked has gone, or asks for more than a line holds
        finally:
            self._pump.watchers[:] = [watcher for watcher in self._pump.watchers if watcher is not send]
            writer.close()

    def _take(self, line: bytes, send: Answer) -> None:
        """One request."""
        number: object = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise RequestError("a request is a JSON object")
            number = request.get("id")
            do = _of(request, "do", str)
            if do not in REQUESTS:
                raise RequestError(f"do: expected one of {', '.join(REQUESTS)}, got {do!r}")
            REQUESTS[do](self, request, lambda answer: send({"id": number, **answer}))
            if do == "watch" and send not in self._pump.watchers:
                self._pump.watchers.append(send)
        except RecursionError:
            send({"id": None, "error": "the request is nested too deeply"})
        except (ValueError, NotationError) as error:
            send({"id": number, "error": getattr(error, "message", None) or str(error)})

    # --- requests ----------------------------------------------------------------------------------------------------

    def _table(self, request: Request, answer: Answer) -> None:
        text = _of(request, "header", str)
        head, _ = split(text)
        self._submit(NewTable(read_header(head, GAMES), text), answer)

    def _say(self, request: Request, answer: Answer) -> None:
        said = _of(request, "statement", str)
        words = said.split()
        if words[:1] == ["place"]:
            self._submit(_told(words[1:]), answer)
            return
        what = self._read(said)
        if isinstance(what, Claim | Draw | Pull | Load | Noise) or type(what) in _NOT_SAID:
            raise RequestError(f"'{said}' cannot be said: a device reports it")
        self._submit(what, answer)

    def _expect(self, request: Request, answer: Answer) -> None:
        claim = self._read(f"expect {_of(request, 'claim', str)}")
        if not isinstance(claim, Claim):
            raise RequestError(f"'{request['claim']}' cannot be expected")
        answer({"failure": check(claim, self._pump.table)})

    def _report(self, _: Request, answer: Answer) -> None:
        answer({"report": self._pump.table.report()})

    def _status(self, _: Request, answer: Answer) -> None:
        pump = self._pump
        place, knows = pump.table.next_place, pump.table.knows
        answer(
            {
                "game": pump.header.game,
                "state": pump.table.state.value,
                "next": None if place is None else str(place),
                "links": self._links(),
                "on_table": [str(drawn.card) for drawn in knows.round.draws] if knows.round_is_on else [],
            }
        )

    def _watch(self, _: Request, answer: Answer) -> None:
        answer({"ok": True})

    def _seen(self, request: Request, answer: Answer) -> None:
        number = _of(request, "number", int)
        self._pump.applied.when(self._device(request), number, lambda refused: answer({"refused": refused}))

    def _link(self, request: Request, answer: Answer) -> None:
        device, wanted = self._device(request), _of(request, "up", bool)
        if self._links()[device] is wanted:
            answer({"ok": True})
        else:
            self._link_waiters.append((device, wanted, lambda: answer({"ok": True})))

    # --- what they need ----------------------------------------------------------------------------------------------

    def _device(self, request: Request) -> str:
        device, links = _of(request, "device", str), self._links()
        if device not in links:
            raise RequestError(f"device: expected one of {', '.join(links)}, got {device!r}")
        return device

    def _submit(self, what: object, answer: Answer) -> None:
        def reply(refused: str | None) -> None:
            answer({"ok": True} if refused is None else {"refused": refused})

        self._pump.submit(Item(CONSOLE, what, reply=reply))

    def _read(self, statement: str) -> object:
        header = self._pump.header
        if not statement.strip():
            raise RequestError("nothing is said")
        return read_statement(Line(1, statement), layout_of(GAMES[header.game], header.boxes)).what

    def _news(self, news: dict[str, object]) -> None:
        match news:
            case {"link": {"device": device, "up": up}}:
                due = [waiter for waiter in self._link_waiters if waiter[:2] == (device, up)]
                self._link_waiters = [waiter for waiter in self._link_waiters if waiter[:2] != (device, up)]
                for _, _, answered in due:
                    answered()
            case _:
                pass


def _of(request: Request, key: str, kind: type[T]) -> T:
    """A value of a request, which must be of this type."""
    if key not in request:
        raise RequestError(f"{key}: is missing")
    value = request[key]
    if type(value) is not kind:
        raise RequestError(f"{key}: expected {_TYPES[kind]}, got {value!r}")
    if isinstance(value, str):
        value.encode()  # half of a character can be written nowhere
    return value


def _told(words: list[str]) -> Told:
    """Where the next card will lie."""
    exposed = words[1:] == ["exposed"]
    if not words or (len(words) > 1 and not exposed):
        raise RequestError("place: expected PLACE [exposed]")
    try:
        return Told(place(words[0]), exposed)
    except PlaceError as error:
        raise RequestError(str(error)) from error


_TYPES: dict[type, str] = {str: "a text", int: "a whole number", bool: "true or false"}

#: What only the machine itself can say.
_NOT_SAID = frozenset({ev.PowerCut, ev.PowerOn, ev.Restarted, ev.LinkLost, ev.LinkBack})

REQUESTS: dict[str, Callable[[Control, Request, Answer], None]] = {
    "table": Control._table,  # noqa: SLF001  the table of this class's own requests
    "say": Control._say,  # noqa: SLF001
    "expect": Control._expect,  # noqa: SLF001
    "report": Control._report,  # noqa: SLF001
    "status": Control._status,  # noqa: SLF001
    "watch": Control._watch,  # noqa: SLF001
    "seen": Control._seen,  # noqa: SLF001
    "link": Control._link,  # noqa: SLF001
}
