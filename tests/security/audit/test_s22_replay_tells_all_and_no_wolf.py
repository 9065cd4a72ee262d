"""S22: `replay` calls no honest journal different, and hides no difference behind another."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.replay import replay
from firmware_bridge.journal import segments
from tests.firmware_bridge.audit.journals import CARDS, HEAD, LOAD, ROUND, House, Scene, made


def nothing(house: House) -> None:
    """Nobody plays."""
    del house


def mid_round(house: House) -> None:
    """Bets are open when the daemon goes."""
    house.plays(HEAD + "place-bets\nbet 1 main 100\n")


def held(house: House) -> None:
    """The round is held when the daemon goes."""
    house.plays(HEAD + LOAD + ROUND.replace("settle", "call uncovered"))


def whole(house: House) -> None:
    """One round."""
    house.plays(HEAD + LOAD + ROUND)


def amended(house: House) -> None:
    """Something is found out about a round that is over."""
    unshuffled = f"load {CARDS}\n"
    void = "place-bets\nbet 1 main 100\nno-more-bets\ndraw 1\n"
    house.plays(HEAD + LOAD + ROUND + unshuffled + void + unshuffled + LOAD)


@pytest.mark.parametrize("killed", [True, False])
@pytest.mark.parametrize("boot", ["one", "two"])
@pytest.mark.parametrize("scene", [nothing, mid_round, held, whole, amended])
def test_an_honest_journal_is_equal_however_the_daemon_came_and_went(
    tmp_path: Path, scene: Scene, boot: str, *, killed: bool
) -> None:
    """Started and stopped before a round, in a round, between rounds, with and without power: nothing differs."""
    state = tmp_path / "state"
    made(state, nothing, killed=killed)
    assert [] == replay(state).differences
    made(state, scene, killed=killed)
    assert [] == replay(state).differences
    made(state, nothing, boot=boot, killed=killed)
    assert [] == replay(state).differences


def test_every_difference_of_every_round_is_told(tmp_path: Path) -> None:
    """What was paid and how a round ended are both told, of each round."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + (LOAD + ROUND) * 3))
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection, connection:
        connection.execute("UPDATE rounds SET outcome = 'void', report = replace(report, '\"100.00\"', '\"500.00\"')")
    told = [(one.detail.partition(":")[0], one.n) for one in replay(state).differences]
    assert 3 == len({n for _, n in told})
    assert {"outcome", "report.wagers 1.stake", "report.wagers 1.net"} <= {name for name, _ in told}
    assert 9 == len(told)
