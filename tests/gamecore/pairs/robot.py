"""A robot that plays by the rules except twice.

1. It speaks to the table by events only and sees what people there see: the state, the pending questions, the listed
   moves, where the next card belongs, the reports.
2. The first irregularity is committed when it can be; the second inside the first one's hold, or after it, as told.
3. Otherwise everything is regular: what is asked is answered, the listed moves are made, then somebody says
   `reconstructed`; cards that are out are laid before new ones are drawn; an order of the table is never ignored.
4. How far the round has come is told from the robot's own record: the last state that was no hold, and whether a card
   left the shoe after the initial deal.
5. Every event is kept as a step of a tape, so that the money can be counted again.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import IrregularityFound
from gamecore.model.events.refusals import Refused
from gamecore.model.places import BURN, Place
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.notation.writer import write_event
from gamecore.rules.ruleset import Ruleset
from gamecore.rules.stages import Stage
from tests.gamecore.play.irregular_robot import LIMITS, IrregularRobot
from tests.gamecore.play.random_dealer import Robot, StuckError, a_header
from tests.recount.tape import Step

FITTINGS = {
    "positions": frozenset({"shoe", "positions", "bets", "discard", "panel"}),
    "positions-count": frozenset({"shoe", "positions-count", "bets", "discard", "panel"}),
    "told": frozenset({"shoe", "bets", "discard", "panel"}),
}
AFTER = frozenset({State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT})
ROLES = ("pit-supervisor", "pit-manager", "shift-manager")
CONFIRM = 0.3
"""The share of rounds in which what is said must be approved, and is."""


class RefusedError(StuckError):
    """The table refuses what the robot says."""


class PairRobot(IrregularRobot):
    """One table, one round with two irregularities, and a regular round before it where one is needed."""

    def __init__(self, rules: Ruleset, chance: random.Random, shoe_seed: int, fitting: str, *, fresh: bool) -> None:
        """A table with limits and these sensors, else set up at random."""
        header = replace(a_header(rules, chance, shoe_seed), sensors=FITTINGS[fitting], limits=LIMITS)
        if header.shuffling == "continuous":
            header = replace(header, shuffling="machine")
        header = replace(header, fresh=fresh, burn=rules.burn.value, decks=8, boxes=rules.boxes.value[1])
        header = replace(header, confirm=chance.random() < CONFIRM)
        Robot.__init__(self, rules, chance, shoe_seed, header)
        self.found: list[tuple[str, str, str]] = []
        self.taken_back = False
        self.below: set[str] = set()
        self.steps: list[Step] = []
        self.committed: list[str] = []
        self.asked_which = 0
        self.began = 0
        self._true: list[Card] = []
        self._laid = UNREAD
        self._which: list[Card] = []
        self._staying: dict[tuple[int, int], str | None] = {}
        self._calm = State.IDLE
        self._further = False

    # --- the round -------------------------------------------------------------------------------------------------

    def open_round(self) -> None:
        """A shoe that suffices, bets open, chips on two to four boxes."""
        if self._set_in_doubt():
            self.let_happen(events.Approve("shift-manager"))
        self.began = len(self.events)
        self._further = False
        self._staying.clear()
        self.let_happen(events.PlaceBets())
        self._bet()

    def get_ready(self) -> None:
        """What comes before a round: a shuffle where the shoe would run short, the burn."""
        self._prepare()

    def take_step(self) -> None:
        """One thing that takes the round on."""
        if self.held:
            self._carry_out()
        else:
            self._step()

    @property
    def held(self) -> bool:
        """Whether the round waits for a ruling to be carried out."""
        return self.table.state is State.HELD

    @property
    def over(self) -> bool:
        """Whether no round is on."""
        return self.table.state in BETWEEN_ROUNDS

    def _set_in_doubt(self) -> bool:
        return not self.table.can(events.PlaceBets()) and self.table.can(events.Approve("shift-manager"))

    def _bet(self) -> None:
        """Chips on two to four boxes, some with a second Player, some side wagers; no name stands twice."""
        boxes = sorted(self.chance.sample(range(1, self.header.boxes + 1), self.chance.choice((2, 2, 3, 3, 4))))
        for box in boxes:
            for slot in (1, 2) if self.chance.random() < 0.3 else (1,):
                name = self.chance.choice((None, None, f"p{box}{slot}"))
                self.let_happen(events.WagerPlaced(Place(box, 0, slot), "main", self._amount("main"), name))
        for side in self.rules.side_wagers:
            for box in boxes:
                if self.chance.random() < 0.35:
                    place = Place(box, 0, self.chance.choice((1, 1, 3)))
                    self.let_happen(events.WagerPlaced(place, side.kind, self._amount(side.kind)))

    def close_bets(self) -> None:
        """Say so, or leave it to the first card."""
        if self.table.can(events.NoMoreBets()):
            self.let_happen(events.NoMoreBets())

    def wagered(self) -> list[int]:
        """The boxes with a main wager that nobody has withdrawn."""
        return sorted({box for box, _ in self._staying})

    def plays(self, box: int) -> bool:
        """Whether a box has one hand that is not over: of another, cards may be cleared away."""
        hands = self.table.view().round.boxes[box].hands if box in self.wagered() else []
        return len(hands) == 1 and hands[0].in_play and not (hands[0].settled or hands[0].bust)

    def empty(self) -> list[int]:
        """The boxes that never had one."""
        return [box for box in range(1, self.header.boxes + 1) if box not in self._wagered()]

    def _card_is_due(self) -> bool:
        """Whether a card is dealt now; cards of a pull are dealt when the offers are over, and before any other."""
        pulled = "double-draw" in {code for code, _, _ in self.found}
        return super()._card_is_due() and not (pulled and self.table.state is State.OFFERS)

    def ask_for_card(self) -> None:
        """Where a card was chosen and may be on its way, another one is asked for before it is dealt."""
        place = self.table.next_place
        pulled = "double-draw" in {code for code, _, _ in self.found}
        if pulled and place is not None and self.table.state in {State.OFFERS, State.PLAYER_TURN}:
            wish = events.Hit(Place(place.box, place.hand))
            if self.table.can(wish):
                self.let_happen(wish)

    def first_box_left(self) -> bool:
        """Whether the Players of the first box have withdrawn; whether it is still dealt to depends on other wagers."""
        return self.wagered()[:1] != sorted(self._wagered())[:1]

    def offer_due(self) -> bool:
        """Whether an offer is to be made; one that was passed over and found is not waited for."""
        return super().offer_due() and "insurance-not-offered" not in {code for code, _, _ in self.found}

    # --- how far the round has come --------------------------------------------------------------------------------

    def stage(self) -> Stage:
        """How far the round has come."""
        record = self.events[self.began :]
        simple = {State.BETTING: Stage.BETTING, State.BETS_CLOSED: Stage.CLOSED, State.INITIAL_DEAL: Stage.INITIAL}
        if self._calm in BETWEEN_ROUNDS:
            return Stage.BETWEEN
        if self._calm in simple:
            return Stage.INITIAL if self._calm is State.BETS_CLOSED and self.drawn() else simple[self._calm]
        interim = any(isinstance(event, events.Interim) for event in record)
        final = any(isinstance(event, events.Collect | events.Pay) for event in record)
        if self.rules.final_settlement.value and (final or interim):
            return Stage.FINAL if final else Stage.INTERIM
        return Stage.SUBSEQUENT if self._further else Stage.INTERIM if interim else Stage.INITIAL

    def drawn(self) -> int:
        """How many cards have left the shoe in this round, without the burn."""
        number = 0
        for event in self.events[self.began :]:
            match event:
                case events.CardDrawn(told=told):
                    number += told != BURN
                case events.CardsPulled(cards):
                    number += len(cards)
                case events.CardLaid(place=place):
                    number -= place == BURN
        return number

    def burned_in_round(self) -> bool:
        """Whether the first card of this round was, or should have been, the burn."""
        first = next((step for step in self.steps[self.began :] if step.text.split()[0] in {"draw", "lay"}), None)
        return first is not None and first.next_place == "burn"

    # --- what is asked ---------------------------------------------------------------------------------------------

    def _carry_out(self) -> None:
        """Answer, or make the moves and say so, or approve, or riffle."""
        asks: Any = self.table.report()["asks"]
        if asks:
            self._reply(self.chance.choice(asks))
            return
        if self.header.places_sensed:
            for move in self.table.view().moves:
                self.let_happen(events.CardMoved(move.card, move.source, move.target))
        if self.table.can(events.Reconstructed()):
            self.let_happen(events.Reconstructed())
            return
        for role in ROLES:
            if self.table.can(events.Approve(role)):
                self.let_happen(events.Approve(role))
                return
        if self.header.shuffling == "manual" and "insufficient-cards" in {code for code, _, _ in self.found}:
            self._riffle()
            return
        refusal = self.table.verify(events.Reconstructed())
        raise StuckError(f"the listed moves are made and nothing ends the hold: {refusal}")

    def _reply(self, ask: dict[str, Any]) -> None:
        who, options = ask["who"], list(ask["options"])
        if who in ROLES:
            self.let_happen(events.Approve(who))
            return
        allowed = [word for word in options if word != "CARD" and self.table.can(events.Answer(who, (word,)))]
        if self._which and str(self._which[0]) in allowed:
            word = str(self._which.pop(0))
        elif "CARD" in options:
            word = str(self._true.pop(0) if self._true else self._laid)
        elif "skipped" in allowed and self.chance.random() < 0.75:
            word = "skipped"
        elif "continue" in allowed and self.chance.random() < 0.7:
            word = "continue"
        elif allowed:
            word = self.chance.choice(allowed)
        else:
            raise StuckError(f"{who} is asked for {'|'.join(options)}, and every answer is refused")
        self.taken_back = self.taken_back or word == "stood"
        self.let_happen(events.Answer(who, (word,)))

    # --- cards -----------------------------------------------------------------------------------------------------

    def cards_wait(self) -> bool:
        """Whether cards that are out of the shoe are to be dealt before a fresh one."""
        knows = self.table.view()
        return bool(knows.in_transit or knows.next_cards)

    def next_looks_like_one_out(self) -> bool:
        """Whether the next card has the face of one that is out and was never laid: no eye can tell them apart."""
        out = [record.card for record in self.table._state.round.records if record.felt is None]
        return bool(self._shoe) and self._shoe[-1] in out

    def ace_for_the_dealer(self) -> None:
        """Bring an Ace to where the Dealer's first card lies in the shoe; the set stays exact."""
        at = -1 - len(self.wagered()) - (self.table.next_place == BURN)
        ace = next(index for index, card in enumerate(self._shoe) if str(card)[0] == "A")
        self._shoe[at], self._shoe[ace] = self._shoe[ace], self._shoe[at]

    def unread_at(self, place: Place) -> None:
        """A card that the shoe cannot read; the pit will know it."""
        self._true.append(self.next_card())
        self.card_at(UNREAD, place)

    def card(self, text: str) -> Card:
        """The card of that face."""
        return next((card for card in self.all_faces() if str(card) == text), UNREAD)

    def _note(self, event: Event) -> None:
        """Who has a main wager in the round, and who has withdrawn it."""
        match event:
            case events.WagerPlaced(place, "main", _, player) if self.table.state is State.BETTING:
                self._staying[place.box, place.slot] = player
            case events.Answer(who, ("withdraw",)):
                box, _, slot = who.partition("/")
                for spot, player in list(self._staying.items()):
                    here = str(spot[0]) == box and slot in {"", str(spot[1])}
                    if here or (player is not None and player in {who, self._named(box, slot)}):
                        del self._staying[spot]

    def _named(self, box: str, slot: str) -> str | None:
        found = [name for spot, name in self._staying.items() if str(spot[0]) == box and slot in {"", str(spot[1])}]
        return found[0] if found else None

    # --- the door --------------------------------------------------------------------------------------------------

    def _let_happen(self, event: Event, meant: Event | None = None) -> None:
        if isinstance(event, events.CardLaid) and self.header.places_counted:
            self._laid, meant = event.card, event
            event = replace(event, card=UNREAD)
        state, due = self.table.state, self.table.next_place
        if isinstance(event, events.CardDrawn | events.CardsPulled) and self._calm in AFTER:
            self._further = True
        outputs = self.table.apply(event)
        for output in outputs:
            if isinstance(output, Refused):
                raise RefusedError(f"{write_event(event)} in {state.value} is refused: {output}")
            if isinstance(output, IrregularityFound):
                self.found.append((output.finding.code, output.finding.clause, output.finding.ruling))
                if output.finding.code == "unreadable-card" and isinstance(event, events.CardLaid):
                    self._which.append(self._laid)  # several are out, and the pit is asked which one was laid
                    self.asked_which += 1
        self._note(event)
        self.events.append(event)
        self.meant.append(event if meant is None else meant)
        if self.table.state is not State.HELD:
            self._calm = self.table.state
        rounds: Any = self.table.report()["rounds"]
        text = "draw none" if isinstance(event, events.ShoeEmpty) else write_event(event)
        last = rounds[-1] if rounds else {}
        self.steps.append(Step(text, "" if due is None else str(due), state.value, last))
