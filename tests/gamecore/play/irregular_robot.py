"""A robot that plays by the rules except once.

1. An irregularity is a function that looks whether it can be committed now, and if so commits it and says what the
   table must find: the code, its possible cases, and the stage of the round. It speaks to the table like the robot.
2. The stage is told from the robot's own record of the round, not from the table.
3. Before and after, everything is regular: what the table asks is answered, rulings are carried out, cards out of the
   shoe are laid before new ones are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from gamecore.model.cards import UNREAD, Card, deck
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Ask, IrregularityFound, Output
from gamecore.model.events.refusals import Refused
from gamecore.model.places import BURN, Place
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.rules.ruleset import Ruleset
from gamecore.rules.stages import Stage
from tests.gamecore.play.random_dealer import MOST_STEPS, SENSORS, Robot, StuckError, a_header

SENSED = frozenset({"shoe", "positions", "bets", "discard", "panel"})
LIMITS = (("main", 5_00, 10_000_00),)
OF_THE_SET = frozenset({"foreign-card", "extra-card", "missing-card", "unshuffled-cards", "insufficient-cards"})


@dataclass(frozen=True, slots=True)
class Committed:
    """What was done, and what the table must find."""

    code: str
    stage: Stage
    cases: tuple[str, ...] = ("",)
    events: tuple[Event, ...] = ()  # chips that do not count


class IrregularRobot(Robot):
    """One table, one irregularity a round."""

    def __init__(self, rules: Ruleset, chance: random.Random, shoe_seed: int, plan: Plan) -> None:
        """A table with limits and the sensors that the plan needs, else set up at random."""
        sensors = SENSED if plan.needs_places else chance.choice(SENSORS)
        header = replace(a_header(rules, chance, shoe_seed), sensors=sensors, limits=LIMITS)
        if plan.fresh:
            header = replace(header, fresh=True, shuffling="machine", burn=rules.burn.value)
        super().__init__(rules, chance, shoe_seed, header)
        self.found: list[tuple[str, str, str]] = []
        self.taken_back = False
        self.below: set[str] = set()
        self._began = 0
        self._true: list[Card] = []

    # --- the round -------------------------------------------------------------------------------------------------

    def play_with(self, plan: Plan) -> Committed | None:
        """One round with the irregularity, where it could be committed."""
        self.found.clear()
        self.taken_back = False
        self._prepare()
        committed = plan.commit(self) if plan.when == "between" else None
        if self.table.view().set_in_doubt:
            self._let_happen(events.Approve("shift-manager"))
        self._began = len(self.events)
        self._let_happen(events.PlaceBets())
        self._bet()
        if plan.when == "betting":
            committed = plan.commit(self)
        if self.chance.random() < 0.8 and self.table.can(events.NoMoreBets()):
            self._let_happen(events.NoMoreBets())
        delay = 0 if plan.fresh else self.chance.choice((0, 0, 2, 5, 9, 15, 30))
        for step in range(MOST_STEPS):
            if self.table.state in BETWEEN_ROUNDS:
                break
            if committed is None and plan.when == "playing" and step >= delay and not self.table.view().matters:
                committed = plan.commit(self)
                if committed is not None:
                    continue
            self._step()
        else:
            raise StuckError(f"{self.table.state} after {MOST_STEPS} steps")
        self._cut_out = self._cut_out or (committed is not None and committed.code in OF_THE_SET)
        return committed

    def _step(self) -> None:
        if self.table.view().matters:
            self._carry_out()
        elif self.table.view().rights and self.chance.random() < 0.2:
            self._answer(self.chance.choice(self.table.view().rights))
        else:
            super()._step()

    def stage(self) -> Stage:
        """How far the round has come, by the robot's own record."""
        record = self.events[self._began :]
        state = self.table.state
        if state in BETWEEN_ROUNDS:
            return Stage.BETWEEN
        if state is State.BETTING:
            return Stage.BETTING
        if state is State.BETS_CLOSED:
            return Stage.CLOSED
        interim = any(isinstance(event, events.Interim) for event in record)
        final = any(isinstance(event, events.Collect | events.Pay) for event in record)
        further = self.drawn() > 2 * len(self._wagered()) + 1
        if self.rules.final_settlement.value and (final or interim):
            return Stage.FINAL if final else Stage.INTERIM
        return Stage.SUBSEQUENT if further else Stage.INTERIM if interim else Stage.INITIAL

    def stage_of_stray(self) -> Stage:
        """The stage when one more card has been laid: after the initial deal it belongs to the subsequent deal."""
        stage = self.stage()
        late = self.table.state in {State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}
        settled = self.rules.final_settlement.value and stage in {Stage.INTERIM, Stage.FINAL}
        return Stage.SUBSEQUENT if late and not settled else stage

    def drawn(self) -> int:
        """How many cards have left the shoe in this round, without the burn."""
        burns = sum(drawn.place == BURN for drawn in self.table.view().round.dealt)
        return sum(isinstance(event, events.CardDrawn) for event in self.events[self._began :]) - burns

    # --- what is asked ---------------------------------------------------------------------------------------------

    def _carry_out(self) -> None:
        matter = self.table.view().matters[0]
        if matter.asks:
            self._answer(self.chance.choice(matter.asks))
            return
        if matter.procedure == "riffle":
            self._riffle()
            return
        seen = not self.table.can(events.Reconstructed()) or self.chance.random() < 0.5
        for move in self.table.view().moves if seen else ():
            self._let_happen(events.CardMoved(move.card, move.source, move.target))
        if not self.table.can(events.Reconstructed()):
            raise StuckError(f"nothing carries out {matter.procedure}")
        self._let_happen(events.Reconstructed())

    def _answer(self, ask: Ask) -> None:
        allowed = [word for word in ask.options if self.table.can(events.Answer(ask.who, (word,)))]
        option = self.chance.choice(allowed)
        if "CARD" in ask.options:
            option = str(self._true[0])
        elif "continue" in ask.options and self.chance.random() < 0.7:
            option = "continue"
        self.taken_back = self.taken_back or option == "stood"
        everybody = option == "continue" and "withdraw" in ask.options and self.chance.random() < 0.5
        self._let_happen(events.Answer("all" if everybody else ask.who, (option,)))

    def _riffle(self) -> None:
        """The discards are riffled once and loaded (MBS 5.19)."""
        on_table = [drawn.card for drawn in self.table.view().round.dealt]
        cards = list(deck(self.rules.ranks.value) * self.header.decks)
        for card in on_table:
            cards.remove(card)
        self.chance.shuffle(cards)
        self._shoe = cards
        self._let_happen(events.Shuffled("riffle", 1))
        self._let_happen(events.Loaded(len(cards)))
        self._cut_out = True

    # --- cards -----------------------------------------------------------------------------------------------------

    def offer_due(self) -> bool:
        """Whether an offer is to be made before the deal goes on."""
        return "due" in self.table.view().round.offers.values()

    def next_card(self) -> Card:
        """The next card of the shoe."""
        return self._shoe.pop()

    def all_faces(self) -> tuple[Card, ...]:
        """One card of each face of the set."""
        return deck(self.rules.ranks.value)

    def set_size(self) -> int:
        """How many cards the set has."""
        return len(self.all_faces()) * self.header.decks

    def left(self) -> int:
        """How many cards the shoe holds."""
        return len(self._shoe)

    def wagered(self) -> list[int]:
        """The boxes with a main wager."""
        return sorted(self._wagered())

    def empty(self) -> list[int]:
        """The boxes without one."""
        return [box for box in range(1, self.header.boxes + 1) if box not in self._wagered()]

    def bare(self) -> list[int]:
        """The boxes without any wager."""
        boxes = self.table.view().round.boxes
        return [box for box in self.empty() if box not in boxes or not boxes[box].sides]

    def card_at(self, card: Card, place: Place, *, face_up: bool = False) -> None:
        """A card leaves the shoe and lies at a place."""
        if self.header.places_sensed:
            self.let_happen(events.CardDrawn(card, None, face_up))
            self.let_happen(events.CardLaid(card, place))
        else:
            self.let_happen(events.CardDrawn(card, place, face_up))

    def unread_at(self, place: Place) -> None:
        """A card that the shoe cannot read; the pit will know it."""
        self._true = [self.next_card()]
        self.card_at(UNREAD, place)

    def _lay(self) -> None:
        view = self.table.view()
        waiting = [*view.in_transit, *view.next_cards]
        place = self.table.next_place
        pulled = any(finding.code == "double-draw" for finding in view.round.findings)
        if pulled and place is not None and place.box > 0 and self.table.state is State.PLAYER_TURN:
            wish = events.Hit(Place(place.box, place.hand))
            if self.table.can(wish):
                self._let_happen(wish)  # a card that was chosen may still be on its way: this one is another
        if waiting and place is not None:
            self._let_happen(events.CardLaid(waiting[0], place))
        else:
            super()._lay()

    # --- the door --------------------------------------------------------------------------------------------------

    def let_happen(self, event: Event) -> None:
        """Let it happen."""
        self._let_happen(event)

    def load_unshuffled(self) -> None:
        """A whole set goes into the shoe as it is."""
        self._fill()
        self.let_happen(events.Loaded(self.left()))

    def _let_happen(self, event: Event, meant: Event | None = None) -> None:
        outputs: tuple[Output, ...] = self.table.apply(event)
        for output in outputs:
            if isinstance(output, Refused):
                raise StuckError(f"{event} in {self.table.state} gives {output}")
            if isinstance(output, IrregularityFound):
                self.found.append((output.finding.code, output.finding.clause, output.finding.ruling))
        self.events.append(event)
        self.meant.append(event if meant is None else meant)
        self.outputs.extend(outputs)


@dataclass(frozen=True, slots=True)
class Plan:
    """An irregularity, its code, when in a round it is tried, and which sensors it needs."""

    code: str
    name: str
    commit: Callable[[IrregularRobot], Committed | None]
    when: str = "playing"
    needs_places: bool = False
    fresh: bool = False  # with the first cards of a fresh shoe
