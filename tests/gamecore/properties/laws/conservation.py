"""1. Conservation: every card that left the shoe is in exactly one place and has exactly one role.

1. Every card that the shoe gave is one record, and every record has its own number. A new round takes over those that
   wait, and leaves the others where they are.
2. A hand holds exactly the records that count for it; its cards and total follow from them.
3. The cards lie where the events put them: `tests.gamecore.properties.layouts` keeps its own account of the layout.
"""

from __future__ import annotations

from gamecore.model.events import events
from gamecore.model.hands import Hand
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Round
from gamecore.model.state import TableState
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.layouts import Layout, layout_of
from tests.gamecore.properties.tables import Play


class Conservation(Property):
    """Records, roles and places."""

    name = "conservation"

    def __init__(self) -> None:
        """No card has left the shoe."""
        super().__init__()
        self._left = 0  # the shoe, since this round began or cards that wait now were drawn
        self._round: Round | None = None
        self._layout: Layout | None = None

    def before(self, play: Play) -> None:
        """Which round is on, where a card is due and where the cards lie."""
        self._round = play.state.round
        if self._layout is None:
            self._layout = layout_of(play.header)
        self._layout.due = play.table.next_place
        self._layout.known = {(r.card.face, r.felt.box) for r in play.state.round.records if r.felt is not None}

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
        if self._layout is not None:
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


def _given(records: list[CardRecord]) -> int:
    return sum(record.from_shoe for record in records)
