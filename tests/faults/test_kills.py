"""Kill -9 at random moments of a running simulated table.

TRUEDEAL_KILLS=N sets how often the soak kills; the product's goal is 15,000.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from firmware_bridge.journal import schema
from hal_sim.table.sim_table import SimTable
from tests.faults.stream import Killer, Stream, plays
from tests.firmware_bridge.restarted_daemon import all_rows

KILLS = 40
SOAK = int(os.environ.get("TRUEDEAL_KILLS", "2000"))
BARE = "import asyncio, json, signal, sqlite3, gamecore.table, gamecore.rules.games, drivers.station, nacl.signing"


def bare_start() -> float:
    """Return how long a Python takes that only imports, on this machine at this moment."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", BARE], check=True)
    return time.monotonic() - began


def killed(folder: Path, seed: int, kills: int) -> tuple[list[str], Stream, list[float]]:
    """Play scenarios of chance while the daemon is killed; the ones whose report differs."""
    chance = random.Random(seed)
    wrong: list[str] = []
    with SimTable(folder, seed=seed) as table:
        stream, killer = Stream(table), Killer(table, random.Random(seed + 1), kills)
        with killer:
            while not killer.done:
                play = chance.choice(plays())
                with killer.peace():
                    stream.set_up(play)
                stream.play(play)
                with killer.peace():
                    if play.report != stream.report(play):
                        wrong.append(play.name)
        with killer.peace():
            table.stop_daemon()
        return wrong, stream, killer.away


def lost_or_doubled(state: Path, sent: dict[str, int]) -> list[str]:
    """Return the events of devices that are not in the journal exactly once and in order; the chain is checked.

    A register is told in two parts: its row has the number of the second.
    """
    seen: dict[str, list[int]] = defaultdict(list)
    for row in all_rows(state):
        if row.number is not None:
            parts = 2 if (row.body or "").startswith('{"register"') else 1
            seen[row.device] += range(row.number - parts + 1, row.number + 1)
    return [device for device, last in sent.items() if seen[device][:last] != list(range(1, last + 1))]


def check(folder: Path, seed: int, kills: int) -> None:
    """Play, kill, and look at everything afterwards."""
    before = bare_start()
    wrong, stream, away = killed(folder, seed, kills)
    bare = max(before, bare_start())
    shown = f"{len(away)} starts: median {statistics.median(away):.2f} s, longest {max(away):.2f} s, bare {bare:.2f} s"
    sys.stderr.write(f"\nready again after kill -9, {shown}\n")
    assert [] == wrong
    assert [] == lost_or_doubled(folder / "state", stream.sent)
    ended = [row for row in all_rows(folder / "state") if row.kind == schema.START]
    assert len(ended) >= len(away)


def test_a_table_that_is_killed_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    """No acknowledged card is lost or doubled, and every settlement equals that of an undisturbed table."""
    check(tmp_path, seed, KILLS)


@pytest.mark.soak
@pytest.mark.parametrize("share", range(4))
def test_a_table_that_is_killed_all_day_loses_and_doubles_nothing(tmp_path: Path, seed: int, share: int) -> None:
    """The same, as often as is set."""
    check(tmp_path, seed + 1000 * share, SOAK // 4)


def test_there_are_enough_scenarios() -> None:
    """Several of every game, and all of them end as they do in process."""
    games = {play.header.game for play in plays()}
    assert 5 == len(games)
    assert len(plays()) > 200
