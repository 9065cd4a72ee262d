"""A known order that went through a shelf shuffler once.

1. Such a machine lays each card on one of its shelves, upon the cards there or below them, and then piles the shelves
   up (Diaconis, Fulman and Holmes 2013). So a shelf is a part of the cards in falling order and then a part in rising
   order. The pile runs down and up the old order, shelf by shelf, each time over what is left of it.
2. Known are the chances of each position and direction to be the last card's (`_at`). From there the next card is any
   position ahead: each that is left is in this run with the chance of one over the runs that are left. At an end of the
   order the run turns.
3. How many runs are left follows from how many cards are: two for each shelf when all are.
4. A card may be an outlier: then any of its positions and both directions begin again.
5. Positions are looked at as far ahead as the run is likely to pass over (`FAR`), and the likeliest `MOST` are kept.
"""

from __future__ import annotations

from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.ring import KnownOrder

OUTLIER = 0.02
FAR = 0.05
MOST = 8
# Chances below this part of the likeliest are none.
LITTLE = 0.02


class Shelves(Bet):
    """A known order, dealt to a number of shelves."""

    __slots__ = ("_at", "_faces", "_next", "_places", "_runs", "_seen")

    def __init__(self, order: KnownOrder, shelves: int, wealth: float) -> None:
        Bet.__init__(self, len(order.places), wealth)
        self._faces = order.faces
        self._places = order.places
        self._runs = 2 * shelves
        self._seen = [0.0] * len(order.faces)
        # Chances by position and direction: 2 x position, and one more where the run falls.
        self._at: dict[int, float] = {}
        self._next: dict[int, float] = {}
        self.share = 1.0

    def foretell_next(self, counts: list[int], cards: int) -> None:
        """Await the positions ahead."""
        awaits, faces, ahead = self.awaits, self._faces, self._next
        for state in ahead:
            awaits[faces[state >> 1]] = 0.0
        ahead.clear()
        joins = min(0.5, len(faces) / (self._runs * cards))
        awaited = 0.0
        for state, weight in self._at.items():
            awaited += self._look_ahead(state, weight * (1 - OUTLIER), joins, counts)
        self.evenly = 1.0 - awaited

    def _look_ahead(self, state: int, weight: float, joins: float, counts: list[int]) -> float:
        """Await what a run may go on with; what it awaits in all."""
        faces, seen, awaits, ahead = self._faces, self._seen, self.awaits, self._next
        place, falls = state >> 1, state & 1
        last = len(faces) - 1
        passed, awaited = weight, 0.0
        least = weight * FAR
        turns = 0
        while passed > least and turns < 2:
            if place == (0 if falls else last):
                falls, turns = 1 - falls, turns + 1
            else:
                place += -1 if falls else 1
            chance = passed * joins * (1.0 - seen[place])
            face = faces[place]
            if counts[face] and chance > 0.0:
                key = place << 1 | falls
                ahead[key] = ahead.get(key, 0.0) + chance
                awaits[face] += chance
                awaited += chance
            passed -= chance
        return awaited

    def learn_card(self, symbol: int, count: int, cards: int) -> None:
        """Work out where a run may be."""
        places = self._places[symbol]
        chance = count / cards
        whole = self.awaits[symbol] + self.evenly * chance
        # What was not awaited begins anew, anywhere.
        anew = self.evenly * chance / (whole * 2 * len(places)) if places else 0.0
        found: list[tuple[float, int]] = []
        for place in places:
            for state in (place << 1, place << 1 | 1):
                weight = self._next.get(state, 0.0) / whole + anew * (1.0 - self._seen[place])
                found.append((-weight, state))
        found.sort()
        least = found[0][0] * LITTLE if found else 0.0
        self._at = {state: -weight for weight, state in found[:MOST] if weight < least}
        for place in places:
            here = self._at.get(place << 1, 0.0) + self._at.get(place << 1 | 1, 0.0)
            self._seen[place] = min(1.0, self._seen[place] + here)
