"""What reaches the table computer, and when, where cables and power fail.

1. Every event is carried by a device. While the device is unplugged, what it saw waits in it, and arrives in order when
   it is plugged in again, after the news that it is back.
2. While the table computer is without power nothing reaches it. What the devices saw arrives in order after the power.
3. What a person can say at the console as well as at the panel is said at the console while the panel is away.
4. A sensor that is not fitted carries nothing: a person tells the same at the console, which has no cable here. So
   does what no sensor sees: whose chips they are, which card was moved where places only count.
"""

from __future__ import annotations

from typing import NamedTuple

from gamecore.model import events as ev
from gamecore.model.events import Event


class Arrival(NamedTuple):
    """An event and the line of its statement."""

    line: int
    event: Event


class Links:
    """The cables between the devices and the table computer."""

    def __init__(self, sensors: frozenset[str]) -> None:
        """Everything is plugged in and powered."""
        self._sensors = sensors
        self._dark = False
        self._in_the_dark: list[Arrival] = []
        self._unplugged: dict[str, list[Arrival]] = {}

    def send(self, sent: Arrival) -> list[Arrival]:
        """What reaches the table computer now that this has happened."""
        match sent.event:
            case ev.PowerCut() if self._dark:
                return []
            case ev.PowerCut():
                self._dark = True
                return [sent]
            case ev.PowerOn() if not self._dark:
                return []
            case ev.PowerOn():
                waiting, self._in_the_dark, self._dark = self._in_the_dark, [], False
                return [sent, *(arrival for kept in waiting for arrival in self._through(kept))]
            case _ if self._dark:
                self._in_the_dark.append(sent)
                return []
            case _:
                return self._through(sent)

    def _through(self, sent: Arrival) -> list[Arrival]:
        match sent.event:
            case ev.LinkLost(device):
                news = [] if device in self._unplugged else [sent]
                self._unplugged.setdefault(device, [])
                return news
            case ev.LinkBack(device):
                waiting = self._unplugged.pop(device, None)
                return [] if waiting is None else [sent, *waiting]
            case event:
                device = carrier(event, self._sensors)
                if device in self._unplugged:
                    self._unplugged[device].append(sent)
                    return []
                return [sent]


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
        case ev.CardLaid():
            return "hub" if sensors & {"positions", "positions-count"} else "console"
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
