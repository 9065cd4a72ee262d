"""One deck in a known order, riffled and cut: each face lies at one position, so it is known where each card lay.

1. The deck is a ring of positions. The cards seen leave gaps; where a gap begins, a packet goes on, and inside it
   packets may begin that were not seen yet. Next is each position of a gap with the chance of
   `gamecore.cards.shuffle_test.spacing`.
2. There are `packets` packets, seen or not. Their mean size is chosen from `SIZES` so that the packets expected in
   all gaps together come nearest to that. `PACKETS` are those of one riffle, two and so on. Sixteen packets that can
   be told apart are as much as a fair deck shows once in some ten million: to find those, and not only the shoes in
   which packets were lost, the bet on four riffles is laid on a few packets more.
3. A known order may lack cards: those come as chance has it.
"""

from __future__ import annotations

from bisect import insort

from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.spacing import spaced

PACKETS = (2, 4, 8, 18)
OUTLIER = 0.002
LEAST = 1e-7
# From one card to the point where no packet can be unseen, each a little more than the one before.
SIZES = [1.0]
while SIZES[-1] < 32:
    SIZES.append(SIZES[-1] * 1.05)


class Single(Bet):
    """The positions of one deck, dealt from a number of packets."""

    __slots__ = ("_begun", "_left", "_order", "_packets", "_places", "_seen", "_size")

    def __init__(self, faces: int, order: list[int], packets: int, wealth: float) -> None:
        Bet.__init__(self, faces, wealth)
        self._order = order
        self._packets = packets
        self._places = [-1] * faces
        for place, face in enumerate(order):
            self._places[face] = place
        # The positions seen, upwards; how many packets brought them; positions that are left; the size assumed.
        self._seen: list[int] = []
        self._begun = 0.0
        self._left = len(order)
        self._size = 0
        while self._size + 1 < len(SIZES) and SIZES[self._size] * self._packets < len(order):
            self._size += 1

    def _gaps(self) -> list[tuple[int, int]]:
        """Where gaps begin, and their rooms."""
        seen = self._seen
        size = len(self._order)
        gaps: list[tuple[int, int]] = []
        before = seen[-1] - size
        for place in seen:
            if place - before > 1:
                gaps.append((before + 1, place - before - 1))
            before = place
        return gaps

    def _expected(self, size: float, gaps: list[tuple[int, int]]) -> float:
        """The packets expected if they are of a size."""
        table = spaced(size, len(self._places), LEAST)
        whole = (self._begun - len(gaps)) * table[1] / (size * table[0])
        for _, room in gaps:
            whole += (room + 1) * table[room + 1] / (size * table[room])
        return whole

    def _find_size(self, gaps: list[tuple[int, int]]) -> None:
        """Move the size up or down to where the packets expected are as many as there are."""
        packets = self._packets
        while self._size + 1 < len(SIZES) and self._expected(SIZES[self._size], gaps) > packets:
            self._size += 1
        while self._size and self._expected(SIZES[self._size - 1], gaps) <= packets:
            self._size -= 1

    def foretell_next(self, counts: list[int], _cards: int) -> None:
        """Await every position that is left."""
        if not self._seen or not self._left:
            self.evenly, self.share = 1.0, 0.0
            return
        gaps = self._gaps()
        self._find_size(gaps)
        size = SIZES[self._size]
        table = spaced(size, len(self._places), LEAST)
        order, awaits = self._order, self.awaits
        ring = len(order)
        whole = 0.0
        for begins, room in gaps:
            odds = 1 / table[room]
            for far in range(room):
                weight = table[far] * table[room - far - 1] * odds
                if far == 0:
                    weight += size * table[room - 1] * odds
                awaits[order[(begins + far) % ring]] = weight
                whole += weight
        # Cards that the order lacks are awaited as one position each.
        even = whole / self._left
        for face, count in enumerate(counts):
            if count and self._places[face] < 0:
                awaits[face] = even
                whole += even
        self.share = (1 - OUTLIER) / whole
        self.evenly = OUTLIER

    def learn_card(self, symbol: int, _count: int, _cards: int) -> None:
        """Note where a card lay, and whether it began a packet."""
        place = self._places[symbol]
        self.awaits[symbol] = 0.0
        if place < 0:
            return
        seen = self._seen
        if (place - 1) % len(self._order) in seen:
            size = SIZES[self._size]
            begins = spaced(size, len(self._places), LEAST)[0]
            self._begun += begins / (size + begins)
        else:
            self._begun += 1.0
        insort(seen, place)
        self._left -= 1
