"""Cards that go to the discard holder: an overdraw, the cards of a box without a wager (MBS 5.7, 5.15; RWS 5.10).

1. From the ruling on the cards count for nothing; they must leave the place where they lie. The discard holder counts
   and does not name, so a card is done when it has left.
2. The total before an overdraw stands; what lies astray elsewhere is another matter. Players may have their wagers back
   as the document says.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.difference import list_moves
from gamecore.cards.queries import dealt, put_out_by, strays_at
from gamecore.irregularities.matter import ask_all, give_right, go_on, hold
from gamecore.irregularities.procedures import reconstruct
from gamecore.model.matters import Demand, Matter
from gamecore.model.places import DEALER, DISCARD
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState


def discard(t: TableState, matter: Matter) -> None:
    """Send an overdraw to the discard holder; the total before it stands (MBS 5.7, RWS 5.10.2)."""
    hold(t, matter)
    _put_out(t, matter, strays_at(t, DEALER) or reconstruct.overdrawn(t))
    matter.places = matter.places or (DEALER,)


def discard_options(t: TableState, matter: Matter) -> None:
    """Discard an overdraw at RWS, where until settlement every Player may have the Bet back (5.7, 5.10.2)."""
    discard(t, matter)
    give_right(t, matter, t.rules.withdrawal.clause)


def discard_box(t: TableState, matter: Matter) -> None:
    """Send the cards of a box without a wager to the discard holder (MBS 5.15); Players may withdraw (5.25)."""
    _discard_box(t, matter)
    give_right(t, matter, t.rules.withdrawal.clause)


def discard_box_options(t: TableState, matter: Matter) -> None:
    """Discard the cards of a box without a Bet (RWS 5.10.3), and ask for the options of 5.7."""
    _discard_box(t, matter)
    ask_all(t, matter, t.rules.withdrawal.clause)


def _discard_box(t: TableState, matter: Matter) -> None:
    hold(t, matter)
    boxes = {place.box for place in matter.places}
    there = [record for record in dealt(t) if record.felt is not None and record.felt.box in boxes]
    _put_out(t, matter, [record for record in there if not _was_due(record)])


def _was_due(record: CardRecord) -> bool:
    """Whether a card was dealt to a hand while a wager lay there: it stays when the Player leaves (MBS 5.25)."""
    return record.role is Role.ON_HAND and record.hand is not None and bool(record.hand.stakes)


def _put_out(t: TableState, matter: Matter, records: list[CardRecord]) -> None:
    matter.places = tuple({record.felt for record in records if record.felt is not None})
    matter.demand = Demand.DISCARD
    for record in records:
        whereabouts.discard(t.round, record, matter.finding)
    list_moves(t, matter)


def discarded(t: TableState, matter: Matter) -> None:
    """Take the word that the cards lie there no more; play goes on when nobody is asked any more."""
    for record in put_out_by(t, matter.finding):
        whereabouts.presume(record, DISCARD)
        whereabouts.go_to_holder(t.round, record)
    matter.done = True
    if not matter.asks:
        go_on(t, matter)
