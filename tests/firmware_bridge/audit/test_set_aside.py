"""Journals with a segment that was set aside and cannot be read to its end: what is left of them is still audited."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.affected import affected
from firmware_bridge.audit.exports import csv_tables, export
from firmware_bridge.audit.journal_reader import UnreadableError
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.journal import segments
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House


def nothing() -> None:
    """Nobody watches how far the work has come."""


def set_aside_at_the_end_of_a_round(state: Path) -> Path:
    """Make a journal whose first segment is set aside when round 2 of 3 is to be recorded; where that one lies."""

    async def play() -> None:
        house = House(state, parse(HEAD, GAMES).header)
        house.plays(HEAD + ROUND)
        journal = house.books.journal
        record = journal.end_round

        def fails(*_: object) -> None:
            journal.end_round = record  # type: ignore[method-assign]  # once is enough
            raise segments.damage("a page is gone")

        journal.end_round = fails  # type: ignore[method-assign, assignment]
        house.plays(HEAD + LOAD + ROUND)
        house.plays(HEAD + LOAD + ROUND)
        house.leaves()

    asyncio.run(play())
    (aside,) = state.glob("*.quarantined")
    return aside


def garble(path: Path) -> None:
    """Make a file unreadable as a whole."""
    path.write_bytes(b"no database" * 1000)


def spoil_an_event(path: Path) -> None:
    """Make one event, of the middle, one that cannot be read."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE events SET body = 'x' WHERE n = (SELECT max(n) / 2 FROM events)")


def test_a_record_whose_events_cannot_be_read_is_no_difference(tmp_path: Path) -> None:
    """The records of rounds whose events, or whose table, cannot be known any more accuse nobody."""
    garble(set_aside_at_the_end_of_a_round(tmp_path / "state"))
    replayed = replay(tmp_path / "state")
    assert ([], 2, 0) == (replayed.differences, replayed.passed_over, replayed.rounds)


@pytest.mark.parametrize("damage", [garble, spoil_an_event])
def test_what_is_left_is_listed(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    """Every command goes on behind a segment that was set aside and cannot be read."""
    damage(set_aside_at_the_end_of_a_round(tmp_path / "state"))
    state = tmp_path / "state"
    assert [] == replay(state).differences
    assert [] == affected(state).cases
    assert [] != list(export.json_lines(state, Chosen(), nothing))
    rounds = list(csv_tables.rounds_csv(state, Chosen(), nothing))
    assert ["2", "3"] == [line.split(",")[3] for line in rounds if ",journal-000002.db," in line]
    assert ["code", "uncovered"] == [line.split(",")[6] for line in csv_tables.findings_csv(state, Chosen(), nothing)]


def test_everything_that_can_be_read_of_it_is_exported(tmp_path: Path) -> None:
    """Rows of a segment that was set aside are in the export, in order, each once."""
    set_aside_at_the_end_of_a_round(tmp_path / "state")
    numbers = [json.loads(line)["n"] for line in export.json_lines(tmp_path / "state", Chosen(), nothing)]
    assert list(range(1, len(numbers) + 1)) == numbers


def test_a_report_that_makes_no_sense_in_a_segment_at_hand_is_named(tmp_path: Path) -> None:
    """A record that was changed is an error that names the file, not a fault of the program."""
    set_aside_at_the_end_of_a_round(tmp_path / "state")
    with closing(sqlite3.connect(tmp_path / "state/journal-000002.db")) as connection, connection:
        connection.execute("UPDATE rounds SET report = replace(report, 'net', 'nut')")
    with pytest.raises(UnreadableError, match=r"journal-000002\.db: the report of a round cannot be read"):
        list(csv_tables.rounds_csv(tmp_path / "state", Chosen(), nothing))
