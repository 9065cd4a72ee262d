"""The archive: a segment is at hand, or archived, or both, and never neither."""

from __future__ import annotations

import gzip
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.journal import segments, snapshot
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.archive.compressed_segments import ArchiveError
from firmware_bridge.journal.recovery import ROUNDS, recover
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.writer import Entry, Journal
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD
from tests.firmware_bridge.journal.archive.journals import all_rows, archived, at_hand, whole

AT = "2025-01-01T00:00:00.000000+00:00"
HEADER = parse(HEAD, GAMES).header


def test_an_archive_is_the_file_itself(state: Path) -> None:
    """Any tool unpacks it, and the bytes are those of the segment, which is gone."""
    path = segments.segments(state)[0]
    data = path.read_bytes()
    target = compressed_segments.pack(state, path)
    assert (state / "archive/journal-000001.db.gz", data) == (target, gzip.decompress(target.read_bytes()))
    assert not path.exists()
    assert [target] == list((state / "archive").iterdir())


def test_the_same_segment_gives_the_same_archive(state: Path) -> None:
    """No time and no name is in it: two copies of a journal have equal archives."""
    path = segments.segments(state)[0]
    data = path.read_bytes()
    first = compressed_segments.pack(state, path).read_bytes()
    path.write_bytes(data)
    assert first == compressed_segments.pack(state, path).read_bytes()


def test_the_journal_is_whole_whatever_is_archived(state: Path) -> None:
    """Chain and heads go through the archive, and no row is lost or doubled."""
    rows = all_rows(state)
    for path in segments.segments(state)[:-1]:
        compressed_segments.pack(state, path)
        assert [] == whole(state)
    assert rows == all_rows(state)
    assert 1 == len(at_hand(state))


def test_what_a_killed_writer_left_beside_it_is_archived_too(tmp_path: Path) -> None:
    """The rows that are still in the log beside the file are in the archive, and nothing of it is left."""
    journal = Journal(tmp_path, AT)
    journal.append([Entry(AT, "shoe", "note", "one"), Entry(AT, "shoe", "note", "two")])
    old = journal.path
    left = {name: old.with_name(old.name + name).read_bytes() for name in ("", "-wal")}
    journal.rotate(AT, (1, b"the table as it stands"))
    journal.close()
    for name, data in left.items():
        old.with_name(old.name + name).write_bytes(data)
    compressed_segments.pack(tmp_path, old)
    assert ["one", "two"] == [row.body for row in all_rows(tmp_path) if row.device == "shoe"]
    assert [] == [path.name for path in tmp_path.iterdir() if path.name.startswith(old.name)]


def test_a_segment_with_a_log_that_somebody_reads_stays(tmp_path: Path) -> None:
    """It is tried again later; nothing is lost."""
    journal = Journal(tmp_path, AT)
    journal.append([Entry(AT, "shoe", "note", "one")])
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM events").fetchone()
        journal.append([Entry(AT, "shoe", "note", "two")])
        with pytest.raises((ArchiveError, sqlite3.OperationalError)):
            compressed_segments.pack(tmp_path, journal.path)
        assert ([1], []) == (at_hand(tmp_path), archived(tmp_path))
    journal.close()


def test_what_was_not_packed_as_it_is_stays(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes out of the packing is compared with the original before that goes."""
    monkeypatch.setattr(compressed_segments, "_content", lambda *_: b"something else")
    path = segments.segments(state)[0]
    with pytest.raises(ArchiveError, match=r"journal-000001\.db was not packed as it is"):
        compressed_segments.pack(state, path)
    assert (True, []) == (path.exists(), list((state / "archive").iterdir()))


def test_no_piece_is_long_and_each_is_synchronised(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a commit of the journal waits for little; and others may have the processor in between."""
    monkeypatch.setattr(compressed_segments, "PIECE", 4096)
    done: list[int | str] = []
    write, sync = os.write, os.fsync

    def written(handle: int, data: bytes) -> int:
        done.append(len(data))
        return write(handle, data)

    def synced(handle: int) -> None:
        done.append("synced")
        sync(handle)

    monkeypatch.setattr(os, "write", written)
    monkeypatch.setattr(os, "fsync", synced)
    path, pauses = segments.segments(state)[0], []
    size = path.stat().st_size
    target = compressed_segments.pack(state, path, lambda: pauses.append(1))
    pieces, rest = divmod(target.stat().st_size, 4096)
    expected = ["synced", *[4096, "synced"] * pieces, *([rest, "synced"] if rest else []), "synced", "synced"]
    assert expected == done
    assert len(pauses) >= size // 4096


def test_what_was_never_finished_is_tidied_away(state: Path) -> None:
    """And nothing else."""
    target = compressed_segments.pack(state, segments.segments(state)[0])
    (state / "archive/journal-000002.db.gz.new").write_bytes(b"half")
    compressed_segments.tidy(state)
    assert [target] == list((state / "archive").iterdir())


def test_the_one_at_hand_counts_where_both_are(state: Path) -> None:
    """After a kill between the two, each row is read once; done again, only the archive is left."""
    path = segments.segments(state)[0]
    rows, data = all_rows(state), path.read_bytes()
    compressed_segments.pack(state, path)
    path.write_bytes(data)
    assert (rows, []) == (all_rows(state), whole(state))
    compressed_segments.pack(state, path)
    assert (rows, []) == (all_rows(state), whole(state))
    assert 1 not in at_hand(state)


def test_a_segment_that_is_archived_while_somebody_reads_is_found(state: Path) -> None:
    """A reader who has listed the files finds the one that went meanwhile in the archive."""
    path = segments.segments(state)[0]
    with closing(segments.open_for_reading(path)) as connection:
        rows = list(segments.rows(connection))
    compressed_segments.pack(state, path)
    with compressed_segments.opened(path) as connection:
        assert rows == list(segments.rows(connection))


@pytest.mark.parametrize(("cut", "said"), [(10, "is cut"), (None, "is not there")])
def test_a_damaged_archive_is_damage(state: Path, cut: int | None, said: str) -> None:
    """It is not read as something else."""
    target = compressed_segments.pack(state, segments.segments(state)[0])
    if cut is None:
        target.unlink()
    else:
        target.write_bytes(target.read_bytes()[:-cut])
    with pytest.raises(sqlite3.DatabaseError, match=said) as caught, compressed_segments.opened(target):
        pass
    assert segments.is_damage(caught.value, target)


# --- the daemon begins again ------------------------------------------------------------------------------------------


def test_a_daemon_without_snapshots_reads_the_archive(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade the table is made from all events, those in the archive too."""
    journal = Journal(state, AT)
    expected = recover(journal, HEADER).table.report()
    journal.close()
    for path in segments.segments(state)[:-2]:
        compressed_segments.pack(state, path)
    monkeypatch.setattr(snapshot, "FORMAT", snapshot.FORMAT + 1)
    journal = Journal(state, AT)
    again = recover(journal, HEADER).table
    journal.close()
    rounds = again.report()["rounds"]
    assert isinstance(rounds, list)
    assert expected["rounds"] == rounds[-1:]
    assert [*range(1, again.round_number + 1)][-ROUNDS:] == [one["number"] for one in rounds]


def test_a_number_in_the_archive_is_not_given_again(state: Path) -> None:
    """Where every segment at hand has gone, the journal goes on after the published head, in a segment of its own."""
    last = at_hand(state)[-1]
    head = all_rows(state)[-1].n
    for path in segments.segments(state):
        compressed_segments.pack(state, path)
    assert last == segments.latest(state)
    journal = Journal.after(state, AT, signing.published(state / signing.HEAD))
    assert ([last + 1], head + 1) == (at_hand(state), journal.n)
    journal.close()
    assert [] == whole(state)
