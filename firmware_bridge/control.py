"""The control socket: what people say at the console, and what they want to know.

1. A Unix socket; each line is one request as a JSON object, each answer one line with the same ``id``. Requests of one
   connection are taken in their order; an answer that must wait for something may come after later ones.
2. ``say`` takes a statement of deal notation, as a person at the console would tell it. ``place PLACE [exposed]`` tells
   where the next card will lie, on a table without position sensors.
3. On a table with roles whoever commands must have logged in (`login`), in a role that may say what he says; the answer
   is ``refused`` otherwise. ``clear`` ends alarms, with a reason. A card is named only to surveillance and to those
   from pit-manager upwards: others could learn of one that lies face down.
4. A request that cannot be understood is answered with ``error``; the connection stays. One longer than `LONGEST` ends
   it, and so do answers and news of which nobody reads more than `UNREAD`.
5. What a request may ask: `REQUESTS`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from firmware_bridge import past
from firmware_bridge.bridge.translate import Told
from firmware_bridge.items import CONSOLE, Item, NewTable, Note
from firmware_bridge.people.guard import Session
from firmware_bridge.people.masking import hidden, masked
from firmware_bridge.people.roles import PIT_MANAGER, SHIFT_MANAGER, SURVEILLANCE
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
from gamecore.report import round_report

T = TypeVar("T")
Request = dict[str, Any]
Answer = Callable[[dict[str, object]], None]
LONGEST = 65536
"""Bytes of the longest request."""
UNREAD = 4 * 1024 * 1024
"""Bytes that may wait to be read."""
MODE = 0o660
ROUNDS = 20
"""How many past rounds are told where no number is asked for."""
REASON = 200
"""Characters of the longest reason."""
_SEES_CARDS = frozenset({SURVEILLANCE, PIT_MANAGER, SHIFT_MANAGER})


class RequestError(ValueError):
    """A request that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, where its answer goes, and who asks."""

    request: Request
    answer: Answer
    session: Session


class Control:
    """Serves the control socket of one pump."""

    def __init__(
        self,
        pump: Pump,
        links: Callable[[], dict[str, bool]],
        health: Callable[[], dict[str, object]] | None = None,
    ) -> None:
        """Serve this pump; `links` says which devices are there, `health` how the daemon is."""
        self._pump = pump
        self._links = links
        self._health_of = health
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

        session = Session()

        def watcher(news: dict[str, object]) -> None:
            send(self._shown(session, news))

        try:
            while line := await reader.readline():
                self._take(line, send, session, watcher)
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass  # who asked has gone, or asks for more than a line holds
        finally:
            self._pump.watchers[:] = [other for other in self._pump.watchers if other is not watcher]
            writer.close()

    def _take(self, line: bytes, send: Answer, session: Session, watcher: Answer) -> None:
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
            REQUESTS[do](self, Asked(request, lambda answer: send({"id": number, **answer}), session))
            if do == "watch" and watcher not in self._pump.watchers:
                self._pump.watchers.append(watcher)
        except RecursionError:
            send({"id": None, "error": "the request is nested too deeply"})
        except (ValueError, NotationError) as error:
            send({"id": number, "error": getattr(error, "message", None) or str(error)})

    # --- requests ----------------------------------------------------------------------------------------------------

    def _table(self, asked: Asked) -> None:
        text = _of(asked.request, "header", str)
        head, _ = split(text)
        self._command(asked, NewTable(read_header(head, GAMES), text), "table")

    def _say(self, asked: Asked) -> None:
        said = _of(asked.request, "statement", str)
        words = said.split()
        if words[:1] == ["place"]:
            self._command(asked, _told(words[1:]), said)
            return
        what = self._read(said)
        if isinstance(what, Claim | Draw | Pull | Load | Noise) or type(what) in _NOT_SAID:
            raise RequestError(f"'{said}' cannot be said: a device reports it")
        self._command(asked, what, said)

    def _expect(self, asked: Asked) -> None:
        claim = self._read(f"expect {_of(asked.request, 'claim', str)}")
        if not isinstance(claim, Claim):
            raise RequestError(f"'{asked.request['claim']}' cannot be expected")
        asked.answer({"failure": check(claim, self._pump.table)})

    def _report(self, asked: Asked) -> None:
        asked.answer({"report": self._pump.table.report()})

    def _status(self, asked: Asked) -> None:
        pump = self._pump
        place, knows = pump.table.next_place, pump.table.knows
        drawn = [str(drawn.card) for drawn in knows.round.draws] if knows.round_is_on else []
        status: dict[str, object] = {
            "game": pump.header.game,
            "state": pump.table.state.value,
            "next": None if place is None else str(place),
            "links": self._links(),
            "on_table": drawn if self._sees_cards(asked.session) else [masked(card) for card in drawn],
        }
        if pump.guard is not None:
            alarms = [asdict(alarm) for alarm in pump.guard.alarms.open]
            status |= {"role": asked.session.role or None, "alarms": alarms, "key": pump.guard.key}
        asked.answer(status)

    def _watch(self, asked: Asked) -> None:
        asked.answer({"ok": True})

    def _seen(self, asked: Asked) -> None:
        number = _of(asked.request, "number", int)
        self._pump.applied.when(self._device(asked.request), number, lambda refused: asked.answer({"refused": refused}))

    def _link(self, asked: Asked) -> None:
        device, wanted = self._device(asked.request), _of(asked.request, "up", bool)
        if self._links()[device] is wanted:
            asked.answer({"ok": True})
        else:
            self._link_waiters.append((device, wanted, lambda: asked.answer({"ok": True})))

    def _login(self, asked: Asked) -> None:
        name, pin = _of(asked.request, "name", str), asked.request.get("pin")
        if not isinstance(pin, str):  # what stands there may be the PIN, which is never repeated
            raise RequestError("pin: expected a text")
        if self._pump.guard is None:
            asked.answer({"refused": "this table has no roles: everything is allowed"})
        else:
            asked.answer(self._pump.guard.login(asked.session, name, pin))

    def _logout(self, asked: Asked) -> None:
        if self._pump.guard is not None:
            self._pump.guard.logout(asked.session)
        asked.answer({"ok": True})

    def _clear(self, asked: Asked) -> None:
        reason = " ".join(_of(asked.request, "reason", str).split())
        number = _of(asked.request, "n", int) if asked.request.get("n") is not None else None
        if not 0 < len(reason) <= REASON:
            raise RequestError(f"reason: expected 1 to {REASON} characters")
        guard = self._pump.guard
        if guard is None:
            asked.answer({"refused": "this table has no roles: an alarm ends with the hold"})
            return
        chosen, refused = guard.to_clear(asked.session, number)
        if refused is not None:
            asked.answer({"refused": refused})
            return
        numbers = [alarm.n for alarm in chosen]

        def cleared(_: str | None) -> None:
            guard.alarms.clear(numbers)
            asked.answer({"ok": True, "cleared": [asdict(alarm) for alarm in chosen]})

        what = [{"n": alarm.n, "code": alarm.code, "clause": alarm.clause, "times": alarm.times} for alarm in chosen]
        said = {"cleared": what, "by": asked.session.name, "role": asked.session.role, "reason": reason}
        self._pump.submit(Item(CONSOLE, Note(json.dumps(said, ensure_ascii=False)), reply=cleared))

    def _rounds(self, asked: Asked) -> None:
        count = _of(asked.request, "count", int) if "count" in asked.request else ROUNDS
        if not 1 <= count <= past.MOST:
            raise RequestError(f"count: expected 1 to {past.MOST}, got {count}")
        asked.answer({"rounds": past.last_rounds(self._pump.books.journal.state, count)})

    def _round(self, asked: Asked) -> None:
        wanted = {
            key: _of(asked.request, key, int) for key in ("number", "first") if asked.request.get(key) is not None
        }
        if not wanted and self._pump.table.knows.round_is_on:
            asked.answer({"round": {"game": self._pump.header.game, "report": self._now()}})
            return
        found = past.one_round(self._pump.books.journal.state, wanted.get("number"), wanted.get("first"))
        asked.answer({"error": "there is no such round at hand"} if found is None else {"round": found})

    def _health(self, asked: Asked) -> None:
        asked.answer({"health": self._health_of() if self._health_of is not None else {}})

    # --- what they need ----------------------------------------------------------------------------------------------

    def _device(self, request: Request) -> str:
        device, links = _of(request, "device", str), self._links()
        if device not in links:
            raise RequestError(f"device: expected one of {', '.join(links)}, got {device!r}")
        return device

    def _command(self, asked: Asked, what: object, said: str) -> None:
        """Let something happen, if who says it may."""
        guard = self._pump.guard
        refused = None if guard is None else guard.refuses(asked.session, said, what, self._pump.table)
        if refused is not None:
            asked.answer({"refused": refused})
            return

        def reply(refused: str | None) -> None:
            asked.answer({"ok": True} if refused is None else {"refused": refused})

        self._pump.submit(Item(CONSOLE, what, reply=reply))

    def _now(self) -> object:
        """The round that is on, as it lies."""
        knows = self._pump.table.knows
        return round_report(knows, knows.round)

    def _sees_cards(self, session: Session) -> bool:
        """Whether somebody is told every card."""
        return self._pump.guard is None or session.role in _SEES_CARDS

    def _shown(self, session: Session, news: dict[str, object]) -> dict[str, object]:
        """News as somebody may hear them."""
        match news:
            case {"seen": dict(seen)} if not self._sees_cards(session):
                return {"seen": hidden(seen)}
            case _:
                return news

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

REQUESTS: dict[str, Callable[[Control, Asked], None]] = {
    "table": Control._table,  # noqa: SLF001  the table of this class's own requests
    "say": Control._say,  # noqa: SLF001
    "expect": Control._expect,  # noqa: SLF001
    "report": Control._report,  # noqa: SLF001
    "status": Control._status,  # noqa: SLF001
    "watch": Control._watch,  # noqa: SLF001
    "seen": Control._seen,  # noqa: SLF001
    "link": Control._link,  # noqa: SLF001
    "login": Control._login,  # noqa: SLF001
    "logout": Control._logout,  # noqa: SLF001
    "clear": Control._clear,  # noqa: SLF001
    "rounds": Control._rounds,  # noqa: SLF001
    "round": Control._round,  # noqa: SLF001
    "health": Control._health,  # noqa: SLF001
}
