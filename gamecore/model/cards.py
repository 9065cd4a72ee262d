"""Cards, and the set of cards that a game is played with.

1. A card is rank, suit and, where cards carry one, a unique code: ``AS``, ``TD``, ``7H#17``.
2. ``??`` is a card that the shoe could not read. ``JOKER`` is a card that no set contains. Both are cards: what
   happens physically is always a fact, and whether a card belongs to the set is another question.
3. `points` counts an Ace as 1. Whether an Ace counts 11 is a property of the hand (`gamecore.model.hands`).
4. `card` remembers what it has made: the same text gives the same object while it does, `??` and `JOKER` always. Cards
   are compared by value.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

RANKS = "A23456789TJQK"
SUITS = "SHDC"
BLACK_SUITS = "SC"
PICTURES = "JQK"

_POINTS = {rank: min(number, 10) for number, rank in enumerate(RANKS, start=1)}


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `points` counts an Ace as 1, a picture as 10, and a card without a value as 0."""

    rank: str
    suit: str
    code: str
    points: int
    face: str  # rank and suit without the unique code

    def __deepcopy__(self, _: object) -> Card:
        return self

    def __str__(self) -> str:
        """The card in deal notation."""
        return f"{self.face}#{self.code}" if self.code else self.face

    @property
    def is_ace(self) -> bool:
        """Whether the card is an Ace."""
        return self.rank == "A"

    @property
    def readable(self) -> bool:
        """Whether the shoe could read the card."""
        return self.rank != "?"


JOKER = Card("JOKER", "", "", 0, "JOKER")
UNREAD = Card("?", "?", "", 0, "??")


class CardError(ValueError):
    """A text that is not a card."""


@lru_cache(maxsize=8192)  # more than the cards of any table; a device that invents codes fills no memory
def card(text: str) -> Card:
    """The card that `text` names.

    Raises:
        CardError: the text names no card.
    """
    face, _, code = text.partition("#")
    if text == "JOKER":
        return JOKER
    if text == "??":
        return UNREAD
    if (
        len(face) != 2
        or face[0] not in RANKS
        or face[1] not in SUITS
        or ("#" in text and not (code.isascii() and code.isalnum()))
    ):
        message = (
            f"'{text}' is no card: expected a rank of {RANKS} and a suit of {SUITS}, such as AS or TD, ?? or JOKER"
        )
        raise CardError(message)
    return Card(face[0], face[1], code, _POINTS[face[0]], face)


def deck(ranks: str) -> tuple[Card, ...]:
    """One deck of the given ranks in all four suits."""
    return tuple(card(rank + suit) for suit in SUITS for rank in ranks)


def composition(ranks: str, decks: int) -> Counter[str]:
    """How many cards of each face a set of `decks` decks holds."""
    return Counter({member.face: decks for member in deck(ranks)})
