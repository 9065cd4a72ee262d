"""S14, S15: whatever somebody writes into the body of a row, the daemon starts, and History and the audit answer.

A text that is nested without end is no JSON for anybody; a note of a clearing may list anything.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.console.history.search import Search
from firmware_bridge.console.history.steps import Rounds
from firmware_bridge.console.history.wanted import wanted
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.rounds.round_reader import last_rounds
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, made
from tests.firmware_bridge.restarted_daemon import kept

__all__ = ["truedeal"]  # pytest finds it by its name here

TOLD = ROUND.replace("settle", "call uncovered\nanswer house continue\nsettle")
BODIES = {
    "nested": "[" * 50_000,
    "nested more": '{"registers-aside": {"a":' * 50_000,
    "no list": '{"cleared": 7}',
    "no alarms": '{"cleared": [{"n": {}, "code": []}]}',
    "no name": '{"alarm": {}}',
    "number": "9" * 5000,
}
KINDS = (schema.EVENT, schema.NOTE, schema.START, schema.TABLE, schema.TOLD, schema.SEGMENT, schema.REFUSED)


@pytest.mark.parametrize("body", BODIES)
def test_nothing_stops_at_a_text_that_is_none(tmp_path: Path, truedeal: Command, body: str) -> None:
    """In a row of each kind: it is named, and the daemon sets it aside and asks the shift manager."""
    source = tmp_path / "source"
    made(source, lambda house: house.plays(HEAD + LOAD + ROUND + LOAD + TOLD))
    for kind in KINDS:
        state = tmp_path / kind
        state.mkdir()
        for path in segments.segments(source):
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("VACUUM INTO ?", (str(state / path.name),))
            with closing(sqlite3.connect(state / path.name)) as connection, connection:
                change = "UPDATE events SET kind = ?, body = ?, device = ? WHERE n = (SELECT max(n) - 6 FROM events)"
                connection.execute(change, (kind, BODIES[body], "console" if kind == schema.NOTE else "daemon"))
        assert not verify(state).whole
        for command in (("verify",), ("replay",), ("affected",), ("export", "--format", "jsonl")):
            assert truedeal(command[0], state, *command[1:])[0] in {0, 1, 2}, (kind, command)
        rounds = Rounds(state)
        for one in last_rounds(state, 10):
            rounds.one(int(str(one["first"])))
        Search(state).page(wanted({"count": "100"}))
        made(state, lambda _: None)
        assert ev.Call("uncovered", device="computer") in kept(state), kind
