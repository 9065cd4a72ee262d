"""Every scenario played by simulated devices ends in the report of the table in process.

1. One simulated table serves all files of a share. With skewed links a table mostly waits, so several run side by side.
2. Over clean lines every file is played in every run. Over noisy and skewed ones it is one file in `SAMPLED`, which the
   seed chooses, and every file in the soak.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from tests.places import TESTS

NOISE = 0.0001
"""One flipped bit in ten thousand."""
SKEW_MS = 50.0
SHARES, SKEWED = 4, 2
SAMPLED = 8
SIDE_BY_SIDE = 12
BUSY_SAMPLE = 36
BUSY = ("mbs-ace-race-v4/5.29.1-all-wagers-of-one-player.deal", "mbs-blackjack-v6/counted-places-misdealt.deal")
"""Of the sample in any case: a restart of the computer, and places that only count."""


def playable() -> list[Path]:
    """Every file, those with power cuts and restarts too."""
    return sorted(TESTS.rglob("*.deal"))


def sampled(seed: int) -> list[Path]:
    """One file in `SAMPLED`; as many seeds in a row choose them all."""
    return playable()[seed % SAMPLED :: SAMPLED]


def different(files: list[Path], seed: int, noise: float = 0.0, skew_ms: float = 0.0) -> list[str]:
    """The files whose reports differ, played one after the other at one simulated table."""
    wrong = []
    with SimTable(seed=seed, noise=noise, skew_ms=skew_ms) as table:

        def venue(header: Header, rules: Ruleset) -> Hardware:
            del rules
            return Hardware(table, header)

        for file in files:
            text, name = file.read_text(encoding="utf-8"), str(file.relative_to(TESTS))
            if play_text(text, name, GAMES).report != play_text(text, name, GAMES, venue).report:
                wrong.append(name)
    return wrong


def test_there_are_files_for_every_game() -> None:
    """No game is left out, and hardly any file."""
    files = playable()
    assert set(GAMES) <= {file.parent.name for file in files}
    assert len(files) > 1300


@pytest.mark.parametrize("share", range(SHARES))
def test_reports_are_equal_over_the_wire(share: int, seed: int) -> None:
    """Kernel pseudo-terminals, the pyusb API, framing, handshake, pump, journal and control socket change nothing."""
    assert [] == different(playable()[share::SHARES], seed)


@pytest.mark.parametrize("share", range(SHARES))
def test_reports_are_equal_over_noisy_lines(share: int, seed: int) -> None:
    """What noise damages is sent again, and nothing is made up."""
    assert [] == different(sampled(seed)[share::SHARES], seed, noise=NOISE)


@pytest.mark.parametrize("share", range(SKEWED))
def test_reports_are_equal_with_skewed_links(share: int, seed: int) -> None:
    """Whether shoe or table tells of a card first makes no difference."""
    assert [] == skewed(sampled(seed)[share::SKEWED], seed)


@pytest.mark.soak
@pytest.mark.parametrize("share", range(SHARES))
def test_all_reports_are_equal_over_noisy_lines(share: int, seed: int) -> None:
    """Every file."""
    assert [] == different(playable()[share::SHARES], seed, noise=NOISE)


@pytest.mark.soak
@pytest.mark.parametrize("share", range(SKEWED))
def test_all_reports_are_equal_with_skewed_links(share: int, seed: int) -> None:
    """Every file."""
    assert [] == skewed(playable()[share::SKEWED], seed)


def test_reports_are_equal_with_skewed_links_on_a_busy_computer(seed: int) -> None:
    """What joins the two reports of a card are numbers: it makes no difference how long anything takes."""
    named = [file for file in playable() if str(file).endswith(BUSY)]
    assert len(BUSY) == len(named)
    with every_core_busy():
        assert [] == skewed(named + random.Random(seed).sample(playable(), BUSY_SAMPLE), seed)


def skewed(files: list[Path], seed: int) -> list[str]:
    """The files whose reports differ with skewed links, at several tables side by side."""
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        jobs = [
            pool.submit(different, files[part::SIDE_BY_SIDE], seed + part, 0.0, SKEW_MS) for part in range(SIDE_BY_SIDE)
        ]
        return [name for job in jobs for name in job.result()]


@contextmanager
def every_core_busy() -> Iterator[None]:
    """Keep every core busy meanwhile; who does it ends with this process, however that ends."""
    work = "import os, threading\nthreading.Thread(target=lambda: os._exit(len(os.read(0, 1))), daemon=True).start()\n"
    busy = [
        subprocess.Popen([sys.executable, "-c", f"{work}while True: pass"], stdin=subprocess.PIPE)
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()
