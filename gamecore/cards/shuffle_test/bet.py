"""What every alternative to the fair shuffle is: wealth, and what it foretells of the next card.

1. Of a symbol (a face, a rank or a suit) an alternative foretells `evenly` times what chance says, and `share` times
   what it `awaits` of the symbol. A symbol, of which `count` among `cards` remain, is
   likelier than by chance by this factor:

       evenly + share x awaits[symbol] x cards / count

   Over the symbols that remain, evenly + share x (sum of awaits) is one.
2. `learn_card` tells it of a card, `foretell_next` lets it foretell the next one. Both are called between cards. What
   stands on a card's way is the product above.
3. Sums are made in one order, by loops: from Python 3.12 on `sum` rounds otherwise than a loop does.
"""

from __future__ import annotations

# An alternative that owns less than this part of what it began with is let go.
NEGLIGIBLE = 1 / 256


class Bet:
    """An alternative to the fair shuffle that foretells nothing yet."""

    __slots__ = ("awaits", "evenly", "least", "share", "wealth")

    def __init__(self, symbols: int, wealth: float) -> None:
        self.wealth = wealth
        self.least = 0.0
        self.evenly = 1.0
        self.share = 0.0
        self.awaits = [0.0] * symbols

    def begin(self, wealth: float) -> None:
        """Own a part of the wealth, of which all but a negligible part may be lost."""
        self.wealth = wealth
        self.least = wealth * NEGLIGIBLE

    def foretell_next(self, counts: list[int], cards: int) -> None:
        """Foretell the next card, where `counts` remain of the symbols and `cards` in all."""
        raise NotImplementedError

    def learn_card(self, symbol: int, count: int, cards: int) -> None:
        """Learn of a card, of whose symbol `count` among `cards` were left before it came."""
        raise NotImplementedError

    def _awaited(self, counts: list[int]) -> float:
        """All that is awaited of symbols that remain."""
        whole = 0.0
        awaits = self.awaits
        for symbol, count in enumerate(counts):
            if count:
                whole += awaits[symbol]
        return whole
