"""S01, S06: what is kept of the table is plain data, and only what a signed head names is believed.

Of the rounds before the last the game takes up nothing, neither from a snapshot nor from a record.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments, writer
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.view.keeping import plain
from tests.firmware_bridge.audit.journals import HEAD, LOAD, House, made, rounds
from tests.places import ROOT

AFTER = (
    ev.Call("unshuffled-cards"),
    ev.Shuffled("machine"),
    ev.Loaded(6),
    ev.Call("misdealt-card", round_number=1),
    ev.PlaceBets(),
    ev.TakeBack(),
    ev.PlaceBets(),
    ev.WagerPlaced(Place(1, 0, 1), "main", 50_00),
    ev.NoMoreBets(),
)
"""What looks back, or could, at the rounds before: reports, a load, a round that is begun and taken back."""
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


def played_on(state: Path) -> tuple[str, ...]:
    """Begin again on a journal, and play: what was said, how the table stands, what it reports."""
    said: list[str] = []

    def look(house: House) -> None:
        said.extend(str(house.happens(event)) for event in AFTER)
        said.append(repr(plain(house.pump.table.snapshot())))
        said.append(repr(house.pump.report()))

    made(state, look)
    return tuple(said)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE rounds SET state = x'00'",
        "UPDATE rounds SET state = (SELECT state FROM snapshots LIMIT 1)",
        "UPDATE rounds SET outcome = 'void', report = replace(report, '100.00', '999.00')",
        "UPDATE rounds SET number = 2, first = last",
        "DELETE FROM rounds",
    ],
)
def test_records_of_an_older_segment_change_nothing_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A start does not check them, and takes nothing from them; verify names what was changed."""
    monkeypatch.setattr(writer, "LONG", 12)
    state, other = tmp_path / "state", tmp_path / "other"
    made(state, rounds(3))
    monkeypatch.undo()
    shutil.copytree(state, other)
    oldest, *_ = segments.segments(other)
    assert oldest != segments.segments(other)[-1]
    with closing(sqlite3.connect(oldest)) as connection, connection:
        assert connection.execute(change).rowcount
    assert [] == [problem.what for problem in verify(state).problems]
    assert "changed" in {problem.what for problem in verify(other).problems}
    assert played_on(state) == played_on(other)


def test_nothing_is_kept_of_a_round_but_its_record(tmp_path: Path) -> None:
    """The column is there in this edition, and empty."""
    made(tmp_path / "state", rounds(2))
    with closing(segments.open_for_reading(segments.segments(tmp_path / "state")[-1])) as connection:
        assert [(b"",), (b"",)] == connection.execute("SELECT state FROM rounds").fetchall()
