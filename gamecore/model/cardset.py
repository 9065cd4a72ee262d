"""The set of cards in use, counted card by card.

1. A card whose face the set does not know is foreign. One face more often than the set has decks is extra, at the very
   card that proves it; so is a unique code that comes twice.
2. The shoe's count is compared with the cards that must be left in it, the discard holder's with the cards that are
   out. More is extra, fewer is missing.
3. Every load starts the count anew: only what lies on the table counts as out. So cards riffled back from the discard
   holder in mid-round (MBS 5.19) may come a second time. Unique codes are forgotten, also those of cards on the table.
4. In continuous shuffling cards go back all the time: a face or a code that comes again proves nothing.
"""

from __future__ import annotations

from collections import Counter

from gamecore.model.cards import Card, composition


class CardSet:
    """What has left the shoe since the set was loaded."""

    __slots__ = ("codes", "continuous", "in_shoe", "limits", "out", "size")

    def __init__(self, ranks: str, decks: int, left: int | None, *, continuous: bool) -> None:
        """Start with a set of `decks` decks, of which `left` cards are in the shoe; with None, all of them."""
        self.limits = dict(composition(ranks, decks))
        self.size = len(self.limits) * decks
        self.in_shoe = self.size if left is None else left
        self.out: dict[str, int] = {}
        self.codes: set[str] = set()
        self.continuous = continuous

    def copy(self) -> CardSet:
        """A copy that counts on its own."""
        other = CardSet.__new__(CardSet)
        other.limits, other.size, other.in_shoe, other.continuous = (
            self.limits,
            self.size,
            self.in_shoe,
            self.continuous,
        )
        other.out, other.codes = self.out.copy(), self.codes.copy()
        return other

    def __deepcopy__(self, _: object) -> CardSet:
        return self.copy()

    def draw(self, card: Card) -> str | None:
        """Count a card that left the shoe, and give the code of what it proves, if anything."""
        self.in_shoe -= 1
        face, out = card.face, self.out
        limit = self.limits.get(face)
        if limit is None:
            return None if face == "??" else "foreign-card"
        out[face] = seen = out.get(face, 0) + 1
        if seen > limit and not self.continuous:
            return "extra-card"
        if card.code:
            if card.code in self.codes and not self.continuous:
                return "extra-card"
            self.codes.add(card.code)
        return None

    def appeared(self, card: Card) -> str | None:
        """What a card on the layout proves that the shoe has not named: foreign, or one too many."""
        limit = self.limits.get(card.face)
        if limit is None:
            return "foreign-card" if card.readable else None
        known = card.code != "" and card.code in self.codes
        return "extra-card" if (self.out.get(card.face, 0) >= limit or known) and not self.continuous else None

    def replaced(self, card: Card) -> str | None:
        """Count the face of a card that could not be read, once a person has said it."""
        self.in_shoe += 1
        return self.draw(card)

    def pushed_back(self, card: Card) -> None:
        """Count a card that is in the shoe again."""
        self.in_shoe += 1
        if self.out.get(card.face):
            self.out[card.face] -= 1
        self.codes.discard(card.code)

    def shoe_counted(self, count: int) -> str | None:
        """What the shoe's own count proves."""
        return _difference(count, self.in_shoe)

    def discard_counted(self, count: int) -> str | None:
        """What the discard holder's count proves, between rounds."""
        return _difference(count, self.size - self.in_shoe)

    def loaded(self, count: int, on_table: Counter[str]) -> str | None:
        """Count anew after a load: only what lies on the table is out. Give what the number of loaded cards proves."""
        self.out = dict(on_table)
        self.codes.clear()
        self.in_shoe = count
        return _difference(count, self.size - sum(on_table.values()))


def _difference(count: int, expected: int) -> str | None:
    if count == expected:
        return None
    return "extra-card" if count > expected else "missing-card"
