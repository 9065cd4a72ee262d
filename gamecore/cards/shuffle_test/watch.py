"""The test as a table uses it: when it begins to speak, and when it stops looking.

1. An alarm waits for the eighth card, so that a handful of cards holds up no round. An advisory does not wait.
2. After 52 cards the watch is over if there is no evidence against the shuffle, after 156 in any case.
3. A watch is stored and copied as what it was made of and the cards it has seen: they make it again.
4. Waiting and stopping cannot raise an alarm, so the bound on false alarms holds. `tests/bench/shuffle_power.py`
   measures what they cost in power.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.cards.shuffle_test.sequential import ShuffleTest, Verdict
from gamecore.model.cards import Card

LEAST_CARDS, FIRST_LOOK, MOST_CARDS = 8, 52, 156


class Watch:
    """One shoe, watched from its first card."""

    __slots__ = ("_made_of", "_seen", "_test", "over")

    def __init__(self, ranks: str, decks: int, previous: Sequence[Card] = ()) -> None:
        """Watch a shoe just loaded; `previous` is the order in which its cards were last dealt."""
        self._made_of = (ranks, decks, tuple(previous))
        self._seen: list[Card] = []
        self._test = ShuffleTest(ranks, decks, previous)
        self.over = False

    def __reduce__(self) -> tuple[object, ...]:
        return watched, self.made_of

    @property
    def made_of(self) -> tuple[str, int, tuple[Card, ...], tuple[Card, ...]]:
        """What makes it again: ranks, decks, the order in which the cards were last dealt, the cards it has seen."""
        return (*self._made_of, tuple(self._seen))

    @property
    def cards(self) -> int:
        """How many cards it has seen."""
        return len(self._seen)

    def see(self, card: Card) -> Verdict:
        """Look at the next card; a verdict other than `NONE` is given once."""
        self._seen.append(card)
        cards, test = len(self._seen), self._test
        before = test.verdict
        verdict = test.see(card)
        if verdict is Verdict.ALARM:
            if cards < LEAST_CARDS:
                return Verdict.NONE
            self.over = True
            return verdict
        if cards >= MOST_CARDS or (cards == FIRST_LOOK and test.wealth < 1):
            self.over = True
        return verdict if verdict is not before else Verdict.NONE

    def as_of(self, cards: int) -> Watch:
        """The watch as it was after its first `cards` cards."""
        return watched(*self._made_of, self._seen[:cards])

    @property
    def explains(self) -> str:
        """The key of the order that explains the cards best."""
        return self._test.explains.key


def watched(ranks: str, decks: int, previous: Sequence[Card], seen: Sequence[Card]) -> Watch:
    """A watch that has seen these cards."""
    watch = Watch(ranks, decks, previous)
    for card in seen:
        watch.see(card)
    return watch
