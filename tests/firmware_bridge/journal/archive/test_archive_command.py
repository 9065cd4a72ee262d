"""``truedeal archive``, as a person runs it and as the daemon's child, killed wherever it is."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.audit.exports.export import json_lines
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.cli import main
from firmware_bridge.journal import segments
from tests.firmware_bridge.journal.archive.journals import all_rows, archived, at_hand, whole
from tests.places import ROOT

#: Runs the command and kills itself with SIGKILL before its Nth call of the system that changes something on the disk.
DYING = """
import os, pathlib, signal, sys
left = int(sys.argv.pop(1))
def watched(call):
    def before(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **named)
    return before
for name in ("mkdir", "replace", "unlink"):
    setattr(pathlib.Path, name, watched(getattr(pathlib.Path, name)))
for name in ("write", "fsync"):
    setattr(os, name, watched(getattr(os, name)))
from firmware_bridge.cli import main
sys.exit(main())
"""


def dies(state: Path, step: int) -> int:
    """Let the command be killed at a step; its status."""
    command = [sys.executable, "-c", DYING, str(step), "archive", str(state), "--days", "0"]
    return subprocess.run(command, check=False, cwd=ROOT, stdout=subprocess.DEVNULL).returncode


def test_it_says_what_went_where(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a segment; run again, nothing is due."""
    rows = all_rows(state)
    assert 0 == main(["archive", str(state), "--days", "0"])
    said = capsys.readouterr().out.splitlines()
    assert len(archived(state)) == len(said) > 2
    assert said[0].startswith(f"journal-000001.db: archived as {state}/archive/journal-000001.db.gz, ")
    assert (rows, []) == (all_rows(state), whole(state))
    assert 0 == main(["archive", str(state), "--days", "0"])
    assert "nothing is due\n" == capsys.readouterr().out


def test_a_dry_run_changes_nothing(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names what would go."""
    before = sorted(state.rglob("*"))
    assert 0 == main(["archive", str(state), "--days", "0", "--dry-run"])
    assert "journal-000001.db: would go" == capsys.readouterr().out.splitlines()[0]
    assert before == sorted(state.rglob("*"))


def test_an_alarm_that_nobody_cleared_keeps_its_segment(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says so; that is no fault."""
    assert 0 == main(["archive", str(state), "--days", "0", "--keep", "5"])
    assert "journal-000001.db: stays, event 5 is not acknowledged: its alarm is open" in capsys.readouterr().out
    assert 1 in at_hand(state)


def test_a_damaged_segment_stays_and_is_told(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The status says that somebody must look at it; the others go."""
    path = segments.segment_path(state, 2)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    path.write_bytes(data)
    assert 1 == main(["archive", str(state), "--days", "0", "--json"])
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [("journal-000002.db", True)] == [(line["stays"], line["wrong"]) for line in said if "stays" in line]
    assert (bytes(data), True, True) == (path.read_bytes(), 1 in archived(state), 3 in archived(state))


def test_who_comes_second_leaves_it_to_the_first(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two at once would write the same file."""
    handle = os.open(state, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert 0 == main(["archive", str(state), "--days", "0"])
    finally:
        os.close(handle)
    assert "another run is at it" in capsys.readouterr().err
    assert [] == archived(state)


def test_somebody_else_than_the_owner_is_sent_away(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What root leaves behind the daemon could not write over."""
    monkeypatch.setattr(os, "geteuid", lambda: state.stat().st_uid + 1)
    assert 2 == main(["archive", str(state), "--days", "0"])
    assert "runuser -u " in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line."""
    assert 2 == main(["archive", str(tmp_path / "nowhere")])
    assert "there is no such folder" in capsys.readouterr().err


def test_killed_at_any_step_nothing_is_lost(state: Path) -> None:
    """Before each call that changes something on the disk: every row is there once, and the next run finishes it."""
    rows, steps = all_rows(state), 0
    while (status := dies(state, steps)) == -signal.SIGKILL:
        assert (rows, []) == (all_rows(state), whole(state)), f"after a kill at step {steps}"
        steps += 1
    assert 0 == status
    assert steps > 10
    assert len(archived(state)) > 2
    assert (rows, []) == (all_rows(state), whole(state))
    assert [] == list((state / "archive").glob("*.new"))


def test_a_child_ends_with_its_standard_input(state: Path) -> None:
    """The process that started it has gone: it leaves everything as it is."""
    command = [sys.executable, "-m", "firmware_bridge.cli", "archive", str(state), "--days", "0", "--tied"]
    done = subprocess.run(command, check=False, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (3, "", "") == (done.returncode, done.stdout, done.stderr)
    assert [] == archived(state)


def test_export_and_replay_read_what_is_archived(state: Path) -> None:
    """They give what they gave before."""

    def lines() -> list[str]:
        """Every row as it is exported, without the name of its file."""
        return [line.partition(",")[2] for line in json_lines(state, Chosen(), lambda: None)]

    before, rebuilt = lines(), replay(state)
    assert 0 == main(["archive", str(state), "--days", "0"])
    again = replay(state)
    assert before == lines()
    assert ([], rebuilt.rounds, 0) == (again.differences, again.rounds, again.passed_over)
