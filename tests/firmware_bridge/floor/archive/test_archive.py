"""The archive, one contract for both databases: what was verified is written once and read again as it was."""

from __future__ import annotations

import asyncio
import shutil
import tarfile
from pathlib import Path

import pytest

from firmware_bridge.audit.exports import csv_tables, export
from firmware_bridge.audit.journal_reader import Where
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.audit.verify import verify
from firmware_bridge.floor.archive import archive as archive_module
from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.archive import Archive, Enrolled, Written
from firmware_bridge.floor.archive.dialects import ArchiveError, connect
from firmware_bridge.floor.archive.reading import ArchivedJournal
from firmware_bridge.floor.centre.folder import take_folder
from firmware_bridge.floor.intake.intake import take_batch
from firmware_bridge.floor.intake.known import TakenBatch, Wrong
from firmware_bridge.floor.shipping.source import Source, SourceError
from firmware_bridge.journal import segments
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.domain import MARK
from firmware_bridge.journal.writer import Entry
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, House, made, rounds
from tests.firmware_bridge.floor.batches import batches
from tests.firmware_bridge.floor.conftest import CASINO, TABLE
from tests.places import TESTS

RECORDED = TESTS / "firmware_bridge" / "journal" / "edition_1" / "journals.tar.xz"


def taken_in(archive: Archive, state: Path) -> list[object]:
    """Take a folder into the archive."""
    return list(take_folder(archive, state, CASINO, TABLE))


def journal_of(archive: Archive) -> ArchivedJournal:
    """The one journal of the archive."""
    (place,) = archive.places()
    return ArchivedJournal(archive, place)


def verdict(where: Where) -> tuple[object, ...]:
    """What `verify` says, but for how it knows the key."""
    found = verify(where)
    counts = (found.events, found.segments, found.heads, found.last, found.signed, found.ended)
    return (*counts, found.problems, [note for note in found.notes if not note.startswith("the key is")])


def exported(where: Where) -> list[str]:
    """Every export as text; whether a file of the table is packed does not count."""
    ways = (export.json_lines, csv_tables.rounds_csv, csv_tables.findings_csv, csv_tables.wagers_csv)
    return ["".join(way(where, Chosen(), lambda: None)).replace(".db.gz", ".db") for way in ways]


def assert_equal(archive: Archive, state: Path) -> None:
    """The audit says the same of the archive and of the folder."""
    kept = journal_of(archive)
    assert verdict(state) == verdict(kept)
    assert replay(state) == replay(kept)
    assert exported(state) == exported(kept)


def test_the_audit_says_the_same_of_archive_and_folder(archive: Archive, state: Path) -> None:
    """Verify, replay and every export are equal, for a journal of several segments and keys."""
    assert all(isinstance(outcome, TakenBatch) for outcome in taken_in(archive, state))
    assert_equal(archive, state)


@pytest.mark.parametrize("name", ["held", "split"])
def test_a_journal_of_edition_1_that_went_on_in_edition_2(archive: Archive, tmp_path: Path, name: str) -> None:
    """Old segments are taken with their own functions; heads of then cover events alone."""
    with tarfile.open(RECORDED) as packed:
        packed.extractall(tmp_path, filter="data")
    state = tmp_path / name
    header = "game: mbs-blackjack-v6\nburn: no\nfresh: no\nlimits: main 25-5000\n\n"
    made(state, lambda _: None, header)
    outcomes = taken_in(archive, state)
    assert [] == [outcome for outcome in outcomes if not isinstance(outcome, TakenBatch)]
    assert verdict(state) == verdict(journal_of(archive))
    assert replay(state) == replay(journal_of(archive))


def test_a_table_that_lost_a_file_goes_on_at_the_centre(archive: Archive, tmp_path: Path) -> None:
    """What was sent before the damage stays; the new segment follows the last signed head on the same journal."""
    before, after = tmp_path / "before", tmp_path / "after"
    made(after, rounds(2))
    shutil.copytree(after, before)
    assert all(isinstance(outcome, TakenBatch) for outcome in taken_in(archive, before))
    (path,) = segments.segments(after)
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    path.write_bytes(data)
    made(after, rounds(1), boot="two")
    assert 1 == len(segments.set_aside_before(after))
    assert all(isinstance(outcome, TakenBatch) for outcome in taken_in(archive, after))
    found = verify(journal_of(archive))
    assert [] == found.problems
    assert verify(after).last == found.last
    assert 2 == found.segments


def test_taking_twice_writes_once(archive: Archive, state: Path) -> None:
    """A second time there is nothing to take."""
    taken_in(archive, state)
    before = verdict(journal_of(archive))
    assert [] == taken_in(archive, state)
    assert before == verdict(journal_of(archive))


def test_of_two_writers_one_moves_the_mark(url: str, archive: Archive, state: Path) -> None:
    """Both have verified the same batch; the second finds that the mark has moved, and writes nothing."""
    source = Source(state)
    journal = archive.add_journal(CASINO, TABLE, source.root())
    known = archive.known(journal, CASINO, TABLE)
    assert known is not None
    taken = take_batch(known, batches(state)[0], lambda _: None)
    assert isinstance(taken, TakenBatch)
    other = Archive.open(url)
    assert [Written(0)] == archive.commit([taken])
    assert [None] == other.commit([taken])
    other.close()
    ((count,),) = archive.dialect.execute("SELECT count(*) FROM events")
    assert len(taken.events) == count


def test_a_group_that_fails_writes_nothing(archive: Archive, state: Path) -> None:
    """A batch that the database refuses takes the whole group back."""
    source = Source(state)
    journal = archive.add_journal(CASINO, TABLE, source.root())
    known = archive.known(journal, CASINO, TABLE)
    assert known is not None
    taken = take_batch(known, batches(state)[0], lambda _: None)
    assert isinstance(taken, TakenBatch)
    taken.events.append(taken.events[-1])
    with pytest.raises(ArchiveError):
        archive.commit([taken])
    assert known == archive.known(journal, CASINO, TABLE)
    assert [(0,)] == archive.dialect.execute("SELECT count(*) FROM events")


def test_a_journal_that_was_put_back_is_quarantined(archive: Archive, state: Path, tmp_path: Path) -> None:
    """The folder of yesterday ends before what was sealed; nothing more of it is taken, and nothing is lost."""
    yesterday = shutil.copytree(state, tmp_path / "yesterday")
    made(state, rounds(2), boot="three")
    taken_in(archive, state)
    (outcome,) = taken_in(archive, yesterday)
    assert isinstance(outcome, Wrong)
    assert "roll-back" == outcome.reason
    ((_, reason),) = archive.quarantined()
    assert reason.startswith("roll-back: the table's journal ends with event")
    assert [] == taken_in(archive, state)


def test_what_came_for_a_quarantined_journal_is_kept_up_to_a_limit(
    archive: Archive, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes are kept aside until there are too many; then one row counts them, with a digest over all."""
    monkeypatch.setattr(archive_module, "ASIDE_MOST", 10)
    taken_in(archive, state)
    (place,) = archive.places()
    archive.quarantine(place.journal, Wrong("fork", 7, "another one\0"), b"12345678")
    archive.set_aside(place.journal, Wrong("fork", 8, "another one"), b"12345678")
    archive.set_aside(place.journal, Wrong("fork", 8, "another one"), b"abcdefgh")
    archive.set_aside(place.journal, Wrong("fork", 9, "another one"), b"123")
    found = archive.dialect.execute("SELECT number, reason, size, data, batches FROM aside ORDER BY number")
    assert [(1, "fork", 8, b"12345678", 2), (2, "fork", 11, None, 2)] == [
        (number, reason, size, None if data is None else bytes(data), many)
        for number, reason, size, data, many in found
    ]


def test_odd_text_stops_nobody(archive: Archive, tmp_path: Path) -> None:
    """A zero byte in a row is stored as it was, and cleaned where it is an extract."""
    state = tmp_path / "odd"

    def scene(house: House) -> None:
        rounds(1)(house)
        house.books.journal.append([Entry(wall_clock(), "a\0b", "note", "c\0d")])
        house.books.journal.sign()

    made(state, scene)
    assert all(isinstance(outcome, TakenBatch) for outcome in taken_in(archive, state))
    assert [("a\N{REPLACEMENT CHARACTER}b",)] == archive.dialect.execute(
        "SELECT device FROM events WHERE device LIKE 'a%b'"
    )
    assert verdict(state) == verdict(journal_of(archive))


def test_rounds_wagers_and_findings_are_there_for_questions(archive: Archive, tmp_path: Path) -> None:
    """A round is there once, as its newest record has it, with its wagers in cents."""
    state = tmp_path / "rounds"
    made(state, rounds(2))
    taken_in(archive, state)
    execute = archive.dialect.execute
    assert [(CASINO, TABLE, 1, "settled"), (CASINO, TABLE, 2, "settled")] == execute(
        "SELECT casino, name, number, outcome FROM rounds ORDER BY first"
    )
    assert [(10000, 10000), (5000, -5000)] * 2 == execute("SELECT stake, net FROM wagers ORDER BY first, place")


def test_a_house_takes_no_table_without_people(archive: Archive, tmp_path: Path) -> None:
    """A table that runs open is a demonstration, and is quarantined in the archive of a house."""
    state = tmp_path / "open"
    open_journal(state)
    assert ["open-table"] == [outcome.reason for outcome in taken_in(archive, state) if isinstance(outcome, Wrong)]


def test_a_house_takes_no_training(archive: Archive, tmp_path: Path) -> None:
    """A journal of training is not even read for the floor."""
    state = tmp_path / "training"
    state.mkdir()
    (state / MARK).touch()
    made(state, rounds(1))
    with pytest.raises(SourceError, match="kept apart from tables"):
        taken_in(archive, state)


def open_journal(state: Path) -> None:
    """The journal of an open table."""

    async def run() -> None:
        house = House(state, parse(HEAD, GAMES).header, is_open=True)
        house.pump.close()

    asyncio.run(run())


def test_migrating_twice_changes_nothing(url: str) -> None:
    """The schema is there: nothing is run again."""
    dialect = connect(url)
    assert [] == migrations.migrate(dialect)
    dialect.close()


def test_an_archive_stays_what_it_was_made_for(url: str) -> None:
    """The archive of a house is not taken for a demonstration."""
    dialect = connect(url)
    with pytest.raises(ArchiveError, match="this archive is of a house"):
        migrations.migrate(dialect, migrations.DEMO)
    dialect.close()


def test_a_changed_file_of_the_schema_is_refused(url: str) -> None:
    """A base whose schema came from other files than these is not written."""
    dialect = connect(url)
    with dialect.transaction():
        dialect.execute("UPDATE schema_versions SET digest = 'other'")
    with pytest.raises(ArchiveError, match="does not know file 1"):
        Archive.open(url)
    dialect.close()


def test_a_table_gets_another_key(archive: Archive) -> None:
    """A table that is enrolled again has its new key alone."""
    archive.add_table(Enrolled(CASINO, TABLE, "UOTHER"))
    assert [Enrolled(CASINO, TABLE, "UOTHER")] == archive.tables()
