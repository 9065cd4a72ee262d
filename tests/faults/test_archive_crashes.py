"""A loss of power at every write and every sync of archiving: a segment is at hand, or archived, and never neither.

1. The segments of a journal are archived, and everything done to the disk is recorded: the log that a killed daemon
   left beside one goes into it, the archive is written, named, and the original goes.
2. For each moment the power goes, in every way of `disk`. What is then on the disk is a whole journal with every row,
   and archiving can be done again, to the same end.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from firmware_bridge.audit.journal_reader import UnreadableError
from firmware_bridge.journal import segments
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.chain import Row
from tests.faults.disk import WAYS, Disk
from tests.faults.recording import Delete, Folder, Operation, Recording, Rename, Sync, SyncFolder, Write
from tests.firmware_bridge.audit.journals import long_journal
from tests.firmware_bridge.journal.archive.journals import all_rows, whole

LEFT = "journal-000002.db"
"""The segment beside which a log was left."""


class Archived(NamedTuple):
    """The files before, what was done, and what the journal holds."""

    files: dict[str, bytes]
    operations: list[Operation]
    rows: list[Row]


@cache
def recorded() -> Archived:
    """Archive the first three segments of a journal, as the daemon's child does."""
    with TemporaryDirectory(prefix="truedeal-") as name:
        state = Path(name) / "state"
        long_journal(state)
        target = state / segments.ARCHIVE
        compressed_segments.unpack(target / "journal-000001.db.gz", state / "journal-000001.db")
        shutil.rmtree(target)
        _leave_a_log(state)
        files = {path.name: path.read_bytes() for path in state.iterdir() if path.is_file()}
        rows = all_rows(state)
        with Recording(state) as recording:
            for path in segments.segments(state)[:3]:
                compressed_segments.pack(state, path)
        return Archived(files, recording.operations, rows)


def _leave_a_log(state: Path) -> None:
    """Write something into a segment whose daemon is killed before it closes the file."""
    with TemporaryDirectory(prefix="truedeal-") as name:
        copy = Path(name) / LEFT
        shutil.copyfile(state / LEFT, copy)
        connection = sqlite3.connect(copy, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE rounds SET boxes = boxes || ' ' WHERE id = 1")
        connection.execute("UPDATE rounds SET boxes = rtrim(boxes) WHERE id = 1")
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{copy}{suffix}", f"{state / LEFT}{suffix}")
        connection.close()


def crashes(made: Archived, operations: list[Operation], folder: Path, chance: random.Random) -> Iterator[str]:
    """Crash after each operation, in every way; what is wrong."""
    disk = Disk(made.files)
    for moment, operation in enumerate(operations):
        disk.carry_out(operation)
        for way in ("all",) if disk.quiet else WAYS:
            shutil.rmtree(folder, ignore_errors=True)
            for name, data in disk.after_a_crash(way, chance).items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            try:
                wrong = _wrong(made, folder)
            except (sqlite3.Error, UnreadableError) as error:
                wrong = str(error)
            if wrong:
                yield f"moment {moment}, {operation[:2]}, {way}: {wrong}"


def _wrong(made: Archived, state: Path) -> str:
    for again in (False, True):
        if again:
            compressed_segments.tidy(state)
            for path in segments.segments(state)[:-2]:
                compressed_segments.pack(state, path)
        if made.rows != all_rows(state):
            return f"rows are lost or doubled{', archived again' if again else ''}"
        # Only edition 1 left such a log: the digest of the file in the next segment's first row knows nothing of it.
        if problems := [problem for problem in whole(state) if LEFT not in problem]:
            return problems[0]
    return ""


def test_the_recording_is_of_all_that_archiving_does() -> None:
    """The log goes into the segment, the archive is written and named, the original goes."""
    names = {operation[0] for operation in recorded().operations if isinstance(operation, Write)}
    assert {LEFT, "archive/journal-000001.db.gz.new", f"archive/{LEFT}.gz.new"} <= names
    kinds = {type(operation) for operation in recorded().operations}
    assert {Write, Sync, Folder, SyncFolder, Rename, Delete} <= kinds


def test_a_crash_at_any_moment_of_archiving_loses_nothing(seed: int, tmp_path: Path) -> None:
    """Every moment, in every way."""
    made = recorded()
    assert [] == list(crashes(made, made.operations, tmp_path / "state", random.Random(seed)))


@pytest.mark.parametrize("forgotten", [Sync, SyncFolder])
def test_a_disk_that_forgets_is_noticed(seed: int, tmp_path: Path, forgotten: type[Operation]) -> None:
    """The control: without its syncs archiving does lose rows, and the checks say so."""
    made = recorded()
    lying = [operation for operation in made.operations if not isinstance(operation, forgotten)]
    assert [] != list(crashes(made, lying, tmp_path / "state", random.Random(seed)))
