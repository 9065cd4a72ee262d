"""S14: what somebody has put in the place of a table is not read, by the daemon, the audit or History.

A view by the name of a table can have rows without end: anyone who verifies such a copy would wait for ever. Here it
has few, so that a test that fails ends.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.journal_reader import UnreadableError
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.verify import verify
from firmware_bridge.console.history.search import Search
from firmware_bridge.console.history.wanted import wanted
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.rounds.round_reader import last_rounds
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.restarted_daemon import kept

__all__ = ["truedeal"]  # pytest finds it by its name here

TABLES = [str(name) for kind, name, *_ in schema.LISTED[1] if kind == "table"]


def disguised(state: Path, table: str, view: str) -> None:
    """Put a view in the place of a table, with the same columns."""
    with closing(sqlite3.connect(segments.segments(state)[-1], isolation_level=None)) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        connection.execute(f"ALTER TABLE {table} RENAME TO kept")
        first = ", ".join(f"kept.{column} AS {column}" for column in columns)
        more = "WITH RECURSIVE more(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM more LIMIT 5)"
        connection.execute(f"CREATE VIEW {view} AS {more} SELECT {first} FROM kept, more")  # noqa: S608  ours


@pytest.mark.parametrize("view", ["as it is", "upper case"])
@pytest.mark.parametrize("table", TABLES)
def test_no_view_is_read_for_a_table(tmp_path: Path, truedeal: Command, table: str, view: str) -> None:
    """Every command ends and says so; nothing of that segment is shown."""
    state = tmp_path / "state"
    made(state, rounds(2))
    disguised(state, table, table if view == "as it is" else table.upper())
    (problem, *_) = verify(state).problems
    assert ("unreadable", True) == (problem.what, "not those that were made" in problem.detail)
    assert 1 == truedeal("verify", state)[0]
    for command in (("replay",), ("affected",), ("export", "--format", "jsonl"), ("export", "--format", "rounds-csv")):
        assert truedeal(command[0], state, *command[1:])[0] in {1, 2}, command
    with pytest.raises(UnreadableError, match="not those that were made"):
        replay(state)
    assert [] == last_rounds(state, 10)
    assert [] == Search(state).page(wanted({"count": "100"})).rounds


def test_a_start_sets_it_aside(tmp_path: Path) -> None:
    """Before anything of it is read; the shift manager is asked."""
    state = tmp_path / "state"
    made(state, rounds(2))
    disguised(state, "events", "events")
    made(state, lambda _: None)
    assert (1, True) == (len(list(state.glob("*.quarantined"))), ev.Call("uncovered", device="computer") in kept(state))
