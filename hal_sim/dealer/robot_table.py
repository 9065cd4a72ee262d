"""The robot dealer's own table: what it looks at before it does anything.

1. A table in process takes every statement before it is played elsewhere. The robot sees what this table says, as an
   attentive Dealer reads the display.
2. Beside it lies a copy of the prepared shoe. It says how many cards are left, and which card the shoe could not read,
   as a person who turns it over sees. No card that is still to come is looked at.
3. The cutting card lies so far from the end that the round in which it comes out can be finished.
4. Where the statements are played is a `Stage`: a table in process, unless another is given.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Protocol

from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import FindingView
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.states import State
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.shoe import PreparedShoe
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Draw, Header, Load, NotationError, Pull, Statement, What
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table
from gamecore.view.pictures import BoxView
from gamecore.view.view import TableView

AFTER_DEAL = frozenset({State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT})
DEALING = frozenset({State.BETS_CLOSED, State.INITIAL_DEAL})
#: Cards behind the cutting card: for the Dealer, and for each box.
BEHIND, BEHIND_A_BOX = 16, 12
_RECENT = 40


class Stage(Protocol):
    """Where statements are played, and the table that comes of it."""

    @property
    def table(self) -> Table:
        """The table as it stands."""

    def play(self, statement: Statement) -> None:
        """Play a statement.

        Raises:
            NotationError: it is refused.
        """


class InProcessStage:
    """A table in process."""

    def __init__(self, rules: Ruleset, header: Header) -> None:
        self._venue = InProcess(header, rules)
        self._player = Player(header, rules, self._venue)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._venue.table

    def play(self, statement: Statement) -> None:
        """Play a statement."""
        self._player.play(statement)


class Shadow:
    """A table and a copy of its shoe."""

    def __init__(self, rules: Ruleset, header: Header, chance: random.Random, stage: Stage | None = None) -> None:
        self.rules = rules
        self.header = header
        self.chance = chance
        self.found: list[FindingView] = []
        self.refused: list[str] = []
        self.unread: Card | None = None
        self.cut_out = False
        self.no_cutting_card = False
        self._stage = stage or InProcessStage(rules, header)
        self._shoe = PreparedShoe(rules.ranks.value, header.decks, header.seed)
        self._shoe.load(header.shoe, header.left)
        self._deck = 4 * len(rules.ranks.value)
        self._pushed_back = 0

    # --- what happens ------------------------------------------------------------------------------------------------

    def happen(self, statement: Statement) -> bool:
        """Let a statement happen; False if the table refuses it."""
        elsewhere = self._on_table() if isinstance(statement.what, Load) else []
        try:
            self._stage.play(statement)
        except NotationError as error:
            self.refused.append(f"{statement.text}: {error.message}")
            return False
        self._follow(statement.what, elsewhere)
        recent = {(finding.key, finding.code) for finding in self.found[-_RECENT:]}
        listed = (*self.view.round.findings, *self.view.for_later)
        self.found += [finding for finding in listed if (finding.key, finding.code) not in recent]
        return True

    def _on_table(self) -> list[Card]:
        """The cards that lie on the table in a round that is on."""
        return [drawn.card for drawn in self.view.round.dealt] if self.view.round_is_on else []

    def _follow(self, what: What, elsewhere: list[Card]) -> None:
        """Do to the copy of the shoe what was done to the shoe."""
        match what:
            case Draw(card=read) if len(self._shoe):
                true = self._shoe.draw()
                self.unread = true if read == UNREAD else self.unread
            case Draw(card=None):
                self.no_cutting_card = False  # a card was asked of an empty shoe: everybody knows by now
            case Pull(count) if count <= len(self._shoe):
                for _ in range(count):
                    self._shoe.draw()
            case Load(cards, count):
                self._shoe.load(cards, count, elsewhere)
                self.cut_out = self.no_cutting_card = False
                self._pushed_back = 0
            case ev.CardPushedBack():
                self._pushed_back += 1
            case ev.CuttingCardOut():
                self.cut_out = True
            case _:
                pass

    # --- what can be seen --------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._stage.table

    @property
    def view(self) -> TableView:
        """How the table stands."""
        return self.table.view()

    @property
    def state(self) -> State:
        """How the round stands."""
        return self.table.state

    @property
    def left(self) -> int:
        """How many cards can still be drawn."""
        return len(self._shoe)

    @property
    def out(self) -> int:
        """How many cards are out of the shoe."""
        return self._deck * self.header.decks - self.inside

    @property
    def inside(self) -> int:
        """How many cards lie in the shoe, those that were pushed back into it too."""
        return len(self._shoe) + self._pushed_back

    @property
    def boxes(self) -> Mapping[int, BoxView]:
        """The boxes of the round."""
        return self.view.round.boxes

    def wagered(self) -> list[int]:
        """The boxes with a main wager that has not been returned."""
        return sorted(number for number, box in self.boxes.items() if box.wagered)

    def empty(self) -> list[int]:
        """The boxes without a main wager."""
        return [box for box in range(1, self.header.boxes + 1) if box not in self.wagered()]

    def bare(self) -> list[int]:
        """The boxes without any wager."""
        return [box for box in self.empty() if box not in self.boxes or not self.boxes[box].sides]

    def offers(self, *statuses: str) -> list[str]:
        """The offers with one of these statuses."""
        return [what for what, status in self.view.round.offers.items() if status in statuses]

    def pairs_due(self) -> bool:
        """Whether a side wager is to be settled before any further card, and the panel would tell (RWS 3.13)."""
        game_round, first = self.view.round, self.rules.settled_first.value
        if not first or game_round.interim or game_round.subsequent or "panel" not in self.header.sensors:
            return False
        sides = [side for box in game_round.boxes.values() for side in box.sides]
        return self.state in AFTER_DEAL and any(side.kind in first and not side.returned_by for side in sides)

    def cards_in_hand(self) -> list[Card]:
        """The cards that are out of the shoe and lie nowhere yet."""
        return [*self.view.in_transit, *self.view.next_cards]

    def card_due(self) -> Place | None:
        """Where a card from the shoe is due now; None while an offer, a settlement or another card comes first."""
        if self.state is State.BETTING or self.offers("due") or self.cards_in_hand() or self.pairs_due():
            return None
        place = self.table.next_place
        return None if place == BURN else place

    def quiet(self) -> bool:
        """Whether a stray card would be that alone: nothing else is due that it could be taken for."""
        view = self.view
        owed = self.cards_in_hand() or view.burn_due or view.dealer_owed or self.pairs_due() or self.offers("due")
        return not owed and self.state in DEALING | AFTER_DEAL

    def asked_for(self) -> bool:
        """Whether the hand whose turn it is waits for a card."""
        turn = self.view.round.turn
        return turn is not None and turn.hands[self.view.round.turn_hand].awaits_card

    # --- the next card -----------------------------------------------------------------------------------------------

    def next_card(self) -> list[What]:
        """The next card at its proper place; the cutting card before it where it has come so far."""
        place = self.table.next_place or DEALER
        waiting = self.cards_in_hand()
        if waiting:
            return [ev.CardLaid(waiting[0], place)]
        if self.state is State.BETTING and place != BURN:
            place = Place(min(self.wagered()))
        cut: list[What] = [ev.CuttingCardOut()] if self._at_cutting_card() else []
        return [*cut, Draw(place)]

    def _at_cutting_card(self) -> bool:
        if self.cut_out or self.no_cutting_card or self.header.shuffling == "continuous":
            return False
        return self.left <= self.behind_cutting_card

    @property
    def behind_cutting_card(self) -> int:
        """How many cards lie behind the cutting card."""
        return min(BEHIND + BEHIND_A_BOX * self.header.boxes, self._deck * self.header.decks // 2)

    def shuffle_due(self) -> bool:
        """Whether the cards are shuffled before the next round."""
        short = self.left <= self.behind_cutting_card and self.header.shuffling == "continuous"
        return self.cut_out or short or self.left < 4
