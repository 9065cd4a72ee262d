"""The test itself: the fair shuffle's chances, the alternatives' wealth, and the verdict.

1. The test counts the cards that remain of each face, rank and suit. Each walk is told of a card by the symbol it
   knows: the face, the rank or the suit. A rank or a suit that is foretold lifts all its remaining cards alike. An
   order that is known card by card is also taken as a ring, for each number of riffles and both directions.
2. A card that is unreadable, that no set contains, or of which no more can remain, changes nothing here: each of them
   is a finding of its own.
3. The verdict never goes down. With the alarm the test is over: later cards change nothing, and `wealth` and `explains`
   stay as they were at the alarm.
4. The same cards give the same verdict on any machine. Floating point appears only in sums, products, quotients and
   comparisons of IEEE doubles, which every machine rounds alike; no logarithm, power or root is taken, and nothing is
   added in an order that could vary. Wealth cannot overflow, because the test ends at the alarm.
5. A ring that has lost all but a negligible part of its wealth is let go: what it owns stays as it is.
6. What rings work out, `settle` does between cards, one ring at a time. What it has not done is done by `see`, with the
   same result.
7. A test costs nothing to make again: the cards that were seen, told to a new test, give the same state.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from gamecore.cards.shuffle_test import orders
from gamecore.cards.shuffle_test.alternative import Alternative
from gamecore.cards.shuffle_test.ring import KnownOrder, Ring
from gamecore.model.cards import SUITS, Card, deck

# One shoe in a thousand, one in a million: Ville's inequality. The last digit of each is the margin for rounding.
ADVISORY_AT = 1_000.001
ALARM_AT = 1_000_001.0


class Verdict(Enum):
    """What the cards so far say of the shuffle."""

    NONE = "none"
    ADVISORY = "advisory"
    ALARM = "alarm"


class Order(Enum):
    """The orders that the test knows, in the words of the report."""

    FACTORY = "factory order"
    FACES = "sorted, equal cards together"
    RANKS = "sorted by rank"
    SUITS = "sorted by suit"
    REPEATED = "repeats the last order"
    REVERSED = "repeats the last order, reversed"


# The part of the wealth that each walk starts with, and the most threads it holds.
_STAKES: dict[Order, tuple[int, int]] = {
    Order.FACTORY: (30, 20),
    Order.FACES: (12, 4),
    Order.RANKS: (10, 4),
    Order.SUITS: (5, 1),
    Order.REPEATED: (25, 16),
    Order.REVERSED: (18, 16),
}


# The part of the wealth that the rings of an order start with, and how the numbers of riffles share it: the harder they
# are to tell from a fair shuffle, the more they get.
_RINGS: dict[Order, int] = {Order.FACTORY: 160, Order.REPEATED: 110, Order.REVERSED: 110}
# Cards that were not riffled at all the walks find. Five riffles of a single deck leave nothing that could be found.
MOST_RIFFLES, MOST_OF_ONE_DECK = 5, 4
_SHARES = (0, 1, 1, 2, 4, 6)
# A ring that owns less than this part of what it began with is let go.
NEGLIGIBLE = 1 / 4096
# One maker's packing, spades first; read backwards it is the other usual one.
_UP, _DOWN = "SD", "CH"


class _Bet:
    """A ring and what it owns."""

    __slots__ = ("least", "order", "ring", "wealth")

    def __init__(self, order: Order, ring: Ring, wealth: float) -> None:
        self.order = order
        self.ring = ring
        self.wealth = wealth
        self.least = wealth * NEGLIGIBLE


class ShuffleTest:
    """The test of one shoe, from its first card: `decks` decks of `ranks`.

    `previous` is the order in which these cards were last dealt and collected, as far as it is known. It may be empty,
    may lack cards, and may hold cards that are not of the set: those are passed over.
    """

    __slots__ = (
        "_bets",
        "_cards",
        "_face_bets",
        "_faces",
        "_last",
        "_let_go",
        "_orders",
        "_rank_bet",
        "_ranks",
        "_settled",
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
        last = _last_of_each(previous, numbers, decks)
        rings: dict[Order, list[KnownOrder]] = {}
        packed = _packed(ranks, decks, numbers)
        faces = len(self._faces)
        rings[Order.FACTORY] = [KnownOrder(faces, packed), KnownOrder(faces, packed[::-1])]
        if last:
            walks[Order.REPEATED] = orders.known_order(faces, last)
            walks[Order.REVERSED] = orders.known_order(faces, last[::-1])
            rings[Order.REPEATED] = [KnownOrder(faces, last)]
            rings[Order.REVERSED] = [KnownOrder(faces, last[::-1])]
        whole = sum([_STAKES[order][0] for order in walks]) + sum([_RINGS[order] for order in rings])
        self._orders = {
            order: Alternative(walk, _STAKES[order][0] / whole, _STAKES[order][1]) for order, walk in walks.items()
        }
        self._rank_bet = self._orders[Order.RANKS]
        self._suit_bet = self._orders[Order.SUITS]
        self._face_bets = [bet for bet in self._orders.values() if bet not in (self._rank_bet, self._suit_bet)]
        riffled = range(1, 1 + (MOST_RIFFLES if decks > 1 else MOST_OF_ONE_DECK))
        shared = sum([_SHARES[riffles] for riffles in riffled])
        self._bets = [
            _Bet(order, Ring(known, riffles), _RINGS[order] * _SHARES[riffles] / (whole * len(ways) * shared))
            for riffles in riffled
            for order, ways in rings.items()
            for known in ways
        ]
        # What rings that were let go still own, for each order; the last card, and how many rings know of it.
        self._let_go = dict.fromkeys(rings, 0.0)
        self._last = -1
        self._settled = 0

    @property
    def explains(self) -> Order:
        """The order that carries most of the evidence. It means little before an advisory."""
        owned = {order: bet.wealth for order, bet in self._orders.items()}
        for bet in self._bets:
            owned[bet.order] += bet.wealth
        return max(owned, key=lambda order: owned[order])

    def settle(self) -> bool:
        """Let one ring foretell the next card, of those that have not yet; whether another is left."""
        if self.verdict is Verdict.ALARM or self._settled >= len(self._bets):
            return False
        ring = self._bets[self._settled].ring
        if self._last >= 0:
            ring.take(self._last, self._faces[self._last] + 1, self._cards + 1)
        ring.settle(self._faces, self._cards)
        self._settled += 1
        return self._settled < len(self._bets)

    def see(self, card: Card) -> Verdict:
        """Take the next card out of the shoe and give the strongest verdict so far."""
        symbols = self._symbols.get(card.face)
        if self.verdict is Verdict.ALARM or symbols is None or not self._faces[symbols[0]]:
            return self.verdict
        face, suit, rank = symbols
        cards, faces = self._cards, self._faces[face]
        wealth = self._rank_bet.see(rank, self._ranks[rank], cards)
        wealth += self._suit_bet.see(suit, self._suits[suit], cards)
        for walk in self._face_bets:
            wealth += walk.see(face, faces, cards)
        wealth += self._see_rings(face)
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

    def _see_rings(self, face: int) -> float:
        """Multiply in what the rings foretold, let go of those that have lost, and give what all own."""
        last, counts, cards = self._last, self._faces, self._cards
        lost = False
        for number in range(len(self._bets)):
            bet = self._bets[number]
            if number >= self._settled and last >= 0:
                bet.ring.take(last, counts[last] + 1, cards + 1)
            bet.wealth *= bet.ring.lift(face, counts, cards)
            lost = lost or bet.wealth < bet.least
        if lost:
            for bet in self._bets:
                if bet.wealth < bet.least:
                    self._let_go[bet.order] += bet.wealth
            self._bets = [bet for bet in self._bets if bet.wealth >= bet.least]
        self._last = face
        self._settled = 0
        wealth = 0.0
        for owned in self._let_go.values():
            wealth += owned
        for bet in self._bets:
            wealth += bet.wealth
        return wealth


def _last_of_each(previous: Sequence[Card], numbers: dict[str, int], decks: int) -> list[int]:
    """The last order by the numbers of its faces; of a face no more than there are, the latest ones."""
    found: list[int] = []
    left = dict.fromkeys(numbers, decks)
    for member in reversed(previous):
        if left.get(member.face, 0):
            left[member.face] -= 1
            found.append(numbers[member.face])
    return found[::-1]


def _packed(ranks: str, decks: int, numbers: dict[str, int]) -> list[int]:
    """Decks as the maker packs them, one after another, by the numbers of their faces."""
    up = [numbers[rank + suit] for suit in _UP for rank in ranks]
    down = [numbers[rank + suit] for suit in _DOWN for rank in reversed(ranks)]
    return (up + down) * decks
