"""What holds in every state, beside the eleven: a table never fails, and its parts fit each other.

1. What happens physically is never refused. A command that is refused changes nothing.
2. The round is held exactly while a matter is open, and no fact is left unjudged. Cards that a ruling gives or that are
   laid again wait only while one is open.
3. Where the next card belongs fits how far the round has come.
4. The report is plain data; each finding and each row of a round that is over has its clause.
"""

from __future__ import annotations

import json
from typing import Any, get_args

from gamecore.model.events.events import Command
from gamecore.model.events.outputs import RETRACTED
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from tests.gamecore.play.table_comparison import look
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play

LOOKS = 8
"""Of this many refused commands the whole table is compared around one."""
_COMMANDS = frozenset(get_args(Command))
_BEFORE_THE_DEAL = frozenset({State.IDLE, State.VOID, State.COMPLETE, State.BETTING, State.BETS_CLOSED})


class EveryState(Property):
    """A table in any state."""

    name = "every state"

    def __init__(self) -> None:
        """No refusal yet."""
        super().__init__()
        self._before: Any = None

    def before(self, play: Play) -> None:
        """Look at the table before a command that will be refused, now and then."""
        self._before = None
        if type(play.event) in _COMMANDS and len(play.heard) % LOOKS == 0 and not play.table.can(play.event):  # type: ignore[arg-type]
            self._before = look(play.table)

    def after(self, play: Play) -> None:
        """What fits."""
        t = play.state
        self.exercised += 1
        if play.refused:
            self.hold(type(play.event) in _COMMANDS, f"{play.event} is physical and was refused")
            if self._before is not None:
                self.hold(self._before == look(play.table), f"{play.event} was refused and changed the table")
        held = play.table.state is State.HELD
        self.hold(held == bool(t.hold.matters), f"{play.table.state} with {len(t.hold.matters)} matters")
        self.hold(not t.facts, "a fact that nobody judged")
        if not held:
            given = [record for record in t.round.records if record.role in {Role.GIVEN, Role.RELAID}]
            self.hold(not given, "a card waits for play to go on, and it does")
            wrong = next_place_fault(t, play.table.next_place)
            self.hold(not wrong, wrong)

    def over(self, play: Play) -> None:
        """The report."""
        report = play.table.report()
        self.hold(report == json.loads(json.dumps(report)), "the report is no plain data")
        for finding in play.state.round.findings:
            self.hold(finding.ruling, f"{finding.code} has no ruling")
            self.hold(finding.clause or finding.ruling == RETRACTED, f"{finding.code} has no clause")


def next_place_fault(t: TableState, place: Place | None) -> str:
    """What is wrong with the place of the next card, in view of the state of the round."""
    state = t.machine.state
    if t.shoe.burn_due and state in _BEFORE_THE_DEAL:
        return "" if place == BURN else f"a burn is due, next is {place}"
    if not _fits(t, state, place):
        return f"next is {place} in {state}"
    if place not in {None, BURN} and state is not State.BETTING and t.next_hand is None:
        return f"no hand is at the next place, {place}"
    return ""


def _fits(t: TableState, state: State, place: Place | None) -> bool:
    game_round = t.round
    turn = game_round.turn
    at_turn = turn is not None and place == turn.place_of(game_round.turn_hand)
    match state:
        case State.IDLE | State.VOID | State.COMPLETE | State.SETTLEMENT:
            return place is None
        case State.BETTING:
            return place == min((Place(n) for n, box in game_round.boxes.items() if box.mains), default=None)
        case State.BETS_CLOSED | State.INITIAL_DEAL:
            return place in {where for where, _ in game_round.deal}
        case State.PLAYER_TURN:
            return at_turn or (t.turn.dealer_owed and place == DEALER)
        case State.OFFERS:
            return at_turn or place in {None, DEALER}
    return place == DEALER
