"""Every scenario played by simulated devices ends in the report of the table in process.

1. One simulated table serves all files of a share: to start one takes as long as forty files. With skewed links a table
   mostly waits, so several run side by side.
2. In every run each file is played once: one in `SAMPLED` over noisy lines, another over skewed ones, all others over
   clean ones. A daemon that starts takes as long as six scenarios: of the files in which the computer or its software
   restarts it is one in `ANEW`. The seed chooses; some seeds in a row play each file in each way.
3. In the soak every file is played in each way.
4. On a busy computer a device waits for its turn. The links of a simulated table bear that (`SimTable.patience`), so a
   file whose report differs is never played again: a second try would hide reports that were joined wrongly.
"""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from difflib import ndiff
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest

from gamecore.model.events.events import Answer, Call, CardDrawn, Event
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from tests.places import TESTS

NOISE = 0.0001
"""One flipped bit in ten thousand."""
SKEW_MS = 50.0
SHARES = 4
SAMPLED, ANEW = 8, 4
NOISY, SKEWED = 0, 1
STARTS = re.compile(r"(^|; *)(restart|power-on)\b", re.MULTILINE)
SIDE_BY_SIDE = 4
JOINED = "mbs-blackjack-v6/3.15.1-pair-is-the-first-two-cards.deal"
BUSY_SAMPLE, BUSY_TABLES = 10, 2
BUSY = ("mbs-ace-race-v4/5.29.1-all-wagers-of-one-player.deal", "mbs-blackjack-v6/counted-places-misdealt.deal")
"""Of the sample in any case: a restart of the computer, and places that only count."""


@cache
def playable() -> list[Path]:
    """Every file, those with power cuts and restarts too."""
    return sorted(TESTS.rglob("*.deal"))


@cache
def starting() -> list[Path]:
    """Those in which the computer or its software restarts."""
    return [file for file in playable() if STARTS.search(file.read_text(encoding="utf-8"))]


def due(seed: int) -> set[Path]:
    """The files that this run plays: all but some of those in which something restarts."""
    return set(playable()) - set(starting()) | set(starting()[seed // SAMPLED % ANEW :: ANEW])


def sampled(seed: int, *ways: int) -> list[Path]:
    """The files that are played in one of these ways, of which there are `SAMPLED`; the files turn with the seed."""
    played = due(seed)
    return [file for number, file in enumerate(playable()) if (number + seed) % SAMPLED in ways and file in played]


def different(files: list[Path], seed: int, noise: float = 0.0, skew_ms: float = 0.0) -> list[str]:
    """The files whose reports differ, played one after the other at one simulated table."""
    wrong = []
    with SimTable(seed=seed, noise=noise, skew_ms=skew_ms) as table:

        def venue(header: Header, rules: Ruleset) -> Hardware:
            del rules
            return Hardware(table, header)

        for file in files:
            text, name = file.read_text(encoding="utf-8"), str(file.relative_to(TESTS))
            expected, actual = play_text(text, name, GAMES).report, play_text(text, name, GAMES, venue).report
            if expected != actual:
                wrong.append(f"{name}: {unlike(expected, actual)}")
    return wrong


def unlike(expected: object, actual: object) -> str:
    """The lines in which two reports differ, for a person who reads why a test failed."""
    right, other = (json.dumps(report, indent=0, sort_keys=True).splitlines() for report in (expected, actual))
    return " ".join(line for line in ndiff(right, other) if line[0] in "-+")


def test_there_are_files_for_every_game() -> None:
    """No game is left out, and hardly any file."""
    files = playable()
    assert set(GAMES) <= {file.parent.name for file in files}
    assert len(files) > 1300


def test_every_file_is_played_in_one_way(seed: int) -> None:
    """Clean, noisy and skewed lines together play all that are due, none of them twice; in time all are."""
    assert sorted(due(seed)) == sorted(file for way in range(SAMPLED) for file in sampled(seed, way))
    for way in (NOISY, SKEWED):
        later = [file for turn in range(SAMPLED * ANEW) for file in sampled(seed + turn, way)]
        assert set(playable()) == set(later)


class MisjoinedOnce(InProcess):
    """A table that cannot join two reports of a card the first time that a file is played, and asks the house."""

    plays: ClassVar[list[bool]] = []

    def __init__(self, table: object, header: Header) -> None:
        del table
        super().__init__(header, GAMES[header.game])
        self._joins = bool(self.plays)
        self.plays.append(self._joins)

    def happen(self, line: int, event: Event) -> None:
        """Join the reports of a card, or fail to."""
        super().happen(line, event)
        if isinstance(event, CardDrawn) and not self._joins:
            self._joins = True
            super().happen(line, Call("uncovered", device="hub"))
            super().happen(line, Answer("house", ("continue",)))


def test_reports_that_were_joined_wrongly_are_told_at_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found as `uncovered`, and would be right at a second try, which there is not."""
    file = next(file for file in playable() if str(file).endswith(JOINED))
    monkeypatch.setattr(MisjoinedOnce, "plays", [])
    monkeypatch.setattr(f"{__name__}.SimTable", lambda **_: nullcontext())
    monkeypatch.setattr(f"{__name__}.Hardware", MisjoinedOnce)
    (wrong,) = different([file], seed=0)
    assert wrong.startswith(f"{file.relative_to(TESTS)}: ")
    assert "uncovered" in wrong
    assert [False] == MisjoinedOnce.plays
    assert [] == different([file], seed=0)


@pytest.mark.parametrize("share", range(SHARES))
def test_reports_are_equal_over_the_wire(share: int, seed: int) -> None:
    """Kernel pseudo-terminals, the pyusb API, framing, handshake, pump, journal and control socket change nothing."""
    others = set(range(SAMPLED)) - {NOISY, SKEWED}
    assert [] == different(sampled(seed, *others)[share::SHARES], seed)


def test_reports_are_equal_over_noisy_lines(seed: int) -> None:
    """What noise damages is sent again, and nothing is made up."""
    assert [] == different(sampled(seed, NOISY), seed, noise=NOISE)


def test_reports_are_equal_with_skewed_links(seed: int) -> None:
    """Whether shoe or table tells of a card first makes no difference."""
    assert [] == skewed(sampled(seed, SKEWED), seed)


@pytest.mark.soak
@pytest.mark.parametrize("share", range(SHARES))
def test_all_reports_are_equal_over_the_wire(share: int, seed: int) -> None:
    """Every file."""
    assert [] == different(playable()[share::SHARES], seed)


@pytest.mark.soak
@pytest.mark.parametrize("share", range(SHARES))
def test_all_reports_are_equal_over_noisy_lines(share: int, seed: int) -> None:
    """Every file."""
    assert [] == different(playable()[share::SHARES], seed, noise=NOISE)


@pytest.mark.soak
def test_all_reports_are_equal_with_skewed_links(seed: int) -> None:
    """Every file."""
    assert [] == skewed(playable(), seed)


def test_reports_are_equal_with_skewed_links_on_a_busy_computer(seed: int) -> None:
    """What joins the two reports of a card are numbers: it makes no difference how long anything takes."""
    named = [file for file in playable() if str(file).endswith(BUSY)]
    assert len(BUSY) == len(named)
    with every_core_busy():
        assert [] == skewed(named + random.Random(seed).sample(playable(), BUSY_SAMPLE), seed, BUSY_TABLES)


def skewed(files: list[Path], seed: int, tables: int = SIDE_BY_SIDE) -> list[str]:
    """The files whose reports differ with skewed links, at several tables side by side."""
    with ThreadPoolExecutor(tables) as pool:
        jobs = [pool.submit(different, files[part::tables], seed + part, 0.0, SKEW_MS) for part in range(tables)]
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
