"""Lessons and practice at a simulated table, with a daemon and devices of their own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.journal import segments
from firmware_bridge.journal.domain import refusal
from firmware_bridge.journal.schema import TRAINING
from gamecore.rules.games import GAMES
from hal_sim.harness.table_setup import RefusedError, WrongError
from hal_sim.training.course import Lesson
from hal_sim.training.progress import Progress
from hal_sim.training.trainer import wall_clock
from tests.hal_sim.training.training_rig import GAME, Trainee, training

TRIED = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of training."""
    return tmp_path_factory.mktemp("training")


@pytest.fixture(scope="module")
def trainee(seed: int, folder: Path) -> Iterator[Trainee]:
    """One table for all tests."""
    with training(seed, folder) as one:
        yield one


def a_lesson(trainee: Trainee, code: str) -> Lesson:
    """The easiest lesson about an irregularity that asks for more than one act."""
    return next(one for one in trainee.trainer.course.of(GAME) if one.code == code and one.acts > 1)


def test_a_lesson_that_is_dealt_well_is_passed(trainee: Trainee, folder: Path, seed: int) -> None:
    """Some of the course: nothing but what the file says is done, and every act is right."""
    lessons = random.Random(seed).sample(trainee.trainer.course.of(GAME), TRIED)
    for lesson in [a_lesson(trainee, "misdealt-card"), *lessons]:
        trainee.begin(lesson)
        now = trainee.now()
        assert not now["over"], lesson.id
        trainee.follow(lesson)
        now = trainee.now()
        expected = {"over": True, "passed": True, "failed": [], "score": 100, "acts": now["right"]}
        assert expected == {name: now[name] for name in expected}, (lesson.id, now)
        explained = [found for act in now["debrief"] for found in act["findings"]]
        assert lesson.clause in {found["clause"] for found in explained}, lesson.id
        assert {"injected"} == {act["by"] for act in now["debrief"]}
    entries = Progress(folder, wall_clock()).of("Ann")
    assert lesson.id == entries[0].lesson
    assert all(one.passed for one in entries)


def test_what_goes_wrong_is_explained_and_counts(trainee: Trainee) -> None:
    """A refused act and a hint cost; the debrief has what the table had asked for."""
    lesson = a_lesson(trainee, "misdealt-card")
    trainee.begin(lesson)
    with pytest.raises(RefusedError, match="the round is held"):
        trainee.say("settle")
    hint = trainee.let_play(trainee.trainer.hint)
    trainee.follow(lesson)
    now = trainee.now()
    assert (lesson.acts + 1, lesson.acts, 1) == (now["acts"], now["right"], now["hints"])
    assert 100 * (lesson.acts - 1) // (lesson.acts + 1) == now["score"]
    mine = [act for act in now["debrief"] if act["by"] == "you"]
    assert ["settle"] == [act["words"] for act in mine]
    assert mine[0]["refused"]
    assert hint == mine[0]["advised"]


def test_an_error_of_the_trainee_is_theirs(trainee: Trainee) -> None:
    """In practice without errors a card to the wrong box is found, and the round is not passed."""
    trainee.let_play(lambda: trainee.trainer.begin_practice("Bob", GAME, 1, "own"))
    trainee.say("place-bets")
    trainee.say("no-more-bets")
    while str(trainee.let_play(lambda: trainee.player.game.table.next_place)) == "burn":
        trainee.say("draw burn")
    due = str(trainee.let_play(lambda: trainee.player.game.table.next_place))
    wagered = trainee.let_play(trainee.player.game.robot.shadow.wagered)
    trainee.say(f"draw {next((box for box in wagered if str(box) != due), 'dealer')}")
    trainee.let_play(trainee.trainer.end)
    now = trainee.now()
    assert (True, False) == (now["over"], now["passed"])
    assert "idle" == trainee.let_play(lambda: trainee.player.game.table.state.value)
    found = [act for act in now["debrief"] if act["findings"]]
    assert ["you"] == [act["by"] for act in found]
    assert now["right"] == now["acts"] - 1
    with pytest.raises(RefusedError, match="no lesson is on"):
        trainee.let_play(trainee.trainer.hint)


@pytest.mark.parametrize("game", GAMES)
def test_the_patrons_play_while_the_trainee_deals(game: str, trainee: Trainee) -> None:
    """Two rounds of each game, dealt as they are due: the patrons wager and decide, and nothing is found."""
    trainee.let_play(lambda: trainee.trainer.begin_practice("Cy", game, 2, "own"))
    trainee.deal()
    now = trainee.now()
    assert (True, 100, 2, []) == (now["passed"], now["score"], now["round"], now["debrief"])
    assert now["acts"] > 10


def test_an_error_is_injected_and_carried_out(trainee: Trainee) -> None:
    """It is not the trainee's, who does what the ruling asks; the clause is explained afterwards."""
    trainee.let_play(lambda: trainee.trainer.begin_practice("Dee", GAME, 1, "misdealt-card"))
    trainee.deal()
    now = trainee.now()
    by = {found["code"]: act["by"] for act in now["debrief"] for found in act["findings"]}
    assert "injected" == by["misdealt-card"]
    assert now["passed"]


def test_another_table_ends_the_lesson_without_a_score(trainee: Trainee, folder: Path) -> None:
    """A trainee who leaves has not learned it."""
    before = len(Progress(folder, wall_clock()).entries)
    trainee.begin(a_lesson(trainee, "misdealt-card"))
    header = trainee.let_play(lambda: trainee.player.game.header)
    trainee.let_play(lambda: trainee.player.new_table(header))
    now = trainee.now()
    assert (True, True) == (now["over"], now["left"])
    assert before == len(Progress(folder, wall_clock()).entries)


@pytest.mark.parametrize(
    "wrong", [("poker", 1, "own"), (GAME, 0, "own"), (GAME, 21, "own"), (GAME, 1, "coffee"), (GAME, 1, "unplugged")]
)
def test_what_cannot_be_practised_is_refused(wrong: tuple[str, int, str], trainee: Trainee) -> None:
    """A game, a number of rounds, an error that there is none of."""
    with pytest.raises(WrongError):
        trainee.let_play(lambda: trainee.trainer.begin_practice("Ann", *wrong))


def test_every_row_of_its_journal_is_trainings(trainee: Trainee) -> None:
    """What the daemon has written by now says so, row by row."""
    state = trainee.player.at.state_path
    assert "training's" in refusal(state)
    with closing(segments.open_for_reading(segments.segments(state)[0])) as connection:
        rows = connection.execute("SELECT domain, count(*) FROM events GROUP BY domain").fetchall()
    assert [TRAINING] == [domain for domain, _ in rows]
    assert rows[0][1] > 100
