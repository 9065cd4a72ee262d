"""S17: events that are gone, and devices that have forgotten, are put before the shift manager."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from drivers.faults import Fault
from firmware_bridge.pump.items import DAEMON, Item
from gamecore.model.events import events as ev
from tests.firmware_bridge.table_with_roles import Post


def told(folder: Path, *faults: tuple[str, str]) -> tuple[list[str], bool, list[dict[str, Any]]]:
    """The open alarms, whether the table is held, and the notes, after devices have reported faults."""
    found: list[Any] = []

    async def scene() -> None:
        post = Post(folder)
        post.pump.enqueue(Item(DAEMON, ev.PlaceBets()))
        post.pump.process_queue()
        for device, code in faults:
            post.reports.fault(device, Fault(code, "the device keeps events from 16 on", 15))
        post.pump.process_queue()
        status = [(alarm.code, alarm.ruling) for alarm in post.pump.books.alarms.open]
        found.extend((sorted({code for code, _ in status}), post.pump.table.state.value == "held", post.notes()))
        await post.close()

    asyncio.run(scene())
    return found[0], found[1], found[2]


@pytest.mark.parametrize("code", ["events-lost", "forgot"])
def test_events_that_are_gone_are_an_alarm(tmp_path: Path, code: str) -> None:
    """One device says that events are gone: an alarm that stays, and a hold for the shift manager."""
    alarms, held, _ = told(tmp_path, ("shoe", code))
    assert (["uncovered"], True) == (alarms, held)


def test_several_devices_at_once_say_that_the_journal_was_put_back(tmp_path: Path) -> None:
    """It is not they that have forgotten; the same device again is not another one, and it is said once."""
    alarms, held, notes = told(tmp_path, ("shoe", "events-lost"), ("shoe", "forgot"), ("hub", "events-lost"))
    assert (["put-back", "uncovered"], True) == (alarms, held)
    assert [["hub", "shoe"]] == [note["devices"] for note in notes if note.get("alarm") == "put-back"]
    alone, _, notes = told(tmp_path / "other", ("shoe", "events-lost"), ("shoe", "forgot"))
    assert ["uncovered"] == alone
    assert "put-back" not in json.dumps(notes)
