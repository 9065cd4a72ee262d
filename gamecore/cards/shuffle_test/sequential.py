"""The test itself: the fair shuffle's chances, the alternatives' wealth, and the verdict.

1. The test counts the cards that remain of each face, rank and suit. Each alternative is told of a card by the symbol
   it knows: the face, the rank or the suit. A rank or a suit that is foretold lifts all its remaining cards alike.
2. A card that is unreadable, that no set contains, or of which no more can remain, changes nothing here: each of them
   is a finding of its own.
3. The verdict never goes down. With the alarm the test is over: later cards change nothing, and `wealth` and `explains`
   stay as they were at the alarm.
4. On a card's way stands one product for each alternative. The rest is done by `settle`: each alternative learns of the
   card and foretells the next. It is called between cards; what it has not done is done when the next card comes, with
   the same result.
5. An alternative of riffled cards that has lost all but a negligible part of its wealth is let go: what it owns stays
   as it is. A fair shoe soon sheds most of them. Runs are watched to the end. Some begin in mid-shoe
   (`gamecore.cards.shuffle_test.book`).
6. The same cards give the same verdict on any machine. Floating point appears only in sums, products, quotients and
   comparisons of IEEE doubles, which every machine rounds alike; no logarithm, power or root is taken, and nothing is
   added in an order that could vary. Wealth cannot overflow, because the test ends at the alarm.
7. A test need not be stored: the cards that were seen, given to a new test, bring it to the same state.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.book import Book, Order
from gamecore.model.cards import SUITS, Card, deck

# One shoe in a thousand, one in a million: Ville's inequality. The last digit of each is the margin for rounding.
ADVISORY_AT = 1_000.001
ALARM_AT = 1_000_001.0


class Verdict(Enum):
    """What the cards so far say of the shuffle."""

    NONE = "none"
    ADVISORY = "advisory"
    ALARM = "alarm"


class ShuffleTest:
    """The test of one shoe, from its first card: `decks` decks of `ranks`.

    `previous` is the known part of the order in which these cards were last dealt and collected. It may be empty,
    may lack cards, and may hold cards that are not of the set: those are passed over.
    """

    __slots__ = ("_bets", "_book", "_cards", "_counts", "_last", "_let_go", "_numbers", "_seen", "verdict", "wealth")

    def __init__(self, ranks: str, decks: int, previous: Sequence[Card] = ()) -> None:
        faces = {member.face: number for number, member in enumerate(deck(ranks))}
        # The number of a face, of its rank and of its suit; what remains of each; the alternatives that know each.
        self._numbers = {face: (number, number % len(ranks), number // len(ranks)) for face, number in faces.items()}
        self._counts = (
            [decks] * len(faces),
            [decks * len(SUITS)] * len(ranks),
            [decks * len(ranks)] * len(SUITS),
        )
        self._cards = decks * len(faces)
        self._book = Book(ranks, decks, previous, faces)
        self._bets: tuple[list[Bet], list[Bet], list[Bet]] = ([], [], [])
        for entry in self._book.entries:
            self._bets[entry.knows].append(entry.bet)
        self._seen = 0
        # What alternatives own that were let go; the card that is not settled yet.
        self._let_go = 0.0
        self._last: tuple[int, int, int] | None = None
        # The evidence against a fair shuffle: how many times better than chance the cards were foretold.
        self.wealth = 1.0
        # The strongest verdict so far.
        self.verdict = Verdict.NONE

    @property
    def explains(self) -> Order:
        """The order that carries most of the evidence. It means little before an advisory."""
        owned = dict.fromkeys(Order, 0.0)
        for entry in self._book.entries:
            owned[entry.order] += entry.bet.wealth
        return max(owned, key=lambda order: owned[order])

    def settle(self) -> None:
        """Let every alternative learn of the last card and foretell the next."""
        last = self._last
        if last is None or self.verdict is Verdict.ALARM or not self._cards:
            return
        self._last = None
        cards = self._cards
        self._seen += 1
        for symbol, counts, bets in zip(last, self._counts, self._bets, strict=True):
            lost = False
            for bet in bets:
                if bet.wealth < bet.least:
                    lost = True
                else:
                    bet.learn_card(symbol, counts[symbol] + 1, cards + 1)
                    bet.foretell_next(counts, cards)
            if lost:
                for bet in bets:
                    if bet.wealth < bet.least:
                        self._let_go += bet.wealth
                bets[:] = [bet for bet in bets if bet.wealth >= bet.least]
        if self._seen == self._book.next_at:
            for entry in self._book.begin_later(cards):
                self._bets[entry.knows].append(entry.bet)

    def see(self, card: Card) -> Verdict:
        """Take the next card out of the shoe and give the strongest verdict so far."""
        numbers = self._numbers.get(card.face)
        if self.verdict is Verdict.ALARM or numbers is None or not self._counts[0][numbers[0]]:
            return self.verdict
        if self._last is not None:
            self.settle()
        wealth = self._let_go + self._book.idle
        cards = self._cards
        for symbol, counts, bets in zip(numbers, self._counts, self._bets, strict=True):
            lift = cards / counts[symbol]
            for bet in bets:
                owned = bet.wealth * (bet.evenly + bet.share * bet.awaits[symbol] * lift)
                bet.wealth = owned
                wealth += owned
            counts[symbol] -= 1
        self._cards = cards - 1
        self._last = numbers
        self.wealth = wealth
        if wealth >= ALARM_AT:
            self.verdict = Verdict.ALARM
        elif wealth >= ADVISORY_AT and self.verdict is Verdict.NONE:
            self.verdict = Verdict.ADVISORY
        return self.verdict
