"""The patrons of training, in process: many rounds with a Dealer who does what is due."""

from __future__ import annotations

import pytest

from gamecore.model.events import events as ev
from gamecore.notation.syntax import Statement, What
from gamecore.notation.writer import write_what
from gamecore.rules.games import GAMES
from hal_sim.dealer.robot_dealer import Robot, a_header
from hal_sim.training.patron_player import RobotPatrons
from tests.hal_sim.training.training_rig import dealers_act

TABLES, ROUNDS, MOST_STEPS = 4, 10, 3000


@pytest.mark.parametrize("game", GAMES)
def test_patrons_and_dealer_come_to_the_end_of_every_round(game: str, seed: int) -> None:
    """Nobody waits for the other, nothing is refused, nothing found; Players do nothing of the Dealer's."""
    for number in range(TABLES):
        robot = Robot(GAMES[game], a_header(GAMES, game, seed + number), seed + number)
        patrons = RobotPatrons(robot)
        said: list[What] = []
        for _ in range(MOST_STEPS):
            if robot.table.round_number >= ROUNDS and not robot.table.round_is_on:
                break
            steps = patrons.due(0) or [dealers_act(robot)]
            assert all(robot.shadow.happen(Statement(what, 0, write_what(what))) for what in steps), (
                robot.shadow.refused
            )
            said += steps
        assert robot.table.round_number == ROUNDS
        assert [] == robot.shadow.found, (robot.shadow.found, [write_what(what) for what in said[-12:]])
        assert any(isinstance(what, ev.Stand | ev.Hit) for what in said)
