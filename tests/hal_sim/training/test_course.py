"""The course: lessons from the scenarios, clause by clause."""

from __future__ import annotations

import random

import pytest

from gamecore.notation.expect.checks import check
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Claim
from gamecore.rules.games import GAMES
from hal_sim.training.course import Course, in_order, lesson_of
from tests.places import ROOT

SCENARIOS = ROOT / "tests" / "scenarios"
TRIED = 25
HEAD = "game: mbs-blackjack-v6\nfresh: no\nshoe: KH 8D 5S 9C\n\n"
BEGUN = "place-bets\nbet 1 main 100\nbet 3 main 50\nno-more-bets\n"


@pytest.fixture(scope="module")
def course() -> Course:
    """The course of the scenarios."""
    return Course([SCENARIOS])


@pytest.mark.parametrize("game", GAMES)
def test_the_course_goes_clause_by_clause_and_becomes_harder(game: str, course: Course, seed: int) -> None:
    """Every game has lessons for many clauses; any of them, dealt as its file says, reaches its goal."""
    lessons = course.of(game)
    assert len({lesson.clause for lesson in lessons}) > 10
    assert lessons == sorted(lessons, key=lambda one: (in_order(one.clause), one.acts, one.id))
    for lesson in random.Random(seed).sample(lessons, TRIED):
        venue = InProcess(lesson.header, GAMES[game])
        player = Player(lesson.header, GAMES[game], venue)
        for statement in lesson.before:
            player.play(statement)
        assert () == venue.table.view().round.findings, lesson.id
        player.play(lesson.error)
        assert [lesson.code] == [found.code for found in venue.table.view().round.findings], lesson.id
        for statement in lesson.after:
            player.play(statement)
        claims = [one.what for one in lesson.goal if isinstance(one.what, Claim)]
        assert [] == [wrong for claim in claims if (wrong := check(claim, venue.table)) is not None], lesson.id


def test_clauses_are_ordered_by_their_numbers() -> None:
    """5.9 comes before 5.21, and 5.21 before 5.21.1."""
    assert ["5.9", "5.21", "5.21.1"] == sorted(["5.21.1", "5.9", "5.21"], key=in_order)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (f"{HEAD}{BEGUN}draw 3\nexpect finding misdealt-card clause 5.6.1\nmove KH 3 1\nreconstructed\n", True),
        (f"{HEAD}{BEGUN}draw 3\nexpect finding misdealt-card clause 5.6.1\n", False),
        (f"{HEAD}{BEGUN}draw 1\nexpect next 3\n", False),
        (f"{HEAD}{BEGUN}draw 3\nexpect finding misdealt-card clause 5.6.1\npower-cut\npower-on\n", False),
        (f"{HEAD}{BEGUN}draw 3\nexpect finding misdealt-card clause 9.9\nmove KH 3 1\nreconstructed\n", False),
        ("game: poker\n", False),
    ],
    ids=["a lesson", "nothing to do", "nothing found", "power", "does not hold", "no scenario"],
)
def test_what_makes_a_lesson(text: str, is_one: bool) -> None:
    """Something is found, and hands have something to do about it."""
    assert is_one is (lesson_of("5.6.1-a-name", text) is not None)


def test_there_is_no_lesson_of_another_name(course: Course) -> None:
    """Nothing but what is listed can be begun."""
    assert None is course.lesson("mbs-blackjack-v6/../../README")
    assert None is course.lesson("poker/any")
