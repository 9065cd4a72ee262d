"""What an approved document must decide.

1. A `Ruleset` states one approved document completely: no inheritance, no default, no reference to another game. A
   new field here breaks all five games until someone has decided it for each.
2. Every parameter is a `Rule`, its value and the clause that sets it; a side wager is a `SideRule` with clauses of its
   own. `SILENT` as the clause means that the document does not speak of it; then the value is what follows from that
   silence.
3. Behaviour that differs by more than a number is a named function (`strategies`, `side_wagers`).
4. `Clauses` names the clause behind each command and its refusals, `Outcomes` that behind each outcome of a main wager:
   no other code makes up a clause for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from gamecore.model.cards import Card
from gamecore.model.hands import Hand
from gamecore.model.money import Odds
from gamecore.model.round import Box, Round, SideWager

T = TypeVar("T")
SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """A value and the clause that sets it."""

    value: T
    clause: str


class Control(Enum):
    """Who controls a box where nobody is seated."""

    NEAREST = "the wager nearest the Dealer"
    HIGHEST = "the highest wager"


class DealerNatural(Enum):
    """What a Dealer's natural takes from hands that were doubled or split."""

    ORIGINAL_IN_ALL = "the original wager in all, what bust hands lost included"
    INITIAL_BESIDE_BUST = "what bust hands lost, and of the others up to the initial bet"
    ORIGINAL_OF_DOUBLED = "of a doubled hand its original wager, of a split hand its wager"
    EVERYTHING = "every wager"


class Decider(Enum):
    """What decides a side wager."""

    FIRST_TWO_CARDS = "the first two cards of the hand"
    NATURAL = "whether the first two cards are a natural"
    MARKERS = "the Free Bet Markers used on the playing area"
    DEALERS_HAND = "the Dealer's hand"


class Withdrawal(Enum):
    """What goes back to a Player who withdraws after an irregularity, and what becomes of the hand."""

    UNDECIDED = "what has neither won nor lost; the hand stays for whom it still decides"
    UNSETTLED = "what did not have to be settled yet; the hand is invalidated"


@dataclass(frozen=True, slots=True)
class SideRule:
    """A wager beside the main one: where it may be placed, when it wins, what it pays.

    `category` gives the row of the pay table that the wager reached, or None if it lost. `needs_main` is `box` where
    the box must hold a main wager, `table` where some box must. `per_box` is how many may be placed on one box.
    """

    kind: str
    title: str
    needs_main: str
    per_box: Rule[int | None]
    decided_by: Decider
    category: Callable[[Round, Box, SideWager], str | None]
    pays: tuple[tuple[str, Odds], ...]
    pay_table: str
    wins_by: str
    loses_by: str
    follows_controller: str  # the clause by which a Player without a main wager there follows the controlling one


@dataclass(frozen=True, slots=True)
class ClaimOrder:
    """The clauses by which one of several claims to a wager comes first, step by step.

    `front_to_back` says whether of the wagers on one playing area the front one is the nearest.
    """

    own: str
    same_area: str
    nearest: str
    lowest: str
    equal: str
    without_wager: str
    front_to_back: bool


@dataclass(frozen=True, slots=True)
class BonusHand:
    """A winning hand of 21 with odds of its own."""

    title: str
    test: Callable[[Hand], bool]
    pays: Odds


@dataclass(frozen=True, slots=True)
class SuperBonus:
    """A bonus that is no wager: by amount of the original wager, and for all other original wagers."""

    test: Callable[[Round, Hand], bool]
    bands: tuple[tuple[int, int], ...]  # from this wager on, this bonus, in cents; highest band first
    others: int
    clause: str
    others_clause: str


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The clause behind each outcome of a main wager."""

    natural: str
    natural_against_ace: str
    natural_against_22: str
    higher: str
    dealer_bust: str
    lower: str
    bust: str
    bust_split: str
    bust_doubled: str
    dealer_natural: str
    dealer_natural_doubled: str
    dealer_natural_split: str
    same: str
    both_natural: str
    both_natural_against_ace: str
    dealer_22: str
    even_money: str
    surrendered: str
    surrender_lost: str
    rescued: str


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clause behind each command and its refusals."""

    close: str
    wager_first: str
    deal_order: str
    turn_order: str
    split_order: str
    offer_insurance: str
    offer_surrender: str
    insurance_own: str
    surrender_after_split: str
    draw: str
    split_join: str
    double_join: str
    double_one_card: str
    double_split_aces: str
    collect: str
    pay: str
    interim: str
    settle: str
    jackpot: str
    cannot_reconstruct: str
    unreadable_void: str
    unshuffled_void: str
    dealer_first: str
    refuse_card: str
    offered_on: str
    general: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One approved document."""

    id: str
    title: str
    casino: str
    edition: str
    in_force: str

    # Cards and layout
    ranks: Rule[str]
    decks: Rule[tuple[int, int]]
    boxes: Rule[tuple[int, int]]
    slots: Rule[int | None]
    burn: Rule[bool]
    seated_controls: Rule[bool]
    unseated_control: Rule[Control]

    # Naturals, insurance, surrender
    natural: Rule[str]
    natural_pays: Rule[Odds]
    natural_beats_natural: Rule[bool]
    natural_beats_21: Rule[bool]
    even_money: Rule[bool]
    even_money_returns_insurance: Rule[bool]
    insurance_wins_on: Rule[str]
    insurance_pays: Rule[Odds]
    insurance_by_others: Rule[bool]
    insurance_claims: Rule[ClaimOrder | None]
    offers_are_spoken: Rule[bool]
    surrender_against: Rule[str]
    surrender_lost_to_natural: Rule[bool]

    # Decisions
    must_draw_below: Rule[int | None]
    draws_on_hard_21: Rule[bool]
    splits: Rule[Callable[[Card, Card], bool]]
    free_splits: Rule[Callable[[Card, Card], bool]]
    split_hands: Rule[int]
    split_aces_once: Rule[bool]
    split_aces_one_card: Rule[bool]
    doubles: Rule[Callable[[Hand], bool]]
    double_least_is_minimum: Rule[bool]
    free_doubles: Rule[Callable[[Hand], bool]]
    doubled_ace_counts_one: Rule[bool]
    rescue: Rule[bool]
    squeeze: Rule[bool]

    # The Dealer
    dealer_draws: Rule[Callable[[int, bool], bool]]
    dealer_bust_above: Rule[int]
    dealer_22_stands_off: Rule[bool]
    no_idle_card: Rule[bool]
    dealer_natural_takes: Rule[DealerNatural]
    dealer_complete: Rule[Callable[[int, bool], bool]]

    # Irregularities
    final_settlement: Rule[bool]
    whole_deal_put_back_late: Rule[bool]  # also if somebody was passed over: every later card belongs elsewhere
    withdrawal: Rule[Withdrawal]
    absent_draws: Rule[Callable[[int, bool], bool]]
    limit_per_box: Rule[bool]
    settled_first: Rule[tuple[str, ...]]  # kinds of side wager to be settled before the subsequent deal

    # Settlement
    regular_pays: Rule[Odds]
    twenty_one_wins: Rule[bool]
    bonus_hands: Rule[tuple[BonusHand, ...]]
    doubled_pays_regular: Rule[bool]
    super_bonus: Rule[SuperBonus | None]
    jackpot_multipliers: Rule[tuple[int, ...]]
    side_wagers: tuple[SideRule, ...]
    side_wager_on_split_aces: Rule[str | None]
    side_claims: Rule[ClaimOrder | None]

    outcomes: Outcomes
    clauses: Clauses

    def wager_kinds(self) -> tuple[str, ...]:
        """The kinds of wager that have a place on this layout."""
        return ("main", *(side.kind for side in self.side_wagers))

    def side(self, kind: str) -> SideRule:
        """The rule of a side wager of this game."""
        return next(side for side in self.side_wagers if side.kind == kind)
