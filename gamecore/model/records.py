"""One record for every card that has left the shoe, or that lies on the layout without having left one.

1. A record is one card, not a face: two nines of hearts are two records. Its face may be unknown and become known.
2. `felt` is where it lies; None while it lies nowhere. A lifted card keeps it until it is laid. Only what happens
   physically changes it, and what is presumed (`gamecore.cards.whereabouts`): at a split, at a sweep, at a place that
   is told or that nobody reads, and where equal cards are taken for each other.
3. `role` is what it counts for, exactly one thing at a time.
4. `due` is where the order of the deal put it; `initial` whether it is one of the initial cards. Both are about the
   deal, not about where it lies. The order within a hand follows from `number` and `initial`.
5. `order` says which of several cards comes first. It is the order of leaving the shoe, except that of cards of one
   pull those that are disclosed come first, and that a chosen card comes before all that are still to be dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from gamecore.model.cards import Card
from gamecore.model.places import Place

if TYPE_CHECKING:
    from gamecore.model.hands import Hand
    from gamecore.model.round import Finding


class Role(Enum):
    """What a card counts for."""

    ARRIVING = "it is on its way from the shoe to its place"
    ON_HAND = "it counts for a hand"
    NEXT = "it is dealt before any card from the shoe"
    GIVEN = "a ruling gives it to a hand, where it counts as soon as play goes on"
    RELAID = "it counts as it lies as soon as play goes on"
    WAITING = "it waits for a ruling"
    BURNT = "it is burnt"
    OUT = "it is out of play"
    BACK = "it is in the shoe again"

    #: Roles are looked up at every card: by identity, which is what tells members apart.
    __hash__ = object.__hash__


@dataclass(slots=True, eq=False)
class CardRecord:
    """One card: which, where it lies, what it counts for, and where it was due."""

    number: int
    card: Card
    order: int = 0
    felt: Place | None = None
    role: Role = Role.ARRIVING
    hand: Hand | None = None  # the hand that it counts for, or that it was taken off for good
    due: Place | None = None
    initial: bool = False
    subsequent: bool = False  # dealt after the initial deal
    from_shoe: bool = True
    pull: int = 0  # of a pull in an unknown order: the number of its first card
    shown: bool = False  # of a pull: disclosed
    chosen: bool = False  # of a pull: somebody chose it for a hand
    face_down: bool = False
    stood: bool = False  # told to lie on a hand that had stood
    judged: bool = True  # of a card laid again: whether it is judged, or the next card where none was due
    goes: Place | None = None  # of a card that a ruling gives away: where to; None for where the next card is due
    presumed: bool = False  # nobody has seen it lie where it lies
    lifted: Place | None = None  # from where it was lifted, until it is laid again
    home: Place | None = None  # where it lay when it got a role that lets it lie there
    finding: Finding | None = None  # what it waits for, or what has put it out of play
