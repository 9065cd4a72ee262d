"""The intended order: where each card belongs by the order of leaving the shoe (RWS 1.27).

1. In the initial deal the i-th card belongs at the i-th place of the proper order, a burn that was due first.
2. Late, a card belongs where it was due when it left the shoe. One that nobody was due is the next card.
3. Where places are told, an error of the initial deal may be said late. If the deal took too many cards or too few,
   every later card belongs elsewhere too, and all is laid anew; if not, what was dealt since stays where it was due.
4. Strays are cards that count nowhere. Some left the shoe after others that still wait to be dealt, and follow them.
"""

from __future__ import annotations

from gamecore.cards.layout import Wanted
from gamecore.model.places import BURN, Place
from gamecore.model.round import Drawn
from gamecore.model.state import TableState
from gamecore.standing.decided import is_dealt_to


def strays(t: TableState) -> list[Drawn]:
    """Cards of the round that lie where they do not count."""
    return [drawn for drawn in t.round.draws if not drawn.credited]


def waiting(t: TableState) -> list[Drawn]:
    """Strays that follow cards which wait to be dealt."""
    return [drawn for drawn in strays(t) if drawn.behind is not None]


def early(t: TableState) -> bool:
    """Whether the initial deal can be laid anew as a whole."""
    return not t.round.subsequent


def proper(t: TableState) -> list[Place]:
    """The proper order of the initial deal, with a burn that was due."""
    return ([BURN] if t.round.burn_was_due else []) + [place for place, _ in t.round.deal]


def intended(t: TableState) -> Place | None:
    """Where the next card of the initial deal belongs by the order of leaving the shoe; None beyond the deal."""
    if not all(is_dealt_to(t, place, hand) for place, hand in t.round.deal):  # who has left is dealt to no more
        return t.next_place
    order, index = proper(t), len(t.round.draws)
    return order[index] if index < len(order) else None


def misplaced(drawn: Drawn) -> bool:
    """Whether a card counts nowhere, or lies elsewhere than where it was due."""
    return not drawn.credited or drawn.due is None or drawn.due.box != drawn.place.box


def broken(t: TableState) -> bool:
    """Whether cards of the initial deal lie elsewhere than the order says, which only a person has told."""
    return not t.senses_places and any(misplaced(drawn) for drawn in t.round.draws if not drawn.subsequent)


def shifted(t: TableState) -> bool:
    """Whether the initial deal took too many cards or too few, so that every later card belongs elsewhere."""
    initial = [drawn for drawn in t.round.draws if not drawn.subsequent]
    return broken(t) and len(initial) != len(proper(t))


def wanted(t: TableState) -> list[Wanted]:
    """Every card of the round that the reconstruction speaks of, and where it belongs."""
    draws = t.round.draws
    if early(t) or shifted(t):
        order = proper(t)[: len(draws) - len(waiting(t))]
        return [
            Wanted(drawn.card, drawn.place, order[index] if index < len(order) else None)
            for index, drawn in enumerate(draws)
        ]
    first = next((drawn for drawn in draws if not drawn.credited), None)
    return [
        Wanted(drawn.card, drawn.place, drawn.due if drawn is first or drawn.credited else None)
        for drawn in draws
        if drawn.due is not None
    ]
