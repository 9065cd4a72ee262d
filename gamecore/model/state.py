"""What a table knows between two events.

1. `TableState` is data. The phases of play (`betting`, `dealing`, `offers`, `decisions`, `dealer`, `closing`) are
   functions over it; `gamecore.table.Table` is the only owner.
2. `next_place` and `next_hand` say where the next card belongs; they are kept up to date by the phases.
3. `in_hand` holds cards that left the shoe and lie nowhere yet.
4. Names live across rounds: who is seated where, and who owns the spot at a box and slot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gamecore.cards.shuffle_test import Watch
from gamecore.model.cards import Card
from gamecore.model.cardset import CardSet
from gamecore.model.events import CardLaid, WagerPlaced
from gamecore.model.hands import Hand
from gamecore.model.machine import BETWEEN_ROUNDS, RoundMachine, State
from gamecore.model.outputs import Entered, Output
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.round import Ask, Box, Finding, Round
from gamecore.rules.ruleset import Ruleset

SENSORS = ("shoe", "positions", "positions-count", "bets", "discard", "panel")


@dataclass(frozen=True, slots=True)
class TableConfig:
    """How a table is set up: cards, layout, limits in cents by kind of wager, shuffling, fitted sensors."""

    decks: int
    boxes: int
    limits: Mapping[str, tuple[int, int]]
    fresh: bool
    burn: bool
    shuffling: str
    sensors: frozenset[str]
    left: int | None = None
    watches: bool = True  # False switches the detectors off, for measuring what they cost


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A fact that a phase of play has seen and that the rules of irregularities must judge."""

    code: str
    case: str = ""
    places: tuple[Place, ...] = ()
    cards: tuple[Card, ...] = ()
    kind: str = ""  # the kind of wager concerned
    amount: int = 0
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Lift:
    """A card that was lifted and not laid yet: from where, and where it counts as lying meanwhile."""

    card: Card
    source: Place
    lies: Place


@dataclass(slots=True, eq=False)
class Matter:
    """An open irregularity: the finding, the procedure that carries it out, who is still asked, the cards concerned."""

    finding: Finding
    procedure: str
    fact: Suspicion
    asks: list[Ask] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    hidden: list[Card] = field(default_factory=list)  # of a pull in which others are disclosed
    places: tuple[Place, ...] = ()
    step: str = ""


@dataclass(slots=True)
class TableState:
    """The state of one table."""

    rules: Ruleset
    config: TableConfig
    machine: RoundMachine = field(default_factory=RoundMachine)
    round: Round = field(default_factory=lambda: Round(0))
    rounds: list[Round] = field(default_factory=list)
    next_place: Place | None = None
    next_hand: Hand | None = None
    in_hand: list[Card] = field(default_factory=list)
    burned: list[Card] = field(default_factory=list)
    burn_due: bool = False
    senses_places: bool = False
    counts_only: bool = False
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    seats: dict[int, int] = field(default_factory=dict)
    events: int = 0
    suspicions: list[Suspicion] = field(default_factory=list)
    matters: list[Matter] = field(default_factory=list)
    pulls: list[Matter] = field(default_factory=list)  # found while something else was open
    rights: list[Ask] = field(default_factory=list)
    waiting: list[Finding] = field(default_factory=list)
    next_cards: list[Card] = field(default_factory=list)
    returning: list[tuple[Card, Place | None]] = field(default_factory=list)
    relaid: list[tuple[Card, Place, bool]] = field(default_factory=list)  # laid as they lie; whether judged
    absent: set[tuple[int, int]] = field(default_factory=set)
    away: set[str] = field(default_factory=set)  # devices that do not answer
    paid_once: set[str] = field(default_factory=set)
    dealer_owed: bool = False
    acting: Box | None = None  # whose hand was acted upon when the Dealer's missing card was noticed (MBS 5.12.1)
    cut_card_round: int = 0
    unshuffled: str = ""
    set_in_doubt: str = ""
    shuffled: bool = True
    early_chips: list[WagerPlaced] = field(default_factory=list)
    laid_first: list[CardLaid] = field(default_factory=list)
    lifted: list[Lift] = field(default_factory=list)
    ruled: list[tuple[Card, int]] = field(default_factory=list)
    loose: list[Card] = field(default_factory=list)
    cards: CardSet = field(init=False)
    watch: Watch | None = None
    dealt_order: list[Card] = field(default_factory=list)
    voided: bool = False
    held_from: State = State.IDLE
    just_split: bool = False
    last_doubled: Hand | None = None
    out: list[Output] = field(default_factory=list)

    def __post_init__(self) -> None:
        """A table whose shoe is as the configuration says."""
        sensors = self.config.sensors
        self.senses_places = "positions" in sensors or "positions-count" in sensors
        self.counts_only = self.senses_places and "positions" not in sensors
        continuous = self.config.shuffling == "continuous"
        self.cards = CardSet(self.rules.ranks.value, self.config.decks, self.config.left, continuous=continuous)
        if self.config.watches and self.config.fresh and not continuous:
            self.watch = Watch(self.rules.ranks.value, self.config.decks)
        self.burn_due = self.config.fresh and self.config.burn and self.config.shuffling != "continuous"
        self.expect_nothing()

    @property
    def asks(self) -> list[Ask]:
        """Every pending question: of the matter that is open first, then the rights that end with the next card."""
        blocking = self.matters[0].asks if self.matters else []
        return [*blocking, *self.rights]

    @property
    def bets_open(self) -> bool:
        """Whether chips count: while bets are open, also where a ruling holds the round meanwhile."""
        state = self.machine.state
        return state is State.BETTING or (state is State.HELD and self.held_from is State.BETTING)

    @property
    def round_is_on(self) -> bool:
        """Whether a round of play has commenced and not ended."""
        return self.machine.state not in BETWEEN_ROUNDS

    def suspect(self, code: str, case: str = "", places: tuple[Place, ...] = (), cards: tuple[Card, ...] = ()) -> None:
        """State a fact for judgement."""
        self.suspicions.append(Suspicion(code, case, places, cards))

    def enter(self, trigger: str) -> None:
        """Take a transition of the round machine and say so."""
        self.out.append(Entered(self.machine.fire(trigger).value))

    def expect(self, place: Place, hand: Hand | None) -> None:
        """The next card belongs at a place; a burn that is due comes first, or the Dealer's late card (MBS 5.12)."""
        if self.burn_due:
            place, hand = BURN, None
        elif self.dealer_owed and not (hand is not None and hand.awaits_card):
            place, hand = DEALER, self.round.dealer
        self.next_place, self.next_hand = place, hand

    def expect_nothing(self) -> None:
        """No card is due, except a burn."""
        self.next_place, self.next_hand = (BURN if self.burn_due else None), None

    def minimum(self, kind: str) -> int:
        """The least that may be wagered; 0 where no limit is displayed."""
        return self.config.limits.get(kind, (0, 0))[0]
