"""An account of the layout by the events alone, to hold the records against.

1. Where places are read, or told, it knows faces and boxes, not which of two equal cards is which; a card with a unique
   code equals no other. Where places only count, it knows how many cards lie at each box.
2. What an event leaves open ends the account for that round: a card that nobody has seen leave, an unreadable one, one
   that is presumed to lie where it counts; where places count, an arrival while several cards are out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.events.facts import CountedCard
from gamecore.model.places import DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.notation.syntax import Header

_LEFT_OPEN = (events.CardPushedBack, events.TakeBack, events.CardsDisclosed, events.Retract)


class Layout:
    """Which faces lie at which box, by the events alone."""

    def __init__(self) -> None:
        """Nothing is out."""
        self.certain = True
        self.due: Place | None = None  # where a card was due before the event
        self.known: set[tuple[str, int]] = set()  # which face lay at which box before it, by the records
        self.transit: Counter[str] = Counter()
        self.lies: Counter[tuple[str, int]] = Counter()
        self.loose: Counter[str] = Counter()  # lifted, or perhaps cleared away: where they lie is open

    def see(self, t: TableState, event: Event) -> None:
        """Follow an event."""
        match event:
            case events.PlaceBets():
                self._begin(t)
            case events.CardDrawn(card):
                self._drawn([card])
            case events.CardsPulled(cards):
                self._drawn(cards)
            case events.CardLaid(card, place):
                self._laid(_name(card) if card is not UNREAD else "", place, waits=t.round.out_of_order)
            case events.CardMoved(card, source, target):
                self._moved(_name(card), source, target)
            case events.CardLifted(card, place):
                if self.lies[_name(card), place.box]:
                    self.loose[_name(card)] += 1
            case events.Reconstructed():  # what is on its way is taken to have arrived
                self.certain = self.certain and not self.transit.total()
            case _ if isinstance(event, _LEFT_OPEN):
                self.certain = False

    def _begin(self, t: TableState) -> None:
        self.transit, self.lies, self.loose = Counter(), Counter(), Counter()
        self.certain = not t.round.records

    def _drawn(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self.certain = self.certain and card is not UNREAD
            self.transit[_name(card)] += 1

    def _laid(self, face: str, place: Place, *, waits: bool) -> None:
        split = place.hand > 0 or waits  # it lay on another hand of the box, or there as a next card that is dealt now
        lying = [(box, number) for (other, box), number in self.lies.items() if other == face]
        elsewhere = any(number and (split or box != place.box) for box, number in lying)
        if not face or self.loose[face] or elsewhere:  # of equal cards, one that lies may be the one that is laid
            self.certain = False
        elif self.transit[face]:
            self.transit[face] -= 1
            self.lies[face, place.box] += 1
        else:
            self.certain = False

    def _moved(self, face: str, source: Place, target: Place) -> None:
        if self.lies[face, source.box] and not self.loose[face]:
            self.lies[face, source.box] -= 1
            self.lies[face, target.box] += 1
        else:
            self.certain = False

    def _face(self, card: Card) -> str:
        """What tells a card from others."""
        return _name(card)

    def _is_presumed(self, t: TableState) -> bool:
        """Whether nobody has seen a card lie where it lies."""
        return any(record.presumed for record in t.round.records)

    def faults(self, t: TableState) -> list[str]:
        """Where the records say otherwise."""
        if self._is_presumed(t):
            self.certain = False
        if not self.certain or not t.round_is_on or t.fitting.misread or "hub" in t.fitting.away:
            return []
        known = Counter(
            (self._face(r.card), r.felt.box) for r in t.round.records if _on_layout(r) and r.felt is not None
        )
        wrong = []
        for (face, box), number in self.lies.items():
            if box >= DEALER.box and number > known[face, box] + self.loose[face]:
                wrong.append(f"{number} {face} lie at {box}, {known[face, box]} are known")
        for (face, box), number in known.items():
            most = self.lies[face, box] + self.transit[face] + self.loose[face]
            if number > most:
                wrong.append(f"{number} {face} are known at {box}, {self.lies[face, box]} lie there")
        return wrong


class ToldLayout(Layout):
    """The same where a person tells each place: with the card, or none for where one is due."""

    def see(self, t: TableState, event: Event) -> None:
        """Follow an event; a ruling that is said to be carried out may say where cards lie."""
        match event:
            case events.CardDrawn(card, told):
                place = told or self.due
                in_hand = told is None and any(record.felt is None for record in t.round.records[-1:])
                self.certain = self.certain and place is not None and card is not UNREAD and not in_hand
                if place is not None:
                    self.lies[_name(card), place.box] += 1
            case events.Reconstructed() | events.Answer():
                self.certain = False
            case _:
                super().see(t, event)

    def _is_presumed(self, _t: TableState) -> bool:
        return False


class CountedLayout(Layout):
    """How many cards lie at which box."""

    def see(self, t: TableState, event: Event) -> None:
        """Follow an event; every card has the same face."""
        match event:
            case events.CardDrawn() | events.CardsPulled():
                self.transit[""] += len(event.cards) if isinstance(event, events.CardsPulled) else 1
            case events.CardLaid(card, place):  # one that is named may be any that has been out, whatever is on its way
                asked = any(isinstance(matter.fact, CountedCard) for matter in t.hold.matters)  # which one it is
                self.certain = self.certain and card is UNREAD and self.transit[""] == 1 and not asked
                self.transit[""] -= 1
                self.lies["", place.box] += 1
            case events.CardMoved(card, source, target):
                self._moved("", source, target)
                lay_there = (card.face, source.box) in self.known  # else the one of that name is taken from elsewhere
                self.certain = self.certain and lay_there and all(record.from_shoe for record in t.round.records)
            case events.CardLifted():
                self.certain = False
            case _:
                super().see(t, event)

    def _face(self, _card: Card) -> str:
        return ""


def layout_of(header: Header) -> Layout:
    """The account of a table's layout."""
    if not header.places_sensed:
        return ToldLayout()
    return CountedLayout() if header.places_counted else Layout()


def _name(card: Card) -> str:
    return f"{card.face}#{card.code}" if card.code else card.face


def _on_layout(record: CardRecord) -> bool:
    return record.role is not Role.BACK and record.felt is not None and record.felt.box >= DEALER.box
