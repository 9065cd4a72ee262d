"""The daemon has its shufflers judged by a child, shows what came of it, and raises the alarm of one that fails."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from firmware_bridge.daemon.daily_shufflers import Judging
from firmware_bridge.people.accounts.roles import SHIFT_MANAGER
from firmware_bridge.people.permissions import SHUFFLER_FAILS, to_clear
from firmware_bridge.pump.items import DAEMON, Item, Note
from firmware_bridge.shown.health_type import ShufflerHealth
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, made
from tests.firmware_bridge.audit.shuffling.test_pooled_shoes import REPEATED
from tests.patience import PATIENCE


def looked(state: Path) -> tuple[list[Note], list[ShufflerHealth] | None]:
    """Let it look once; what it told until the child had ended, and what health shows."""
    told: list[Note] = []

    async def main() -> list[ShufflerHealth] | None:
        heard = asyncio.Event()

        def note_down(note: Note) -> None:
            told.append(note)
            heard.set()

        judging = Judging(asyncio.get_running_loop(), state, note_down)
        assert judging.found is None
        judging.judge_shufflers()
        await asyncio.wait_for(heard.wait(), PATIENCE)
        judging.close()
        return judging.found

    found = asyncio.run(main())
    return told, found


def test_a_shuffler_without_an_alarm_is_noted_and_shown(tmp_path: Path) -> None:
    """After two shoes that repeat: the row has its figures, health its course as well, and there is no alarm."""
    made(tmp_path / "state", lambda house: house.plays(HEAD + ROUND + LOAD + ROUND + LOAD + ROUND), HEAD)
    (note,), found = looked(tmp_path / "state")
    assert found is not None
    (shown,) = found
    (row,) = json.loads(note.text)["shufflers"]
    assert ("", "advisory", 2, 1) == (note.alarm, shown["verdict"], shown["shoes"], len(shown["course"]))
    assert {name: value for name, value in shown.items() if name in row} == row


def test_a_shuffler_that_fails_is_an_alarm_once(tmp_path: Path) -> None:
    """The shift manager's, with the figures in its row; what the journal has as found already is no news."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + REPEATED), HEAD)
    (_, alarm), _ = looked(state)
    said = json.loads(alarm.text)
    assert (SHUFFLER_FAILS, "alarm", 14) == (alarm.alarm, said["verdict"], said["shoes"])
    assert ["ranks", "suits"] == [one["over"] for one in said["chi"]]

    def noted(house: House) -> None:
        house.pump.enqueue(Item(DAEMON, alarm))
        house.pump.process_queue()
        (raised,) = house.books.alarms.open
        assert (SHIFT_MANAGER,) == to_clear(raised.code, raised.ruling)
        assert not raised.bars(house.pump.table.view())

    made(state, noted)
    (again,), found = looked(state)
    assert ("", ["alarm"]) == (again.alarm, [one["verdict"] for one in found or []])
