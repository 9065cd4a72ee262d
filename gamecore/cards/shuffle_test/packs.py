"""Fresh decks, all packed alike, riffled together.

1. Where several decks lie in the same order it does not matter which of them a card is from: the card after it shows
   the same face. So it is enough to know how many packets go on with each face (`awaits`).
2. Of 2**riffles packets each brings the next card with the same chance. One that has brought a card goes on with the
   face after it; one of which nothing was seen brings any face, as chance does.
3. A card has come from a packet that awaited it, or begins a packet, in proportion to their chances. What a packet has
   brought is not awaited any more, if a packet awaited it.
4. A card may be an outlier, which says nothing: without that a packet too many would never be forgotten.
"""

from __future__ import annotations

from gamecore.cards.shuffle_test.bet import Bet

OUTLIER = 0.01


class Packs(Bet):
    """Decks in one order of faces, after a number of riffles."""

    __slots__ = ("_after", "_packets")

    def __init__(self, order: list[int], riffles: int, wealth: float) -> None:
        Bet.__init__(self, len(order), wealth)
        self._packets = 1 << riffles
        self._after = [0] * len(order)
        for place, face in enumerate(order):
            self._after[order[place - 1]] = face

    def foretell_next(self, counts: list[int], _cards: int) -> None:
        """Await what goes on with the packets seen so far."""
        awaited = self._awaited(counts)
        share = 1 / self._packets
        if awaited * share > 1 - OUTLIER:
            share = (1 - OUTLIER) / awaited
        self.share = share
        self.evenly = 1.0 - awaited * share

    def learn_card(self, symbol: int, count: int, cards: int) -> None:
        """Let the packets that awaited a card go on."""
        goes_on = self.awaits[symbol] * self.share
        begins = (self.evenly - OUTLIER) * count / cards
        whole = goes_on + self.evenly * count / cards
        self.awaits[symbol] -= goes_on / whole * min(1.0, self.awaits[symbol])
        self.awaits[self._after[symbol]] += (goes_on + begins) / whole
