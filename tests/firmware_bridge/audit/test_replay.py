"""Every round again from the events: equal to its records, or every difference is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.replay import replay
from firmware_bridge.journal import segments
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.journals import House, copied, made, rounds
from tests.firmware_bridge.audit.test_verify import execute, newest
from tests.places import ROOT

FILES = sorted((ROOT / "tests" / "incidents").glob("*.deal"))


def incidents(house: House) -> None:
    """Every public incident, each at a table of its own."""
    for file in FILES:
        house.plays(file.read_text(encoding="utf-8"), new_table=True)


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal of rounds with findings of many kinds."""
    state = tmp_path_factory.mktemp("troubled") / "state"
    made(state, incidents)
    return state


def test_records_are_what_the_events_make(journal: Path, troubled: Path, truedeal: Command) -> None:
    """Rounds, findings and rulings of a journal are equal to what is rebuilt."""
    assert (0, "equal: 10 rounds are what the events make\n") == truedeal("replay", journal)[:2]
    assert (0, "equal") == ((told := truedeal("replay", troubled))[0], told[1][:5])


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE rounds SET report = replace(report, '100.00', '900.00') WHERE id = 2", "report.wagers 1.stake"),
        ("UPDATE rounds SET outcome = 'x' WHERE id = 2", "outcome: kept is 'x'"),
        ("UPDATE rounds SET boxes = '7' WHERE id = 2", "boxes: kept is '7'"),
        ("UPDATE rounds SET report = 'x' WHERE id = 2", "report: kept is 'x'"),
        ("DELETE FROM rounds WHERE id = 1", "the events make a round that has no record"),
        ("UPDATE rounds SET first = first + 1 WHERE id = 1", "a round that has no record"),
        ("UPDATE findings SET ruling = 'continue' WHERE ruling = 'void'", "findings 1.ruling: kept is 'continue'"),
        ("UPDATE findings SET cards = '2C' WHERE code = 'missing-card'", "findings 1.cards: kept is '2C'"),
        ("DELETE FROM rulings", "rulings: kept is []"),
        (
            "UPDATE findings SET round = 9999 WHERE code = 'missing-card'",
            "findings in journal-000001.db: one belongs to",
        ),
    ],
)
def test_a_record_that_differs_is_named(
    troubled: Path, tmp_path: Path, truedeal: Command, statement: str, named: str
) -> None:
    """What somebody has changed in a record is named, with what the events give."""
    state = copied(troubled, tmp_path / "state")
    execute(newest(state), statement)
    status, printed, _ = truedeal("replay", state)
    assert (1, True) == (status, named in printed)


def test_rounds_are_rebuilt_over_restarts_and_power_cuts(tmp_path: Path) -> None:
    """A killed daemon, its restart and a power failure change nothing in what the events make."""
    state = tmp_path / "state"
    made(state, rounds(2), killed=True)
    made(state, rounds(1), killed=True)
    made(state, rounds(1), boot="two")
    assert ([], 4) == ((replayed := replay(state)).differences, replayed.rounds)


def test_rounds_without_the_beginning_of_their_table_are_counted(journal: Path, tmp_path: Path) -> None:
    """They cannot be rebuilt from events, and nothing else counts; that accuses nobody."""
    state = copied(journal, tmp_path / "state")
    shutil.rmtree(state / segments.ARCHIVE)
    replayed = replay(state)
    assert ([], 0, True) == (replayed.differences, replayed.rounds, replayed.passed_over > 5)


def test_every_difference_is_told_by_event(troubled: Path, tmp_path: Path, truedeal: Command) -> None:
    """All that was changed in one record, and in all of them, in the order of the events."""
    state = copied(troubled, tmp_path / "state")
    execute(newest(state), "UPDATE rounds SET outcome = 'x', boxes = '77'")
    execute(newest(state), "UPDATE rounds SET report = replace(report, '100.00', '900.00')")
    status, printed, _ = truedeal("replay", state)
    with closing(sqlite3.connect(newest(state))) as connection:
        (many,) = connection.execute("SELECT count(*) FROM rounds").fetchone()
    numbers = [int(line.split()[2].rstrip(",")) for line in printed.splitlines()]
    assert (1, sorted(numbers)) == (status, numbers)
    assert (many, many) == (printed.count("outcome: kept is 'x'"), printed.count("boxes: kept is '77'"))
    assert printed.count("stake: kept is '900.00'") > 20


def test_what_is_found_out_about_a_round_that_is_over_is_in_its_record(troubled: Path) -> None:
    """The findings of every round's report are rows of the table, those that came after its end too."""
    with closing(sqlite3.connect(newest(troubled))) as connection:
        late = 0
        for id_, last, report in connection.execute("SELECT id, last, report FROM rounds").fetchall():
            asked = "SELECT code, clause, ruling, n FROM findings WHERE round = ? ORDER BY id"
            kept = connection.execute(asked, (id_,)).fetchall()
            told = [(found["code"], found["clause"], found["ruling"]) for found in json.loads(report)["findings"]]
            assert told == [row[:3] for row in kept]
            late += sum(row[3] > last for row in kept)
    assert late > 0


def test_the_tables_can_be_asked_in_plain_sql(troubled: Path) -> None:
    """Who was ruled against, how and by which clause is one query."""
    asked = """SELECT rounds.number, findings.code, findings.ruling, rulings.who, rulings.what FROM rulings
        JOIN findings ON findings.id = rulings.finding JOIN rounds ON rounds.id = findings.round
        WHERE findings.code = 'unshuffled-cards'"""
    with closing(sqlite3.connect(newest(troubled))) as connection:
        assert [(1, "unshuffled-cards", "void", "pit", "answer pit unshuffled")] == connection.execute(asked).fetchall()


def test_the_incidents_have_findings() -> None:
    """The journal of the incidents is made from all files of that folder."""
    assert 10 < sum("expect finding" in file.read_text(encoding="utf-8") for file in FILES)
    assert {parse(file.read_text(encoding="utf-8"), GAMES).header.game for file in FILES} <= set(GAMES)
