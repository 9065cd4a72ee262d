"""The journal: real files, read again by a second connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.journal import Entry, Journal

AT = "2025-01-01T00:00:00.000000+00:00"


def entry(number: int | None, device: str = "shoe") -> Entry:
    """A row of a device."""
    return Entry(AT, device, number, 1000, '{"is":"PlaceBets"}', None, b"\x10\x00")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the journal is."""
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """Return a journal, closed at the end."""
    kept = Journal(path)
    yield kept
    kept.close()


def rows(path: Path) -> list[tuple[Any, ...]]:
    """Return what another connection sees of a journal."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT * FROM events ORDER BY n").fetchall()
    finally:
        connection.close()


def test_a_commit_is_on_the_disk_before_it_returns(journal: Journal, path: Path) -> None:
    """The file has a write-ahead log, and every commit is synchronised: FULL is 2."""
    asked = ("journal_mode", "synchronous")
    found = [journal._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert ["wal", 2] == found
    journal.append([entry(1)])
    assert (path.parent / "journal.db-wal").stat().st_size > 0


def test_rows_are_there_for_others_when_append_returns(journal: Journal, path: Path) -> None:
    """A second connection sees them in their order, every column as it was given."""
    whole = Entry(AT, "hub", 7, 2**32 - 1, "{}", "a note", bytes(range(256)))
    journal.append([entry(1), whole])
    journal.append([Entry(AT, "console")])
    expected = [(1, *entry(1)), (2, *whole), (3, AT, "console", None, None, None, None, None)]
    assert expected == rows(path)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (Entry(AT, None), sqlite3.IntegrityError),  # type: ignore[arg-type]  # a row without a device
        (Entry(AT, "shoe", "x"), sqlite3.IntegrityError),  # type: ignore[arg-type]  # a number that is none
        (Entry(AT, "shoe", 2**64), OverflowError),
        (Entry(AT, "shoe", note="\ud800"), UnicodeEncodeError),
        ((AT, "shoe"), sqlite3.ProgrammingError),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_rows_are_written_together_or_not_at_all(
    journal: Journal, path: Path, wrong: Entry, error: type[Exception], at: int
) -> None:
    """One row that cannot be written takes the others of its batch with it, and the next batch is written again."""
    batch = [entry(1), entry(2)]
    batch.insert(at, wrong)
    journal.append([entry(0)])
    with pytest.raises(error):
        journal.append(batch)
    assert [0] == [row[3] for row in rows(path)]
    journal.append([entry(1), entry(2)])
    assert [0, 1, 2] == [row[3] for row in rows(path)]


def test_what_another_holds_is_not_written(journal: Journal, path: Path) -> None:
    """A file that is locked by somebody else gives an error, and nothing is written; later it is."""
    journal._connection.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError):
        journal.append([entry(1)])
    other.execute("COMMIT")
    other.close()
    journal.append([entry(2)])
    assert [2] == [row[3] for row in rows(path)]


def test_a_journal_goes_on_where_it_ended(path: Path) -> None:
    """A file that is opened again keeps its rows and its count."""
    for number in (1, 2):
        journal = Journal(path)
        journal.append([entry(number)])
        journal.close()
    assert [(1, 1), (2, 2)] == [(row[0], row[3]) for row in rows(path)]


def test_what_was_committed_outlives_a_writer_that_never_closed(journal: Journal, path: Path, tmp_path: Path) -> None:
    """The files as they lie on the disk after a commit are enough to read every row, as after a loss of power."""
    journal.append([entry(1), entry(2)])
    for name in ("journal.db", "journal.db-wal"):
        (tmp_path / f"copy-{name}").write_bytes((path.parent / name).read_bytes())
    assert [1, 2] == [row[3] for row in rows(tmp_path / "copy-journal.db")]


def test_the_last_number_of_a_device_is_the_one_written_last(journal: Journal) -> None:
    """Rows without a number do not count, and numbers that begin anew do."""
    assert None is journal.last_number("shoe")
    journal.append([entry(900), entry(5, "hub"), entry(None)])
    journal.append([entry(1)])
    assert (1, 5, None) == (journal.last_number("shoe"), journal.last_number("hub"), journal.last_number("panel"))


texts = st.none() | st.text(st.characters(codec="utf-8"))
entries = st.builds(
    Entry,
    at=st.just(AT),
    device=st.sampled_from(["shoe", "hub", "console"]),
    number=st.none() | st.integers(0, 2**32 - 1),
    clock=st.none() | st.integers(0, 2**32 - 1),
    event=texts,
    note=texts,
    raw=st.none() | st.binary(),
)


@settings(max_examples=30)
@given(batches=st.lists(st.lists(entries, max_size=4), max_size=6))
def test_everything_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Entry]]
) -> None:
    """All rows in order, those of one device, and its last number."""
    journal = Journal(tmp_path_factory.mktemp("journal") / "journal.db")
    for batch in batches:
        journal.append(batch)
    written = [row for batch in batches for row in batch]
    shoe = [row for row in written if row.device == "shoe"]
    numbers = [row.number for row in shoe if row.number is not None]
    assert written == list(journal.entries())
    assert shoe == list(journal.entries("shoe"))
    assert (numbers[-1] if numbers else None) == journal.last_number("shoe")
    journal.close()
