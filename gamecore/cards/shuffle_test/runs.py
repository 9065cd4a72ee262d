"""Runs of cards in some order, wherever in the shoe they begin and end.

1. Such are cards that nobody shuffled, packets that stuck together, a strip shuffle, a fresh deck among others. A run
   walks along an order (`gamecore.cards.shuffle_test.orders`). At each card it goes on, or it ends: then another run
   begins at any place, or cards come as chance has it until one begins.
2. Known is the chance of each node to be the last card's. Only nodes that show the card have any, so a card costs as
   many steps as its symbol has nodes.
3. A symbol of which no card remains is not awaited: its part goes to chance.
4. A run may begin at any card, so this alternative is watched to the end of the shoe. To be ready for it costs a small
   part of the wealth at each card.
"""

from __future__ import annotations

from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.orders import Walk

# How likely a run begins with the first card, and with a later one.
FIRST = 0.5
BEGINS = 1 / 256
# How likely a run ends after a card, and another then begins at once.
ENDS = 1 / 16
ANOTHER = 0.5


class Runs(Bet):
    """Runs along one order."""

    __slots__ = ("_at", "_begin", "_nodes", "_walk", "_weights")

    def __init__(self, walk: Walk, wealth: float) -> None:
        Bet.__init__(self, len(walk.shown_by), wealth)
        self._walk = walk
        # The nodes that the last card may be, with their chances, and how likely the next card begins a run.
        self._at: list[int] = []
        self._weights: list[float] = []
        self._begin = FIRST
        # The nodes that are awaited, with their chances.
        self._nodes: dict[int, float] = {}
        self.share = 1.0

    def begin(self, wealth: float) -> None:
        """Own a part of the wealth, of which all may be lost."""
        self.wealth = wealth

    def foretell_next(self, counts: list[int], _cards: int) -> None:
        """Await what goes on with the run."""
        walk, awaits, nodes = self._walk, self.awaits, self._nodes
        for node in nodes:
            awaits[walk.shows[node]] = 0.0
        nodes.clear()
        awaited = 0.0
        for place in range(len(self._at)):
            weight = self._weights[place] * (1 - ENDS)
            for node, chance in walk.after[self._at[place]]:
                symbol = walk.shows[node]
                if counts[symbol]:
                    part = weight * chance
                    nodes[node] = nodes.get(node, 0.0) + part
                    awaits[symbol] += part
                    awaited += part
        self.evenly = 1.0 - awaited

    def learn_card(self, symbol: int, count: int, cards: int) -> None:
        """Work out where in a run a card is."""
        chance = count / cards
        whole = self.awaits[symbol] + self.evenly * chance
        shown = self._walk.shown_by[symbol]
        new = self._begin * chance / (whole * len(shown)) if shown else 0.0
        self._at = shown
        self._weights = []
        running = 0.0
        for node in shown:
            weight = self._nodes.get(node, 0.0) / whole + new
            self._weights.append(weight)
            running += weight
        self._begin = running * ENDS * ANOTHER + max(0.0, 1.0 - running) * BEGINS
