"""Where the cards of an initial deal belong when it has passed somebody over, and that is known only late.

1. Where places are told, nobody knows at once that a box, the Dealer or the burn was passed over, or that a box without
   a wager was dealt to. By the order of leaving the shoe every later card then seems to lie one place too far.
2. Late, each of these errors has a clause of its own, which moves no other card (MBS 5.12, 5.14 to 5.16, 5.21.2). So a
   card belongs where the order says once the places that were passed over are left out of it, and a card at a place
   that was due none stays there.
3. A place may be left out once for each card that it is short of. A card may stay where none was due once for each card
   that its place has too many. Of all such ways the one with the fewest errors is right: a card at another's place, a
   place that is left out and a card where none was due are one error each. Of ways with equally many errors, the one
   with the fewest of the latter two is right.
4. Where there is no such way, every card stays where it is told to lie.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from gamecore.model.places import Place

_Way = tuple[int, int, tuple[Place, ...]]
"""How many errors, how many of them are places left out or cards where none was due, and where each card belongs."""
_Places = tuple[Place, ...]


def places_as_dealt(told: _Places, order: _Places) -> _Places:
    """Where the cards told to lie at these places belong, by an order of the deal that may have passed places over."""
    missing, spare = Counter(order) - Counter(told), Counter(told) - Counter(order)

    @cache
    def best(rest: _Places, due: _Places, missing: _Places, spare: _Places) -> _Way | None:
        ways: list[_Way | None] = []
        if not rest and not due:
            return 0, 0, ()
        if rest and due:
            ways.append(_add(best(rest[1:], due[1:], missing, spare), int(rest[0] != due[0]), 0, due[:1]))
        if due and due[0] in missing:
            ways.append(_add(best(rest, due[1:], _without(missing, due[0]), spare), 1, 1, ()))
        if rest and rest[0] in spare:
            ways.append(_add(best(rest[1:], due, missing, _without(spare, rest[0])), 1, 1, rest[:1]))
        return min((way for way in ways if way is not None), key=lambda way: way[:2], default=None)

    way = best(told, order, tuple(missing.elements()), tuple(spare.elements()))
    return told if way is None else way[2]


def _add(way: _Way | None, errors: int, gaps: int, belongs: _Places) -> _Way | None:
    """A way with one step before it."""
    return None if way is None else (way[0] + errors, way[1] + gaps, (*belongs, *way[2]))


def _without(places: _Places, one: Place) -> _Places:
    index = places.index(one)
    return (*places[:index], *places[index + 1 :])
