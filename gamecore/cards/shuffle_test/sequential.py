"""The test itself: the fair shuffle's chances, the alternatives' wealth, and the verdict.

1. The test counts the cards that remain of each face, rank and suit. Each alternative is told of a card by the symbol
   it knows: the face, the rank or the suit. A rank or a suit that is foretold lifts all its remaining cards alike.
2. A card that is unreadable, that no set contains, or of which no more can remain, changes nothing here: each of them
   is a finding of its own.
3. The verdict never goes down. With the alarm the test is over: later cards change nothing, and `wealth` and `explains`
   stay as they were at the alarm.
4. The same cards give the same verdict on any machine. Floating point appears only in sums, products, quotients and
   comparisons of IEEE doubles, which every machine rounds alike; no logarithm, power or root is taken, and nothing is
   added in an order that could vary. Wealth cannot overflow, because the test ends at the alarm.
5. A test need not be stored: the cards that were seen, given to a new test, bring it to the same state.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from gamecore.cards.shuffle_test import orders
from gamecore.cards.shuffle_test.alternative import Alternative
from gamecore.model.cards import SUITS, Card, deck
from gamecore.model.events.texts import Text

# One shoe in a thousand, one in a million: Ville's inequality. The last digit of each is the margin for rounding.
ADVISORY_AT = 1_000.001
ALARM_AT = 1_000_001.0


class Verdict(Enum):
    """What the cards so far say of the shuffle."""

    NONE = "none"
    ADVISORY = "advisory"
    ALARM = "alarm"


class Order(Text):
    """The orders that the test knows."""

    FACTORY = "factory order"
    FACES = "sorted, equal cards together"
    RANKS = "sorted by rank"
    SUITS = "sorted by suit"
    REPEATED = "repeats the last order"
    REVERSED = "repeats the last order, reversed"


# The part of the wealth that each order starts with, and the most threads it holds.
_STAKES: dict[Order, tuple[int, int]] = {
    Order.FACTORY: (30, 20),
    Order.FACES: (12, 4),
    Order.RANKS: (10, 4),
    Order.SUITS: (5, 1),
    Order.REPEATED: (25, 16),
    Order.REVERSED: (18, 16),
}


class ShuffleTest:
    """The test of one shoe, from its first card: `decks` decks of `ranks`.

    `previous` is the order in which these cards were last dealt and collected, as far as it is known. It may be empty,
    may lack cards, and may hold cards that are not of the set: those are passed over.
    """

    __slots__ = (
        "_cards",
        "_face_bets",
        "_faces",
        "_orders",
        "_rank_bet",
        "_ranks",
        "_suit_bet",
        "_suits",
        "_symbols",
        "verdict",
        "wealth",
    )

    def __init__(self, ranks: str, decks: int, previous: Sequence[Card] = ()) -> None:
        # The number of a face is the symbol that the walks know it by: suit by suit.
        numbers = {member.face: number for number, member in enumerate(deck(ranks))}
        self._symbols = {face: (number, *divmod(number, len(ranks))) for face, number in numbers.items()}
        self._faces = [decks] * len(numbers)
        self._ranks = [decks * len(SUITS)] * len(ranks)
        self._suits = [decks * len(ranks)] * len(SUITS)
        self._cards = sum(self._faces)
        # The evidence against a fair shuffle: how many times better than chance the cards were foretold.
        self.wealth = 1.0
        # The strongest verdict so far.
        self.verdict = Verdict.NONE

        walks = {
            Order.FACTORY: orders.factory(ranks),
            Order.RANKS: orders.ranks_together(ranks, decks),
            Order.SUITS: orders.suits_together(),
        }
        if decks > 1:
            walks[Order.FACES] = orders.faces_together(ranks, decks)
        last = [number for member in previous if (number := numbers.get(member.face)) is not None]
        if last:
            walks[Order.REPEATED] = orders.known_order(len(self._faces), last)
            walks[Order.REVERSED] = orders.known_order(len(self._faces), last[::-1])
        whole = sum(_STAKES[order][0] for order in walks)
        self._orders = {
            order: Alternative(walk, _STAKES[order][0] / whole, _STAKES[order][1]) for order, walk in walks.items()
        }
        self._rank_bet = self._orders[Order.RANKS]
        self._suit_bet = self._orders[Order.SUITS]
        self._face_bets = [bet for bet in self._orders.values() if bet not in (self._rank_bet, self._suit_bet)]

    @property
    def explains(self) -> Order:
        """The order that carries most of the evidence. It means little before an advisory."""
        return max(self._orders, key=lambda order: self._orders[order].wealth)

    def see(self, card: Card) -> Verdict:
        """Take the next card out of the shoe and give the strongest verdict so far."""
        symbols = self._symbols.get(card.face)
        if self.verdict is Verdict.ALARM or symbols is None or not self._faces[symbols[0]]:
            return self.verdict
        face, suit, rank = symbols
        cards, faces = self._cards, self._faces[face]
        wealth = self._rank_bet.see(rank, self._ranks[rank], cards)
        wealth += self._suit_bet.see(suit, self._suits[suit], cards)
        for bet in self._face_bets:
            wealth += bet.see(face, faces, cards)
        self._cards = cards - 1
        self._faces[face] = faces - 1
        self._ranks[rank] -= 1
        self._suits[suit] -= 1
        self.wealth = wealth
        if wealth >= ALARM_AT:
            self.verdict = Verdict.ALARM
        elif wealth >= ADVISORY_AT:
            self.verdict = Verdict.ADVISORY
        return self.verdict
