"""The orders that unshuffled cards come in.

1. A walk is a graph. A node is a place in an order and shows one symbol: a face, or only a rank or a suit. From a node
   edges lead to the nodes that may follow it, each with its chance. Reading cards in that order is walking along edges.
2. A symbol may be shown by several nodes: in an order of eight decks a face lies at eight places.
3. Factory order runs through a suit upwards or downwards and goes on with another suit. Makers differ in the order of
   the suits and in which of them run down. The end of a suit therefore leads to the ends of all suits: one walk covers
   all makers, at the price of some evidence at one card in thirteen. The usual packing is known card by card.
4. Sorted cards repeat a face (eight aces of spades, then eight twos) or a rank before they step on. Where only the
   suits are sorted, a suit follows itself.
5. The last order is walked by its positions and closes to a ring, since cards are cut. Now and then a position is
   passed over: its card was not read, or came before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from gamecore.model.cards import SUITS, Card

# How likely a group of equal cards goes on, at most: it is not known how far it was cut.
STAYS = 3 / 4
# How likely no position, one or two are passed over.
PASSES_OVER = (0.9, 0.07, 0.03)
# One maker's packing: these suits up, then these down. Read backwards it is the other usual one.
_UP, _DOWN = "SD", "CH"


@dataclass(frozen=True, slots=True)
class Walk:
    """One order: the symbol that each node shows, the nodes that show each symbol, the nodes that follow each node."""

    shows: list[int]
    shown_by: list[list[int]]
    after: list[list[tuple[int, float]]]


def _runs(lanes: int, height: int, group: int) -> Walk:
    """Up or down each of several lanes, `group` equal symbols together; the end of a lane leads to the others' ends.

    Node `symbol` runs up, node `symbols + symbol` runs down.
    """
    symbols = lanes * height
    bottoms = [lane * height for lane in range(lanes)]
    tops = [symbols + lane * height + height - 1 for lane in range(lanes)]
    stays = min(STAYS, 1 - 1 / group)
    after: list[list[tuple[int, float]]] = []
    for node in range(2 * symbols):
        down, symbol = divmod(node, symbols)
        lane, rung = divmod(symbol, height)
        if rung == (0 if down else height - 1):
            # The same lane goes on where the ace ranks high: king, then ace.
            following = [tops[lane] if down else bottoms[lane]]
            for other in range(lanes):
                if other != lane:
                    following += [bottoms[other], tops[other]]
        else:
            following = [node - 1 if down else node + 1]
        goes = [(other, (1 - stays) / len(following)) for other in following]
        after.append([(node, stays), *goes] if stays else goes)
    return Walk([*range(symbols), *range(symbols)], [[symbol, symbols + symbol] for symbol in range(symbols)], after)


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
    """All cards of a suit in any rank. The symbols are suits."""
    suits = range(len(SUITS))
    return Walk(list(suits), [[suit] for suit in suits], [[(suit, 1.0)] for suit in suits])


@lru_cache(maxsize=16)
def _round_a_ring(size: int) -> list[list[tuple[int, float]]]:
    """The positions that follow each position of a ring."""
    steps = [(1 + passed, chance) for passed, chance in enumerate(PASSES_OVER) if passed < size - 1] or [(1, 1.0)]
    return [[((place + step) % size, chance) for step, chance in steps] for place in range(size)]


def known_order(order: list[int], places: list[list[int]]) -> Walk:
    """A known order of faces, from its first position to its last and round again; `places` are those of each face."""
    return Walk(order, places, _round_a_ring(len(order)))


def packing(ranks: str, numbers: dict[str, int]) -> list[int]:
    """One deck as it is usually packed, by the numbers of its faces."""
    up = [numbers[rank + suit] for suit in _UP for rank in ranks]
    return up + [numbers[rank + suit] for suit in _DOWN for rank in reversed(ranks)]


def last_order(previous: Sequence[Card], decks: int, numbers: dict[str, int]) -> list[int]:
    """The last order by the numbers of its faces; of a face no more than there are, the latest ones."""
    found: list[int] = []
    left = dict.fromkeys(numbers, decks)
    for member in reversed(previous):
        if left.get(member.face, 0):
            left[member.face] -= 1
            found.append(numbers[member.face])
    return found[::-1]
