"""What a running daemon holds in memory, and what it has imported for it: after a whole shoe, in any environment.

1. The environment of the tests has much installed that a box has not, and libraries import what they find: the daemon
   keeps it out. So the figures are those of the box, and hold here too.
2. Pss counts a page that several processes share by their part of it; Rss counts it whole, and is what is promised.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gamecore.model.events import events as ev
from gamecore.notation.parser import parse
from gamecore.notation.playing.links import carrier
from gamecore.notation.writer import write_event
from gamecore.rules.games import GAMES
from hal_sim.table.hardware_venue import CONSOLE
from hal_sim.table.sim_table import DAEMON, SimTable
from tests.faults.stream import Play, Stream
from tests.gamecore.play.random_dealer import Robot

GAME = "mbs-blackjack-v6"
MOST = 40.0
"""Megabytes."""
#: A name that is only tried is in the list of imports too: of these the parts that only the real ones import.
UNWANTED = {"_ssl", "rich.console", "pygments", "starlette", "uvicorn", "httpx", "greenlet._greenlet", "anyio"}


def imported(log: Path) -> set[str]:
    """Return the modules that a process has imported which was told to say so."""
    return set(re.findall(r"import time:[^|]+\|[^|]+\|\s*(\S+)", log.read_text(encoding="utf-8")))


def megabytes(pid: int) -> dict[str, float]:
    """Return what a process holds, whole and by its part."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return {name: int(re.findall(rf"^{name}:\s+(\d+)", text, re.MULTILINE)[0]) / 1024 for name in ("Rss", "Pss")}


def a_shoe(seed: int) -> Play:
    """Return a whole shoe, dealt by a robot."""
    header = parse(f"game: {GAME}\nseed: {seed}\nshuffling: machine\n\n", GAMES).header
    robot = Robot(GAMES[GAME], random.Random(seed), seed, header)
    while sum(isinstance(event, ev.Loaded) for event in robot.events) < 1:
        robot.play_round()
    return Play("a shoe", replace(robot.header, seed=0), tuple(robot.events), {})


def test_a_shoe_fits_in_forty_megabytes(tmp_path: Path, seed: int) -> None:
    """After its last card, with a log, a control connection, five devices and the rounds that are kept at hand."""
    play = a_shoe(seed)
    with SimTable(tmp_path, seed=seed) as table:
        stream = Stream(table)
        stream.set_up(play)
        for event in play.events:
            if carrier(event, play.header.sensors) == CONSOLE:
                assert table.control.ask(do="say", statement=write_event(event)).get("ok")
            else:
                stream.play(play._replace(events=(event,)))
        held = megabytes(table.pid(DAEMON))
        mapped = Path(f"/proc/{table.pid(DAEMON)}/maps").read_text(encoding="utf-8")
        rounds = table.control.ask(do="rounds", count=1)["rounds"][0]["number"]
    sys.stderr.write(f"\n{rounds} rounds: {held['Rss']:.1f} MB, {held['Pss']:.1f} by its part\n")
    assert rounds > 15
    assert MOST >= held["Rss"] >= held["Pss"]
    assert "libsodium" in mapped or "_sodium" in mapped
    assert "libcrypto" not in mapped


def test_the_daemon_imports_nothing_that_it_does_not_need(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither OpenSSL nor what colours a log, nor anything of the console's process; from its start to its end."""
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    with SimTable(tmp_path, seed=seed) as table:
        table.wait_up()
        table.control.ask(do="health")
        table.stop_daemon()
        names = imported(tmp_path / f"{DAEMON}.log")
    assert {"structlog", "asyncio", "firmware_bridge.pump.pump"} <= names
    assert set() == {name for name in names if any(name == one or name.startswith(f"{one}.") for one in UNWANTED)}
    assert set() == {name for name in names if name.startswith("firmware_bridge.console")}
