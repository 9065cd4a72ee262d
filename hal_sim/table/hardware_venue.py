"""A scenario played by simulated devices: what happens reaches the table through wires, drivers, journal and pump.

1. Each event is done by the device that carries it (`gamecore.notation.playing.links.carrier`): a card leaves the
   simulated shoe, chips lie down before the hub, a button of the panel is pressed. What no device carries is said at
   the console.
2. The next thing happens when the table has taken the last one, as with people, who are slower than wires. Only the two
   reports of one card may overtake each other: that is what skewed links are for.
3. What an unplugged device sees stays in it and counts when it is plugged in again.
4. A press says its option and place, as the statement does. With `one_press` it says neither if the state of the round
   tells what is meant: BETS, OFFER, CLOSE, and a decision about the hand whose turn it is. Whether it does is decided
   by what the daemon says of the round beforehand, not by what it would make of the press.
5. With a `fitting` the hub sees no more of cards that people handle than a real one does (`hub_fittings`).
6. A bare press of a button (`press`) and the key switch (`turn_key`) are not statements: the daemon says what a press
   means. Without power nothing can be pressed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gamecore.model.cards import Card, card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.model.places import Place, place
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.notation.playing.links import carrier
from gamecore.notation.syntax import Claim, Header, Noise, NotationError
from gamecore.notation.writer import write_event, write_header
from hal_sim.devices.hub_fittings import Fitting, Hands
from hal_sim.table.sim_table import SimTable

CONSOLE, PANEL, SHOE = "console", "panel", "shoe"

#: The buttons that say one thing, and those whose option says which.
_BUTTONS: dict[type, tuple[str, int]] = {
    ev.PlaceBets: ("bets", 1),
    ev.NoMoreBets: ("bets", 2),
    ev.Interim: ("interim", 0),
    ev.Settle: ("settle", 0),
    ev.Hit: ("hit", 0),
    ev.Stand: ("stand", 0),
    ev.Double: ("double", 0),
    ev.Split: ("split", 0),
    ev.FreeDouble: ("free-double", 0),
    ev.FreeSplit: ("free-split", 0),
    ev.Surrender: ("surrender", 1),
    ev.Rescue: ("surrender", 2),
    ev.Insure: ("insure", 1),
    ev.EvenMoney: ("insure", 2),
    ev.Collect: ("collect", 0),
    ev.Pay: ("pay", 0),
}
_OFFERS = {"insurance": 1, "surrender": 2}
_DECISIONS = ev.Hit | ev.Stand | ev.Double | ev.Split | ev.FreeDouble | ev.FreeSplit
_BETWEEN = frozenset(state.value for state in BETWEEN_ROUNDS)


class Act(NamedTuple):
    """One message of a device."""

    name: str
    fields: dict[str, object]


class Sent(NamedTuple):
    """An event of a device that the table has not answered yet."""

    device: str
    number: int
    line: int


class Hardware:
    """One scenario at a simulated table, which is reused from file to file."""

    def __init__(
        self, table: SimTable, header: Header, *, one_press: bool = False, fitting: Fitting | None = None
    ) -> None:
        """Set the daemon's table up as the header says, with every cable plugged in."""
        self._hands = None if fitting is None else Hands(fitting, header)
        self._table = table
        self._header = header
        self._one_press = one_press
        self._unplugged: dict[str, list[Sent]] = {}
        self._sent: list[Sent] = []
        self._dark = False
        self._meanwhile: list[tuple[int, Event]] = []
        for name in table.all_plugged():
            self._ask(do="link", device=name, up=True)
        if table.roles:
            self._end_round()
            table.put(header)
            for name in table.names:
                self._ask(do="link", device=name, up=True)
        else:
            set_up = write_header(replace(header, shoe=(), seed=0))  # no undealt card is known
            self._ask(do="table", header=set_up, abandon=True)

    def _end_round(self) -> None:
        """Where there are roles a round that is on ends by a ruling."""
        if self._ask(do="status")["state"] in _BETWEEN:
            return
        self._say(0, "call foreign-card")
        if self._ask(do="status")["state"] == State.HELD.value:  # what was said is to be confirmed
            self._say(0, "approve pit-manager foreign-card")

    # --- what happens ------------------------------------------------------------------------------------------------

    def happen(self, line: int, event: Event) -> None:
        """Let the device that carries the event do it, and wait until the table has taken it."""
        for seen in [event] if self._hands is None else self._hands.sightings(event):
            self._happen(line, seen)

    def _come_to_rest(self) -> None:
        """Nobody holds a card in the air when somebody looks."""
        for seen in [] if self._hands is None else self._hands.rest():
            self._happen(0, seen)

    def _happen(self, line: int, event: Event) -> None:
        if self._sent and not isinstance(event, ev.CardLaid | ev.CardLifted):
            self._await_applied()
        match event:
            case ev.PowerCut():
                self._cut_power()
            case ev.PowerOn():
                self._power_on()
            case ev.Restarted() if not self._dark:
                self._table.kill()
                self._start_again()
            case _ if self._dark:
                self._meanwhile.append((line, event))
            case ev.LinkLost(device):
                self._unplug(device)
            case ev.LinkBack(device):
                self._plug(device)
            case _:
                device = carrier(event, self._header.sensors)
                if device == CONSOLE:
                    self._say(line, write_event(event))
                else:
                    self._perform(line, device, event)
        overtakes = isinstance(event, ev.CardDrawn | ev.CardLifted) and self._header.places_sensed
        if not (self._table.skewed and overtakes):
            self._await_applied()

    def _cut_power(self) -> None:
        """The computer loses its power at once."""
        if not self._dark:
            self._dark = True
            self._table.kill()

    def _power_on(self) -> None:
        """The computer restarts; what happened in the dark reaches it now, in the order in which it happened."""
        if self._dark:
            self._dark = False
            self._table.new_boot()
            self._start_again()
            meanwhile, self._meanwhile = self._meanwhile, []
            for line, event in meanwhile:
                self._happen(line, event)

    def _start_again(self) -> None:
        self._table.start_daemon()
        for name in self._table.names:
            if name not in self._unplugged:
                self._ask(do="link", device=name, up=True)

    def _perform(self, line: int, device: str, event: Event) -> None:
        if isinstance(event, ev.CardDrawn) and event.told is not None:
            self._say(line, f"place {event.told}{' exposed' if event.exposed else ''}")
        for act in self._shortened(event) if self._one_press else acts(event):
            sent = Sent(device, self._table.device(device).event(act.name, **act.fields), line)
            self._unplugged.get(device, self._sent).append(sent)
        if isinstance(event, ev.CardsPulled) and event.shown and device not in self._unplugged:
            self._await_applied()
            self._say(line, write_event(ev.CardsDisclosed(event.shown)))

    def press(self, button: str, option: int, where: Place, amount: int) -> int:
        """Press a button of the panel, and wait until the table has taken it; return the number of its event.

        Raises:
            NotationError: the table refuses it.
        """
        return self._panel(Act("Press", {"button": button, "option": option, "place": list(where), "amount": amount}))

    def turn_key(self, *, on: bool) -> int:
        """Turn the supervisor's key switch."""
        return self._panel(Act("KeySwitch", {"on": on}))

    def _panel(self, act: Act) -> int:
        if self._dark:
            raise NotationError(0, "the table computer has no power")
        self._await_applied()
        number = self._table.device(PANEL).event(act.name, **act.fields)
        self._unplugged.get(PANEL, self._sent).append(Sent(PANEL, number, 0))
        self._await_applied()
        return number

    @property
    def dark(self) -> bool:
        """Whether the table computer is without power."""
        return self._dark

    @property
    def unplugged(self) -> tuple[str, ...]:
        """The devices whose cables are out."""
        return tuple(self._unplugged)

    def _shortened(self, event: Event) -> list[Act]:
        """What a device says, a press without what goes without saying."""
        return [
            Act(act.name, {**act.fields, "option": 0, "place": [0, 0, 0]})
            if act.name == "Press" and self._goes_without_saying(event)
            else act
            for act in acts(event)
        ]

    def _goes_without_saying(self, event: Event) -> bool:
        """Whether the round stands so that the button alone can only mean this."""
        match event:
            case ev.PlaceBets():
                return self._ask(do="status")["state"] in _BETWEEN
            case ev.NoMoreBets():
                return self._ask(do="status")["state"] == State.BETTING.value
            case ev.Offer(what) | ev.Close(what):
                allowed = [other for other in _OFFERS if self._allowed(type(event)(other))]
                return allowed[:1] == [what]
            case _ if isinstance(event, _DECISIONS):
                status = self._ask(do="status")
                if status["state"] != State.PLAYER_TURN.value or status["next"] is None:
                    return False
                said, turn = event.place, place(str(status["next"]))
                return said.box == turn.box and said.hand in {0, turn.hand or 1} and not said.slot
            case _:
                return False

    def _allowed(self, command: Command) -> bool:
        """Whether the daemon would take a command."""
        return self._ask(do="expect", claim=f"refused {write_event(command)}")["failure"] is not None

    def _say(self, line: int, statement: str) -> None:
        """Say something at the console; on a table with roles another person approves than the one who speaks."""
        second = statement.startswith("approve")
        refused = self._ask(second=second, do="say", statement=statement).get("refused")
        if refused is not None:
            raise NotationError(line, str(refused))

    def _unplug(self, device: str) -> None:
        if device not in self._unplugged:
            self._unplugged[device] = []
            self._table.device(device).unplug()
            self._ask(do="link", device=device, up=False)

    def _plug(self, device: str) -> None:
        kept = self._unplugged.pop(device, None)
        if kept is not None:
            self._table.device(device).plug()
            self._ask(do="link", device=device, up=True)
            self._sent += kept

    def _await_applied(self) -> None:
        """Wait until everything that was sent is applied; the first refusal ends the playing."""
        sent, self._sent = self._sent, []
        for one in sent:
            answer = self._ask(do="seen", device=one.device, number=one.number)
            while "waits" in answer and SHOE not in self._unplugged:  # nobody has pulled its plug: it comes back itself
                self._ask(do="link", device=SHOE, up=True)
                answer = self._ask(do="seen", device=one.device, number=one.number)
            if "waits" in answer:  # until the shoe is plugged in
                self._unplugged[SHOE].append(one)
            elif answer["refused"] is not None:
                raise NotationError(one.line, str(answer["refused"]))

    def _ask(self, *, second: bool = False, **request: object) -> dict[str, object]:
        answer = (self._table.second if second else self._table.control).ask(**request)
        if "error" in answer:
            problem = f"the daemon does not understand {request}: {answer['error']}"
            raise RuntimeError(problem)
        return answer

    def noise(self, noise: Noise) -> None:
        """Damage what goes over a link from now on."""
        self._come_to_rest()
        self._await_applied()
        self._table.device(noise.device).noise(noise.rate)

    # --- what came of it ---------------------------------------------------------------------------------------------

    def check(self, claim: Claim, text: str) -> str | None:
        """Ask the daemon whether a claim holds."""
        del claim
        self._come_to_rest()
        self._await_applied()
        failure = self._ask(do="expect", claim=text.split(maxsplit=1)[1])["failure"]
        return None if failure is None else str(failure)

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs, as the daemon says."""
        self._come_to_rest()
        following = self._ask(do="status")["next"]
        return None if following is None else place(str(following))

    @property
    def on_table(self) -> list[Card]:
        """The cards that lie on the table in a round that is on."""
        dealt = self._ask(do="status")["on_table"]
        return [card(text) for text in dealt] if isinstance(dealt, list) else []

    @property
    def events(self) -> tuple[Event, ...]:
        """Empty: the daemon's journal has them."""
        return ()

    def report(self) -> dict[str, object]:
        """The daemon's report."""
        self._come_to_rest()
        self._await_applied()
        report = self._ask(do="report")["report"]
        return dict(report) if isinstance(report, dict) else {}


def acts(event: Event) -> list[Act]:
    """What a device says when an event happens before its sensors."""
    match event:
        case ev.CardDrawn(drawn, _, face_up):
            return [Act("CardOut", {"card": str(drawn), "face_up": face_up})]
        case ev.CardsPulled(pulled, _, ordered):
            return [Act("CardsOut", {"cards": [str(member) for member in pulled], "ordered": ordered})]
        case ev.CardLaid(laid, where, exposed):
            return [Act("CardArrived", {"place": list(where), "card": str(laid), "exposed": exposed})]
        case ev.CardLifted(lifted, where):
            return [Act("CardLeft", {"place": list(where), "card": str(lifted)})]
        case ev.CardMoved(moved, source, target):
            left = Act("CardLeft", {"place": list(source), "card": str(moved)})
            return [left, Act("CardArrived", {"place": list(target), "card": str(moved), "exposed": True})]
        case ev.WagerPlaced(where, kind, amount):
            return [Act("Chips", {"place": list(where), "kind": kind, "change": amount, "emptied": False})]
        case ev.WagerRemoved(where, kind, amount):
            emptied = amount is None
            return [Act("Chips", {"place": list(where), "kind": kind, "change": -(amount or 0), "emptied": emptied})]
        case ev.Jackpot(where, multiplier):
            return [Act("Multiplier", {"place": list(where), "multiplier": multiplier})]
        case ev.Shuffled(method, times):
            return [Act("ShuffleComplete", {"method": method, "times": times})]
        case _:
            return [_plain(event) or _press(event)]


def _plain(event: Event) -> Act | None:
    match event:
        case ev.CuttingCardOut():
            return Act("CuttingCard", {})
        case ev.ShoeEmpty():
            return Act("Empty", {})
        case ev.ShoeCounted(count):
            return Act("Count", {"cards": count})
        case ev.Loaded(count):
            return Act("Loaded", {"cards": count})
        case ev.CardPushedBack(pushed):
            return Act("PushedBack", {"card": str(pushed)})
        case ev.ShoeOpened():
            return Act("Cover", {"open": True})
        case ev.CardsTurned(box):
            return Act("CardsTurned", {"box": box})
        case ev.DiscardCounted(count):
            return Act("DiscardCount", {"cards": count})
        case _:
            return None


def _press(event: Event) -> Act:
    """The button that means the event, whatever the state."""
    match event:
        case ev.Offer(what):
            return Act("Press", {"button": "offer", "option": _OFFERS[what]})
        case ev.Close(what):
            return Act("Press", {"button": "close", "option": _OFFERS[what]})
        case _:
            button, option = _BUTTONS[type(event)]
            where = getattr(event, "place", Place(0))
            amount = getattr(event, "amount", None) or 0
            return Act("Press", {"button": button, "option": option, "place": list(where), "amount": amount})
