"""What dealing a card does to its hand and to the order of the deal, no matter who deals it.

1. `count` lets a card count for a hand: from the shoe, by a ruling, by a Player's choice, as told, in a hold or not.
2. `keep_as_dealt` lets the order of the initial deal be what it was in fact.
3. `point_to_next` points to the place that comes next in that order. `count_in_hold` does both for a card of the
   initial deal while the round stays held: when play goes on, the round moves on.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.model.hands import Hand
from gamecore.model.places import Place
from gamecore.model.records import CardRecord
from gamecore.model.round import Round
from gamecore.model.state import TableState


def count(
    t: TableState,
    record: CardRecord,
    hand: Hand,
    place: Place,
    due: Place | None,
    *,
    subsequent: bool,
    exposed: bool = False,
) -> None:
    """Let a card count for the hand at a place; on a box that squeezes it lies face down unless it is exposed.

    `due` is where the order of the deal put it, `subsequent` whether the initial deal was over.
    """
    game_round = t.round
    box = game_round.boxes.get(place.box)
    if game_round.out_of_order:
        _presume_chosen_laid(hand, place)
    whereabouts.assign(record, hand, box, due, subsequent=subsequent)
    if box is not None and box.squeeze and not exposed:
        whereabouts.lay_face_down(record)
    if not subsequent:
        game_round.dealt += 1


def count_in_hold(t: TableState, record: CardRecord, hand: Hand, place: Place, *, exposed: bool = False) -> None:
    """Let a card of the initial deal count while the round stays held, and point to the next place of the deal."""
    count(t, record, hand, place, place, subsequent=False, exposed=exposed)
    if not point_to_next(t):
        t.expect_nothing()


def _presume_chosen_laid(hand: Hand, place: Place) -> None:
    """With the next card of a hand, what was chosen for it lies there."""
    for record in hand.records:
        if record.felt is None:
            whereabouts.presume(record, place)


def keep_as_dealt(game_round: Round, index: int, place: Place, hand: Hand) -> None:
    """Let the order have the card that a hand got at this index; one that got it early is not dealt it again."""
    entries = game_round.deal
    if index < len(entries) and entries[index][1] is hand:
        return
    later = next((number for number in range(index, len(entries)) if entries[number][1] is hand), None)
    entries.insert(index, (place, hand) if later is None else entries.pop(later))


def point_to_next(t: TableState) -> bool:
    """Point to the next place in the order of the initial deal; False if that is dealt."""
    game_round = t.round
    if game_round.dealt >= len(game_round.deal):
        return False
    t.expect(*game_round.deal[game_round.dealt])
    return True
