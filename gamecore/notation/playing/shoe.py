"""The prepared shoe of a scenario.

1. The given cards come out first, in their order. Behind them lies the rest of the exact composition: every deck of the
   set, less the given cards, shuffled. A given card that the set does not hold is an extra card.
2. The shuffle is Fisher and Yates' and takes its chance from ``random.Random(seed).random()`` alone, the one method
   that Python promises to keep. The same seed gives the same cards in any year.
3. A card that could not be read is one of the set, nobody knows which: it takes the place of the last card.
4. Each load is shuffled with a seed of its own, made of the header's seed and the number of the load.
5. The table never sees this shoe. It is told what comes out of it, and how many cards were loaded.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Sequence

from gamecore.model.cards import SUITS, Card, deck

_SEEDS = 2**64  # more than a header can write, so that no load repeats the shuffle of another seed


class ShoeEmptyError(Exception):
    """A card was drawn and none was left."""


class PreparedShoe:
    """The cards that are still to come, known to the scenario alone."""

    def __init__(self, ranks: str, decks: int, seed: int) -> None:
        """An empty shoe for a set of cards."""
        self._ranks = ranks
        self._decks = decks
        self._seed = seed
        self._loads = 0
        self._cards: deque[Card] = deque()

    def __len__(self) -> int:
        """How many cards are left."""
        return len(self._cards)

    def load(self, given: Sequence[Card] = (), count: int | None = None, elsewhere: Sequence[Card] = ()) -> int:
        """Fill the shoe again, with `count` cards if that is said, and give the number of cards in it.

        `elsewhere` are cards of the set that lie on the table and are not loaded.
        """
        seed = self._seed + self._loads * _SEEDS
        self._loads += 1
        away = Counter(member.face for member in elsewhere)
        cards = [*given]
        for member in prepared(self._ranks, self._decks, given, seed)[len(given) :]:
            if away[member.face]:
                away[member.face] -= 1
            else:
                cards.append(member)
        if count is not None and count > len(cards):
            # More cards than the set holds: they come from decks that do not belong to it.
            further = -(-(count - len(cards)) // (len(self._ranks) * len(SUITS)))
            cards += shuffled(deck(self._ranks) * further, seed)
        self._cards = deque(cards[:count])
        return len(self._cards)

    def draw(self, instead: Card | None = None) -> Card:
        """Take out the next card; `instead` takes its place.

        Raises:
            ShoeEmptyError: no card is left, and none was named.
        """
        if not self._cards:
            if instead is None:
                raise ShoeEmptyError
            return instead
        following = self._cards.popleft()
        return following if instead is None else instead


def prepared(ranks: str, decks: int, given: Sequence[Card], seed: int) -> list[Card]:
    """All cards of a shoe in the order in which they come out."""
    taken = Counter(member.face for member in given)
    rest: list[Card] = []
    for member in deck(ranks) * decks:
        if taken[member.face]:
            taken[member.face] -= 1
        else:
            rest.append(member)
    rest = shuffled(rest, seed)
    unread = sum(1 for member in given if not member.readable)
    return [*given, *rest[: max(0, len(rest) - unread)]]


def shuffled(cards: Sequence[Card], seed: int) -> list[Card]:
    """The cards in an order that the seed decides."""
    order = list(cards)
    chance = random.Random(seed)
    for last in range(len(order) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def set_size(ranks: str, decks: int, given: Sequence[Card]) -> int:
    """How many cards a set has, extra ones among the given cards included."""
    whole = Counter(member.face for member in deck(ranks) * decks)
    extra = Counter(member.face for member in given if member.readable)
    extra.subtract(whole)
    return sum(whole.values()) + sum(count for count in extra.values() if count > 0)
