"""Training for tests: a simulated table in a folder of training, its player in a thread, and a trainer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.states import State
from gamecore.notation.syntax import Statement, What
from gamecore.notation.writer import write_what
from hal_sim.dealer.robot_dealer import Robot
from hal_sim.dealer.robot_sitting import Tally
from hal_sim.harness.player_thread import TablePlayer
from hal_sim.harness.robot_plan import Dials, Planned
from hal_sim.table.sim_table import SimTable
from hal_sim.training.course import Course, Lesson, is_of_patrons
from hal_sim.training.folder import new_journal, take_folder
from hal_sim.training.progress import Progress
from hal_sim.training.trainer import Trainer, wall_clock
from tests.hal_sim.harness.harness_rig import Silent, played
from tests.patience import PATIENCE
from tests.places import ROOT

GAME = "mbs-blackjack-v6"
MOST_ACTS = 300


class Trainee:
    """Somebody who deals at the training table."""

    def __init__(self, player: TablePlayer, trainer: Trainer) -> None:
        self.player = player
        self.trainer = trainer

    def let_play(self, job: Any) -> Any:
        """Let the playing thread do something, and whatever follows from it."""
        done = self.player.submit(job).result(PATIENCE)
        self.player.submit(lambda: None).result(PATIENCE)  # the trainer has looked by then
        return done

    def now(self) -> dict[str, Any]:
        """How the lesson stands."""
        told: dict[str, Any] = self.let_play(self.trainer.shown_lesson)
        return told

    def say(self, statement: str) -> None:
        """Do one statement by hand, as the harness page does."""
        self.let_play(lambda: self.player.by_hand().act(statement))

    def begin(self, lesson: Lesson) -> None:
        """Begin a lesson."""
        self.let_play(lambda: self.trainer.begin_lesson("Ann", lesson.id))

    def follow(self, lesson: Lesson) -> None:
        """Do what the file of a lesson lets a Dealer do."""
        for statement in lesson.after:
            if not is_of_patrons(statement.what) and not self.now()["over"]:
                self.let_play(lambda said=statement: self._play(said))

    def _play(self, statement: Statement) -> None:
        self.player.by_hand().play(Statement(statement.what, 0, write_what(statement.what)))

    def deal(self) -> None:
        """Deal until the lesson is over, doing what is due and nothing else."""
        for _ in range(MOST_ACTS):
            if self.now()["over"]:
                return
            self.say(self.let_play(lambda: write_what(dealers_act(self.player.game.robot))))
        raise AssertionError(f"the lesson does not end: {self.let_play(self.player.report)}")


def dealers_act(robot: Robot) -> What:
    """What a Dealer who knows the trade does now."""
    shadow, table = robot.shadow, robot.table
    if shadow.view.matters:
        return robot._carry_out()[0]
    if table.state in {State.IDLE, State.COMPLETE, State.VOID}:
        return ev.PlaceBets()
    words: list[Command] = [
        ev.NoMoreBets(),
        *([ev.Interim()] if shadow.pairs_due() else []),
        *(ev.Offer(what) for what in shadow.offers("due")),
        *(ev.Close(what) for what in shadow.offers("open")),
        *([ev.Settle()] if table.state is State.SETTLEMENT else []),
    ]
    said = next((word for word in words if table.can(word)), None)
    if said is None:
        assert table.next_place is not None, "neither a word nor a card of the Dealer's is due"
        return shadow.next_card()[0]
    return said


@contextmanager
def training(seed: int, folder: Path) -> Iterator[Trainee]:
    """A training table with its trainee."""
    at = SimTable(seed=seed)
    at.kept, at.training = new_journal(take_folder(folder), wall_clock()), True
    with at:
        player = TablePlayer(
            at, (Planned(GAME, seed + number, None) for number in count()), Dials(None), "0", Silent(), Tally(0.0)
        )
        course = Course([ROOT / "tests" / "scenarios"])
        trainer = Trainer(player, course, Progress(folder, wall_clock()))
        with played(player):
            yield Trainee(player, trainer)
