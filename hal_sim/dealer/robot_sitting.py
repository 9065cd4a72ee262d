"""The robot dealer at a table, statement by statement: paced, shown, counted, written down.

1. A sitting is some rounds of one game at one table, set up again by a header: in process, or at a simulated table with
   real device processes and the daemon. What is shown and counted comes from the robot's own
   table, but panel and links from the devices where there are any.
2. At the end of a sitting at simulated hardware the daemon's report is compared with that of the robot's table, for the
   rounds to which the daemon's reaches back.
3. A statement that the daemon refuses ends the sitting: the two tables have parted.
4. Speed 1 is a human pace, about one card a second; None is as fast as it goes.
5. What is played is written down at once, so that a file that was cut short plays up to there.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from firmware_bridge.shown.panel_picture import picture
from gamecore.model.events import events as ev
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import Venue
from gamecore.notation.syntax import Draw, Header, Load, NotationError, Pull, Statement, What
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import Errors
from hal_sim.dealer.robot_dealer import Robot, a_header
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from hal_sim.table.terminal_view import Link, Panel, Scene, View, finding_line, round_line

#: How long a person takes, in seconds; what is not named takes as long as a button.
DURATIONS: dict[type, float] = {
    Draw: 1.0,
    Pull: 1.0,
    Load: 3.0,
    ev.CardLaid: 1.0,
    ev.CardLifted: 0.5,
    ev.CardMoved: 1.5,
    ev.WagerPlaced: 0.4,
    ev.WagerRemoved: 0.4,
    ev.Answer: 1.5,
    ev.Approve: 1.5,
    ev.Settle: 2.0,
    ev.Shuffled: 3.0,
    ev.LinkLost: 2.0,
}
BUTTON = 0.6
SLICE = 0.1
"""How long nothing is redrawn while a person takes time, in seconds."""
STATEMENTS, FINDINGS = 6, 5
"""How many of them are shown."""


@dataclass(slots=True)
class Tally:
    """What a run has come to."""

    began: float
    rounds: int = 0
    cards: int = 0
    tables: int = 0
    equal: int = 0
    compared: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    abandoned: list[str] = field(default_factory=list)
    refused: int = 0

    def pace(self, now: float) -> str:
        """Rounds and cards, in all and a second."""
        seconds = max(now - self.began, 0.001)
        a_second = f"{self.rounds / seconds:.2f} rounds and {self.cards / seconds:.1f} cards a second"
        return f"{self.rounds} rounds, {self.cards} cards, {a_second}"


class Pace:
    """Lets time pass as people take it."""

    def __init__(self, speed: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.said = "as fast as it goes" if speed is None else f"speed {speed:g}x"
        self._speed = speed
        self._clock = clock
        self._until = 0.0

    def wait_until_due(self, what: What, idle: Callable[[], None]) -> None:
        """Wait as long as something takes, counted from the end of what came before; call `idle` meanwhile."""
        if self._speed is None:
            idle()
            return
        until = self.until(what)
        while (left := until - self._clock()) > 0:
            idle()
            time.sleep(min(left, SLICE))

    def until(self, what: What) -> float:
        """When something that begins now is over, by the clock."""
        now = self._clock()
        if self._speed is None:
            return now
        took = DURATIONS.get(type(what), BUTTON) / self._speed
        self._until = took + (self._until if now - self._until < took else now)
        return self._until


class Record:
    """A file in deal notation that grows as things happen."""

    def __init__(self, path: Path, header: Header) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8")
        self._file.write(f"{write_header(header)}\n")
        self._begun = False

    def add(self, statement: Statement) -> None:
        """Write one statement, after an empty line where a round begins."""
        parting = "\n" if self._begun and isinstance(statement.what, ev.PlaceBets) else ""
        self._begun = True
        self._file.write(f"{parting}{statement.text}\n")
        self._file.flush()

    def close(self) -> None:
        """End the file."""
        self._file.close()


class Sitting:
    """Some rounds of a game at one table."""

    def __init__(
        self, game: str, seed: int, errors: Errors, at: SimTable | None, save: Path | None = None, quiet: str = "0"
    ) -> None:
        rules = GAMES[game]
        self.header = a_header(GAMES, game, seed)
        self.robot = Robot(rules, self.header, seed, errors, quiet)
        self._title = f"{rules.title} ({game}), seed {seed}"
        self._at = at
        self._venue: Venue | None = None if at is None else Hardware(at, self.header, one_press=True)
        self._player = None if self._venue is None else Player(self.header, rules, self._venue)
        self._record = None if save is None else Record(save, self.header)
        self._said: deque[str] = deque(maxlen=STATEMENTS)
        self._findings: deque[str] = deque(maxlen=FINDINGS)
        self._noted = 0

    def play(self, rounds: int | None, tally: Tally, pace: Pace, view: View) -> None:
        """Play this many rounds, without end for None, until the table hangs or the two tables have parted."""
        tally.tables += 1
        view.show_line(f"table {tally.tables}: {self._title}")
        try:
            while (rounds is None or self.robot.rounds < rounds) and not self.robot.stuck:
                self._round(tally, pace, view)
            self._compare(tally)
        except NotationError as error:
            tally.refused += 1
            tally.faults.append(f"{self._title}: refused: {self._said[-1]}: {error.message}")
        finally:
            tally.refused += len(self.robot.shadow.refused)
            tally.abandoned += [f"{self._title}: {where}" for where in self.robot.abandoned]
            tally.faults += [f"{self._title}: the table hangs: {self.robot.stuck}"] if self.robot.stuck else []
            if self._record is not None:
                self._record.close()

    def _round(self, tally: Tally, pace: Pace, view: View) -> None:
        given_up = len(self.robot.abandoned)
        for statement in self.robot.play_round():
            self._said.append(statement.text)
            if self._player is not None:
                self._player.play(statement)
            if self._record is not None:
                self._record.add(statement)
            self._count(statement, tally, view)
            pace.wait_until_due(statement.what, lambda: view.refresh(lambda: self.scene(tally, pace)))
        tally.rounds += 1
        view.show_line(round_line(self.robot.table.view().round))
        for where in self.robot.abandoned[given_up:]:
            view.show_line(f"given to the shift manager: {where}")

    def _count(self, statement: Statement, tally: Tally, view: View) -> None:
        match statement.what:
            case Draw():
                tally.cards += 1
            case Pull(count):
                tally.cards += count
            case _:
                pass
        found = self.robot.shadow.found
        for finding in found[self._noted :]:
            tally.findings[finding.code] += 1
            line = finding_line(finding)
            self._findings.append(line)
            view.show_line(line)
        self._noted = len(found)

    def _compare(self, tally: Tally) -> None:
        """Compare the daemon's report with that of the robot's table."""
        if self._venue is None:
            return
        tally.compared += 1
        if agrees(self._venue.report(), self.robot.table.report()):
            tally.equal += 1
        else:
            tally.faults.append(f"{self._title}: the daemon's report differs from that of the table in process")

    # --- what is shown -----------------------------------------------------------------------------------------------

    def scene(self, tally: Tally, pace: Pace) -> Scene:
        """How it stands."""
        number = self.robot.table.round_number
        return Scene(
            f"{self._title}, table {tally.tables}, round {number}",
            self.robot.table,
            self._panel(),
            self._links(),
            tuple(self._findings),
            tuple(self._said),
            f"{tally.pace(time.monotonic())}, {pace.said}",
        )

    def _panel(self) -> Panel:
        """The panel as the simulated device shows it; in process, as the daemon would have it."""
        if self._at is None:
            seen = picture(self.robot.table)
            return Panel(seen.lamps, seen.upper, seen.lower, seen.alarm, seen.locked)
        return panel_of(states_of(self._at))

    def _links(self) -> list[Link]:
        return [] if self._at is None else links_of(states_of(self._at))


def agrees(daemon: Mapping[str, object], own: Mapping[str, object]) -> bool:
    """Whether two reports are equal in the rounds that the daemon's still has: it keeps only the last ones."""
    kept, known = daemon["rounds"], own["rounds"]
    if not isinstance(kept, list) or not isinstance(known, list):
        return False
    return {**own, "rounds": known[len(known) - len(kept) :]} == daemon


# --- what simulated devices show -------------------------------------------------------------------------------------

States = Mapping[str, Mapping[str, Any]]


def states_of(at: SimTable) -> States:
    """What each device shows and knows."""
    return {name: at.device(name).state() for name in at.names}


def panel_of(states: States) -> Panel:
    """The panel and the lock of the shoe as the devices show them."""
    shown = states["panel"]
    upper, lower = shown["text"]
    return Panel(shown["lamps"], upper, lower, shown["alarm"], states["shoe"]["locked"])


def links_of(states: States) -> list[Link]:
    """Every device's end of its cable."""
    return [
        Link(name, state["up"], state["acknowledged"], state["kept"], state["damaged"])
        for name, state in states.items()
    ]
