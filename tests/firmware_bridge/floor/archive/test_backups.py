"""Backups: only what a restored copy holds is backed up; a centre of yesterday gets the rest again."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import connect
from firmware_bridge.floor.centre.folder import take_folder
from firmware_bridge.floor.intake.known import TakenBatch
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.conftest import CASINO, TABLE


def copied(path: Path, target: Path) -> str:
    """A backup of an archive in a file, restored; its address."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
    return f"sqlite:{target}"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return an archive in a file, with one table."""
    path = tmp_path / "small.db"
    dialect = connect(f"sqlite:{path}")
    migrations.migrate(dialect)
    dialect.close()
    with Archive.open(f"sqlite:{path}") as archive:
        archive.add_table(Enrolled(CASINO, TABLE, ""))
    return path


def test_backed_is_what_the_copy_holds(
    small: Path, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mark rises to the seal of the backup, not to what came since; a copy without it raises nothing."""
    url = f"sqlite:{small}"
    with Archive.open(url) as archive:
        list(take_folder(archive, state, CASINO, TABLE))
        (place,) = archive.places()
        known = archive.known(*place)
        assert known is not None
    before = copied(small, tmp_path / "before.db")
    assert 0 == main(["floor", "backup-begin", "--archive", url])
    token = capsys.readouterr().out.strip()
    copy = copied(small, tmp_path / "copy.db")
    made(state, rounds(1), boot="later")
    with Archive.open(url) as archive:
        list(take_folder(archive, state, CASINO, TABLE))
    assert 2 == main(["floor", "backup-done", "--archive", url, token, "--copy", before])
    assert 0 == main(["floor", "backup-done", "--archive", url, token, "--copy", copy])
    with Archive.open(url) as archive:
        assert known.seal.n == archive.backed(place.journal)


def test_a_centre_of_yesterday_gets_the_rest_again(small: Path, state: Path, tmp_path: Path) -> None:
    """A restored archive has less, in another epoch, and takes what follows from the table."""
    with Archive.open(f"sqlite:{small}") as archive:
        list(take_folder(archive, state, CASINO, TABLE))
        epoch = archive.epoch()
    yesterday = tmp_path / "yesterday.db"
    copied(small, yesterday)
    made(state, rounds(2), boot="later")
    with Archive.open(f"sqlite:{small}") as archive:
        list(take_folder(archive, state, CASINO, TABLE))
        (place,) = archive.places()
        whole = archive.known(*place)
    shutil.move(yesterday, small)
    Path(f"{small}-wal").unlink(missing_ok=True)
    Path(f"{small}-shm").unlink(missing_ok=True)
    assert 0 == main(["floor", "restored", "--archive", f"sqlite:{small}"])
    with Archive.open(f"sqlite:{small}") as archive:
        assert epoch != archive.epoch()
        outcomes = list(take_folder(archive, state, CASINO, TABLE))
        assert outcomes
        assert all(isinstance(outcome, TakenBatch) for outcome in outcomes)
        assert whole == archive.known(*place)
