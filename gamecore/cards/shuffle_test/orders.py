"""The orders that unshuffled cards come in, each as a walk from card to card.

1. A walk is a graph. A node is a place in an order and shows one symbol: a face, or only a rank or a suit. From a node
   edges lead to the nodes that may follow it. Reading cards in that order is walking along edges.
2. A set of nodes is a whole number, one bit a node. The nodes of a set are equally likely; what is more likely stands
   there in several copies. So all weights are whole numbers, and no sum of them is rounded.
3. A symbol may be shown by several nodes: in an order of eight decks a face lies at eight places.
4. Factory order runs through a suit upwards or downwards and goes on with another suit. Makers differ in the order of
   the suits and in which of them run down. The end of a suit therefore leads to the ends of all suits: one walk
   covers all makers, at the price of some evidence at one card in thirteen.
5. Sorted cards repeat a face (eight aces of spades, then eight twos) or a rank before they step on. Where only the
   suits are sorted, a suit follows itself.
6. The last order is walked by its positions and closes to a ring, since cards are cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from gamecore.model.cards import SUITS

# Copies of a node that stand for "once more the same": three to one that a group of equal cards goes on.
MOST_COPIES = 3


@dataclass(frozen=True, slots=True)
class Walk:
    """One order: the nodes that show each symbol, the nodes it may start at, the nodes that follow each node.

    Without a table `after` it is a ring: each node is followed by the next, the node `last` by the first.
    """

    shows: tuple[int, ...]
    start: int
    after: tuple[int, ...] = ()
    last: int = -1
    # The answers given so far: few sets occur, and they occur often.
    known: dict[int, int] = field(default_factory=dict, compare=False, repr=False)

    def follow(self, nodes: int) -> int:
        """The nodes that may follow a set of nodes."""
        if not self.after:
            # Where the last node is in the set, its bit leaves the ring at the top and comes in at the bottom.
            return (nodes ^ 1 << self.last) << 1 | 1 if nodes >> self.last else nodes << 1
        following = self.known.get(nodes)
        if following is None:
            following = 0
            for node, after in enumerate(self.after):
                if nodes >> node & 1:
                    following |= after
            self.known[nodes] = following
        return following


def _runs(lanes: int, height: int, group: int) -> Walk:
    """Up or down each of several lanes, `group` equal symbols together; the end of a lane leads to the others' ends.

    Node `symbol` runs up, node `symbols + symbol` runs down; the copies that stay at a symbol come after those.
    """
    symbols = lanes * height
    bottoms = [1 << lane * height for lane in range(lanes)]
    tops = [1 << symbols + lane * height + height - 1 for lane in range(lanes)]
    copies = min(group - 1, MOST_COPIES)
    shows = [1 << symbol | 1 << symbols + symbol for symbol in range(symbols)]
    after: list[int] = []
    for node in range(2 * symbols):
        down, symbol = divmod(node, symbols)
        lane, rung = divmod(symbol, height)
        if rung == (0 if down else height - 1):
            # The same lane goes on where the ace ranks high: king, then ace.
            following = tops[lane] if down else bottoms[lane]
            for other in range(lanes):
                if other != lane:
                    following |= bottoms[other] | tops[other]
        else:
            following = 1 << (node - 1 if down else node + 1)
        stay = ((1 << copies) - 1) << 2 * symbols + node * copies
        shows[symbol] |= stay
        after.append(following | stay)
    for node in range(2 * symbols):
        after += [after[node]] * copies
    return Walk(tuple(shows), sum(bottoms) + sum(tops), tuple(after))


@cache
def factory(ranks: str) -> Walk:
    """Decks as they come from the maker, one after another. The symbols are faces, suit by suit."""
    return _runs(len(SUITS), len(ranks), 1)


@cache
def faces_together(ranks: str, decks: int) -> Walk:
    """Several decks sorted together: all cards of a face, then the next face. The symbols are faces, suit by suit."""
    return _runs(len(SUITS), len(ranks), decks)


@cache
def ranks_together(ranks: str, decks: int) -> Walk:
    """All cards of a rank in any suit, then the next rank up or down. The symbols are ranks."""
    return _runs(1, len(ranks), decks * len(SUITS))


@cache
def suits_together() -> Walk:
    """All cards of a suit in any rank, then another suit. The symbols are suits."""
    nodes = tuple(1 << suit for suit in range(len(SUITS)))
    return Walk(nodes, sum(nodes), nodes)


def known_order(faces: int, order: Sequence[int]) -> Walk:
    """A known order of faces, from its first position to its last and round again. The symbols are faces."""
    shows = [0] * faces
    for position, face in enumerate(order):
        shows[face] |= 1 << position
    return Walk(tuple(shows), 1, last=len(order) - 1)
