"""What may be asked over the daemon's sockets, and what is answered: `REQUESTS`.

1. ``say`` takes a statement of deal notation. ``place PLACE [exposed]`` tells where the next card will lie, on a table
   without position sensors or while its hub is away. Nobody can say what a fitted device reports. ``why`` says why a
   command would be refused, and changes nothing.
2. On a table with roles anyone at the control socket must log in first (``login``), and may command what their role
   allows; the answer is ``refused`` otherwise. ``clear`` ends alarms, with a reason; ``accept`` accepts a new program,
   ``accept-key`` a segment after a lost key, ``document`` a document of the house; ``dispute`` and ``note`` mark a
   round. ``people`` and its companions change who may log in, ``pair`` and ``set-register-aside`` which devices are
   heard. The reading socket answers without a login what `Kind` marks as `reads`, and nothing else.
3. ``table`` changes the table, between rounds. With roles it must be one that the configuration names: one person
   proposes it, another confirms it by the same request (`people.table_changes`), and only a ruling ends a round early.
   Without roles any header will do, and ``abandon`` gives up a round in play; the journal says so. A header with a
   prepared shoe is refused: no undealt card is known.
4. While the journal cannot be written, every request that writes a row is refused, except ``login`` and ``logout``.
5. A card that does not lie open is named only at the control socket: to surveillance and to pit managers and above, on
   an open table to everyone. `shown.discretion` says what others are told.
6. Rounds that are over are read beside the loop (`past_rounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import NamedTuple

from firmware_bridge.control.document_requests import document
from firmware_bridge.control.link_requests import confirm_aside, confirm_pairing, pair, set_aside
from firmware_bridge.control.past_rounds import PastRounds
from firmware_bridge.control.people_requests import confirm, people, propose
from firmware_bridge.control.request_values import Asked, Request, RequestError, of
from firmware_bridge.control.sessions import (
    accept,
    accept_key,
    clear,
    dispute,
    duty,
    log_in,
    log_out,
    note,
    of_session,
    stalled,
)
from firmware_bridge.control.table_requests import set_up
from firmware_bridge.daemon.health import Health
from firmware_bridge.inputs.device_messages import NextPlace
from firmware_bridge.links.pairing import DevicePairing
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, SURVEILLANCE
from firmware_bridge.people.guard import Session
from firmware_bridge.pump.pump import Pump, Watcher
from firmware_bridge.pump.shoe_first import SHOE
from firmware_bridge.shown import discretion
from firmware_bridge.shown.advice import Around
from firmware_bridge.shown.news_type import News
from firmware_bridge.shown.scene import scene
from firmware_bridge.shown.scene_held import open_alarm
from firmware_bridge.shown.scene_type import LiveScene
from firmware_bridge.texts.denials import Ground, Why, deny, refusal_answer
from gamecore.model.events import events as ev
from gamecore.model.places import PlaceError, place
from gamecore.notation.expect.checks import check
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line
from gamecore.notation.parser import read_statement
from gamecore.notation.playing.links import carrier
from gamecore.notation.syntax import Claim, Draw, Load, Noise, Pull
from gamecore.rules.games import GAMES
from gamecore.table import PHYSICAL
from gamecore.view.veil import BACK

LOGIN, LOGOUT = "login", "logout"
_SEES_CARDS = frozenset({SURVEILLANCE, PIT_MANAGER, SHIFT_MANAGER})


class _Waiter(NamedTuple):
    """A request that waits for a device to come or to go."""

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
        pairing: DevicePairing | None = None,
        name: str = "",
    ) -> None:
        """Answer for this pump, whose table is called `name`.

        `links` says of each device whether it is there, `health` how the daemon is; `pairing` pairs devices.
        """
        self._pump = pump
        self._links, self._name = links, name
        self._health_of, self._pairing = health, pairing
        self._past = PastRounds(pump, self.sees_cards)
        self._link_waiters: list[_Waiter] = []
        pump.listeners.append(self._news)

    @property
    def open(self) -> bool:
        """Whether the table has no roles: everybody may do everything."""
        return self._pump.guard is None

    def sees_cards(self, session: Session) -> bool:
        """Whether a session may be told every card."""
        return not session.reads and (self.open or session.role in _SEES_CARDS)

    def needs(self, session: Session, watcher: Watcher) -> bool:
        """Whether a connection that asks nothing may stay: it has a login or hears news, or the table is open."""
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
            asked.deny(Ground.CONTROL_SOCKET_ONLY, statement=do)
        elif not (session.reads or self.open or session.role or do in {LOGIN, LOGOUT}):
            asked.deny(Ground.LOGIN_NEEDED, statement=do)
        else:
            kind.answer(self, asked)

    def news_for(self, session: Session, news: News) -> Mapping[str, object]:
        """The news as a session may hear them."""
        return news if self.sees_cards(session) else discretion.news(self._pump.table, news)

    def close(self) -> None:
        """Close what answers: nothing more is asked."""
        self._past.close()
        if self._pump.guard is not None:
            self._pump.guard.close()

    def gone(self, session: Session, watcher: Watcher) -> None:
        """Forget a connection that has ended, and everything that it waits for."""
        self._pump.watchers[:] = [other for other in self._pump.watchers if other != watcher]
        self._pump.applied.forget(session)
        if self._pump.guard is not None:
            self._pump.guard.gone(session)
        self._link_waiters = [waiter for waiter in self._link_waiters if waiter.asked.session is not session]

    def _say(self, asked: Asked) -> None:
        said = of(asked.request, "statement", str)
        words = said.split()
        if words[:1] == ["place"]:
            told = _next_place(words[1:])
            if self._pump.header.places_sensed and self._links().get("hub"):
                raise RequestError(f"'{said}' cannot be said: a device reports it")
            self._command(asked, told)
            return
        what = self._read(said)
        if isinstance(what, Claim | Draw | Pull | Load | Noise) or type(what) in _NOT_SAID or self._reported(what):
            raise RequestError(f"'{said}' cannot be said: a device reports it")
        self._command(asked, what)

    def _why(self, asked: Asked) -> None:
        what = self._read(of(asked.request, "statement", str))
        if type(what) in PHYSICAL or not isinstance(what, ev.Command):
            raise RequestError(f"'{asked.request['statement']}' is no command")
        table = self._pump.table
        refused: Why | None = table.verify(what)
        if refused is not None and not self.sees_cards(asked.session) and discretion.hides_a_card(table):
            refused = deny(Ground.CARD_FACE_DOWN)
        asked.answer({"ok": True} if refused is None else self._refusal(asked, refused))

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
            asked.deny(Ground.CARDS_NOT_SHOWN, statement="expect", roles=tuple(sorted(_SEES_CARDS)))
            return
        claim = self._read(f"expect {of(asked.request, 'claim', str)}")
        if not isinstance(claim, Claim):
            raise RequestError(f"'{asked.request['claim']}' cannot be expected")
        asked.answer({"failure": check(claim, self._pump.table)})

    def _report(self, asked: Asked) -> None:
        told = self._pump.report()
        asked.answer({"report": told if self.sees_cards(asked.session) else discretion.report(self._pump.table, told)})

    def _status(self, asked: Asked) -> None:
        pump = self._pump
        view = pump.table.view()
        place = view.next_place
        drawn = [str(drawn.card) for drawn in view.round.dealt] if view.round_is_on else []
        status: dict[str, object] = {
            "table": self._name or None,
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
        opened = () if guard is None else guard.alarms.open
        view = pump.table.view()
        live: LiveScene = {
            **scene(pump.table, Around(pump.stalled, pump.clears, pump.uncounted)),
            "table": self._name,
            "n": pump.books.journal.n,
            "links": self._links(),
            "roles": guard is not None,
            "key": guard is not None and guard.key,
            "alarms": [open_alarm(alarm, view) for alarm in opened],
            "stalled": pump.stalled or None,
            "role": asked.session.role or None,
            "program": self._health_of.program() if self._health_of is not None else None,
        }
        asked.answer({"scene": live})

    def _watch(self, asked: Asked) -> None:
        asked.answer({"ok": True})
        if asked.watcher not in self._pump.watchers:
            self._pump.watchers.append(asked.watcher)

    def _answer_when_seen(self, asked: Asked) -> None:
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
        """Enqueue what is said; the gate decides whether it happens."""
        if stalled(self._pump, asked):
            return

        def reply(refused: Why | None) -> None:
            asked.answer({"ok": True} if refused is None else self._refusal(asked, refused))

        self._pump.enqueue(of_session(asked.session, what, reply))

    def _refusal(self, asked: Asked, why: Why) -> dict[str, object]:
        """The answer that something is refused, as the one who asked may hear it."""
        answer = refusal_answer(why)
        return answer if self.sees_cards(asked.session) else discretion.refusal(self._pump.table, answer)

    def _read(self, statement: str) -> object:
        header = self._pump.header
        if not statement.strip():
            raise RequestError("nothing is said")
        return read_statement(Line(1, statement), layout_of(GAMES[header.game], header.boxes)).what

    def _news(self, news: News) -> None:
        match news:
            case {"link": {"device": device, "up": up}}:
                due = [waiter for waiter in self._link_waiters if waiter[:2] == (device, up)]
                self._link_waiters = [waiter for waiter in self._link_waiters if waiter[:2] != (device, up)]
                for waiter in due:
                    waiter.asked.answer({"ok": True})
            case _:
                pass


def _next_place(words: list[str]) -> NextPlace:
    """Where the next card will lie."""
    exposed = words[1:] == ["exposed"]
    if not words or (len(words) > 1 and not exposed):
        raise RequestError("place: expected PLACE [exposed]")
    try:
        return NextPlace(place(words[0]), exposed)
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


def _of_links(answer: Callable[[Pump, DevicePairing | None, Asked], None]) -> Callable[[Requests, Asked], None]:
    """A request that needs the pairing of devices too."""
    return lambda requests, asked: answer(requests._pump, requests._pairing, asked)  # noqa: SLF001


def _of_past(answer: Callable[[PastRounds, Asked], None]) -> Callable[[Requests, Asked], None]:
    """A request that needs what reads past rounds."""
    return lambda requests, asked: answer(requests._past, asked)  # noqa: SLF001


REQUESTS: dict[str, Kind] = {
    "table": Kind(_of_people(set_up), commands=True),
    "say": Kind(Requests._say, commands=True),  # noqa: SLF001  the table of this class's own requests
    "why": Kind(Requests._why),  # noqa: SLF001
    "expect": Kind(Requests._expect),  # noqa: SLF001
    "report": Kind(Requests._report),  # noqa: SLF001
    "status": Kind(Requests._status, reads=True),  # noqa: SLF001
    "scene": Kind(Requests._scene, reads=True),  # noqa: SLF001
    "watch": Kind(Requests._watch, reads=True),  # noqa: SLF001
    "seen": Kind(Requests._answer_when_seen),  # noqa: SLF001
    "link": Kind(Requests._link),  # noqa: SLF001
    LOGIN: Kind(_of_people(log_in), commands=True),
    LOGOUT: Kind(_of_people(log_out), commands=True),
    "duty": Kind(_of_people(duty), reads=True),
    "clear": Kind(_of_people(clear), commands=True),
    "dispute": Kind(_of_past(dispute), commands=True),
    "note": Kind(_of_past(note), commands=True),
    "document": Kind(_of_people(document), commands=True),
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
