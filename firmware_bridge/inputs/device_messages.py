"""Device messages become events of the table.

1. One message is at most one event. What means nothing to the game (a jam, a key switch) is none; it is in the journal
   all the same, with its bytes.
2. A card that left a place was lifted, one that arrives was laid. Whether they are one card is for the table to say.
3. Where places are not sensed, a person tells the place of a card before it is drawn (`tell_place`). The next single
   cards that the shoe reports lie at the told places, in that order; a card for which no place was told belongs at the
   proper place.
4. A card that a device reports outside the flow of its own game has left the shoe like any other. If nobody can say
   whether a card is real or a copy, the message is a call of `uncovered` that names the shoe: the table is held, and
   nobody at the table has erred.
5. What a button means depends on how the round stands: `panel_presses` says it. What any other message means depends on
   the messages and told places before it alone, so that messages which arrive together can be made durable together.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from drivers.angel_eye import messages as angel_eye
from drivers.hub import messages as hub
from drivers.meter import messages as meter
from drivers.shoe import messages as shoe
from drivers.shuffler import messages as shuffler
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.places import Place

INSURANCE = "insurance"
UNCOVERED, SHOE = "uncovered", "shoe"


class NextPlace(NamedTuple):
    """Where the next card will lie, as a person says."""

    place: Place
    exposed: bool


class Translator:
    """What a table's devices have said so far that explains a later message."""

    def __init__(self, *, places_sensed: bool) -> None:
        """Nothing has been told."""
        self._places_sensed = places_sensed
        self._told: deque[NextPlace] = deque()

    def kept(self) -> list[object]:
        """What was told, as plain data."""
        return [self._places_sensed, *([*told.place, told.exposed] for told in self._told)]

    @classmethod
    def resumed(cls, said: list[Any]) -> Translator:
        """One that goes on from what was told."""
        sensed, *told = said
        made = cls(places_sensed=bool(sensed))
        made._told.extend(NextPlace(Place(*place), exposed) for *place, exposed in told)
        return made

    def tell_place(self, told: NextPlace) -> None:
        """Note where the next card will lie, as a person tells it."""
        self._told.append(told)

    @property
    def waits(self) -> int:
        """How many told places wait for their cards."""
        return len(self._told)

    def repeats(self, event: Event) -> None:
        """Take note of an event that was translated before, when the journal is read again."""
        if isinstance(event, ev.CardDrawn) and event.told is not None and self._told:
            self._told.popleft()

    def event(self, message: object) -> Event | None:
        """The event that a message means; None if it means nothing to the game. A card uses up its told place."""
        match message:
            case shoe.CardOut(seen, _, face_up):
                return self._out(seen, face_up=face_up)
            case angel_eye.OutsideFlow(seen):
                return self._out(seen, face_up=False)
            case angel_eye.CardDoubtful() | angel_eye.CardAgain():
                return ev.Call(UNCOVERED, device=SHOE)
            case shoe.CardsOut(cards, ordered):
                return ev.CardsPulled(tuple(card(text) for text in cards), (), ordered) if cards else None
            case hub.CardArrived(place, seen, exposed):
                return ev.CardLaid(card(seen), Place(*place), exposed)
            case hub.CardLeft(place, seen):
                return ev.CardLifted(card(seen), Place(*place))
            case hub.Chips():
                return _chips(message)
            case meter.Multiplier(place, multiplier):
                return ev.Jackpot(Place(*place), multiplier)
            case _:
                return _plain(message)

    def _out(self, seen: str, *, face_up: bool) -> Event:
        """A card left the shoe."""
        if self._places_sensed or not self._told:
            return ev.CardDrawn(card(seen), None, face_up)
        told = self._told.popleft()
        return ev.CardDrawn(card(seen), told.place, face_up, told.exposed)


def _chips(message: hub.Chips) -> Event | None:
    """Chips arrived at a betting spot or left it; Insurance has a spot of its own."""
    place = Place(*message.place)
    if message.kind == INSURANCE:
        return ev.Insure(place, message.change) if message.change > 0 else None
    if message.change > 0:
        return ev.WagerPlaced(place, message.kind, message.change)
    if message.change == 0 and not message.emptied:
        return None
    return ev.WagerRemoved(place, message.kind, None if message.emptied else -message.change)


def _plain(message: object) -> Event | None:
    """Messages that are events word for word."""
    match message:
        case shoe.CuttingCard():
            return ev.CuttingCardOut()
        case shoe.Empty():
            return ev.ShoeEmpty()
        case shoe.Count(cards):
            return ev.ShoeCounted(cards)
        case shoe.Loaded(cards):
            return ev.Loaded(cards)
        case shuffler.ShuffleComplete(method, times):
            return ev.Shuffled(method, times)
        case hub.CardsTurned(box):
            return ev.CardsTurned(box)
        case hub.DiscardCount(cards):
            return ev.DiscardCounted(cards)
        case shoe.PushedBack(text):
            return ev.CardPushedBack(card(text))
        case shoe.Cover(opened) if opened:
            return ev.ShoeOpened()
        case _:
            return None
