"""Random rounds with exactly one irregularity, in all five games.

1. It is found, once, with the clause and the ruling that the matrix has for the stage at which it was committed;
   nothing else is found. A hand that was taken for skipped and had stood is no irregularity.
2. When what is asked is answered, the round comes to its end, and no chip is lost.

TRUEDEAL_IRREGULAR is the number of irregular rounds in all; every failure names the seed that repeats it.
"""

from __future__ import annotations

import os
import random

import pytest

from gamecore.model.states import State
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from tests.gamecore.play.chip_count import Ledger, faults
from tests.gamecore.play.irregular_plans import PLANS
from tests.gamecore.play.irregular_robot import Committed, IrregularRobot, Plan

ROUNDS = int(os.environ.get("TRUEDEAL_IRREGULAR", "2000"))
SOAK_ROUNDS = int(os.environ.get("TRUEDEAL_IRREGULAR", "100000"))
ROUNDS_A_TABLE = 3
NEVER = {
    ("rws-free-bet-2025", "missing burn"): "no burn is asked for",
    ("rws-free-bet-2025", "insurance not offered"): "the document asks for no spoken offer",
    **{(game, "pairs not settled"): "no clause says when" for game, rules in GAMES.items() if rules.casino == "MBS"},
}


def check_findings(robot: IrregularRobot, plan: Plan, committed: Committed | None) -> None:
    """Found once, by the clause of the stage, and nothing else."""
    listed = [finding.code for finding in robot.table.view().round.findings]
    if committed is None:
        assert [] == robot.found
        assert [] == listed
        return
    assert plan.code == committed.code
    matrix = MATRICES[robot.rules.id]
    cells = [look_up(matrix, committed.code, case, committed.stage) for case in committed.cases]
    wanted = {(committed.code, cell.clause, cell.ruling) for cell in cells}
    assert set(robot.found) <= wanted, (robot.found, wanted)
    assert robot.found, f"{committed} was not found"
    if robot.taken_back:
        assert listed in ([], [committed.code])
    else:
        assert [committed.code] == listed
        assert 1 == len(robot.found)


def check_chips(robot: IrregularRobot, ledger: Ledger) -> None:
    """Every chip that counts has its row; what goes back is worth nothing; nothing more is lost than lay there."""
    game_round = robot.table.view().round
    assert robot.table.state in {State.COMPLETE, State.VOID}
    assert game_round.outcome in {"settled", "void", "concluded"}
    counted = [row for row in game_round.rows if row.result != "refused"]
    assert all(row.net == 0 for row in game_round.rows if row.result in {"refused", "returned"})
    assert all(row.clause for row in game_round.rows)
    assert [] == faults(ledger, counted)
    going_back = [row for row in counted if game_round.outcome == "void" or row.kind == "main"]
    if game_round.outcome != "settled":  # what the cards had decided before stays lost (MBS 5.25)
        assert {"returned"} >= {row.result for row in going_back}


def play_table(game: str, plan: Plan, chance: random.Random, shoe: int) -> int:
    """Some rounds at one table; how many of them were irregular."""
    robot, ledger, seen, irregular = IrregularRobot(GAMES[game], chance, shoe, plan), Ledger(), 0, 0
    try:
        for _ in range(ROUNDS_A_TABLE):
            committed = robot.play_with(plan)
            for event in robot.meant[seen:]:
                if committed is None or all(event is not chips for chips in committed.events):
                    ledger.see(event)
            seen = len(robot.meant)
            check_findings(robot, plan, committed)
            check_chips(robot, ledger)
            irregular += committed is not None
    except Exception as error:
        for event in robot.events[-8:]:
            error.add_note(str(event))
        raise
    return irregular


def play_tables(game: str, seed: int, rounds: int) -> None:
    """This many irregular rounds of a game; a failure says which table it was."""
    plans = [plan for plan in PLANS if (game, plan.name) not in NEVER]
    played = dict.fromkeys((plan.name for plan in plans), 0)
    number = 0
    while sum(played.values()) < rounds // len(GAMES) or not all(played.values()):
        plan = plans[number % len(plans)]
        try:
            played[plan.name] += play_table(game, plan, random.Random(f"{seed}/{game}/{number}"), seed + number)
        except Exception as error:
            error.add_note(f"TRUEDEAL_SEED={seed}, {game}, {plan.name}, table {number}")
            raise
        number += 1
        assert number < 50 * len(plans) + rounds, played


def test_every_code_is_committed() -> None:
    """No code of a finding is left out."""
    assert set(CODES) == {plan.code for plan in PLANS}


@pytest.mark.parametrize("game", GAMES)
def test_one_irregularity_is_found_once_and_carried_out(game: str, seed: int) -> None:
    """Each is found with its clause at once, and the round comes to an end that balances."""
    play_tables(game, seed, ROUNDS)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_one_irregularity_is_found_once_and_carried_out_for_long(game: str, seed: int) -> None:
    """The same, for many more rounds."""
    play_tables(game, seed + 1, SOAK_ROUNDS)
