"""What may be asked over the daemon's sockets, and what is answered: `REQUESTS`.

1. ``say`` takes a statement of deal notation. ``place PLACE [exposed]`` tells where the next card will lie, on a table
   without position sensors. Nobody can say what a fitted device reports.
2. On a table with roles anyone at the control socket must have logged in (`login`), and commands in a role that may say
   it; the answer is ``refused`` otherwise. ``clear`` ends alarms, with a reason; ``accept`` accepts a new program;
   ``dispute`` marks a round; ``people`` and what goes with it changes who may log in, ``pair`` and
   ``set-register-aside`` which devices are heard. The reading socket answers what only reads, without a login.
3. ``table`` changes the table, between rounds. With roles it is one that the configuration names: one person proposes
   it, another confirms by the same request (`people.table_changes`), and a round ends by a ruling. Without roles any
   header will do, and ``abandon`` gives up a round in play; the journal says so. A header with a prepared shoe is
   refused: no undealt card is known.
4. While the journal cannot be written nothing can be commanded.
5. A card that does not lie open is named only to surveillance and to those from pit-manager upwards, at the control
   socket. What others are told is `discretion`'s.
6. Rounds that are over are read beside the loop (`past_rounds`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import NamedTuple

from firmware_bridge.control.link_requests import confirm_aside, confirm_pairing, pair, set_aside
from firmware_bridge.control.past_rounds import PastRounds
from firmware_bridge.control.people_requests import confirm, people, propose
from firmware_bridge.control.request_values import Answer, Asked, Request, RequestError, of, refusal_answer
from firmware_bridge.control.sessions import accept, accept_key, clear, dispute, log_in, log_out, of_session, stalled
from firmware_bridge.daemon.health import Health
from firmware_bridge.inputs.device_messages import Told
from firmware_bridge.journal.rounds.round_records import ABANDONED
from firmware_bridge.links.pairing import PairingDesk
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, SURVEILLANCE
from firmware_bridge.people.guard import Session
from firmware_bridge.people.table_changes import Tables
from firmware_bridge.pump.items import Deed, NewTable, Note, Why
from firmware_bridge.pump.pump import Pump
from firmware_bridge.pump.shoe_first import SHOE
from firmware_bridge.shown import discretion
from firmware_bridge.shown.scene import scene
from firmware_bridge.shown.scene_held import open_alarm
from firmware_bridge.shown.scene_type import LiveScene
from gamecore.model.events import events as ev
from gamecore.model.places import PlaceError, place
from gamecore.notation.expect.checks import check
from gamecore.notation.header import read_header
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line, split
from gamecore.notation.parser import read_statement
from gamecore.notation.playing.links import carrier
from gamecore.notation.syntax import Claim, Draw, Load, Noise, Pull
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from gamecore.table import PHYSICAL
from gamecore.view.veil import BACK

LOGIN, LOGOUT = "login", "logout"
_SEES_CARDS = frozenset({SURVEILLANCE, PIT_MANAGER, SHIFT_MANAGER})


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
        desk: PairingDesk | None = None,
    ) -> None:
        """Answer for this pump; `links` says which devices are there, `health` how the daemon is, `desk` pairs."""
        self._pump = pump
        self._links = links
        self._health_of, self._desk = health, desk
        self._past = PastRounds(pump, self.sees_cards)
        self._link_waiters: list[_Waiter] = []
        pump.listeners.append(self._news)

    @property
    def open(self) -> bool:
        """Whether the table has no roles: everybody may do everything."""
        return self._pump.guard is None

    def sees_cards(self, session: Session) -> bool:
        """Whether somebody is told every card."""
        return not session.reads and (self.open or session.role in _SEES_CARDS)

    def needs(self, session: Session, watcher: Answer) -> bool:
        """Whether a connection that asks nothing is of use: somebody has logged in, or hears news."""
        return bool(session.role) or (self.open and not session.reads) or watcher in self._pump.watchers

    def answer_request(self, do: str, asked: Asked) -> None:
        """Answer a request, now or later, if this connection may ask it.

        Raises:
            ValueError: it cannot be understood.
        """
        if do not in REQUESTS:
            raise RequestError(f"do: expected one of {', '.join(REQUESTS)}, got {do!r}")
        kind, session = REQUESTS[do], asked.session
        if session.reads and not kind.reads:
            asked.answer({"refused": f"'{do}' is for the control socket: nothing is commanded here"})
        elif not (session.reads or self.open or session.role or do in {LOGIN, LOGOUT}):
            asked.answer({"refused": f"'{do}' needs a login: nobody is logged in"})
        else:
            kind.answer(self, asked)

    def told(self, session: Session, news: dict[str, object]) -> dict[str, object]:
        """News as somebody may hear them."""
        return news if self.sees_cards(session) else discretion.news(self._pump.table, news)

    def close(self) -> None:
        """Nothing more is asked."""
        self._past.close()
        if self._pump.guard is not None:
            self._pump.guard.close()

    def gone(self, session: Session, watcher: Answer) -> None:
        """A connection has ended: it waits for nothing any more."""
        self._pump.watchers[:] = [other for other in self._pump.watchers if other != watcher]
        self._pump.applied.forget(session)
        if self._pump.guard is not None:
            self._pump.guard.gone(session)
        self._link_waiters = [waiter for waiter in self._link_waiters if waiter.asked.session is not session]

    def _table(self, asked: Asked) -> None:
        if not self.open:
            self._configured_table(asked)
            return
        text = of(asked.request, "header", str)
        header = read_header(split(text)[0], GAMES)
        if header.shoe or header.seed:
            raise RequestError("header: a table has no prepared shoe, expected neither shoe nor seed")
        table = self._pump.table
        if table.round_is_on:
            if "abandon" not in asked.request or not of(asked.request, "abandon", bool):
                asked.answer({"refused": f"round {table.round_number} is on: another table is put there after it"})
                return
            short = self._pump.books.recorder.in_short(table, ABANDONED)
            said = {ABANDONED: table.round_number, "round": short}
            self._pump.enqueue(of_session(asked.session, Note(json.dumps(said, ensure_ascii=False))))
        self._command(asked, NewTable(header, text))

    def _configured_table(self, asked: Asked) -> None:
        """Propose a table that is configured, or confirm it; without a name, list them."""
        guard, session = self._pump.guard, asked.session
        assert guard is not None  # noqa: S101  the table is not open
        tables, name = guard.tables, asked.request.get("name")
        waiting = tables.waiting
        if name is None and "header" not in asked.request:
            listed: dict[str, object] = {"tables": list(tables.known)}
            asked.answer(listed | ({} if waiting is None else {"proposed": waiting.name, "by": waiting.by}))
        elif not isinstance(name, str):
            asked.answer({"refused": "only a table that is configured is put in place here: name one"})
        elif tables.confirms(name, session.name):
            header = tables.known[name]
            self._command(asked, NewTable(header, write_header(header)))
        else:
            self._command(asked, Deed(f"table {name}", lambda: _proposed(tables, name, session)))

    def _say(self, asked: Asked) -> None:
        said = of(asked.request, "statement", str)
        words = said.split()
        if words[:1] == ["place"]:
            told = _told(words[1:])
            if self._pump.header.places_sensed and self._links().get("hub"):
                raise RequestError(f"'{said}' cannot be said: a device reports it")
            self._command(asked, told)
            return
        what = self._read(said)
        if isinstance(what, Claim | Draw | Pull | Load | Noise) or type(what) in _NOT_SAID or self._reported(what):
            raise RequestError(f"'{said}' cannot be said: a device reports it")
        self._command(asked, what)

    def _reported(self, what: object) -> bool:
        """Whether a fitted device reports this; that cards were riffled by hand only a person knows."""
        match what:
            case ev.Shuffled("riffle"):
                return False
            case event if type(event) in PHYSICAL:
                return carrier(event, self._pump.header.sensors) in self._links()  # type: ignore[arg-type]  # it is physical
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
        table = self._pump.table
        asked.answer({"report": table.report() if self.sees_cards(asked.session) else discretion.report(table)})

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
            "on_table": drawn if self.sees_cards(asked.session) else [BACK] * len(drawn),
        }
        if pump.guard is not None:
            alarms = [asdict(alarm) for alarm in pump.guard.alarms.open]
            status |= {"role": asked.session.role or None, "alarms": alarms, "key": pump.guard.key}
        asked.answer(status)

    def _scene(self, asked: Asked) -> None:
        pump, guard = self._pump, self._pump.guard
        live: LiveScene = {
            **scene(pump.table),
            "n": pump.books.journal.n,
            "links": self._links(),
            "roles": guard is not None,
            "key": guard is not None and guard.key,
            "alarms": [] if guard is None else [open_alarm(alarm) for alarm in guard.alarms.open],
            "stalled": pump.stalled or None,
            "role": asked.session.role or None,
            "program": self._health_of.program() if self._health_of is not None else None,
        }
        asked.answer({"scene": live})

    def _watch(self, asked: Asked) -> None:
        asked.answer({"ok": True})
        if asked.watcher not in self._pump.watchers:
            self._pump.watchers.append(asked.watcher)

    def _seen(self, asked: Asked) -> None:
        number = of(asked.request, "number", int)
        self._pump.applied.when(
            self._device(asked.request),
            number,
            lambda refused: asked.answer({"refused": None} if refused is None else self._refusal(asked, refused)),
            lambda: asked.answer({"refused": None, "waits": SHOE}),
            asked.session,
        )

    def _link(self, asked: Asked) -> None:
        device, wanted = self._device(asked.request), of(asked.request, "up", bool)
        if self._links()[device] is wanted:
            asked.answer({"ok": True})
        else:
            self._link_waiters.append(_Waiter(device, wanted, asked))

    def _health(self, asked: Asked) -> None:
        asked.answer({"health": self._health_of() if self._health_of is not None else {}})

    # --- what they need ----------------------------------------------------------------------------------------------

    def _device(self, request: Request) -> str:
        device, links = of(request, "device", str), self._links()
        if device not in links:
            raise RequestError(f"device: expected one of {', '.join(links)}, got {device!r}")
        return device

    def _command(self, asked: Asked, what: object) -> None:
        """Let something happen, if the gate lets it."""
        if stalled(self._pump, asked):
            return

        def reply(refused: Why | None) -> None:
            asked.answer({"ok": True} if refused is None else self._refusal(asked, refused))

        self._pump.enqueue(of_session(asked.session, what, reply))

    def _refusal(self, asked: Asked, why: Why) -> dict[str, object]:
        """That something is refused, as the one who asked may hear it."""
        answer = refusal_answer(why)
        return answer if self.sees_cards(asked.session) else discretion.refusal(self._pump.table, answer)

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


def _proposed(tables: Tables, name: str, session: Session) -> Note | str:
    """Propose a table."""
    refused = tables.propose(name, session.name, session.role)
    said = {"table-proposed": name, "by": session.name, "role": session.role}
    return refused if refused is not None else Note(json.dumps(said, ensure_ascii=False))


def _told(words: list[str]) -> Told:
    """Where the next card will lie."""
    exposed = words[1:] == ["exposed"]
    if not words or (len(words) > 1 and not exposed):
        raise RequestError("place: expected PLACE [exposed]")
    try:
        return Told(place(words[0]), exposed)
    except PlaceError as error:
        raise RequestError(str(error)) from error


#: What only the machine itself can say.
_NOT_SAID = frozenset({ev.PowerCut, ev.PowerOn, ev.Restarted, ev.LinkLost, ev.LinkBack})


class Kind(NamedTuple):
    """A kind of request: what answers it, whether the reading socket does, and whether it commands."""

    answer: Callable[[Requests, Asked], None]
    reads: bool = False
    commands: bool = False


def _of_people(answer: Callable[[Pump, Asked], None]) -> Callable[[Requests, Asked], None]:
    """A request that needs the pump alone."""
    return lambda requests, asked: answer(requests._pump, asked)  # noqa: SLF001  the table of this class's own requests


def _of_links(answer: Callable[[Pump, PairingDesk | None, Asked], None]) -> Callable[[Requests, Asked], None]:
    """A request that needs the desk at which devices are paired too."""
    return lambda requests, asked: answer(requests._pump, requests._desk, asked)  # noqa: SLF001


def _of_past(answer: Callable[[PastRounds, Asked], None]) -> Callable[[Requests, Asked], None]:
    """A request that needs what reads past rounds."""
    return lambda requests, asked: answer(requests._past, asked)  # noqa: SLF001


REQUESTS: dict[str, Kind] = {
    "table": Kind(Requests._table, commands=True),  # noqa: SLF001  the table of this class's own requests
    "say": Kind(Requests._say, commands=True),  # noqa: SLF001
    "expect": Kind(Requests._expect),  # noqa: SLF001
    "report": Kind(Requests._report),  # noqa: SLF001
    "status": Kind(Requests._status, reads=True),  # noqa: SLF001
    "scene": Kind(Requests._scene, reads=True),  # noqa: SLF001
    "watch": Kind(Requests._watch, reads=True),  # noqa: SLF001
    "seen": Kind(Requests._seen),  # noqa: SLF001
    "link": Kind(Requests._link),  # noqa: SLF001
    LOGIN: Kind(_of_people(log_in), commands=True),
    LOGOUT: Kind(_of_people(log_out), commands=True),
    "clear": Kind(_of_people(clear), commands=True),
    "dispute": Kind(_of_past(dispute), commands=True),
    "accept": Kind(_of_people(accept), commands=True),
    "accept-key": Kind(_of_people(accept_key), commands=True),
    "people": Kind(_of_people(people), commands=True),
    "propose-person": Kind(_of_people(propose), commands=True),
    "confirm-person": Kind(_of_people(confirm), commands=True),
    "pair": Kind(_of_links(pair), commands=True),
    "confirm-pairing": Kind(_of_links(confirm_pairing), commands=True),
    "set-register-aside": Kind(_of_links(set_aside), commands=True),
    "confirm-register-aside": Kind(_of_links(confirm_aside), commands=True),
    "rounds": Kind(_of_past(PastRounds.tell_rounds), reads=True),
    "round": Kind(_of_past(PastRounds.tell_round), reads=True),
    "health": Kind(Requests._health, reads=True),  # noqa: SLF001
}
