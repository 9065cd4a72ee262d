"""The journal: real files, read again by a second connection."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.journal import schema, segments, writer
from firmware_bridge.journal.chain import GENESIS, Row, link
from firmware_bridge.journal.clock import since_boot
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.writer import Entry, Journal

AT = "2025-01-01T00:00:00.000000+00:00"
KEPT = (1, b"the table as it stands")


def entry(number: int | None, device: str = "shoe") -> Entry:
    """A row of a device."""
    return Entry(AT, device, schema.EVENT, '{"is":"PlaceBets"}', number, 1000, b"\x10\x00")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Return a journal, closed at the end."""
    kept = Journal(tmp_path, AT)
    yield kept
    kept.close()


def rows(path: Path) -> list[tuple[Any, ...]]:
    """Return what another connection sees of a segment, without its first row."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM events ORDER BY n").fetchall()[1:]


def numbers(path: Path) -> list[int | None]:
    """Return the devices' numbers of a segment's rows."""
    return [row[3] for row in rows(path)]


# --- writing ---------------------------------------------------------------------------------------------------------


def test_a_commit_is_on_the_disk_before_it_returns(journal: Journal) -> None:
    """The file has a write-ahead log, and every commit is synchronised: FULL is 2."""
    asked = ("journal_mode", "synchronous")
    found = [journal.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert ["wal", 2] == found
    journal.append([entry(1)])
    assert journal.path.with_name(journal.path.name + "-wal").stat().st_size > 0


def test_a_journal_begins_with_what_it_follows(journal: Journal) -> None:
    """The first row of all follows nothing."""
    (row, chain) = next(journal.rows())
    said = json.loads(row.body or "")
    key, journal_id = said.pop("key"), said.pop("journal")
    assert signing.journal_id(bytes.fromhex(key)).hex() == journal_id
    told = {"follows": 0, "chain": GENESIS.hex(), "reason": "first", "edition": schema.EDITION, "segment": 1}
    assert {**told, "file": None, "certificate": None} == said
    expected = Row(1, AT, "daemon", None, None, schema.SEGMENT, row.body, None, how="daemon")
    assert expected == row._replace(mono=None)
    assert 0 < (row.mono or 0) <= since_boot()
    assert link(GENESIS, row) == chain


def test_rows_are_there_for_others_when_append_returns(journal: Journal) -> None:
    """A second connection sees them in their order, every column as it was given, and each with its digest."""
    who = (10**12, "ann", "dealer", "told")
    whole = Entry(AT, "hub", schema.NOTE, "a note", 7, 2**32 - 1, bytes(range(256)), *who)
    chain = journal.chain
    assert 2 == journal.append([entry(1), whole])
    assert 4 == journal.append([Entry(AT, "console", schema.NOTE)])
    expected = [
        Row(2, AT, "shoe", 1, 1000, schema.EVENT, '{"is":"PlaceBets"}', b"\x10\x00"),
        Row(3, AT, "hub", 7, 2**32 - 1, schema.NOTE, "a note", bytes(range(256)), *who),
        Row(4, AT, "console", None, None, schema.NOTE, None, None),
    ]
    assert [tuple(row) for row in expected] == [row[:-1] for row in rows(journal.path)]
    for row, found in zip(expected, rows(journal.path), strict=True):
        chain = link(chain, row)
        assert chain == found[-1]
    assert (4, chain) == (journal.n, journal.chain)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (Entry(AT, None, "note"), sqlite3.IntegrityError),  # type: ignore[arg-type]  # a row without a device
        (Entry(AT, "shoe", "note", number=2**64), Exception),
        (Entry(AT, "shoe", "note", "\ud800"), UnicodeEncodeError),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_rows_are_written_together_or_not_at_all(
    journal: Journal, wrong: Entry, error: type[Exception], at: int
) -> None:
    """One row that cannot be written takes the others of its batch with it, and the next batch is written again."""
    batch = [entry(1), entry(2)]
    batch.insert(at, wrong)
    journal.append([entry(0)])
    before = (journal.n, journal.chain)
    with pytest.raises(error):
        journal.append(batch)
    assert ([0], before) == (numbers(journal.path), (journal.n, journal.chain))
    journal.append([entry(1), entry(2)])
    assert [0, 1, 2] == numbers(journal.path)


def test_what_another_holds_is_not_written(journal: Journal) -> None:
    """A file that is locked by somebody else gives an error that is no damage, and nothing is written; later it is."""
    journal.connection.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            journal.append([entry(1)])
        other.execute("COMMIT")
    assert not segments.is_damage(caught.value, journal.path)
    journal.append([entry(2)])
    assert [2] == numbers(journal.path)


def test_a_journal_goes_on_where_it_ended(tmp_path: Path) -> None:
    """A file that is opened again keeps its rows, its count and its chain."""
    chains = []
    for number in (1, 2):
        journal = Journal(tmp_path, AT)
        journal.append([entry(number)])
        chains.append(journal.chain)
        journal.close()
    found = rows(segments.segment_path(tmp_path, 1))
    assert [(2, 1), (3, 2)] == [(row[0], row[3]) for row in found]
    assert chains == [row[-1] for row in found]


def test_what_was_committed_outlives_a_writer_that_never_closed(journal: Journal, tmp_path: Path) -> None:
    """The files as they lie on the disk after a commit are enough to read every row, as after a loss of power."""
    journal.append([entry(1), entry(2)])
    for suffix in ("", "-wal"):
        part = journal.path.with_name(journal.path.name + suffix)
        (tmp_path / f"copy.db{suffix}").write_bytes(part.read_bytes())
    assert [1, 2] == numbers(tmp_path / "copy.db")


entries = st.builds(
    Entry,
    at=st.just(AT),
    device=st.sampled_from(["shoe", "hub", "console"]),
    kind=st.sampled_from([schema.EVENT, schema.NOTE]),
    body=st.none() | st.text(st.characters(codec="utf-8")),
    number=st.none() | st.integers(0, 2**32 - 1),
    clock=st.none() | st.integers(0, 2**32 - 1),
    raw=st.none() | st.binary(),
    mono=st.none() | st.integers(0, 2**63 - 1),
    person=st.none() | st.text(st.characters(codec="utf-8")),
    role=st.none() | st.just("dealer"),
    how=st.sampled_from([None, "sensed", "told"]),
)


@settings(max_examples=30)
@given(batches=st.lists(st.lists(entries, max_size=4), max_size=6))
def test_everything_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Entry]]
) -> None:
    """All rows in order, and their digests are those of what is read."""
    journal = Journal(tmp_path_factory.mktemp("journal"), AT)
    for batch in batches:
        journal.append(batch)
    written = [row for batch in batches for row in batch]
    previous = GENESIS
    found = []
    for row, chain in journal.rows():
        previous = link(previous, row)
        assert previous == chain
        found.append(Entry(row.at, row.device, row.kind, row.body, row.number, row.clock, *row[7:]))
    assert written == found[1:]
    journal.close()


# --- segments --------------------------------------------------------------------------------------------------------


def test_a_new_segment_goes_on_with_the_chain(journal: Journal, tmp_path: Path) -> None:
    """It follows the last row, begins with the table as it stands, and the old one ends with a signed head."""
    journal.append([entry(1)])
    n, chain = journal.n, journal.chain
    journal.rotate(AT, KEPT)
    journal.append([entry(2)])
    old, new = segments.segments(tmp_path)
    assert (["journal-000001.db", "journal-000002.db"], [1], [2]) == ([old.name, new.name], numbers(old), numbers(new))
    (first, digest) = next(journal.rows())
    assert (n + 1, schema.SEGMENT, link(chain, first)) == (first.n, first.kind, digest)
    said = json.loads(first.body or "")
    assert (n, chain.hex(), "long", schema.EDITION) == tuple(
        said[name] for name in ("follows", "chain", "reason", "edition")
    )
    assert segments.file_digest(segments.segments(tmp_path)[0]) == said["file"]
    assert [(n + 1, KEPT[1])] == segments.snapshots(journal.connection, KEPT[0])
    with closing(segments.open_for_reading(old)) as connection:
        ((last, *_),) = connection.execute("SELECT n FROM heads ORDER BY n DESC LIMIT 1").fetchall()
    assert n == last
    assert [] == list(tmp_path.glob("*.new*"))


def test_a_segment_is_long_by_its_own_events(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """What earlier segments hold does not count."""
    monkeypatch.setattr(writer, "LONG", 3)
    journal.append([entry(1), entry(2)])
    long = [journal.long]
    journal.append([entry(3)])
    long.append(journal.long)
    journal.rotate(AT, KEPT)
    assert [False, True, False] == [*long, journal.long]


@pytest.mark.parametrize("failing", ["connect", "put_in_place"])
def test_a_segment_that_cannot_be_made_leaves_the_old_one(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Without room for a new file the old one goes on, and what was begun is taken up by the next try."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(segments if failing == "put_in_place" else writer, failing, full)
    with pytest.raises(sqlite3.OperationalError):
        journal.rotate(AT, KEPT)
    journal.append([entry(1)])
    monkeypatch.undo()
    assert ([1], 1) == (numbers(journal.path), len(segments.segments(tmp_path)))
    journal.rotate(AT, KEPT)
    journal.append([entry(2)])
    assert [[1], [2]] == [numbers(path) for path in segments.segments(tmp_path)]
    assert [] == list(tmp_path.glob("*.new*"))


def test_a_segment_that_was_never_finished_is_no_segment(tmp_path: Path) -> None:
    """A crash while one is made leaves a file of another name, and the old segment goes on."""
    journal = Journal(tmp_path, AT)
    journal.append([entry(1)])
    journal.close()
    for name in ("journal-000002.db.new", "journal-000002.db.new-journal"):
        (tmp_path / name).write_bytes(b"half a file")
    journal = Journal(tmp_path, AT)
    journal.append([entry(2)])
    assert [1, 2] == numbers(journal.path)
    journal.rotate(AT, KEPT)
    assert [] == list(tmp_path.glob("*.new*"))
    journal.close()


# --- the head --------------------------------------------------------------------------------------------------------


def test_the_head_is_signed_kept_and_published(journal: Journal, tmp_path: Path) -> None:
    """At every signature, the table as it stands beside it; only the first and the newest snapshots are kept."""
    for number in (1, 2, 3):
        journal.append([entry(number)])
        head = journal.sign(KEPT)
        assert (journal.n, journal.chain, True) == (head.n, head.chain, signing.verify(head))
        assert head == signing.published(tmp_path / signing.HEAD)
    heads = journal.connection.execute("SELECT n FROM heads ORDER BY n").fetchall()
    assert [(1,), (2,), (3,), (4,)] == heads
    assert [4, 3, 2] == [n for n, _ in segments.snapshots(journal.connection, KEPT[0])]
