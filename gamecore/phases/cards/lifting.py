"""A card that was lifted, and cards that are on their way.

1. A lifted card keeps its place until it is laid somewhere: only then has it moved, from where it lay. One that never
   arrives is no finding: if a card is missing at the end, the count proves it. A card lifted between rounds, or off a
   hand that is over, is presumed to be discarded.
2. A card that a ruling sends to the discard holder or to the burn is there when it has left its place: nobody reads
   what lies there.
"""

from __future__ import annotations

from gamecore.cards import matching, sensing, whereabouts
from gamecore.cards.difference import discard_moves, is_over, remaining
from gamecore.cards.queries import settled_place
from gamecore.model.cards import Card
from gamecore.model.events.events import CardLifted
from gamecore.model.events.outputs import Move
from gamecore.model.places import BURN, DISCARD
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState


def card_lifted(t: TableState, event: CardLifted) -> None:
    """Note that a card was lifted, until it is laid; off a hand that is over it is cleared away."""
    if sensing.misread(t, event.place):
        return
    record = matching.lifted(t, event.card, event.place)
    if record is None:
        return
    if matching.had_arrived(t, record, event.place):
        whereabouts.presume(record, settled_place(t.round, event.place))
    over = record.role is Role.ON_HAND and record.hand is not None and is_over(record.hand)
    sent_away = next((move.target for move in _open_moves(t) if _is_move_of(move, record)), None)
    if over or not t.round_is_on:
        whereabouts.presume(record, DISCARD)
        whereabouts.go_to_holder(t.round, record)
    elif sent_away in {BURN, DISCARD}:  # nobody reads what lies there: it is there when it has left its place
        whereabouts.presume(record, sent_away)
        if sent_away == DISCARD:
            whereabouts.go_to_holder(t.round, record)
    else:
        whereabouts.lift(t.round, record)


def _open_moves(t: TableState) -> list[Move]:
    """The moves that rulings still demand; a card to be discarded is to be, also where the house has let it lie."""
    return [*(move for matter in t.hold.matters for move in remaining(t, matter)), *discard_moves(t)]


def _is_move_of(move: Move, record: CardRecord) -> bool:
    return move.card == record.card and move.source == record.felt


def on_its_way(t: TableState, card: Card) -> int:
    """How many cards of a face the shoe has reported that lie nowhere yet.

    A card that waits to be dealt or discarded, or that was chosen for a hand, is not counted: nobody knows where it
    lies, and an equal one may come from the shoe.
    """
    out = [record for record in t.round.records if record.felt is None and record.role is Role.ARRIVING]
    return sum(record.card == card for record in out)
