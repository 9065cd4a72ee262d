"""Fresh decks of an unknown maker, riffled together.

1. As in `gamecore.cards.shuffle_test.packs`, only that it is learned how the decks are packed: of each suit, whether it
   runs up or down. That is the same in all decks, so what one packet shows holds for all.
2. Known are the packets that last brought each face (`_packets_at`), and how often each suit was seen to run up and
   down. A packet goes on with the next face up or down, in proportion to that. At the end of a suit it goes on with the
   beginning of any other one.
"""

from __future__ import annotations

from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.packs import OUTLIER
from gamecore.model.cards import SUITS

# What is known of a direction before it is seen, in cards each way.
BEFORE = 0.25


class Makers(Bet):
    """Decks of as many ranks in each suit, after as many riffles as are told."""

    __slots__ = ("_downs", "_packets", "_packets_at", "_ranks", "_ups")

    def __init__(self, ranks: int, riffles: int, wealth: float) -> None:
        Bet.__init__(self, ranks * len(SUITS), wealth)
        self._ranks = ranks
        self._packets = 1 << riffles
        self._packets_at = [0.0] * (ranks * len(SUITS))
        self._ups = [BEFORE] * len(SUITS)
        self._downs = [BEFORE] * len(SUITS)

    def foretell_next(self, counts: list[int], _cards: int) -> None:
        """Await what goes on with the packets seen so far."""
        ranks, awaits, at = self._ranks, self.awaits, self._packets_at
        ends = 0.0
        over: list[float] = []
        for suit in range(len(SUITS)):
            first = suit * ranks
            up = self._ups[suit] / (self._ups[suit] + self._downs[suit])
            awaits[first] = 0.0
            for face in range(first, first + ranks - 1):
                awaits[face + 1] = at[face] * up
                awaits[face] += at[face + 1] * (1.0 - up)
            over.append((at[first + ranks - 1] * up + at[first] * (1.0 - up)) / (len(SUITS) - 1))
            ends += over[suit]
        for suit in range(len(SUITS)):
            up = self._ups[suit] / (self._ups[suit] + self._downs[suit])
            awaits[suit * ranks] += (ends - over[suit]) * up
            awaits[(suit + 1) * ranks - 1] += (ends - over[suit]) * (1.0 - up)
        awaited = self._awaited(counts)
        share = 1 / self._packets
        if awaited * share > 1 - OUTLIER:
            share = (1 - OUTLIER) / awaited
        self.share = share
        self.evenly = 1.0 - awaited * share

    def learn_card(self, symbol: int, count: int, cards: int) -> None:
        """Let the packets go on that awaited a card, and learn how its suit runs."""
        suit, rung = divmod(symbol, self._ranks)
        at = self._packets_at
        up = self._ups[suit] / (self._ups[suit] + self._downs[suit])
        chance = count / cards
        whole = self.awaits[symbol] * self.share + self.evenly * chance
        part = self.share / whole
        ups = at[symbol - 1] * up * part if rung else 0.0
        downs = at[symbol + 1] * (1.0 - up) * part if rung < self._ranks - 1 else 0.0
        if ups > 0.0:
            at[symbol - 1] -= ups * min(1.0, at[symbol - 1])
        if downs > 0.0:
            at[symbol + 1] -= downs * min(1.0, at[symbol + 1])
        # A packet that goes on from the end of another suit stays awaited there: it is one card in thirteen.
        at[symbol] += 1.0 - OUTLIER * chance / whole
        self._ups[suit] += ups
        self._downs[suit] += downs
