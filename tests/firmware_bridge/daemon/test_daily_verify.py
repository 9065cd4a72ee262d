"""The daemon has its whole journal verified by a child, and notes what came of it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.daemon import daily_verify
from firmware_bridge.daemon.daily_verify import Verifying
from firmware_bridge.journal import segments
from firmware_bridge.people.permissions import NOT_WHOLE
from firmware_bridge.pump.items import DAEMON, Item, Note
from tests.firmware_bridge.audit.journals import House, long_journal, made, rounds
from tests.patience import PATIENCE
from tests.places import ROOT


def looked(state: Path, times: int = 1) -> list[Note]:
    """Let it look until it has reported this many times."""
    told: list[Note] = []

    async def main() -> None:
        heard = asyncio.Event()

        def note_down(note: Note) -> None:
            told.append(note)
            heard.set()

        looking = Verifying(asyncio.get_running_loop(), state, note_down)
        for _ in range(times):
            heard.clear()
            looking.verify_journal()
            await asyncio.wait_for(heard.wait(), PATIENCE)
        looking.close()

    asyncio.run(main())
    return told


def test_a_whole_journal_is_noted(tmp_path: Path) -> None:
    """Archived segments too; the status is that of the command."""
    long_journal(tmp_path / "state")
    (note,) = looked(tmp_path / "state")
    said = json.loads(note.text)
    assert (3, "", True) == (said["verified"], note.alarm, said["said"].startswith("whole but not anchored"))


def test_what_is_wrong_is_looked_at_twice_and_is_an_alarm_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the journal has as found already is no news."""
    monkeypatch.setattr(daily_verify, "AGAIN", 0.01)
    state = tmp_path / "state"
    long_journal(state)
    with closing(sqlite3.connect(segments.segments(state)[0], isolation_level=None)) as connection:
        connection.execute("UPDATE events SET at = '1999' WHERE n = (SELECT max(n) - 3 FROM events)")
    (first,) = looked(state)
    assert (NOT_WHOLE, True) == (first.alarm, "changed" in json.loads(first.text)["problems"][0])

    def noted(house: House) -> None:
        house.pump.enqueue(Item(DAEMON, first))
        house.pump.process_queue()
        assert [NOT_WHOLE] == [alarm.code for alarm in house.books.alarms.open]

    made(state, noted)
    (second,) = looked(state)
    assert ("", json.loads(first.text)["found"]) == (second.alarm, json.loads(second.text)["found"])


def test_a_child_ends_with_its_standard_input(tmp_path: Path) -> None:
    """The process that started it has gone."""
    made(tmp_path / "state", rounds(20))
    command = [sys.executable, "-m", "firmware_bridge.cli", "verify", str(tmp_path / "state"), "--no-replay", "--tied"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (2, b"") == (done.returncode, done.stderr[:0])
