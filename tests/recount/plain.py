"""A round as plain data: what lay where when it ended, and what was said about it.

1. Amounts are cents. A card is its text, rank and suit: ``TD``. Boxes, hands and slots are counted from 1.
2. `counts` is what a limit leaves of a wager for winning and losing; without a limit it is the whole amount.
3. Nothing here decides anything; `mains`, `sides` and `limits` do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(slots=True)
class Main:
    """One Player's wager on a box before the deal."""

    slot: int
    amount: int
    player: str | None
    who: str = ""  # the same Player across rounds, named or not
    counts: int = 0
    returned: str = ""  # why it goes back whatever the hand makes
    surrendered: bool = False
    even_money: bool = False


@dataclass(slots=True)
class Part:
    """What one Player has on one hand."""

    chips: int
    added: int = 0
    free_split: bool = False
    free_double: bool = False
    rescued: bool = False

    @property
    def doubled(self) -> bool:
        """Whether this Player doubled, with chips or a marker."""
        return self.added > 0 or self.free_double or self.rescued


@dataclass(slots=True)
class PlayedHand:
    """The cards of a hand in order, and who has what on it by slot."""

    parts: dict[int, Part]
    cards: tuple[str, ...] = ()

    @property
    def doubled(self) -> bool:
        """Whether anybody doubled it: then it got one card more and no other."""
        return any(part.doubled for part in self.parts.values())


@dataclass(slots=True)
class Side:
    """A wager beside the main one; `hand` is 1 or the hand of split Aces on which it was placed."""

    kind: str
    slot: int
    amount: int
    player: str | None
    hand: int = 1
    who: str = ""
    after_split: bool = False
    multiplier: int | None = None
    counts: int = 0
    returned: str = ""
    placed: list[tuple[int, int]] = field(default_factory=list)  # number of the statement, cents

    @property
    def spot(self) -> tuple[str, int, int, bool, str | None]:
        """Where it lies, and whose it is."""
        return self.kind, self.slot, self.hand, self.after_split, self.player


@dataclass(slots=True)
class Insurance:
    """An Insurance wager on the wager at a slot; `player` where somebody else placed it."""

    slot: int
    amount: int
    player: str | None
    others: bool = False


@dataclass(slots=True)
class Area:
    """A box with everything on it."""

    box: int
    mains: dict[int, Main] = field(default_factory=dict)
    hands: list[PlayedHand] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    insurance: list[Insurance] = field(default_factory=list)
    first_two: tuple[str, ...] = ()
    first_two_kept: bool = False
    partner: int = 0  # the hand that got the second of them at the first split, counted from 0
    absent: set[int] = field(default_factory=set)
    controller: int = 0
    marked_by: int = 0  # who controlled the area when its first Free Bet Marker was used

    @property
    def wagers(self) -> list[Main | Side]:
        """All wagers that were placed before the deal or on split Aces."""
        return [*self.mains.values(), *self.sides]

    @property
    def split(self) -> bool:
        """Whether the two cards of the initial deal have been parted."""
        return len(self.hands) > 1


@dataclass(slots=True)
class Refusal:
    """Chips that came too late."""

    box: int
    slot: int
    hand: int
    kind: str
    amount: int


@dataclass(slots=True)
class PlainRound:
    """A round of one game."""

    game: str
    dealer: tuple[str, ...] = ()
    areas: dict[int, Area] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)


class Spot(NamedTuple):
    """Where a wager lies, and whose it is."""

    box: int
    slot: int
    hand: int
    kind: str
    player: str | None


class Outcome(NamedTuple):
    """What became of a wager, in cents."""

    stake: int
    result: str
    net: int


Money = list[tuple[Spot, Outcome]]
