"""The newest segment is checked whole at a start, before anything is signed over it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.signed import keys, start_check
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, made, rounds
from tests.firmware_bridge.restarted_daemon import all_rows

BETS = "place-bets\nbet 1 main 50\n"
EDITS = {
    "a row before the last snapshot": "UPDATE events SET at = '1999' WHERE n = 4",
    "a row that is gone": "DELETE FROM events WHERE n = 4",
    "a record": "UPDATE rounds SET outcome = 'void'",
    "a record that is gone": "DELETE FROM rounds WHERE id = (SELECT max(id) FROM rounds)",
    "a record more": "INSERT INTO rounds SELECT id + 9, number, game, first, last, began, ended, outcome, boxes,"
    " report, state FROM rounds LIMIT 1",
    "a signature": "UPDATE heads SET signature = zeroblob(64) WHERE number = 2",
    "a head that is gone": "DELETE FROM heads WHERE number = 2",
    "a head of another row": "UPDATE heads SET n = n - 1 WHERE number = 2",
}


def in_play(state: Path) -> None:
    """Two rounds that are over, and one that has begun when the daemon is killed."""
    made(state, lambda house: house.plays(HEAD + (LOAD + ROUND) * 2 + LOAD + BETS), killed=True)


def edit(path: Path, text: str) -> None:
    """Change a segment."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(text).rowcount


@pytest.mark.parametrize("what", EDITS)
def test_what_was_changed_is_set_aside_and_the_round_goes_on(tmp_path: Path, what: str) -> None:
    """The shift manager is called, and the table is as it was."""
    state = tmp_path / "state"
    in_play(state)
    edit(segments.segment_path(state, 1), EDITS[what])

    def looked(house: House) -> None:
        assert house.pump.table.round_is_on
        assert ["uncovered"] == [alarm.code for alarm in house.books.alarms.open]

    made(state, looked)
    assert ["journal-000001.db.quarantined"] == [path.name for path in segments.set_aside_before(state)]
    notes = [row.body or "" for row in all_rows(state) if (row.body or "").startswith("the journal was damaged")]
    assert 1 == len(notes)


def test_a_segment_as_it_was_written_has_nothing_wrong(tmp_path: Path) -> None:
    """Also after a crash, and after many segments."""
    state, usual = tmp_path / "state", writer.LONG
    in_play(state)
    writer.LONG = 40
    try:
        made(
            state,
            lambda house: house.plays(
                HEAD + "no-more-bets\ndraw 1; draw dealer; draw 1\nstand 1\ndraw dealer\nsettle\n"
            ),
        )
        made(state, rounds(5))
    finally:
        writer.LONG = usual
    for path in segments.segments(state):
        with closing(segments.open_for_reading(path)) as connection:
            assert "" == start_check.wrong_with(state, path, connection)


def test_a_key_that_another_certified_is_wrong(tmp_path: Path) -> None:
    """The segment before it names the key that must have."""
    state, usual = tmp_path / "state", writer.LONG
    writer.LONG = 40
    try:
        made(state, rounds(3))
    finally:
        writer.LONG = usual
    newest = segments.segments(state)[-1]
    with closing(segments.open_for_reading(newest)) as connection:
        said = segments.beginning(connection)
    assert True is start_check.certified(state, newest, said)
    assert False is start_check.certified(state, newest, {**said, "certificate": "00" * 64})
    newest.with_name(f"journal-{segments.number_of(newest) - 1:06d}.db").unlink()
    assert None is start_check.certified(state, newest, said)


def test_no_old_seed_is_erased_on_the_word_of_a_segment_that_nothing_certifies(tmp_path: Path) -> None:
    """What lies in the place of a lost key is kept."""
    state = tmp_path / "state"
    made(state, rounds(1))
    seed = state / keys.FOLDER / "000001.seed"
    seed.write_bytes(bytes(range(32)))
    made(state, lambda _: None)
    made(state, lambda _: None)
    assert bytes(range(32)) == seed.read_bytes()
