"""What a table knows between two events.

1. `TableState` is data. The phases of play and the irregularities are functions over it; `gamecore.table.Table` is its
   only owner.
2. `next_place` and `next_hand` say where the next card belongs; the phases and the rulings keep them up to date.
3. Cards outside the shoe are the records of the round (`gamecore.model.records`).
4. What belongs together is one field: the shoe, the fitting, the turn, the people, what holds the round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gamecore.model.cards import Card
from gamecore.model.cardset import CardSet
from gamecore.model.config import TableConfig
from gamecore.model.events.events import WagerPlaced
from gamecore.model.events.facts import Fact
from gamecore.model.events.outputs import Ask, Entered, Output
from gamecore.model.hands import Hand
from gamecore.model.machine import RoundMachine
from gamecore.model.matters import Hold
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.round import Box, Finding, Round
from gamecore.model.states import BETWEEN_ROUNDS, State

if TYPE_CHECKING:
    from gamecore.cards.shuffle_test import Watch
    from gamecore.rules.ruleset import Ruleset

#: What is said when a state is entered.
_ENTERED = {state: Entered(state.value) for state in State}


@dataclass(slots=True)
class ShoeState:
    """What is known of the shoe and of the cards in it."""

    cards: CardSet
    watch: Watch | None = None
    burn_due: bool = False
    numbers: int = 0  # of the last card that left the shoe
    discarded: list[Card] = field(default_factory=list)  # as they went into the discard holder since the load
    taken_in: int = 0  # the number of the last card that was out when the shoe was loaded, and went into it
    cut_card_round: int = 0
    shuffled: bool = True
    unshuffled: str = ""
    set_in_doubt: str = ""
    advice: str = ""  # the key of the order in which the cards may lie, until others are loaded

    def copied(self) -> ShoeState:
        """A copy that changes on its own; the watch is shared."""
        known = (self.burn_due, self.numbers, self.discarded.copy(), self.taken_in, self.cut_card_round)
        words = (self.shuffled, self.unshuffled, self.set_in_doubt, self.advice)
        return ShoeState(self.cards.copy(), self.watch, *known, *words)


@dataclass(slots=True)
class People:
    """Who is at the table; names and seats live across rounds."""

    names: dict[tuple[int, int], str] = field(default_factory=dict)  # who owns the spot at a box and slot
    seats: dict[int, int] = field(default_factory=dict)
    absent: set[tuple[int, int]] = field(default_factory=set)
    paid_once: set[str] = field(default_factory=set)
    early_chips: list[WagerPlaced] = field(default_factory=list)

    def copied(self) -> People:
        """A copy that changes on its own."""
        spots = (self.names.copy(), self.seats.copy(), self.absent.copy())
        return People(*spots, self.paid_once.copy(), self.early_chips.copy())


@dataclass(slots=True)
class Fitting:
    """What the table is fitted with, and what of it cannot be relied on."""

    senses_places: bool = False
    counts_only: bool = False
    away: set[str] = field(default_factory=set)  # devices that do not answer
    misread: set[int] = field(default_factory=set)  # boxes whose sensor is wrong, as a person says

    def copied(self) -> Fitting:
        """A copy that changes on its own."""
        return Fitting(self.senses_places, self.counts_only, self.away.copy(), self.misread.copy())


@dataclass(slots=True)
class Turn:
    """What the last act left to be done."""

    just_split: bool = False
    last_doubled: Hand | None = None
    dealer_owed: bool = False
    acting: Box | None = None  # whose hand was acted upon when the Dealer's missing card was noticed (MBS 5.12.1)

    def copied(self) -> Turn:
        """A copy that changes on its own."""
        return Turn(self.just_split, self.last_doubled, self.dealer_owed, self.acting)


@dataclass(slots=True)
class TableState:
    """The state of one table."""

    rules: Ruleset
    config: TableConfig
    shoe: ShoeState
    fitting: Fitting
    machine: RoundMachine = field(default_factory=RoundMachine)
    round: Round = field(default_factory=lambda: Round(0))
    rounds: list[Round] = field(default_factory=list)
    next_place: Place | None = None
    next_hand: Hand | None = None
    turn: Turn = field(default_factory=Turn)
    people: People = field(default_factory=People)
    hold: Hold = field(default_factory=Hold)
    facts: list[Fact] = field(default_factory=list)
    events: int = 0
    out: list[Output | Finding] = field(default_factory=list)  # a finding may change until the event is dealt with

    @property
    def asks(self) -> list[Ask]:
        """Every pending question: of the first open matter, the approvals, of what stands beside, then the rights."""
        hold = self.hold
        blocking = hold.matters[0].open_asks if hold.matters else []
        approvals = [ask for matter in (*hold.matters, *hold.beside) if (ask := matter.approval) is not None]
        return [*blocking, *approvals, *(ask for matter in hold.beside for ask in matter.asks), *hold.rights]

    @property
    def bets_open(self) -> bool:
        """Whether chips count: while bets are open, also where a ruling holds the round meanwhile."""
        state = self.machine.state
        return state is State.BETTING or (state is State.HELD and self.hold.held_from is State.BETTING)

    @property
    def round_is_on(self) -> bool:
        """Whether a round of play has commenced and not ended."""
        return self.machine.state not in BETWEEN_ROUNDS

    def suspect(self, fact: Fact) -> None:
        """State a fact for judgement."""
        self.facts.append(fact)

    def end_rights(self) -> None:
        """Let the rights lapse: the next card is dealt, and anyone who has not answered goes on."""
        self.hold.rights.clear()

    def enter(self, trigger: str) -> None:
        """Take a transition of the round machine and say so."""
        self.out.append(_ENTERED[self.machine.fire(trigger)])

    def expect(self, place: Place, hand: Hand | None) -> None:
        """Expect the next card at a place; a burn that is due comes first, or the Dealer's late card (MBS 5.12)."""
        if self.shoe.burn_due:
            place, hand = BURN, None
        elif self.turn.dealer_owed and not (hand is not None and hand.awaits_card):
            place, hand = DEALER, self.round.dealer
        self.next_place, self.next_hand = place, hand

    def expect_nothing(self) -> None:
        """Expect no card, except a burn that is due."""
        self.next_place, self.next_hand = (BURN if self.shoe.burn_due else None), None

    def minimum(self, kind: str) -> int:
        """The least that may be wagered; 0 where no limit is displayed."""
        return self.config.limits.get(kind, (0, 0))[0]
