"""S15, S16: a published head counts if this table has signed it; a lost key is told, never replaced in silence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments
from firmware_bridge.journal.signed import signing
from firmware_bridge.people.permissions import KEY_LOST
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.journals import HEAD, LOAD, House, made, rounds
from tests.firmware_bridge.restarted_daemon import kept

BETS = "place-bets\nbet 1 main 50\nno-more-bets\n"


def forged(text: str, n: int) -> str:
    """A published head that says so, with a signature of zeros."""
    return json.dumps({**json.loads(text), "n": n, "signature": "00" * 64})


@pytest.mark.parametrize("n", [10**6, 2**63 - 2, 2**63, 2**70, -1])
def test_a_head_that_nobody_signed_costs_no_round(tmp_path: Path, n: int) -> None:
    """It is set aside and told; the round goes on, and the daemon starts."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + BETS), killed=True)
    head = state / signing.HEAD
    head.write_text(forged(head.read_text(encoding="ascii"), n), encoding="ascii")
    seen: list[object] = []

    def look(house: House) -> None:
        seen.extend((house.pump.table.round_is_on, [m.finding.code for m in house.pump.table.view().matters]))

    made(state, look)
    assert [True, ["uncovered"]] == seen
    assert ([], True) == (list(state.glob("*.quarantined")), (state / "head.json.foreign").exists())


def remove(state: Path) -> None:
    """Take the key away."""
    shutil.rmtree(state / "keys")


def exchange(state: Path) -> None:
    """Put another key in its place."""
    (path,) = (state / "keys").iterdir()
    path.write_bytes(bytes(range(32)))


@pytest.mark.parametrize("spoil", [remove, exchange])
def test_a_key_that_is_gone_is_told(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    """The table goes on with a new one that nothing certifies; the first public key stays what it was."""
    state = tmp_path / "state"
    made(state, rounds(1))
    public = (state / signing.PUBLIC).read_bytes()
    spoil(state)
    codes: list[str] = []
    made(state, lambda house: codes.extend(alarm.code for alarm in house.books.alarms.open))
    assert {KEY_LOST, "uncovered"} == set(codes)
    assert ev.Call("uncovered", device="computer") in kept(state)
    assert public == (state / signing.PUBLIC).read_bytes()
    assert ["key lost" in str(problem) for problem in verify(state).problems] == [True]
    assert 2 == len(segments.segments(state))
