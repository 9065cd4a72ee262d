"""What reaches the table computer, and when, where cables and power fail.

1. Every event is carried by a device. While the device is unplugged, what it saw waits in it, and arrives in order when
   it is plugged in again, after the news that it is back.
2. While the table computer is without power nothing reaches it. What the devices saw arrives in order after the power.
3. The console has no cable here: what it carries does not wait while the panel is away. Announcements, answers to
   offers and decisions go by the panel where it is fitted, and wait.
4. A sensor that is not fitted carries nothing: a person tells the same at the console. The console also carries what no
   sensor sees: whose chips they are, which card was moved where places only count.
5. While the shoe is unplugged, a card that lies and can be none of those that have left the shoe waits for the shoe's
   report, and so does what the hub says after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event

SHOE, HUB = "shoe", "hub"


class Arrival(NamedTuple):
    """An event and the line of its statement."""

    line: int
    event: Event


class Links:
    """The cables between the devices and the table computer."""

    def __init__(self, sensors: frozenset[str], on_its_way: Callable[[Card], int]) -> None:
        """Everything is plugged in and powered; `on_its_way` counts cards of a face that have left the shoe."""
        self._sensors = sensors
        self._on_its_way = on_its_way
        self._behind_shoe: list[Arrival] = []
        self._dark = False
        self._in_the_dark: list[Arrival] = []
        self._unplugged: dict[str, list[Arrival]] = {}

    def send(self, sent: Arrival) -> Iterator[Arrival]:
        """What reaches the table computer now that this has happened; each is applied before the next is given."""
        match sent.event:
            case ev.PowerCut() if not self._dark:
                self._dark = True
                yield sent
            case ev.PowerOn() if self._dark:
                waiting, self._in_the_dark, self._dark = self._in_the_dark, [], False
                yield sent
                for kept in waiting:
                    yield from self._through(kept)
            case ev.PowerCut() | ev.PowerOn():
                pass
            case _ if self._dark:
                self._in_the_dark.append(sent)
            case _:
                yield from self._through(sent)

    def _through(self, sent: Arrival) -> Iterator[Arrival]:
        match sent.event:
            case ev.LinkLost(device):
                if device not in self._unplugged:
                    self._unplugged[device] = []
                    yield sent
            case ev.LinkBack(device):
                if device in self._unplugged:
                    yield sent
                    yield from self._plugged(device)
            case event:
                device = carrier(event, self._sensors)
                if device in self._unplugged:
                    self._unplugged[device].append(sent)
                elif device == HUB and SHOE in self._unplugged and (self._behind_shoe or self._comes_from_shoe(sent)):
                    self._behind_shoe.append(sent)
                else:
                    yield sent

    def _plugged(self, device: str) -> Iterator[Arrival]:
        """What a device has kept, and what has waited for it."""
        for kept in self._unplugged.pop(device):
            if device != SHOE:
                yield from self._through(kept)
                continue
            yield kept
            while self._behind_shoe and not self._comes_from_shoe(self._behind_shoe[0]):
                yield self._behind_shoe.pop(0)
        if device == SHOE:
            waiting, self._behind_shoe = self._behind_shoe, []
            yield from waiting

    def _comes_from_shoe(self, sent: Arrival) -> bool:
        """Whether a card lies that can be none of those of which the shoe has told."""
        match sent.event:
            case ev.CardLaid(card):
                counted = card is UNREAD and "positions" not in self._sensors
                return counted or not self._on_its_way(card)
            case _:
                return False


#: What one device carries whatever the sensors are.
_ALWAYS: dict[type, str] = {
    **dict.fromkeys((ev.CardDrawn, ev.CardsPulled, ev.CardPushedBack, ev.CuttingCardOut), "shoe"),
    **dict.fromkeys((ev.ShoeOpened, ev.ShoeCounted, ev.ShoeEmpty, ev.Loaded), "shoe"),
    ev.Shuffled: "shuffler",
    ev.Jackpot: "meter",
    **dict.fromkeys((ev.Seat, ev.StandUp, ev.Squeeze, ev.Agree, ev.Absent, ev.Approve), "console"),
    **dict.fromkeys((ev.Reconstructed, ev.CannotReconstruct, ev.Call, ev.Answer, ev.CardsDisclosed), "console"),
    **dict.fromkeys((ev.TakeBack, ev.Retract, ev.SensorWrong), "console"),
    **dict.fromkeys((ev.PowerCut, ev.PowerOn, ev.Restarted, ev.LinkLost, ev.LinkBack), "console"),
}


def carrier(event: Event, sensors: frozenset[str]) -> str:
    """The device that carries an event; ``console`` for what a person tells there."""
    always = _ALWAYS.get(type(event))
    if always is not None:
        return always
    match event:
        case ev.CardLaid() | ev.CardLifted():
            return HUB if sensors & {"positions", "positions-count"} else "console"
        case ev.CardMoved() | ev.CardsTurned():
            return "hub" if "positions" in sensors else "console"
        case ev.WagerPlaced(player=str()) | ev.WagerRemoved(player=str()) | ev.Insure(player=str()):
            return "console"
        case ev.WagerPlaced() | ev.WagerRemoved():
            return "hub" if "bets" in sensors else "console"
        case ev.DiscardCounted():
            return "hub" if "discard" in sensors else "console"
        case _:
            return "panel" if "panel" in sensors else "console"
