"""Hands: their cards, their totals, and what lies on them.

1. `hard` counts every Ace as 1. A hand is soft while it holds an Ace that may count 11 and the total stays within 21.
2. An Ace among the first two cards of a doubled hand counts 1 where the document says so (Pontoon and Ace Race 3.4.2):
   `aces_as_one` is the number of such Aces. The rule binds the hand, and so every wager on it.
3. A natural is an Ace and a ten-point card as the initial two cards. A hand that came from a split has none.
4. The initial cards come first, then the others in the order of dealing. Only `gamecore.cards.whereabouts` puts records
   on a hand or takes them off; an imagined hand has cards without records.
5. A `Stake` is what one Player has on one hand: own chips, chips added by doubling, Free Bet Markers.
   `base` is the original wager, which is what a marker stands for and what each split hand plays for.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from gamecore.model.cards import Card
from gamecore.model.records import CardRecord

LIMIT = 21
_INITIAL_CARDS = 2


@dataclass(slots=True)
class Stake:
    """What one Player has on one hand."""

    base: int
    chips: int
    added: int = 0
    split: bool = False  # this Player split, with chips or with a marker
    free_split: bool = False
    free_double: bool = False
    surrendered: bool = False
    even_money: bool = False
    rescued: bool = False
    returned_by: str = ""  # the clause under which the wager went back to its Player

    @property
    def at_risk(self) -> int:
        """The chips of the Player on this hand."""
        return self.chips + self.added

    @property
    def plays_for(self) -> int:
        """What the hand wins at even odds: the original wager or its marker, chips added, a free double."""
        return self.base + self.added + (self.base if self.free_double else 0)

    @property
    def doubled(self) -> bool:
        """Whether this Player doubled, with chips or with a marker."""
        return self.added > 0 or self.free_double

    @property
    def withdrawn(self) -> bool:
        """Whether this Player has no further part in how the hand is played."""
        return self.surrendered or self.even_money or self.rescued or self.returned_by != ""


class Hand:
    """The cards at one place, and the stakes on them."""

    __slots__ = (
        "absent",
        "aces",
        "aces_as_one",
        "awaits_card",
        "cards",
        "doubled",
        "hard",
        "records",
        "settled",
        "split",
        "split_aces",
        "stakes",
        "stood",
    )

    def __init__(self) -> None:
        """An empty hand."""
        self.cards: list[Card] = []
        self.records: list[CardRecord] = []
        self.stakes: dict[int, Stake] = {}
        self.hard = 0
        self.aces = 0
        self.aces_as_one = 0
        self.split = False
        self.split_aces = False
        self.doubled = False
        self.stood = False
        self.awaits_card = False
        self.settled = False
        self.absent = False

    def add(self, card: Card, index: int | None = None) -> None:
        """Lay a card on the hand, as its last card or at an index."""
        if index is None:
            self.cards.append(card)
        else:
            self.cards.insert(index, card)
        self.hard += card.points
        if card.rank == "A":
            self.aces += 1

    def remove(self, index: int) -> None:
        """Take the card at an index off the hand."""
        card = self.cards.pop(index)
        self.hard -= card.points
        if card.rank == "A":
            self.aces -= 1

    @property
    def face_down(self) -> list[Card]:
        """The cards that lie face down."""
        return [record.card for record in self.records if record.face_down]

    def imagined(self) -> Hand:
        """A copy to try further cards on: cards without records, the same stakes."""
        other = copy(self)
        other.cards, other.records = list(self.cards), []
        return other

    @property
    def soft(self) -> bool:
        """Whether an Ace counts 11."""
        return self.aces > self.aces_as_one and self.hard <= LIMIT - 10

    @property
    def total(self) -> int:
        """The point total."""
        if self.aces > self.aces_as_one and self.hard <= LIMIT - 10:
            return self.hard + 10
        return self.hard

    @property
    def bust(self) -> bool:
        """Whether the total exceeds 21."""
        return self.hard > LIMIT

    @property
    def natural(self) -> bool:
        """Whether the initial two cards are an Ace and a ten-point card, and the hand is no split."""
        return len(self.cards) == _INITIAL_CARDS and self.aces == 1 and self.hard == LIMIT - 10 and not self.split

    @property
    def initial(self) -> bool:
        """Whether the hand holds exactly two cards."""
        return len(self.cards) == _INITIAL_CARDS

    @property
    def in_play(self) -> bool:
        """Whether some Player still has a part in how the hand is played."""
        for stake in self.stakes.values():  # noqa: SIM110  asked at every card: a generator takes twice as long
            if not stake.withdrawn:
                return True
        return False
