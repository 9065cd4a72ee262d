"""What may be asked over the control socket, and what is answered: `REQUESTS`.

1. ``say`` takes a statement of deal notation, as a person at the console would tell it. ``place PLACE [exposed]`` tells
   where the next card will lie, on a table without position sensors. What a fitted device reports nobody can say in its
   stead.
2. On a table with roles whoever commands must have logged in (`login`), in a role that may say what he says; the answer
   is ``refused`` otherwise. ``clear`` ends alarms, with a reason; ``accept`` accepts a new program. A card is named
   only to surveillance and to those from pit-manager upwards: others could learn of one that lies face down.
3. ``table`` puts another table there, between rounds. A round that is on is given up only where the request says
   ``abandon``, and that is in the journal. No undealt card is known: a header with a prepared shoe is refused.
4. While the journal cannot be written nothing can be commanded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from firmware_bridge import past
from firmware_bridge.barrier import SHOE
from firmware_bridge.bridge.scene import scene
from firmware_bridge.bridge.translate import Told
from firmware_bridge.health import Health
from firmware_bridge.items import CONSOLE, Item, NewTable, Note
from firmware_bridge.people.alarms import Alarm
from firmware_bridge.people.guard import Session
from firmware_bridge.people.masking import masked
from firmware_bridge.people.permissions import to_clear
from firmware_bridge.people.roles import PIT_MANAGER, SHIFT_MANAGER, SURVEILLANCE
from firmware_bridge.pump import Pump
from gamecore.model import events as ev
from gamecore.model.places import PlaceError, place
from gamecore.notation.expectations import check
from gamecore.notation.header import read_header
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line, split
from gamecore.notation.links import carrier
from gamecore.notation.parser import read_statement
from gamecore.notation.syntax import Claim, Draw, Load, Noise, Pull
from gamecore.rules.games import GAMES
from gamecore.table import PHYSICAL

T = TypeVar("T")
Request = dict[str, Any]
Answer = Callable[[dict[str, object]], None]
ROUNDS = 20
"""How many past rounds are told where no number is asked for."""
REASON = 200
"""Characters of the longest reason."""
_SEES_CARDS = frozenset({SURVEILLANCE, PIT_MANAGER, SHIFT_MANAGER})


class RequestError(ValueError):
    """A request that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, where its answer goes, who asks, and where he hears news."""

    request: Request
    answer: Answer
    session: Session
    watcher: Answer


class _Waiter(NamedTuple):
    """Who waits for a device to come or to go."""

    device: str
    up: bool
    asked: Asked


class Requests:
    """Answers for one pump."""

    def __init__(
        self,
        pump: Pump,
        links: Callable[[], dict[str, bool]],
        health: Health | None = None,
    ) -> None:
        """Answer for this pump; `links` says which devices are there, `health` how the daemon is."""
        self._pump = pump
        self._links = links
        self._health_of = health
        self._link_waiters: list[_Waiter] = []
        pump.watchers.append(self._news)

    def sees_cards(self, session: Session) -> bool:
        """Whether somebody is told every card."""
        return self._pump.guard is None or session.role in _SEES_CARDS

    def gone(self, session: Session, watcher: Answer) -> None:
        """A connection has ended: it waits for nothing any more."""
        self._pump.watchers[:] = [other for other in self._pump.watchers if other is not watcher]
        self._link_waiters = [waiter for waiter in self._link_waiters if waiter.asked.session is not session]

    def _table(self, asked: Asked) -> None:
        text = of(asked.request, "header", str)
        header = read_header(split(text)[0], GAMES)
        if header.shoe or header.seed:
            raise RequestError("header: a table has no prepared shoe, expected neither shoe nor seed")
        table = self._pump.table
        if table.round_is_on:
            if "abandon" not in asked.request or not of(asked.request, "abandon", bool):
                asked.answer({"refused": f"round {table.round_number} is on: another table is put there after it"})
                return
            self._submit(asked, Note(json.dumps({"abandoned": table.round_number})))
        self._command(asked, NewTable(header, text), "table")

    def _say(self, asked: Asked) -> None:
        said = of(asked.request, "statement", str)
        words = said.split()
        if words[:1] == ["place"]:
            self._command(asked, _told(words[1:]), said)
            return
        what = self._read(said)
        if isinstance(what, Claim | Draw | Pull | Load | Noise) or type(what) in _NOT_SAID or self._reported(what):
            raise RequestError(f"'{said}' cannot be said: a device reports it")
        self._command(asked, what, said)

    def _reported(self, what: object) -> bool:
        """Whether a fitted device reports this; that cards were riffled by hand only a person knows."""
        match what:
            case ev.Shuffled("riffle"):
                return False
            case event if type(event) in PHYSICAL:
                return carrier(event, self._pump.header.sensors) in self._links()  # type: ignore[arg-type]  # PHYSICAL
            case _:
                return False

    def _expect(self, asked: Asked) -> None:
        if not self.sees_cards(asked.session):
            asked.answer({"refused": f"'expect' needs {' or '.join(sorted(_SEES_CARDS))}"})
            return
        claim = self._read(f"expect {of(asked.request, 'claim', str)}")
        if not isinstance(claim, Claim):
            raise RequestError(f"'{asked.request['claim']}' cannot be expected")
        asked.answer({"failure": check(claim, self._pump.table)})

    def _report(self, asked: Asked) -> None:
        asked.answer({"report": self._pump.table.report()})

    def _status(self, asked: Asked) -> None:
        pump = self._pump
        view = pump.table.view()
        place = view.next_place
        drawn = [str(drawn.card) for drawn in view.round.dealt] if view.round_is_on else []
        status: dict[str, object] = {
            "game": pump.header.game,
            "state": pump.table.state.value,
            "next": None if place is None else str(place),
            "links": self._links(),
            "on_table": drawn if self.sees_cards(asked.session) else [masked(card) for card in drawn],
        }
        if pump.guard is not None:
            alarms = [asdict(alarm) for alarm in pump.guard.alarms.open]
            status |= {"role": asked.session.role or None, "alarms": alarms, "key": pump.guard.key}
        asked.answer(status)

    def _scene(self, asked: Asked) -> None:
        pump, guard = self._pump, self._pump.guard
        around: dict[str, object] = {
            "n": pump.books.journal.n,
            "links": self._links(),
            "roles": guard is not None,
            "key": guard is not None and guard.key,
            "alarms": [] if guard is None else [_alarm(alarm) for alarm in guard.alarms.open],
            "stalled": pump.stalled or None,
            "role": asked.session.role or None,
            "program": self._health_of.program() if self._health_of is not None else None,
        }
        asked.answer({"scene": scene(pump.table) | around})

    def _watch(self, asked: Asked) -> None:
        asked.answer({"ok": True})
        if asked.watcher not in self._pump.watchers:
            self._pump.watchers.append(asked.watcher)

    def _seen(self, asked: Asked) -> None:
        number = of(asked.request, "number", int)
        self._pump.applied.when(
            self._device(asked.request),
            number,
            lambda refused: asked.answer({"refused": refused}),
            lambda: asked.answer({"refused": None, "waits": SHOE}),
        )

    def _link(self, asked: Asked) -> None:
        device, wanted = self._device(asked.request), of(asked.request, "up", bool)
        if self._links()[device] is wanted:
            asked.answer({"ok": True})
        else:
            self._link_waiters.append(_Waiter(device, wanted, asked))

    def _login(self, asked: Asked) -> None:
        name, pin = of(asked.request, "name", str), asked.request.get("pin")
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
        reason = " ".join(of(asked.request, "reason", str).split())
        number = of(asked.request, "n", int) if asked.request.get("n") is not None else None
        if not 0 < len(reason) <= REASON:
            raise RequestError(f"reason: expected 1 to {REASON} characters")
        guard = self._pump.guard
        if guard is None:
            asked.answer({"refused": "this table has no roles: an alarm ends with the hold"})
            return
        if self._stalled(asked):
            return
        code = of(asked.request, "code", str) if asked.request.get("code") is not None else None
        chosen, refused = guard.to_clear(asked.session, number, code)
        if refused is not None:
            asked.answer({"refused": refused})
            return

        def cleared(refused: str | None) -> None:
            if refused is not None:
                asked.answer({"refused": refused})
                return
            self._pump.tell({"cleared": {"alarms": [alarm.n for alarm in chosen], "by": asked.session.name}})
            asked.answer({"ok": True, "cleared": [asdict(alarm) for alarm in chosen]})

        what = [{"n": alarm.n, "code": alarm.code, "clause": alarm.clause, "times": alarm.times} for alarm in chosen]
        said = {"cleared": what, "by": asked.session.name, "role": asked.session.role, "reason": reason}
        self._submit(asked, Note(json.dumps(said, ensure_ascii=False)), cleared)

    def _accept(self, asked: Asked) -> None:
        said, session, books = of(asked.request, "program", str), asked.session, self._pump.books
        if self._pump.guard is None:
            asked.answer({"refused": "this table has no roles: nobody needs to accept a program"})
            return
        if self._stalled(asked):
            return
        refused = books.programs.refuses(said, session.name, session.role)
        if refused is not None:
            asked.answer({"refused": refused})
            return
        name, role, running = session.name, session.role, books.programs.running

        def accepted(refused: str | None) -> None:
            if refused is not None:
                asked.answer({"refused": refused})
                return
            books.programs = books.programs.agreed(running, name, role)
            self._pump.tell({"program": {"bars": books.programs.waits()}})
            asked.answer({"ok": True, "waits": books.programs.waits()})

        self._submit(asked, Note(books.programs.note(name, role)), accepted)

    def _rounds(self, asked: Asked) -> None:
        count = of(asked.request, "count", int) if "count" in asked.request else ROUNDS
        if not 1 <= count <= past.MOST:
            raise RequestError(f"count: expected 1 to {past.MOST}, got {count}")
        state = self._pump.books.journal.state
        rounds = past.last_rounds(state, count)
        asked.answer({"rounds": rounds, **({} if len(rounds) == count else past.elsewhere(state))})

    def _round(self, asked: Asked) -> None:
        wanted = {key: of(asked.request, key, int) for key in ("number", "first") if asked.request.get(key) is not None}
        if not wanted and self._pump.table.round_is_on:
            asked.answer({"round": {"game": self._pump.header.game, "report": self._now()}})
            return
        state = self._pump.books.journal.state
        found = past.one_round(state, wanted.get("number"), wanted.get("first"))
        missing = {"error": "there is no such round at hand", **past.elsewhere(state)}
        asked.answer(missing if found is None else {"round": found})

    def _health(self, asked: Asked) -> None:
        asked.answer({"health": self._health_of() if self._health_of is not None else {}})

    # --- what they need ----------------------------------------------------------------------------------------------

    def _device(self, request: Request) -> str:
        device, links = of(request, "device", str), self._links()
        if device not in links:
            raise RequestError(f"device: expected one of {', '.join(links)}, got {device!r}")
        return device

    def _command(self, asked: Asked, what: object, said: str) -> None:
        """Let something happen, if who says it may."""
        if self._stalled(asked):
            return
        guard = self._pump.guard
        refused = None if guard is None else guard.refuses(asked.session, said, what, self._pump.table)
        if refused is not None:
            asked.answer({"refused": refused})
            return

        def reply(refused: str | None) -> None:
            asked.answer({"ok": True} if refused is None else {"refused": refused})

        self._submit(asked, what, reply)

    def _submit(self, asked: Asked, what: object, reply: Callable[[str | None], None] | None = None) -> None:
        """Put what somebody says in the queue, with their name and role."""
        person, role = asked.session.name or None, asked.session.role or None
        self._pump.submit(Item(CONSOLE, what, reply=reply, person=person, role=role))

    def _stalled(self, asked: Asked) -> bool:
        """Whether nothing can be commanded now, which is answered."""
        if self._pump.stalled:
            asked.answer({"refused": f"the journal cannot be written: {self._pump.stalled}"})
        return bool(self._pump.stalled)

    def _now(self) -> object:
        """The round that is on, as it lies."""
        return self._pump.table.round_report()

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
                for waiter in due:
                    waiter.asked.answer({"ok": True})
            case _:
                pass


def _alarm(alarm: Alarm) -> dict[str, object]:
    """An alarm with the roles of which one may clear it."""
    roles = list(to_clear(alarm.code, alarm.ruling))
    return asdict(alarm) | {"places": alarm.places.split(), "roles": roles}


def of(request: Request, key: str, kind: type[T]) -> T:
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

REQUESTS: dict[str, Callable[[Requests, Asked], None]] = {
    "table": Requests._table,  # noqa: SLF001  the table of this class's own requests
    "say": Requests._say,  # noqa: SLF001
    "expect": Requests._expect,  # noqa: SLF001
    "report": Requests._report,  # noqa: SLF001
    "status": Requests._status,  # noqa: SLF001
    "scene": Requests._scene,  # noqa: SLF001
    "watch": Requests._watch,  # noqa: SLF001
    "seen": Requests._seen,  # noqa: SLF001
    "link": Requests._link,  # noqa: SLF001
    "login": Requests._login,  # noqa: SLF001
    "logout": Requests._logout,  # noqa: SLF001
    "clear": Requests._clear,  # noqa: SLF001
    "accept": Requests._accept,  # noqa: SLF001
    "rounds": Requests._rounds,  # noqa: SLF001
    "round": Requests._round,  # noqa: SLF001
    "health": Requests._health,  # noqa: SLF001
}
