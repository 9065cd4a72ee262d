"""Who has a wager, what of it is undecided, and whose choice moves it: random irregular rounds in all five games.

1. A choice of one Player gives back wagers of that Player alone. Where a hand that all have left is no more, what it
   would have decided goes back too: invalidated (RWS 5.7.3), or its one card discarded (MBS 5.16.2).
2. What was decided while nothing was open keeps its result to the end and never goes back at MBS, unless a matter
   about the dealing comes up later or the round is void.
3. Who is asked whether to go on has something that goes back, is there, and is asked once.
4. A round is concluded only when every wager has gone back; chips in are chips out and the house's.

TRUEDEAL_STANDING is the number of irregular rounds in all; every failure names the seed that repeats it.
"""

from __future__ import annotations

import os
import random

import pytest

from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.model import events
from gamecore.model.events import Event
from gamecore.model.hands import Stake
from gamecore.model.round import SideWager
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Decider, Ruleset, Withdrawal
from gamecore.settlement.settle import main_verdict
from gamecore.standing.asked import going_back_to, is_absent, spot_of
from gamecore.standing.decided import decided
from gamecore.standing.who import Wager, wagers
from tests.gamecore.irregular_plans import PLANS
from tests.gamecore.irregular_robot import IrregularRobot, Plan
from tests.gamecore.ledger import Ledger, faults

ROUNDS = int(os.environ.get("TRUEDEAL_STANDING", "1000"))
SOAK_ROUNDS = int(os.environ.get("TRUEDEAL_STANDING", "50000"))
ROUNDS_A_TABLE = 3
ABOUT_DEALING = frozenset({"misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short", "missing-burn"}) | {
    "unwagered-box-dealt",
    "card-in-error",
    "hand-skipped",
    "unreadable-card",
    "uncovered",
}


class StandingRobot(IrregularRobot):
    """A robot that looks at every wager around every event."""

    def __init__(self, game: str, chance: random.Random, shoe: int, plan: Plan) -> None:
        """A table of the game with one irregularity a round."""
        super().__init__(GAMES[game], chance, shoe, plan)
        self.results: dict[int, tuple[Wager, str]] = {}

    def _do(self, event: Event, meant: Event | None = None) -> None:
        standing = [wager for wager in wagers(self.table._state.round) if wager.stands]
        chooser = self._chooser(event)
        super()._do(event, meant)
        if isinstance(event, events.PlaceBets):
            self.results.clear()
            return
        gone = [wager for wager in standing if not wager.stands]
        if chooser:
            self._check_choice(gone, chooser)
        self._check_decided(gone)
        self._check_asked()

    def _chooser(self, event: Event) -> str:
        """The Player whose choice an event is; empty where several choose or nobody does."""
        if not isinstance(event, events.Answer) or event.what != (WITHDRAW,) or event.who == "all":
            return ""
        spot = spot_of(self.table._state, event.who)
        assert spot is not None
        return spot.owner

    def _check_choice(self, gone: list[Wager], chooser: str) -> None:
        invalidated = self.rules.withdrawal.value is Withdrawal.UNSETTLED
        for wager in gone:
            left = not any(hand.in_play for hand in wager.box.hands)
            discarded = not any(hand.cards for hand in wager.box.hands)
            undecidable = left and (invalidated or discarded) and _hangs_on_hand(self.rules, wager)
            assert wager.owner == chooser or undecidable, f"{chooser} moved {wager}"

    def _check_decided(self, gone: list[Wager]) -> None:
        """Nothing that was decided goes back; what is decided now is remembered with its result."""
        knows = self.table._state
        codes = {finding.code for finding in knows.round.findings}
        chosen_early = "double-draw" in codes and not knows.round.subsequent  # a choice changes who is dealt what
        in_question = bool(codes & ABOUT_DEALING) or chosen_early
        if in_question or knows.round.outcome == "void":
            self.results.clear()
            return
        if self.rules.withdrawal.value is Withdrawal.UNDECIDED:
            assert [] == [wager for wager in gone if id(wager.chips) in self.results]
        if knows.hold.matters or not knows.round_is_on:
            return
        now = {id(wager.chips): wager for wager in wagers(knows.round) if wager.stands and decided(knows, wager)}
        lost = [wager for key, (wager, _) in self.results.items() if key not in now and wager.stands]
        assert [] == lost, f"decided before and open now: {lost}"
        for key, wager in now.items():
            result = self._result(wager)
            assert result == self.results.setdefault(key, (wager, result))[1], wager

    def _result(self, wager: Wager) -> str:
        """Whether a wager has won, lost or stands off by the cards that lie there."""
        game_round, chips = self.table._state.round, wager.chips
        match chips:
            case Stake() if chips.surrendered:  # at Pontoon half of it, or all if the Dealer has a natural (3.24.2)
                return "lose"
            case Stake():
                hand, most = wager.box.hands[wager.hand - 1], {wager.slot: chips.at_risk}
                return main_verdict(self.rules, game_round, hand, wager.slot, chips, most)[0]
            case SideWager():
                won = self.rules.side(chips.kind).category(game_round, wager.box, chips) is not None
            case _:
                won = game_round.dealer.cards[1].rank in self.rules.insurance_wins_on.value
        return "win" if won else "lose"

    def _check_asked(self) -> None:
        knows = self.table._state
        asked = [ask.who for ask in knows.asks if set(ask.options) == {CONTINUE, WITHDRAW}]
        assert len(set(asked)) == len(asked), asked
        for name in asked:
            spot = spot_of(knows, name)
            assert spot is not None
            assert going_back_to(knows, name), f"{name} is asked and has nothing left"
            assert not is_absent(knows, spot), f"{name} is asked and is not there"


def _hangs_on_hand(rules: Ruleset, wager: Wager) -> bool:
    chips = wager.chips
    return isinstance(chips, SideWager) and rules.side(chips.kind).decided_by is not Decider.DEALERS_HAND


def play_table(game: str, plan: Plan, chance: random.Random, shoe: int) -> int:
    """Some rounds at one table; how many of them were irregular."""
    robot, ledger, seen, irregular = StandingRobot(game, chance, shoe, plan), Ledger(), 0, 0
    try:
        for _ in range(ROUNDS_A_TABLE):
            committed = robot.play_with(plan)
            for event in robot.meant[seen:]:
                if committed is None or all(event is not chips for chips in committed.events):
                    ledger.see(event)
            seen = len(robot.meant)
            game_round = robot.table._state.round
            rows = [row for row in game_round.rows if row.result != "refused"]
            assert [] == faults(ledger, rows)
            if game_round.outcome == "concluded":
                assert {"returned"} >= {row.result for row in rows}
            irregular += committed is not None
    except Exception as error:
        for event in robot.events[-8:]:
            error.add_note(str(event))
        raise
    return irregular


def play_tables(game: str, seed: int, rounds: int) -> None:
    """So many irregular rounds of a game; a failure says which table it was."""
    number = played = 0
    while played < rounds // len(GAMES):
        plan = PLANS[number % len(PLANS)]
        try:
            played += play_table(game, plan, random.Random(f"{seed}/{game}/{number}"), seed + number)
        except Exception as error:
            error.add_note(f"TRUEDEAL_SEED={seed}, {game}, {plan.name}, table {number}")
            raise
        number += 1


@pytest.mark.parametrize("game", GAMES)
def test_nobodys_choice_moves_another_wager_and_what_is_decided_stays(game: str, seed: int) -> None:
    """Only the wagers of the one who chooses go back, and no card changes the result of a decided wager."""
    play_tables(game, seed, ROUNDS)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_nobodys_choice_moves_another_wager_for_long(game: str, seed: int) -> None:
    """The same, for many more rounds."""
    play_tables(game, seed + 1, SOAK_ROUNDS)
