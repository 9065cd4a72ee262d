"""S02, S14: `verify` tells a journal that nothing outside confirms, and records that were changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.journal import segments
from firmware_bridge.journal.signed import signing
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, copied, made

__all__ = ["truedeal"]


@pytest.fixture(scope="module")
def heads(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return a journal of three rounds, with the head that was published after each."""
    state = tmp_path_factory.mktemp("anchored") / "state"
    kept: list[str] = []
    for _ in range(3):
        made(state, lambda house: house.plays(HEAD + LOAD + ROUND))
        kept.append((state / signing.HEAD).read_text(encoding="ascii").strip())
    return state, kept


def test_a_journal_without_an_outside_head_is_whole_but_not_anchored(
    heads: tuple[Path, list[str]], tmp_path: Path, truedeal: Command
) -> None:
    """Status 3; the head in the folder is none, since it is changed with the journal."""
    state = copied(heads[0], tmp_path / "state")
    status, printed, _ = truedeal("verify", state)
    assert (3, "whole but not anchored: ") == (status, printed[:24])
    status, _, complaint = truedeal("verify", state, "--head", state / signing.HEAD)
    assert (2, True) == (status, "lies in the state folder" in complaint)


def test_a_head_of_the_last_round_anchors_and_an_older_one_says_how_far(
    heads: tuple[Path, list[str]], tmp_path: Path, truedeal: Command
) -> None:
    """Status 0 with the newest; 3 with older ones, of which the highest counts; a file with all of them will do."""
    state, kept = copied(heads[0], tmp_path / "state"), heads[1]
    assert 0 == truedeal("verify", state, "--head", kept[2])[0]
    status, printed, _ = truedeal("verify", state, "--head", kept[1], "--head", kept[0])
    assert (3, True) == (status, f"reach event {json.loads(kept[1])['n']};" in printed)
    anchors = tmp_path / "anchors"
    anchors.write_text("".join(f"<134>1 2026-01-31T20:15:00Z box truedeal - head - {head}\n" for head in kept) + "x\n")
    assert 0 == truedeal("verify", state, "--anchors", anchors)[0]
    anchors.write_text("nothing\n")
    assert (2, 2) == (
        truedeal("verify", state, "--anchors", anchors)[0],
        truedeal("verify", state, "--anchors", "/x")[0],
    )


def test_it_is_told_how_far_each_anchor_reaches(
    heads: tuple[Path, list[str]], tmp_path: Path, truedeal: Command
) -> None:
    """A head or a file of them is one anchor; one that is behind is seen beside one that is not."""
    state, kept = copied(heads[0], tmp_path / "state"), heads[1]
    first, second, third = (json.loads(head)["n"] for head in kept)
    behind, level = tmp_path / "behind", tmp_path / "level"
    behind.write_text("".join(f"{head}\n" for head in kept[:2]))
    level.write_text(kept[2])
    status, printed, _ = truedeal("verify", state, "--anchors", behind, "--anchors", level, "--head", kept[0])
    told = [line for line in printed.splitlines() if line.startswith("anchor ")]
    reached = {f"the head of event {first}": first, str(behind): second, str(level): third}
    assert (0, [f"anchor {name}: reaches event {n}" for name, n in reached.items()]) == (status, told)
    other = tmp_path / "other"
    made(other, lambda house: house.plays(HEAD + LOAD + ROUND))
    shutil.copy(other / signing.HEAD, tmp_path / "foreign")
    status, printed, _ = truedeal("verify", state, "--head", tmp_path / "foreign", "--head", level)
    assert (1, f"anchor {tmp_path / 'foreign'}: proves nothing") == (status, printed.splitlines()[-3])


def test_a_folder_that_was_put_back_is_not_whole(
    heads: tuple[Path, list[str]], tmp_path: Path, truedeal: Command
) -> None:
    """An outside head that is ahead, or beside the chain: status 1, whatever else anchors it."""
    state, kept = tmp_path / "state", heads[1]
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND))
    shutil.copy(state / signing.HEAD, tmp_path / "own.json")
    status, printed, _ = truedeal("verify", state, "--head", tmp_path / "own.json", "--head", kept[2])
    assert (1, True) == (status, "NOT WHOLE: " in printed)
    older = copied(heads[0], tmp_path / "older")
    last = segments.segments(older)[-1]
    n = json.loads(kept[0])["n"]
    with closing(sqlite3.connect(last)) as connection, connection:
        for table in ("events", "heads", "snapshots"):
            connection.execute(f"DELETE FROM {table} WHERE n > ?", (n,))  # noqa: S608  one of three
        connection.execute("DELETE FROM rounds WHERE last > ?", (n,))
    (older / signing.HEAD).write_text(kept[0] + "\n", encoding="ascii")
    assert (3, 1) == (truedeal("verify", older)[0], truedeal("verify", older, "--head", kept[2])[0])


def test_changed_records_are_told_beside_what_is_not_whole(
    heads: tuple[Path, list[str]], tmp_path: Path, truedeal: Command
) -> None:
    """Both in one list, by event; without a replay the heads say so."""
    state, kept = copied(heads[0], tmp_path / "state"), heads[1]
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection, connection:
        connection.execute("UPDATE rounds SET report = replace(report, '\"100.00\"', '\"500.00\"')")
    status, printed, _ = truedeal("verify", state, "--head", kept[2])
    assert (1, 6) == (status, printed.count("DIFFERENT: "))
    assert 1 == truedeal("verify", state, "--head", kept[2], "--no-replay")[0]
    n = json.loads(kept[0])["n"] + 1
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection, connection:
        connection.execute("UPDATE events SET at = '2001' WHERE n = ?", (n,))
    status, printed, _ = truedeal("verify", state, "--head", kept[2])
    told = [line.split("event ")[1].split()[0].rstrip(",") for line in printed.splitlines() if ": event" in line]
    assert (1, sorted(map(int, told)), True) == (status, list(map(int, told)), str(n) in told)
