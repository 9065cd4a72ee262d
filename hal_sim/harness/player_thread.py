"""Who plays at the simulated table: one thread, and one player at a time.

1. The simulated table is used by the thread that calls `run`, and by no other. Others hand it jobs (`submit`) and
   wait; between two statements it does one of them.
2. The robot plays, or a scenario, or nobody: then hands do. Anything done by hand stops what plays by itself. The robot
   continues a round that others have changed; while a cable is out or the power is off it does not begin.
3. Until somebody touches the table the robot changes tables as it was told (`plan`), and rests at the end of the plan.
   Once somebody has, the table stays until another is set up by hand. `own` says that something has happened there
   that no file of scenarios has: the page asks before another table is set up.
4. `state` is how the harness stands, as one value that is made by the playing thread and read by any.
5. If the devices or the daemon fail at something done by hand, that is told, and the table stays. If they fail while
   something plays by itself, the run ends.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

from gamecore.notation.syntax import Draw, Header, NotationError, Pull, Statement, What
from gamecore.rules.games import GAMES
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.dealer.robot_sitting import FINDINGS, SLICE, STATEMENTS, Pace, Tally, agrees, links_of, panel_of, states_of
from hal_sim.harness.harness_state import state_of
from hal_sim.harness.journal_replica import Replica
from hal_sim.harness.robot_plan import Dials, Planned
from hal_sim.harness.sample_people import staff
from hal_sim.harness.scenario_player import Score
from hal_sim.harness.table_setup import Game, RefusedError, WrongError
from hal_sim.table.sim_table import SimTable
from hal_sim.table.terminal_view import Scene, View, finding_line, round_line

T = TypeVar("T")
NOBODY, ROBOT, SCENARIO = "nobody", "robot", "scenario"
IDLE = 0.1
"""Seconds between two looks at what the devices show, while nobody plays."""
LOOKED = 3.0
"""Seconds for which the state is kept up to date after somebody has looked at it."""
MOST_ROUNDS = 2000
"""After how many rounds at one table the robot rests: the recording holds all of them."""
PLAYED = "the robot has played the rounds that were asked for"
FRESH = 0.04
"""How old the state may be while something plays, in seconds."""


class TablePlayer:
    """The table, what plays at it, and what waits to be done."""

    def __init__(
        self, at: SimTable, plan: Iterator[Planned], dials: Dials, quiet: str, view: View, tally: Tally
    ) -> None:
        """Set up the first table of the plan; nobody plays yet."""
        self.at = at
        self.dials = dials
        self.tally = tally
        self._notes: tuple[str, ...] = ()
        self._view = view
        self._quiet = quiet
        self._plan = plan
        self._touched = self._ended = self.own = False
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._replica = Replica(at.state_path)
        self._pace = Pace(dials.speed)
        self._due = 0.0
        self._player = NOBODY
        self._statements: Iterator[Statement] | None = None
        self.score: Score | None = None
        self.message = ""
        self.follow: Callable[[], None] = lambda: None
        """Called when something has happened, no matter who did it; the trainer looks then."""
        self._tables = 0
        self._told_round = self._told_findings = 0
        self._made = self._looked = 0.0
        self._sitting = next(plan)
        self.game = self._set_up(a_header(GAMES, self._sitting.game, self._sitting.seed))
        self._state: dict[str, object] = {}
        self._publish()

    def show_address(self, where: str) -> None:
        """Say where the page is."""
        self._notes = (f"in a browser: {where}",)
        self._view.show_line(self._notes[0])

    # --- for any thread ----------------------------------------------------------------------------------------------

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Let the playing thread do a job as soon as it can."""
        done: Future[T] = Future()

        def run_job() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                result = job()
            except (RefusedError, WrongError, NotationError) as error:
                done.set_exception(error)
            except (OSError, RuntimeError, TimeoutError) as error:
                self.message = f"{error}"
                done.set_exception(error)
            else:
                done.set_result(result)

        self._jobs.put(run_job)
        return done

    def end(self) -> None:
        """Let `run` end as soon as it can."""
        self._ended = True

    def state(self) -> dict[str, object] | None:
        """How it stands; None if that was made too long ago, and must be asked for by `submit(self.fresh)`."""
        now = time.monotonic()
        self._looked = now
        return self._state if now - self._made < 1.0 else None

    # --- for the playing thread --------------------------------------------------------------------------------------

    def fresh(self) -> dict[str, object]:
        """How it stands now."""
        self._replica.follow()
        self._publish()
        return self._state

    def report(self) -> dict[str, object]:
        """The daemon's report."""
        return self.game.stage.venue.report()

    def text(self) -> str:
        """What has happened at the table, in deal notation."""
        return self.game.text()

    def run(self) -> None:
        """Play until somebody ends it."""
        while not self._ended:
            job = self._next_job()
            if job is not None:
                job()
                self._count()
                self.follow()
            if self._player != NOBODY and time.monotonic() >= self._due:
                self._step()
            elif job is None:
                self._watch()

    def _next_job(self) -> Callable[[], None] | None:
        """The next job, if one comes before something else is due."""
        playing = self._player != NOBODY
        wait = min(max(self._due - time.monotonic(), 0.0), SLICE) if playing else IDLE
        try:
            return self._jobs.get(timeout=wait) if wait else self._jobs.get_nowait()
        except queue.Empty:
            return None

    def _watch(self) -> None:
        """Nothing is due: look what others have done, and what the devices show."""
        if self._replica.follow():
            self._count()
            self.follow()
        now = time.monotonic()
        if now - self._looked < LOOKED and now - self._made > (IDLE if self._player == NOBODY else FRESH):
            self._publish()
        self._refresh()

    def _publish(self) -> None:
        self._state = state_of(self)
        self._made = time.monotonic()

    def _refresh(self) -> None:
        self._view.refresh(self.scene)

    # --- what plays by itself ----------------------------------------------------------------------------------------

    @property
    def playing(self) -> str:
        """What plays by itself."""
        return self._player

    def _step(self) -> None:
        """Play the next statement of the robot or the scenario."""
        if not self.game.table.round_is_on:
            self.game.clear_alarms()
        statement = self._robots() if self._player == ROBOT else self._scores()
        if statement is None:
            if self._player == ROBOT:
                self._round_over()
            return
        self._due = self._pace.until(statement.what)
        self._count(statement.what)
        if time.monotonic() - self._made > FRESH and time.monotonic() - self._looked < LOOKED:
            self._publish()
        self._refresh()

    def _robots(self) -> Statement | None:
        self.own = True
        if self._statements is None:
            robot = self.game.robot
            self._statements = robot.play_on() if self.game.table.round_is_on else robot.play_round()
        return next(self._statements, None)

    def _scores(self) -> Statement | None:
        statement = None if self.score is None else self.score.step(self.game)
        if statement is None or (self.score is not None and self.score.over):
            self._player = NOBODY
        return statement

    def _round_over(self) -> None:
        """The robot has ended a round: what is cleared, which table is next; it rests where there is none."""
        robot, self._statements = self.game.robot, None
        self.game.clear_alarms()
        self.tally.rounds += 1
        most = self._sitting.rounds
        if self._touched and (robot.stuck or robot.rounds % MOST_ROUNDS == 0):
            full = f"the robot has played {robot.rounds} rounds here: save the recording, set up another table"
            self.message = f"the table hangs: {robot.stuck}" if robot.stuck else full
            self._player = NOBODY
            return
        if self._touched or (not robot.stuck and (most is None or robot.rounds < most)):
            return
        self._leave()
        following = next(self._plan, None)
        if following is None:
            self._player, self._touched, self.message = NOBODY, True, PLAYED
            self._publish()  # whoever reads the line below and looks at once sees that the robot rests
            self._view.show_line(f"{PLAYED}: the page stays until Ctrl-C")
            return
        self._sitting = following
        self.game = self._set_up(a_header(GAMES, following.game, following.seed))

    # --- what hands do -----------------------------------------------------------------------------------------------

    def by_hand(self) -> Game:
        """The table for somebody who does something there: what plays by itself stops."""
        self._pause()
        self.own = True
        return self.game

    def _pause(self) -> None:
        """What plays by itself stops, and the table stays."""
        self._touched = True
        self._player = NOBODY
        self._statements = None
        self.message = ""

    def stop(self) -> None:
        """Stop what plays by itself."""
        self._player = NOBODY

    def start_robot(self) -> None:
        """Let the robot play.

        Raises:
            RefusedError: it would not be heard.
        """
        venue = self.game.stage.venue
        if self._statements is None and (venue.dark or venue.unplugged):
            raise RefusedError("plug the cables in and turn the power on first")
        if self.game.robot.stuck:
            raise RefusedError(f"the table hangs: {self.game.robot.stuck}")
        if self._player == SCENARIO or self.score is not None:
            self._touched = True
        self.message = ""
        self._player, self._due = ROBOT, 0.0

    def set_dials(self, dials: Dials) -> None:
        """Let the robot commit these errors from its next round on, and everything play at this pace from now on."""
        self.dials = dials
        self._pace = Pace(dials.speed)
        self._due = min(self._due, time.monotonic())
        self.game.robot.errors = dials.errors

    def new_table(self, header: Header, *, roles: bool | None = None) -> None:
        """Set up another table, with or without roles, as before where that is not said."""
        self._pause()
        self._leave()
        self.score = None
        if self.game.dark:
            self.at.new_boot()
            self.at.start_daemon()
        if roles is not None and roles is not self.at.roles:
            self.at.staff(*(staff() if roles else ((), ())))
        self.game = self._set_up(header)
        if self.at.roles and self.at.control.ask(do="status").get("alarms"):
            self.at.second.ask(do="clear", reason="another table is set up")

    def open_score(self, score: Score) -> None:
        """Set up the table of a scenario."""
        self.new_table(score.header)
        self.score = score

    def step_score(self) -> None:
        """Play one statement of the scenario that is open."""
        if self.score is None:
            raise RefusedError("no scenario is open")
        self._pause()
        statement = self.score.step(self.game)
        if statement is not None:
            self._count(statement.what)

    def play_score(self) -> None:
        """Let the scenario play by itself."""
        if self.score is None:
            raise RefusedError("no scenario is open")
        self._pause()
        self._player, self._due = SCENARIO, 0.0

    def close_score(self) -> None:
        """Close the scenario; the table stays as it has left it."""
        self._pause()
        self.score = None

    # --- counting and showing ----------------------------------------------------------------------------------------

    def _set_up(self, header: Header) -> Game:
        """Set up a table."""
        self._tables += 1
        self.tally.tables += 1
        self._told_round = self._told_findings = 0
        self.own = False
        game = Game(self.at, header, self._replica, self.dials.errors, self._quiet)
        self._view.show_line(f"table {self.tally.tables}: {title(header)}")
        return game

    def _leave(self) -> None:
        """The table is left: what the robot could not do there is counted, unless a hand has changed what it found."""
        if self._touched:
            return
        self.close()
        self.tally.compared += 1
        if agrees(self.report(), self.game.table.report()):
            self.tally.equal += 1
        else:
            name = title(self.game.header)
            self.tally.faults.append(f"{name}: the daemon's report differs from that of its journal")

    def close(self) -> None:
        """Count what the robot could not do at the table."""
        robot, name = self.game.robot, title(self.game.header)
        if not self._touched:
            self.tally.refused += len(robot.shadow.refused)
            self.tally.abandoned += [f"{name}: {where}" for where in robot.abandoned]
            self.tally.faults += [f"{name}: the table hangs: {robot.stuck}"] if robot.stuck else []

    def _count(self, what: What | None = None) -> None:
        """Count and tell what has happened."""
        match what:
            case Draw():
                self.tally.cards += 1
            case Pull(count):
                self.tally.cards += count
            case _:
                pass
        self._tell_findings()
        now = self.game.table.view().round
        if not self.game.table.round_is_on and now.number > self._told_round:
            self._told_round = now.number
            self._view.show_line(round_line(now))

    def _tell_findings(self) -> None:
        found = self.game.robot.shadow.found
        for finding in found[self._told_findings :]:
            self.tally.findings[finding.code] += 1
            self._view.show_line(finding_line(finding))
        self._told_findings = len(found)

    def scene(self) -> Scene:
        """What the terminal shows."""
        states = states_of(self.at)
        table = self.game.table
        return Scene(
            f"{title(self.game.header)}, table {self.tally.tables}, round {table.round_number}",
            table,
            panel_of(states),
            links_of(states),
            tuple(finding_line(finding) for finding in self.game.robot.shadow.found[-FINDINGS:]),
            tuple(str(one["text"]) for one in self._replica.words(STATEMENTS)),
            f"{self.tally.pace(time.monotonic())}, {self._pace.said}",
            self._notes,
        )


def title(header: Header) -> str:
    """A table in words."""
    return f"{GAMES[header.game].title} ({header.game}), seed {header.seed}"
