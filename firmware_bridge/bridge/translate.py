"""Device messages become events of the table.

1. One message is at most one event. What means nothing to the game (a jam, a key switch) is none; it is in the journal
   all the same, with its bytes.
2. A card that left a place and arrives at another was moved: the two messages of the hub are one event. A card of the
   same face that leaves the shoe meanwhile is the one that arrives, and what is lifted when a round is over goes away.
3. Where places are not sensed, a person tells the place of a card before it is drawn (`tell`); the next cards that the
   shoe reports lie where they were told, in that order. A card of which nothing was told belongs at the proper place.
4. A card that a device tells outside the flow of its own game has left the shoe like any other. Of one that may be
   real or a copy nobody can say whether it counts: it is reported as a person would, so that the table holds.
5. What a button means depends on how the round stands: `presses` says it. Every other message means the same always,
   so that messages which arrive together can be made durable together.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from drivers.angel_eye import messages as angel_eye
from drivers.hub import messages as hub
from drivers.meter import messages as meter
from drivers.shoe import messages as shoe
from drivers.shuffler import messages as shuffler
from gamecore.model import events as ev
from gamecore.model.cards import Card, card
from gamecore.model.events import Event
from gamecore.model.places import Place

INSURANCE = "insurance"
UNCOVERED = "uncovered"


class Told(NamedTuple):
    """Where the next card will lie, as a person says."""

    place: Place
    exposed: bool


class Lifted(NamedTuple):
    """A card left a place; where it goes is told later."""

    card: Card
    place: Place


class Translator:
    """What a table's devices have said so far, as far as one message explains another."""

    def __init__(self, *, places_sensed: bool) -> None:
        """Nothing has been told, and every card lies."""
        self._places_sensed = places_sensed
        self._told: deque[Told] = deque()
        self._lifted: list[tuple[Card, Place]] = []

    def tell(self, told: Told) -> None:
        """A person tells where the next card will lie."""
        self._told.append(told)

    def lift(self, lifted: Lifted) -> None:
        """A card left a place."""
        self._lifted.append((lifted.card, lifted.place))

    def repeats(self, event: Event) -> None:
        """Take note of an event that was translated before, when the journal is read again."""
        match event:
            case ev.CardDrawn(drawn, told):
                self._not_lifted(str(drawn))
                if told is not None and self._told:
                    self._told.popleft()
            case ev.CardsPulled(cards):
                self._not_lifted(*map(str, cards))
            case ev.CardMoved(moved, source) if (moved, source) in self._lifted:
                self._lifted.remove((moved, source))
            case _:
                pass

    def round_commences(self) -> None:
        """The cards of the last round are gone."""
        self._lifted.clear()

    def event(self, message: object) -> Event | Lifted | None:
        """The event that a message means; None if it means nothing to the game."""
        match message:
            case shoe.CardOut(seen, _, face_up):
                return self._out(seen, face_up=face_up)
            case angel_eye.OutsideFlow(seen):
                return self._out(seen, face_up=False)
            case angel_eye.CardDoubtful() | angel_eye.CardAgain():
                return ev.Call(UNCOVERED)
            case shoe.CardsOut(cards, ordered):
                return self._pulled(cards, ordered=ordered)
            case hub.CardArrived() | hub.CardLeft():
                return self._on_table(message)
            case hub.Chips():
                return _chips(message)
            case meter.Multiplier(place, multiplier):
                return ev.Jackpot(Place(*place), multiplier)
            case _:
                return _plain(message)

    def _out(self, seen: str, *, face_up: bool) -> Event:
        """A card left the shoe."""
        self._not_lifted(seen)
        if self._places_sensed or not self._told:
            return ev.CardDrawn(card(seen), None, face_up)
        told = self._told.popleft()
        return ev.CardDrawn(card(seen), told.place, face_up, told.exposed)

    def _pulled(self, cards: tuple[str, ...], *, ordered: bool) -> Event | None:
        """Several cards left the shoe."""
        self._not_lifted(*cards)
        return ev.CardsPulled(tuple(card(text) for text in cards), (), ordered) if cards else None

    def _not_lifted(self, *drawn: str) -> None:
        """The next cards of these faces that arrive come from the shoe."""
        self._lifted = [pair for pair in self._lifted if str(pair[0]) not in drawn]

    def _on_table(self, message: hub.CardArrived | hub.CardLeft) -> Event | Lifted:
        """A card left a place, or arrived at one: from the shoe, or from the place that it left before."""
        seen, where = card(message.card), Place(*message.place)
        if isinstance(message, hub.CardLeft):
            self.lift(Lifted(seen, where))
            return Lifted(seen, where)
        lifted = next((pair for pair in self._lifted if pair[0] == seen), None)
        if lifted is None:
            return ev.CardLaid(seen, where, message.exposed)
        self._lifted.remove(lifted)
        return ev.CardMoved(seen, lifted[1], where)


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
