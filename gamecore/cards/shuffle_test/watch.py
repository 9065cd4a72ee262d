"""The test as a table uses it: when it begins to speak, and when it works.

1. An alarm waits for the eighth card, so that a handful of cards holds up no round. An advisory does not wait.
2. The whole shoe is watched: unshuffled cards may come after any number of others. With the alarm the watch is over.
3. `see` is on a card's way and does little; `settle` does the rest, whenever there is time before the next card. Called
   or not, the watch says the same.
4. A watch is stored and copied as what it was made of and the cards it has seen: they make it again, as soon as it is
   asked something. Once it is over it is not kept.
5. Waiting cannot raise an alarm, so the bound on false alarms holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.cards.shuffle_test.sequential import ShuffleTest, Verdict
from gamecore.model.cards import Card

LEAST_CARDS = 8


class Watch:
    """One shoe, watched from its first card."""

    __slots__ = ("_made_of", "_seen", "_test", "over")

    def __init__(self, ranks: str, decks: int, previous: Sequence[Card] = (), seen: Sequence[Card] = ()) -> None:
        """Watch a shoe; `previous` is the order in which its cards last went into the discard holder."""
        self._made_of = (ranks, decks, tuple(previous))
        self._seen = list(seen)
        self._test: ShuffleTest | None = None
        self.over = False

    def __reduce__(self) -> tuple[object, ...]:
        return Watch, self.made_of

    @property
    def made_of(self) -> tuple[str, int, tuple[Card, ...], tuple[Card, ...]]:
        """What makes it again: ranks, decks, the last order, the cards it has seen."""
        return (*self._made_of, tuple(self._seen))

    @property
    def cards(self) -> int:
        """How many cards it has seen."""
        return len(self._seen)

    def see(self, card: Card) -> Verdict:
        """Look at the next card; a verdict other than `NONE` is given once."""
        test = self._test or self._make_test()
        self._seen.append(card)
        before = test.verdict
        verdict = test.see(card)
        if verdict is Verdict.ALARM:
            if len(self._seen) < LEAST_CARDS:
                return Verdict.NONE
            self.over = True
            return verdict
        return verdict if verdict is not before else Verdict.NONE

    def settle(self) -> None:
        """Work out what is left of the last card, before the next one comes."""
        (self._test or self._make_test()).settle()

    def as_of(self, cards: int) -> Watch:
        """The watch as it was after its first `cards` cards."""
        return Watch(*self._made_of, self._seen[:cards])

    @property
    def explains(self) -> str:
        """The key of the order that explains the cards best."""
        return (self._test or self._make_test()).explains.key

    def _make_test(self) -> ShuffleTest:
        """Let a test see the cards that this watch has seen."""
        self._test = test = ShuffleTest(*self._made_of)
        for card in self._seen:
            test.see(card)
        return test
