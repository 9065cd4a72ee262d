"""A lesson at the simulated table: the patrons play, an error is committed, every act of the trainee is judged.

1. It belongs to the thread that plays at the table (`harness.player_thread`), which calls `judge_and_act` whenever
   something has happened there, no matter who did it. What the trainer itself lets happen is not the trainee's.
2. A lesson of the course begins with its error, and is over when its round is; where the file ends before, when trainee
   and patrons have done all that it has. It is passed if what the file expects of the round holds.
3. Practice is some rounds of a game. Errors are the trainee's own, or the robot's hands commit one: of any kind in some
   rounds (`CHANCE`), or of one chosen kind in each round that gives a chance for it. It is over with its last round,
   and passed if the trainee has caused no finding.
4. A hint is the next step that the table shows. It costs a right act (`progress.score`).
5. Setting up another table leaves the lesson: it does not count. A lesson that is ended early counts. A round
   that is held when a lesson ends is cleared away with its table, so that the alarm does not hide the debrief.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gamecore.model.states import State
from gamecore.notation.expect.checks import check
from gamecore.notation.syntax import Claim, Noise, NotationError, Statement, What
from gamecore.notation.writer import write_what
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import KINDS, PLAYING, Kind
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.dealer.robot_table import AFTER_DEAL, DEALING
from hal_sim.harness.journal_replica import ReadEvent
from hal_sim.harness.player_thread import TablePlayer
from hal_sim.harness.table_setup import Game, RefusedError, WrongError
from hal_sim.table.next_step import next_step
from hal_sim.training.course import Course, Lesson
from hal_sim.training.judged_acts import INJECTED, YOU, Act, acts_of
from hal_sim.training.patron_player import Patrons, RobotPatrons, ScriptedPatrons
from hal_sim.training.progress import Entry, Progress, person_name, score

OWN, SOME = "own", "some"
"""Practice with the trainee's own errors alone, or with one in some rounds."""
CHANCE = 0.6
MOST_ROUNDS = 20
MOST_STEPS = 60
"""Of the patrons at one look."""
NOT_INJECTED = frozenset({"", "link-lost", "power-failure"})
Clock = Callable[[], datetime]


def wall_clock() -> datetime:
    """The time of day."""
    return datetime.now(UTC)


def injected_kinds(game: str) -> list[Kind]:
    """The errors that hands can commit in a round of a game."""
    rules = GAMES[game]
    return [one for one in KINDS if one.when == PLAYING and one.code not in NOT_INJECTED and one.possible(rules)]


@dataclass(slots=True)
class Practice:
    """Rounds of a game, with or without errors that are committed."""

    game: str
    rounds: int
    errors: str
    chance: random.Random
    planned: Kind | None = None
    planned_in: int = -1  # the round for which it was settled
    delay: int = 0

    def error_due(self, game: Game, acts: int) -> list[What]:
        """Return the statements of an error that is committed now; none if none is."""
        shadow = game.robot.shadow
        number = shadow.view.round.number
        if self.errors == OWN or shadow.view.matters or shadow.state not in DEALING | AFTER_DEAL:
            return []
        if self.planned_in != number:
            wanted = [one for one in injected_kinds(self.game) if self.errors in {SOME, one.name}]
            often = CHANCE if self.errors == SOME else 1.0
            self.planned = self.chance.choice(wanted) if wanted and self.chance.random() < often else None
            self.planned_in, self.delay = number, acts + self.chance.choice((0, 1, 3, 5))
        if self.planned is None or acts < self.delay:
            return []
        done = self.planned.commit(shadow)
        if done:
            self.planned = None
        return done or []


@dataclass(slots=True)
class Running:
    """What is being learned now."""

    id: str
    person: str
    game: Game
    patrons: Patrons
    lesson: Lesson | None
    practice: Practice | None
    began: float
    acts: list[Act] = field(default_factory=list)
    hints: int = 0
    at: int = 0  # how much of the record has been looked at
    shown: dict[str, str] = field(default_factory=dict)
    over: bool = False
    left: bool = False
    passed: bool = False
    seconds: int = 0
    round: int = 0
    failed: tuple[str, ...] = ()

    @property
    def own(self) -> list[Act]:
        """The trainee's acts."""
        return [act for act in self.acts if act.by == YOU]

    @property
    def right(self) -> int:
        """How many of them were right."""
        return sum(act.right for act in self.own)


class Trainer:
    """Looks over the trainee's shoulder."""

    def __init__(self, player: TablePlayer, course: Course, progress: Progress, now: Clock = wall_clock) -> None:
        self._table_player = player
        self.course = course
        self.progress = progress
        self._now = now
        self.running: Running | None = None
        player.follow = self.judge_and_act

    # --- what is asked of it -----------------------------------------------------------------------------------------

    def begin_lesson(self, person: str, known_by: str) -> None:
        """Set up the table of a lesson, up to its error and with it.

        Raises:
            WrongError: there is no such lesson.
        """
        lesson = self.course.lesson(known_by)
        if lesson is None:
            raise WrongError("there is no such lesson")
        self.running = None
        self._table_player.new_table(lesson.header)
        game = self._table_player.game
        for statement in lesson.before:
            game.play(statement)
        patrons = ScriptedPatrons(lesson, game.robot.shadow)
        self._start(Running(known_by, person, game, patrons, lesson, None, time.monotonic()), [lesson.error.what])

    def begin_practice(self, person: str, game: str, rounds: int, errors: str) -> None:
        """Set up a table of a game.

        Raises:
            WrongError: there is no such game or error, or there are too many rounds.
        """
        if game not in GAMES or not 1 <= rounds <= MOST_ROUNDS:
            raise WrongError(f"expected a game, and 1 to {MOST_ROUNDS} rounds")
        if errors not in {OWN, SOME, *(one.name for one in injected_kinds(game))}:
            raise WrongError(f"errors: expected {OWN}, {SOME} or the name of one")
        self.running = None
        seed = self._table_player.game.header.seed + 1
        self._table_player.new_table(a_header(GAMES, game, seed))
        at = self._table_player.game
        practice = Practice(game, rounds, errors, random.Random(seed))
        self._start(
            Running(f"{game}/{errors}", person, at, RobotPatrons(at.robot), None, practice, time.monotonic()), []
        )

    def _start(self, running: Running, error: list[What]) -> None:
        running.person = person_name(running.person)
        if not running.person:
            raise WrongError("person: whose progress is it?")
        running.shown = next_step(running.game.table)
        running.at = len(running.game.replica.seen)
        self.running = running
        self._commit(running, error)
        self.judge_and_act()

    def hint(self) -> dict[str, str]:
        """Return what the table asks for next, by language; the hint counts."""
        running = self._on()
        running.hints += 1
        return next_step(running.game.table)

    def end(self) -> None:
        """End the lesson where it stands; it counts."""
        running = self._on()
        self._finish(running)

    def _on(self) -> Running:
        if self.running is None or self.running.over:
            raise RefusedError("no lesson is on")
        return self.running

    # --- looking -----------------------------------------------------------------------------------------------------

    def judge_and_act(self) -> None:
        """Judge what the trainee has done, and let the patrons act."""
        running = self.running
        if running is None or running.over:
            return
        if self._table_player.game is not running.game:
            running.over = running.left = True
            return
        self._judge(running)
        for _ in range(MOST_STEPS):
            practice = running.practice
            error = practice.error_due(running.game, len(running.own)) if practice is not None else []
            if error:
                self._commit(running, error)
            elif not self._play(running, running.patrons.due(running.right)):
                break
        running.shown = next_step(running.game.table)
        if self._is_over(running):
            self._finish(running)

    def _judge(self, running: Running) -> None:
        seen = running.game.replica.seen[running.at :]
        running.at += len(seen)
        running.acts += acts_of(seen, YOU, running.shown, self._seconds(running))

    def _commit(self, running: Running, error: list[What]) -> None:
        """Commit an error; what is found by it is explained afterwards, and not the trainee's."""
        done = self._play(running, error)
        acts = acts_of(done, INJECTED, running.shown, self._seconds(running))
        running.acts += [act for act in acts if act.found]

    def _play(self, running: Running, steps: list[What]) -> list[ReadEvent | Noise]:
        """Let something happen that is not the trainee's; return what reached the table."""
        before = len(running.game.replica.seen)
        for what in steps:
            try:
                running.game.play(Statement(what, 0, write_what(what)))
            except NotationError:
                break  # the trainee was faster, and the table stands otherwise
        running.at = len(running.game.replica.seen)
        return running.game.replica.seen[before:]

    # --- the end -----------------------------------------------------------------------------------------------------

    def _is_over(self, running: Running) -> bool:
        table = running.game.table
        if running.practice is not None:
            return table.round_number >= running.practice.rounds and not table.round_is_on
        if running.lesson is None or not table.round_is_on:
            return True
        return not running.lesson.ends and running.right >= running.lesson.acts and running.patrons.done

    def _finish(self, running: Running) -> None:
        running.over, running.seconds = True, self._seconds(running)
        running.round = running.game.table.round_number
        if running.lesson is not None:
            table = running.game.table
            claims = [one.what for one in running.lesson.goal if isinstance(one.what, Claim)]
            running.failed = tuple(wrong for claim in claims if (wrong := check(claim, table)) is not None)
            running.passed = not running.failed
        else:
            running.passed = self._is_over(running) and not any(act.found for act in running.own)
        now = self._now()
        own = running.own
        self.progress.add(
            Entry(
                running.person,
                running.id,
                now.isoformat(timespec="seconds"),
                len(own),
                running.right,
                running.hints,
                running.seconds,
                running.passed,
            ),
            now,
        )
        if running.game.table.state is State.HELD:
            header = running.game.header
            self._table_player.new_table(a_header(GAMES, header.game, header.seed + 1))

    def _seconds(self, running: Running) -> int:
        return int(time.monotonic() - running.began)

    # --- telling -----------------------------------------------------------------------------------------------------

    def shown_lesson(self) -> dict[str, object] | None:
        """The lesson that is on or was last, for showing; the debrief when it is over."""
        running = self.running
        if running is None:
            return None
        own = running.own
        lesson = None if running.lesson is None else running.lesson.as_json()
        return {
            "id": running.id,
            "person": running.person,
            "game": running.game.header.game,
            "lesson": lesson,
            "rounds": None if running.practice is None else running.practice.rounds,
            "round": running.round if running.over else running.game.table.round_number,
            "seconds": running.seconds if running.over else self._seconds(running),
            "acts": len(own),
            "right": running.right,
            "hints": running.hints,
            "score": score(len(own), running.right, running.hints),
            "over": running.over,
            "left": running.left,
            "passed": running.passed,
            "failed": list(running.failed),
            "debrief": [act.as_json() for act in running.acts if not act.right] if running.over else [],
        }
