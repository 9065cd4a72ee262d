"""`truedeal train` as a person starts it: it serves, it ends, and it keeps away from tables."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

from firmware_bridge.journal.segments import segments
from firmware_bridge.journal.writer import Journal
from hal_sim.table.sim_table import SimTable
from hal_sim.table.table_file import table_file
from hal_sim.training.folder import take_folder
from hal_sim.training.progress import Entry, Progress
from tests.hal_sim.test_sim_command import left_of, read_until
from tests.patience import PATIENCE
from tests.places import ROOT

PROGRAM = [sys.executable, "-m", "firmware_bridge.cli"]
ADDRESS = re.compile(rb"in a browser: (http://127\.0\.0\.1:\d+/)#/training")
NOW = datetime.now(UTC)


def started(*words: object) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own."""
    return subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def done(*words: object) -> tuple[int, str, str]:
    """Run a command to its end."""
    process = started(*words)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out.decode(), err.decode()


def test_it_serves_until_it_is_ended(seed: int, tmp_path: Path) -> None:
    """The course and the state are told; the journal is in the folder, and is refused as a table's."""
    process = started("train", "--state", tmp_path, "--seed", seed)
    assert process.stdout is not None
    found = ADDRESS.search(read_until(process.stdout.fileno(), b"#/training"))
    assert found is not None
    url = found[1].decode()
    with urllib.request.urlopen(f"{url}api/training/state", timeout=PATIENCE) as answer:  # noqa: S310  loopback
        assert {"now": None, "people": []} == json.load(answer)
    with urllib.request.urlopen(f"{url}api/session", timeout=PATIENCE) as answer:  # noqa: S310  loopback
        assert ["harness", "training"] == [one["name"] for one in json.load(answer)["extras"]]
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=PATIENCE)
    assert (0, b"") == (process.returncode, err)
    assert out.endswith(b"ended\n")
    assert [] == left_of(process)
    journal = next((tmp_path / "journals").iterdir())
    assert segments(journal)
    status, _, said = done("verify", journal)
    assert (2, f"truedeal verify: {journal}: it is training's, which is kept apart from tables\n") == (status, said)


def test_progress_is_printed_and_erased(tmp_path: Path) -> None:
    """Without starting anything."""
    progress = Progress(take_folder(tmp_path), NOW)
    for person in ("Ann", "Bob"):
        progress.add(Entry(person, "mbs-blackjack-v6/own", "2099-01-01T00:00:00", 4, 4, 1, 30, passed=True), NOW)
    line = "{}: mbs-blackjack-v6/own, 2099-01-01T00:00:00, score 75 %, 30 s, passed\n"
    assert (0, line.format("Ann") + line.format("Bob"), "") == done("train", "--state", tmp_path, "--progress")
    assert (0, "Ann: 1 lessons are forgotten\n", "") == done("train", "--state", tmp_path, "--erase", "Ann")
    assert (0, line.format("Bob"), "") == done("train", "--state", tmp_path, "--progress")


def test_neither_goes_into_the_others_folder(tmp_path: Path) -> None:
    """Training refuses a table's folder; the simulated table and the daemon of a table refuse training's."""
    table, folder = tmp_path / "table", tmp_path / "training"
    table.mkdir()
    Journal(table, NOW.isoformat()).close()
    take_folder(folder)
    refused = f"truedeal train: {table}: it holds a table's journal, and training is kept apart from tables\n"
    assert (2, "", refused) == done("train", "--state", table)
    apart = "it is training's, which is kept apart from tables"
    assert (2, "", f"truedeal sim: {folder}/x: {apart}\n") == done("sim", "--state", folder / "x")
    at = SimTable(tmp_path)
    at.kept = folder
    at.config_path.touch(mode=0o600)
    at.config_path.write_text(table_file(at, tmp_path / "boot_id", (), ()), encoding="utf-8")
    status, _, said = done("run", "--config", at.config_path)
    assert 78 == status
    assert apart in said
    assert not segments(folder)
