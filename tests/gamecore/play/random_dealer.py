"""A robot that plays random rounds by the rules.

1. It speaks to `Table.apply` alone and chooses among what `candidates` finds allowed, and the amounts, names and
   short forms that a list of buttons leaves out. Cards come from a shuffled shoe of the exact set and go to
   `next_place`.
2. It plays regularly: every offer that is due is made, chips arrive while bets are open, RWS Pairs is settled before
   any further card, the shoe is shuffled before it runs short. So nothing it does is an irregularity.
3. All chance comes from the `random.Random` it is given and the seed of its shoe; the same two play the same round.
4. Now and then it brings some cards of one kind to the front of the shoe, so that splits, naturals and bonuses are not
   rare. The set stays exact. Such a shoe is not shuffled, so it is used only where no order can be watched: in mid-use,
   and in continuous shuffling.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from gamecore.model.cards import Card, deck
from gamecore.model.events import events
from gamecore.model.events.events import Command, Event
from gamecore.model.events.outputs import IrregularityFound, Output
from gamecore.model.events.refusals import Refused
from gamecore.model.places import BURN, Place
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.notation.playing.shoe import shuffled
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table
from tests.gamecore.play.candidates import commands

MOST_STEPS = 3000
NAMES = ("ann", "bob", "cy", "dee")
THEMES = ("", "", "", "A", "AAAATJQK", "7", "8", "TJQK", "5", "A6", "678", "23A")
SENSORS = (
    frozenset({"shoe", "positions", "bets", "discard", "panel"}),
    frozenset({"shoe", "positions-count", "panel"}),
    frozenset({"shoe", "panel"}),
    frozenset({"shoe"}),
)
WEIGHTS: dict[type, float] = {
    events.Interim: 0.1,
    events.Stand: 3.0,
    events.Hit: 1.5,
    events.Double: 1.5,
    events.FreeDouble: 4.0,
    events.Split: 8.0,
    events.FreeSplit: 8.0,
    events.Rescue: 3.0,
    events.Insure: 0.6,
    events.EvenMoney: 1.0,
    events.Surrender: 0.4,
    events.Close: 1.5,
    events.Offer: 5.0,
    events.Settle: 4.0,
    events.Jackpot: 0.5,
    events.Collect: 0.8,
    events.Pay: 0.8,
}
WEIGHT_OF_CARD = 2.0
AFTER_DEAL = frozenset({State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT})


class StuckError(AssertionError):
    """The robot cannot bring the round to its end."""


class Robot:
    """One table, its shoe and all the people at it."""

    def __init__(self, rules: Ruleset, chance: random.Random, shoe_seed: int, header: Header | None = None) -> None:
        """A table of the game, set up at random or as the header says."""
        self.rules = rules
        self.chance = chance
        self.header = a_header(rules, chance, shoe_seed) if header is None else header
        self.table = Table(rules, table_config(self.header))
        self.events: list[Event] = []
        self.meant: list[Event] = []
        self.outputs: list[Output] = []
        self.watch: Callable[[], None] = lambda: None
        self.in_haste = False
        self._seed = shoe_seed
        self._loads = 0
        self._limits = {kind: (least, most) for kind, least, most in self.header.limits}
        self._shoe: list[Card] = []
        self._cut_out = False
        self._fill()

    # --- the round -------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        """Play one round from its first announcement to its settlement."""
        self._prepare()
        self._let_happen(events.PlaceBets())
        self._bet()
        if self.chance.random() < 0.8:
            self._let_happen(events.NoMoreBets())
        self._squeeze()
        for _ in range(MOST_STEPS):
            if self.table.state in BETWEEN_ROUNDS:
                return
            self.watch()
            self._step()
        raise StuckError(f"{self.table.state} after {MOST_STEPS} steps")

    def _step(self) -> None:
        if self.table.state in {State.BETTING, State.BETS_CLOSED, State.INITIAL_DEAL}:
            self._lay()
            return
        options = self._options()
        weights = [self._weight(option) for option in options]
        if self._card_is_due():
            options.append(None)
            weights.append(WEIGHT_OF_CARD / 20 if self.table.state is State.OFFERS else WEIGHT_OF_CARD)
        if not options:
            raise StuckError(f"nothing is possible in {self.table.state}")
        choice = self.chance.choices(options, weights)[0]
        if choice is None:
            self._lay()
        else:
            self._let_happen(self._shortened(choice), choice)
            self._wager_on_split_aces()

    def _options(self) -> list[Command | None]:
        """What may be commanded now; while an offer is due it is made before the deal goes on."""
        options: list[Command | None] = []
        due = "due" in self.table.view().round.offers.values() and self.table.state is State.OFFERS
        answers = (events.Offer, events.Close, events.Insure, events.EvenMoney, events.Surrender, events.Interim)
        for command in self._commands():
            if not due or isinstance(command, answers):
                options.append(command)
                options.extend(other for other in self._variants(command) if self.table.can(other))
        return options

    def _commands(self) -> list[Command]:
        """What may be commanded now; in haste mostly what the hand whose turn it is, or the Dealer, would say."""
        game_round = self.table.view().round
        if not self.in_haste or self.chance.random() < 0.05:
            return commands(self.table)
        said: list[Command] = []
        match self.table.state:
            case State.PLAYER_TURN if game_round.turn is not None:
                place = Place(game_round.turn.number, game_round.turn_hand + 1, game_round.turn.controller)
                said = [decision(place) for decision in _DECISIONS]
            case State.OFFERS:
                said = [say(what) for what in game_round.offers for say in (events.Offer, events.Close)]
            case State.SETTLEMENT:
                said = [events.Settle()]
        if self.pairs_due():
            said.append(events.Interim())
        found = [command for command in said if self.table.can(command)]
        return found if found or self._card_is_due() else commands(self.table)

    def _weight(self, command: Command | None) -> float:
        """How often a command is chosen: a stand that changes nothing seldom, answers before decisions."""
        weight = WEIGHTS.get(type(command), 1.0)
        if isinstance(command, events.Interim) and self.pairs_due():
            return 1.0
        game_round = self.table.view().round
        if self.table.state is State.OFFERS and isinstance(command, _DECISIONS):
            return weight / 20
        if isinstance(command, events.Stand):
            place, box = command.place, game_round.turn
            idle = box is None or (place.box, place.hand) != (box.number, game_round.turn_hand + 1)
            return weight / 200 if idle else weight
        return weight

    def _variants(self, command: Command) -> list[Command]:
        """The same command with another amount, or by another Player."""
        match command:
            case events.Double(place):
                base = self.table.view().round.boxes[place.box].mains[place.slot].amount
                return [replace(command, amount=self._amount("main", base))]
            case events.Insure(place, most):
                other = self.chance.choice(NAMES)
                return [replace(command, amount=self.chance.randint(1, most), player=self.chance.choice((None, other)))]
            case _:
                return []

    def _shortened(self, command: Command) -> Command:
        """A place without what the table can tell by itself: the hand whose turn it is, the controlling Player."""
        game_round = self.table.view().round
        place: Place | None = getattr(command, "place", None)
        if not isinstance(command, _DECISIONS) or place is None or self.chance.random() < 0.5:
            return command
        box = game_round.turn
        if box is None or place != Place(box.number, game_round.turn_hand + 1, box.controller):
            return command
        return replace(command, place=Place(place.box))

    # --- chips -----------------------------------------------------------------------------------------------------

    def _bet(self) -> None:
        boxes = self._boxes()
        for box in boxes:
            if self.chance.random() < 0.2:
                name = self.chance.choice((None, *NAMES))
                self._let_happen(events.Seat(Place(box, 0, self.chance.randint(1, 3)), name))
            elif self.chance.random() < 0.05:
                self._let_happen(events.StandUp(Place(box, 0, self.chance.randint(1, 3))))
            most = self.rules.slots.value or 5
            for slot in self.chance.sample(range(1, most + 1), self.chance.choice((1, 1, 1, 2, min(3, most), most))):
                player = self.chance.choice((None, None, None, *NAMES))
                self._let_happen(events.WagerPlaced(Place(box, 0, slot), "main", self._amount("main"), player))
                self._take_back(Place(box, 0, slot))
        for side in self.rules.side_wagers:
            for box in boxes if side.needs_main == "box" else range(1, self.header.boxes + 1):
                wagers = self.chance.choice((0, 0, 1, 1, 2, 3))
                for slot in self.chance.sample((1, 2, 3), wagers):
                    player = self.chance.choice((None, None, *NAMES))
                    place = Place(box, 0, slot)
                    self._let_happen(events.WagerPlaced(place, side.kind, self._amount(side.kind), player))
                    if self.chance.random() < 0.05:
                        self._let_happen(events.WagerRemoved(place, side.kind))
                    elif self.chance.random() < 0.1:
                        rival = self.chance.choice(NAMES)
                        self._let_happen(events.WagerPlaced(place, side.kind, self._amount(side.kind), rival))

    def _take_back(self, place: Place) -> None:
        """Now and then chips are taken back, or added, while bets are open."""
        if self.chance.random() < 0.05:
            self._let_happen(events.WagerRemoved(place, "main"))
            self._let_happen(events.WagerPlaced(place, "main", self._amount("main")))
        elif self.chance.random() < 0.05 and self._limits.get("main", (0, 1 << 40))[1] > 1_000_00:
            self._let_happen(events.WagerPlaced(place, "main", 5_00))

    def _boxes(self) -> list[int]:
        cards = len(self.rules.ranks.value) * 4 * self.header.decks
        most = max(1, min(self.header.boxes, (cards - 16) // 22))
        wanted = min(most, self.chance.choice((1, 1, 1, 2, 2, 3, 4, 7)))
        return sorted(self.chance.sample(range(1, self.header.boxes + 1), wanted))

    def _amount(self, kind: str, most: int | None = None) -> int:
        """An amount within the limits, seldom an odd one; small enough that the wagers of a box stay within them."""
        highest = most if most is not None else 150_00
        least = min(highest, self._limits.get(kind, (1, 0))[0])
        if self.chance.random() < 0.3:
            return self.chance.randint(least, highest)
        return min(highest, max(least, self.chance.choice((5_00, 9_00, 10_00, 25_00, 50_00, 99_00, 100_00))))

    def _wager_on_split_aces(self) -> None:
        """Ace Race 3.21.1: on either or both hands, before the next card."""
        view = self.table.view()
        kind, box = self.rules.side_wager_on_split_aces.value, view.round.turn
        if kind is None or box is None or not view.just_split or self.chance.random() < 0.5:
            return
        for number, hand in enumerate(box.hands, start=1):
            for slot in hand.stakes:
                spot = (number, slot, True)
                taken = {(side.hand, side.slot, side.after_split) for side in box.sides}
                if hand.split_aces and spot not in taken and self.chance.random() < 0.5:
                    self._let_happen(events.WagerPlaced(Place(box.number, number, slot), kind, self._amount(kind)))

    # --- cards -----------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Shuffle and load where the next round could run short, and burn where a burn is due."""
        if len(self._shoe) < 16 + 22 * self.header.boxes or self._cut_out:
            self._fill()
            manual = self.header.shuffling == "manual"
            self._let_happen(events.Shuffled("riffle", 3) if manual else events.Shuffled("machine"))
            self._let_happen(events.Loaded(len(self._shoe)))
            self._cut_out = False
        if self.table.next_place is BURN and self.chance.random() < 0.5:
            self._lay()

    def _fill(self) -> None:
        cards = shuffled(deck(self.rules.ranks.value) * self.header.decks, self._seed + self._loads * 2**64)
        self._loads += 1
        watched = self.header.shuffling != "continuous" and (self.header.fresh or self._loads > 1)
        theme = "" if watched else self.chance.choice(THEMES)
        share = self.chance.choice((0.3, 0.6, 0.9))
        order = random.Random(f"{self._seed}/{self._loads}")
        if theme:
            wanted = [card for card in cards if card.rank in theme]
            others = [card for card in cards if card.rank not in theme]
            cards = []
            while wanted and others:
                cards.append((wanted if order.random() < share else others).pop())
            cards += wanted + others
        self._shoe = cards[::-1]

    def _card_is_due(self) -> bool:
        offers_due = self.table.state is State.OFFERS and "due" in self.table.view().round.offers.values()
        return self.table.next_place is not None and not offers_due and not self.pairs_due()

    def pairs_due(self) -> bool:
        """Whether RWS Pairs is to be settled before any further card, and the panel would tell (RWS 3.13)."""
        game_round = self.table.view().round
        if game_round.interim or game_round.subsequent or "panel" not in self.header.sensors:
            return False
        sides = [side for box in game_round.boxes.values() for side in box.sides]
        return self.table.state in AFTER_DEAL and any(s.kind == "rws-pairs" and not s.returned_by for s in sides)

    def _lay(self) -> None:
        """The next card, at its proper place; where places are not sensed it is told, or left to the table."""
        card, place = self._shoe.pop(), self.table.next_place
        if self.table.state is State.BETTING:
            # Bets that are still open are closed by the card, which belongs where the deal begins.
            place = BURN if place is BURN else Place(min(self._wagered()))
        if len(self._shoe) == 60 and self.header.shuffling == "manual":
            self._let_happen(events.CuttingCardOut())
            self._cut_out = True
        if not self.header.places_sensed:
            told = place if self.table.state is State.BETTING or self.chance.random() < 0.5 else None
            self._let_happen(events.CardDrawn(card, told), events.CardDrawn(card, place))
        elif place is not None:
            self._let_happen(events.CardDrawn(card))
            self._let_happen(events.CardLaid(card, place, exposed=self._squeezed(place) and self.chance.random() < 0.1))
        self._turn()

    def _wagered(self) -> list[int]:
        return [number for number, box in self.table.view().round.boxes.items() if box.mains]

    def _squeeze(self) -> None:
        for box in self._wagered() if self.rules.squeeze.value else []:
            if self.chance.random() < 0.3:
                self._let_happen(events.Squeeze(box))

    def _squeezed(self, place: Place) -> bool:
        box = self.table.view().round.boxes.get(place.box)
        return box is not None and box.squeeze

    def _turn(self) -> None:
        """Turn face-down cards now and then."""
        for box in self._wagered():
            if self._squeezed(Place(box)) and self.chance.random() < 0.1:
                self._let_happen(events.CardsTurned(box))

    # --- the door --------------------------------------------------------------------------------------------------

    def _let_happen(self, event: Event, meant: Event | None = None) -> None:
        """Let it happen; `meant` is the same event with its place in full."""
        outputs = self.table.apply(event)
        for output in outputs:
            if isinstance(output, Refused | IrregularityFound):
                raise StuckError(f"{event} in {self.table.state} gives {output}")
        self.events.append(event)
        self.meant.append(event if meant is None else meant)
        self.outputs.extend(outputs)


_DECISIONS = (events.Hit, events.Stand, events.Double, events.FreeDouble, events.Split, events.FreeSplit)


def a_header(rules: Ruleset, chance: random.Random, shoe_seed: int) -> Header:
    """A table within the bounds of the document."""
    limits: Sequence[tuple[str, int, int]] = ()
    if chance.random() < 0.5:
        limits = [(kind, 5_00, 10_000_00) for kind in rules.wager_kinds() if kind == "main" or chance.random() < 0.7]
    shuffling = chance.choice(("machine", "manual", "continuous"))
    return Header(
        game=rules.id,
        decks=chance.choice((rules.decks.value[0], 8, chance.randint(*rules.decks.value))),
        boxes=chance.choice((rules.boxes.value[1], chance.randint(*rules.boxes.value))),
        limits=tuple(limits),
        shoe=(),
        seed=shoe_seed,
        left=None,
        fresh=chance.random() < 0.4,
        burn=rules.burn.value and shuffling != "continuous",
        shuffling=shuffling,
        sensors=chance.choice(SENSORS),
    )
