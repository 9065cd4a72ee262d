"""Cards and hands as the documents count them (MBS 3.4, RWS 3.2), from the text of the cards."""

from __future__ import annotations

from collections.abc import Sequence

BLACK = frozenset("SC")


def points(card: str, *, ace: int = 11) -> int:
    """The value of one card."""
    rank = card[0]
    return ace if rank == "A" else 10 if rank in "TJQK" else int(rank)


def total(cards: Sequence[str], *, low_aces: bool = False) -> int:
    """The point total. `low_aces`: an Ace of the first two counts 1 (Pontoon and Ace Race 3.4.2)."""
    fixed = 2 if low_aces else 0
    value = sum(points(card, ace=1) for card in cards)
    free = any(card[0] == "A" for card in cards[fixed:])
    return value + 10 if free and value + 10 <= 21 else value


def natural(cards: Sequence[str]) -> bool:
    """An Ace and a card of ten points, and no more."""
    return len(cards) == 2 and total(cards) == 21


def same_face(cards: Sequence[str]) -> bool:
    """Two cards alike in rank; King and Queen, or ten and King, are not (MBS 1.1.8, 3.4.3)."""
    return len(cards) == 2 and cards[0][0] == cards[1][0]


def likeness(cards: Sequence[str]) -> str:
    """How far two cards of one rank are alike: `suited`, `coloured`, `mixed`; empty where the ranks differ."""
    if not same_face(cards):
        return ""
    one, other = cards[0][1], cards[1][1]
    if one == other:
        return "suited"
    return "coloured" if (one in BLACK) == (other in BLACK) else "mixed"
