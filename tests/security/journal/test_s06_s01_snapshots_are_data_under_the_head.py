"""S01, S06: what is kept of the table is plain data, and only what a signed head names is believed."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments
from tests.firmware_bridge.audit.journals import HEAD, LOAD, House, made
from tests.places import ROOT

BETS = "place-bets\nbet 1 main 50\nno-more-bets\n"


def test_no_code_of_ours_reads_a_pickle() -> None:
    """Nor anything else that runs what it reads."""
    runs = re.compile(
        r"^\s*(?:import|from) (?:pickle|marshal|shelve|dill|cloudpickle)\b|\beval\(|\bexec\(", re.MULTILINE
    )
    sources = [path for folder in ("gamecore", "drivers", "firmware_bridge") for path in (ROOT / folder).rglob("*.py")]
    assert [] == [str(path) for path in sources if runs.search(path.read_text(encoding="utf-8"))]


def richer(data: bytes) -> bytes:
    """The same snapshot with a stake a hundred times as high, sealed as it should be."""
    text = data.partition(b"\n")[2].replace(b"5000", b"500000")
    return blake2b(text, digest_size=16).hexdigest().encode() + b"\n" + text


@pytest.mark.parametrize("way", ["changed", "added"])
def test_a_changed_snapshot_is_found_before_it_is_used(tmp_path: Path, way: str) -> None:
    """The table pays what the events say, and verify names it."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + BETS))
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection, connection:
        n, kind, data = connection.execute("SELECT n, format, state FROM snapshots ORDER BY n DESC").fetchone()
        assert richer(data) != data
        if way == "changed":
            connection.execute("UPDATE snapshots SET state = ?", (richer(data),))
        else:
            connection.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (n - 1, kind, richer(data)))
    assert ["changed"] == [problem.what for problem in verify(state).problems]
    stakes: list[object] = []

    def look(house: House) -> None:
        report: Any = house.pump.table.round_report()
        stakes.extend(wager["stake"] for wager in report["wagers"])

    made(state, look)
    assert ["50.00"] == stakes
