"""1. Conservation: every card that left the shoe is in exactly one place and has exactly one role.

1. Every card that the shoe gave is one record, and every record has its own number. A new round takes over those that
   wait, and leaves the others where they are.
2. A hand holds exactly the records that count for it; its cards and total follow from them.
3. Where every place is read, the cards lie where the events put them: the property keeps its own account of the layout.
   It knows faces and boxes, not which of two equal cards is which. What an event leaves open (a card that nobody has
   seen leave, an unreadable one) ends the account for that round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.hands import Hand
from gamecore.model.places import DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Round
from gamecore.model.state import TableState
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play


class Conservation(Property):
    """Records, roles and places."""

    name = "conservation"

    def __init__(self) -> None:
        """No card has left the shoe."""
        super().__init__()
        self._left = 0  # the shoe, since this round began or cards that wait now were drawn
        self._round: Round | None = None
        self._layout = Layout()

    def before(self, play: Play) -> None:
        """Which round is on."""
        self._round = play.state.round

    def after(self, play: Play) -> None:
        """Look at every record."""
        t, event = play.state, play.event
        match event:
            case events.CardDrawn():
                self._left += 1
            case events.CardsPulled(cards):
                self._left += len(cards)
        records = t.round.records
        given = _given(records)
        if isinstance(event, events.TakeBack | events.Retract | events.CardsDisclosed):
            self._left = given  # applied again, perhaps from an earlier round
        elif self._round is not None and self._round is not t.round:
            self._left -= _given(self._round.records)
        self.hold(given == self._left, f"{self._left} cards left the shoe, {given} are known")
        self.hold(len({record.number for record in records}) == len(records), "two records have one number")
        self._look_at_hands(t)
        if play.header.places_sensed and not play.header.places_counted:
            if not play.refused:
                self._layout.see(t, event)
            wrong = self._layout.faults(t)
            if wrong:
                self.hold(False, f"{wrong} after {event}")
        self.exercised += 1

    def _look_at_hands(self, t: TableState) -> None:
        game_round = t.round
        counted: set[int] = set()
        hands = [game_round.dealer, *(hand for box in game_round.boxes.values() for hand in box.hands)]
        for hand in hands:
            fresh = Hand()
            for record in hand.records:
                if record.role is not Role.ON_HAND or record.hand is not hand:
                    self.hold(False, f"{record} is on a hand")
                if id(record) in counted:
                    self.hold(False, f"{record} counts twice")
                counted.add(id(record))
                fresh.add(record.card)
            if (fresh.cards, fresh.hard, fresh.aces) != (hand.cards, hand.hard, hand.aces):
                self.hold(False, f"the total of {hand.cards} does not follow from {hand.records}")
        for record in game_round.records:
            if record.role is Role.ON_HAND and id(record) not in counted:
                self.hold(False, f"{record} counts for no hand")


_LEFT_OPEN = (events.CardPushedBack, events.TakeBack, events.CardsDisclosed, events.Retract)


class Layout:
    """Which faces lie at which box, by the events alone."""

    def __init__(self) -> None:
        """Nothing is out."""
        self.certain = True
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
                self._laid(card.face if card is not UNREAD else "", place, waits=t.round.out_of_order)
            case events.CardMoved(card, source, target):
                self._moved(card.face, source, target)
            case events.CardLifted(card, place):
                if self.lies[card.face, place.box]:
                    self.loose[card.face] += 1
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
            self.transit[card.face] += 1

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

    def faults(self, t: TableState) -> list[str]:
        """Where the records say otherwise."""
        if any(record.presumed for record in t.round.records):  # nobody has seen it lie there
            self.certain = False
        if not self.certain or not t.round_is_on or t.fitting.misread or "hub" in t.fitting.away:
            return []
        known = Counter((r.card.face, r.felt.box) for r in t.round.records if _on_layout(r) and r.felt is not None)
        wrong = []
        for (face, box), number in self.lies.items():
            if box >= DEALER.box and number > known[face, box] + self.loose[face]:
                wrong.append(f"{number} {face} lie at {box}, {known[face, box]} are known")
        for (face, box), number in known.items():
            most = self.lies[face, box] + self.transit[face] + self.loose[face]
            if number > most:
                wrong.append(f"{number} {face} are known at {box}, {self.lies[face, box]} lie there")
        return wrong


def _given(records: list[CardRecord]) -> int:
    return sum(record.from_shoe for record in records)


def _on_layout(record: CardRecord) -> bool:
    return record.role is not Role.BACK and record.felt is not None and record.felt.box >= DEALER.box
