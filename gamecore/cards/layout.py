"""Where cards belong, and the shortest way there.

1. In the initial deal the i-th card that left the shoe belongs at the i-th place of the proper order, a burn that was
   due first. Cards beyond that order return as the next cards.
2. In the subsequent deal a card belongs where it was due when it left the shoe.
3. A move takes one card from one place to another. Equal cards are interchangeable, so a place that holds what it
   should holds it in any order: the number of moves is the number of cards too many, place by place, and no list can be
   shorter, because one move can mend at most one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gamecore.model.cards import Card
from gamecore.model.outputs import Move
from gamecore.model.places import Place


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card, where it lies and where it belongs; `belongs` is None for a card that returns as the next card."""

    card: Card
    lies: Place
    belongs: Place | None


def shortest_moves(cards: Iterable[Wanted]) -> tuple[Move, ...]:
    """The shortest list of moves that puts every card where it belongs, in the order of the deal."""
    wanted = [card for card in cards if card.belongs is not None]
    too_many: Counter[tuple[Card, Place]] = Counter()
    too_few: Counter[tuple[Card, Place]] = Counter()
    for item in wanted:
        too_many[item.card, item.lies] += 1
        if item.belongs is not None:
            too_few[item.card, item.belongs] += 1
    common = too_many & too_few
    too_many -= common
    too_few -= common
    moves = []
    for item in wanted:
        if item.belongs is None or too_few[item.card, item.belongs] <= 0:
            continue
        source = next(place for (card, place), count in too_many.items() if card == item.card and count > 0)
        too_few[item.card, item.belongs] -= 1
        too_many[item.card, source] -= 1
        moves.append(Move(item.card, source, item.belongs))
    return tuple(moves)
