"""A round of play as data: boxes, wagers, hands, the Dealer's hand, and how far the round has come.

1. A box holds main wagers by slot, counted from the Dealer, and any number of other wagers.
2. Hands of a box stand in the order of play: splitting hand k puts the new hand at k+1.
3. `records` are the cards of the round, and those that wait from an earlier one, in the order of leaving the shoe.
4. `subsequent`, `interim` and `final` say how far the round has come, in the words of the documents.
5. A settled wager is a `Row`. Nothing is paid that is not a row, and each row names its clause.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from gamecore.model.cards import Card
from gamecore.model.events.outputs import RETRACTED, SENSED, FindingView, Move, Obstacle, Row
from gamecore.model.hands import Hand
from gamecore.model.places import DEALER, Place, hand_place
from gamecore.model.records import CardRecord


@dataclass(slots=True, eq=False)
class MainWager:
    """One Player's original wager on a box."""

    slot: int
    amount: int
    player: str | None
    settles_as: int | None = None  # what a limit leaves of it for winning and losing
    returned_by: str = ""  # the clause under which it goes back whatever the hand makes (MBS 5.26)


@dataclass(slots=True, eq=False)
class SideWager:
    """A wager beside the main one. `hand` is 1 or, on split Aces, the hand it was placed on."""

    kind: str
    slot: int
    amount: int
    player: str | None
    hand: int = 1
    after_split: bool = False
    multiplier: int | None = None
    returned_by: str = ""
    limit: int | None = None
    placed: list[tuple[int, int]] = field(default_factory=list)  # number of the event, amount


@dataclass(slots=True, eq=False)
class InsuranceWager:
    """An Insurance wager on the main wager at a slot. `player` is set if another Player took the option."""

    slot: int
    amount: int
    player: str | None
    returned_by: str = ""


class Box:
    """A playing area: who wagers on it, who controls it, and its hands."""

    __slots__ = (
        *("controller", "hands", "initial", "insurance", "mains", "marked_by", "number", "seated", "sides", "squeeze"),
    )

    def __init__(self, number: int) -> None:
        """A box without a wager."""
        self.number = number
        self.mains: dict[int, MainWager] = {}
        self.sides: list[SideWager] = []
        self.insurance: list[InsuranceWager] = []
        self.hands: list[Hand] = []
        self.initial: list[CardRecord] = []  # the cards that the initial deal gave it
        self.seated = 0
        self.controller = 0
        self.marked_by = 0  # the slot that controlled the box when its first Free Bet Marker was used
        self.squeeze = False

    def place_of(self, index: int) -> Place:
        """The place of a hand, named without its number while the box is not split."""
        return hand_place(self.number, index + 1 if len(self.hands) > 1 else 0)

    def markers(self, slot: int) -> int:
        """How many Free Bet Markers the Player at a slot has used on this box."""
        stakes = [hand.stakes[slot] for hand in self.hands if slot in hand.stakes]
        return sum(stake.free_split + stake.free_double for stake in stakes)


@final
@dataclass(slots=True, eq=False)
class Finding:
    """One irregularity: what it is, the clause that governs it, the ruling and where it bites.

    `moves` is what was last listed to be moved: a move that was made may still be on it. `obstacle` is why that may not
    be possible. The evidence is the number of the event that proved it and the cards concerned; `whose` says whose
    error it is, `how` whether a device has shown it or a person has said so.
    """

    code: str
    clause: str
    ruling: str
    places: tuple[Place, ...] = ()
    whose: str = ""
    event: int = 0
    cards: tuple[Card, ...] = ()
    moves: tuple[Move, ...] = ()
    obstacle: Obstacle | None = None
    nth: int = 0  # which of the findings that the event proved, counted from 0
    how: str = SENSED

    @property
    def stands(self) -> bool:
        """Whether it was not retracted."""
        return self.ruling != RETRACTED

    def view(self) -> FindingView:
        """The finding as it stands."""
        key = (self.event, self.nth)
        words = (self.code, self.clause, self.ruling, self.places, self.whose)
        return FindingView(*words, self.cards, self.moves, self.obstacle, key, self.how)


@dataclass(slots=True, eq=False)
class Round:
    """One round of play."""

    number: int
    boxes: dict[int, Box] = field(default_factory=dict)
    dealer: Hand = field(default_factory=Hand)
    order: list[Box] = field(default_factory=list)
    deal: list[tuple[Place, Hand]] = field(default_factory=list)
    dealt: int = 0
    turn: Box | None = None
    turn_hand: int = 0
    squeezed: bool = False
    offers: dict[str, str] = field(default_factory=dict)
    dealer_need: int = 0
    subsequent: bool = False
    interim: bool = False
    final: bool = False
    records: list[CardRecord] = field(default_factory=list)
    discards: list[CardRecord] = field(default_factory=list)  # as they were seen to go into the discard holder
    out_of_order: bool = False  # a card was dealt in any way but from the shoe to its place, or waits for something
    moved_by_word: set[int] = field(default_factory=set)  # boxes that count cards, from or to which a person moved one
    burn_was_due: bool = False
    agreed: dict[tuple[int, int, str], str] = field(default_factory=dict)  # whom Players with equal claims agreed on
    refused: list[Row] = field(default_factory=list)
    taken_back: dict[tuple[int, int, str], int] = field(default_factory=dict)  # of refused chips, by spot and kind
    under: list[tuple[str, int, int, str]] = field(default_factory=list)  # paid once (MBS 5.26): Player and wager
    findings: list[Finding] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    outcome: str = "open"

    def box(self, number: int) -> Box:
        """The box of that number, made when it is first mentioned."""
        box = self.boxes.get(number)
        if box is None:
            box = self.boxes[number] = Box(number)
        return box

    def hand_at(self, place: Place) -> Hand | None:
        """The hand at a place; without a hand number, the one whose turn it is or else the first."""
        if place.box == DEALER.box:
            return self.dealer
        box = self.boxes.get(place.box)
        if box is None or not box.hands:
            return None
        index = place.hand - 1 if place.hand else (self.turn_hand if self.turn is box else 0)
        return box.hands[index] if index < len(box.hands) else None

    @property
    def up_card(self) -> Card | None:
        """The Dealer's first card."""
        return self.dealer.cards[0] if self.dealer.cards else None
