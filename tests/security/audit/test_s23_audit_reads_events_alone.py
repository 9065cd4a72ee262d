"""S22, S23: what the daemon keeps for itself is nothing to the audit and to History; they read events and records."""

from __future__ import annotations

import ast
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import firmware_bridge
from firmware_bridge.console.history.search import Search
from firmware_bridge.console.history.steps import Rounds
from firmware_bridge.console.history.wanted import wanted
from firmware_bridge.journal import segments
from firmware_bridge.journal.snapshot import FORMAT
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, copied, long_journal, made

__all__ = ["truedeal"]
ROOMS = ("audit", "console")
READERS = {"snapshot", "load", "unsealed"}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder of several segments, with a missing card in it."""
    state = tmp_path_factory.mktemp("events-alone") / "state"
    long_journal(state)
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + "discard-count 3\n"))
    return state


def told(state: Path, truedeal: Command) -> list[object]:
    """All that the audit and History say of a journal."""
    said: list[object] = [truedeal("replay", state), truedeal("affected", state)]
    said += [truedeal("export", state, "--format", what) for what in ("deal", "rounds-csv", "findings-csv", "jsonl")]
    found = Search(state).page(wanted({"card": "9H", "count": "100"})).rounds
    rounds = Rounds(state)
    return [*said, found, [one.body for each in found if (one := rounds.one(each["first"])) is not None]]


def test_a_changed_snapshot_changes_nothing_that_is_told(journal: Path, tmp_path: Path, truedeal: Command) -> None:
    """Snapshots and rounds as they were kept are exchanged, spoiled or taken away: every answer is the same."""
    state = copied(journal, tmp_path / "state")
    expected = told(state, truedeal)
    for statement, values in (
        ("UPDATE snapshots SET state = x'00'", ()),
        ("UPDATE snapshots SET state = (SELECT state FROM snapshots ORDER BY n LIMIT 1), format = ?", (FORMAT,)),
        ("UPDATE rounds SET state = x'00'", ()),
        ("DELETE FROM snapshots", ()),
    ):
        for path in segments.segments(state):
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute(statement, values)
        assert expected == told(state, truedeal)


def test_no_file_of_the_audit_and_of_the_console_can_read_a_snapshot() -> None:
    """None of them imports what makes a table from kept bytes."""
    found = []
    for room in ROOMS:
        for path in sorted((Path(firmware_bridge.__file__).parent / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("firmware_bridge.journal"):
                    words = {*(node.module or "").split("."), *(name.name for name in node.names)}
                    found += [f"{path.name}: {word}" for word in words & READERS]
    assert [] == found
