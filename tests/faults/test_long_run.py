"""The daemon through a long day: simulated hours, accelerated, with errors and faults of all kinds.

1. The robot dealer plays games at one simulated table, and its own table beside the daemon's says what is right: after
   each sitting the daemon's report is compared with it.
2. What was not committed is not found, and what was committed is found.
3. Lines are noisy all day, clocks drift, cables are pulled; in the second half the power fails and the daemon is ended.
4. Memory and descriptors are those of the first part of the day, as long as one daemon lives.
5. Simulated time is what people would have taken (`hal_sim.dealer.robot_sitting.DURATIONS`). TRUEDEAL_HOURS=N
   sets the soak's hours.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gamecore.notation.playing.player import Player
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import KINDS, Errors
from hal_sim.dealer.robot_dealer import Robot, a_header
from hal_sim.dealer.robot_sitting import BUTTON, DURATIONS
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import DAEMON, SimTable

HOURS = float(os.environ.get("TRUEDEAL_HOURS", "8"))
SUITE = 10 / 60
NOISE = 0.0001
ROUNDS = 6
"""Rounds of a sitting."""
SETTLES = 120
"""Rounds after which the daemon's memory has reached what it keeps: the last hundred rounds are at hand."""
ENDS_THE_DAEMON = ("power-failure", "restarted")
RATE = 0.02
"""The chance of each kind of error in a round: about every second round has one."""
#: What need not show: a shoe without its cutting card runs short when it is empty, which few sittings see, and a round
#: after the cutting card may be shuffled for after all.
MAY_NOT_SHOW = {"insufficient-cards", "cut-card-passed"}


@dataclass
class Day:
    """What a day has come to."""

    seconds: float = 0.0
    rounds: int = 0
    committed: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)

    def sit(self, table: SimTable, game: str, seed: int, kinds: list[str]) -> None:
        """Play one sitting and compare it with the robot's own table."""
        name = f"{game}, seed {seed}"
        header = a_header(GAMES, game, seed)
        robot = Robot(GAMES[game], header, seed, Errors(dict.fromkeys(kinds, RATE)), quiet=str(NOISE))
        venue = Hardware(table, header, one_press=True)
        player = Player(header, GAMES[game], venue)
        shown: set[str] = set()  # the findings of rounds with one error: of two at one card the graver is judged
        for _ in range(ROUNDS):
            before = len(robot.committed)
            for statement in robot.play_round():
                self.seconds += DURATIONS.get(type(statement.what), BUTTON)
                player.play(statement)
            self.rounds += 1
            if len(robot.committed) == before + 1:
                shown.add(robot.committed[-1].code)
        committed = {kind.code for kind in robot.committed if kind.code}
        shown -= {"", *MAY_NOT_SHOW}
        found = {finding.code for finding in robot.shadow.found}
        self.committed.update(kind.name for kind in robot.committed)
        self.found.update(finding.code for finding in robot.shadow.found)
        if venue.report() != robot.table.report():
            self.wrong.append(f"{name}: the daemon's report is not that of the table")
        if shown - found:
            self.wrong.append(f"{name}: {shown - found} was committed and not found")
        if found - committed:
            self.wrong.append(f"{name}: {found - committed} was found and not committed")
        if robot.stuck or robot.abandoned:
            self.wrong.append(f"{name}: {robot.stuck or robot.abandoned}")

    def measure(self, pid: int) -> None:
        """Note what the daemon holds."""
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        self.memory.append(int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024)
        self.descriptors.append(len(list(Path(f"/proc/{pid}/fd").iterdir())))

    def said(self) -> str:
        """The figures."""
        errors = f"{sum(self.committed.values())} errors of {len(self.committed)} kinds"
        held = (
            f"{self.memory[0]:.1f} to {self.memory[-1]:.1f} MB, {self.descriptors[0]} to {self.descriptors[-1]} files"
        )
        return f"{self.seconds / 3600:.2f} hours, {self.rounds} rounds, {errors}, {held}"


def play(folder: Path, seed: int, hours: float) -> tuple[Day, Day]:
    """Play a day: half of it with one daemon, half with one that is killed and loses its power."""
    chance = random.Random(seed)
    every = [kind.name for kind in KINDS]
    calm = [name for name in every if name not in ENDS_THE_DAEMON]
    halves = (Day(), Day())
    with SimTable(folder, seed=seed, noise=NOISE) as table:
        for name in table.names:
            table.device(name).drift(chance.randrange(-200, 200))
        for day, kinds in zip(halves, (calm, every), strict=True):
            while day.seconds < hours * 3600 / 2:
                day.sit(table, chance.choice(sorted(GAMES)), chance.randrange(2**32), kinds)
                day.measure(table.pid(DAEMON))
    return halves


def check(halves: tuple[Day, Day]) -> None:
    """Compare a day with what is promised."""
    for day in halves:
        sys.stderr.write("\n".join(("", day.said(), *day.wrong, "")))
    assert [] == [wrong for day in halves for wrong in day.wrong]
    steady = halves[0]
    assert steady.descriptors[0] == steady.descriptors[-1]
    after = min(SETTLES // ROUNDS, len(steady.memory) // 2)
    assert max(steady.memory[after:]) <= 1.1 * steady.memory[after] + 1


def test_ten_minutes(tmp_path: Path, seed: int) -> None:
    """Ten simulated minutes of a day."""
    check(play(tmp_path, seed, SUITE))


@pytest.mark.soak
def test_a_working_day(tmp_path: Path, seed: int) -> None:
    """Eight simulated hours, or as many as are set; every kind of error has been committed."""
    halves = play(tmp_path, seed, HOURS)
    check(halves)
    assert HOURS < 8 or {kind.name for kind in KINDS} == set(halves[0].committed) | set(halves[1].committed)
