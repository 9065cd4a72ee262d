"""The files of a journal.

1. A state folder holds segments, ``journal-000001.db`` and on. The highest number is being written; the others are
   done.
2. A segment that is damaged is set aside as ``.quarantined`` and never deleted. Archived ones lie compressed in
   ``archive``.
3. A new segment begins with a shoe, so that a shoe's rounds lie in one file.
"""

from __future__ import annotations

import gzip
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.schema import COLUMNS

ARCHIVE = "archive"
_NAME = re.compile(r"journal-([0-9]{6})\.db")


def segment_path(state: Path, number: int) -> Path:
    """Where a segment lies."""
    return state / f"journal-{number:06d}.db"


def number_of(path: Path) -> int:
    """The number of a segment."""
    match = _NAME.match(path.name)
    if match is None:
        message = f"{path} is no segment of a journal"
        raise ValueError(message)
    return int(match[1])


def segments(state: Path) -> list[Path]:
    """The segments that are at hand, oldest first."""
    return sorted(path for path in state.glob("journal-??????.db") if _NAME.fullmatch(path.name))


def archived(state: Path) -> list[Path]:
    """The segments in the archive, oldest first."""
    return sorted((state / ARCHIVE).glob("journal-??????.db.gz"))


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; it may be opened beside the daemon's own."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)


def rows(connection: sqlite3.Connection, after: int = 0) -> Iterator[tuple[Row, bytes]]:
    """The rows of a segment after a number, each with its digest."""
    chosen = f"SELECT {COLUMNS} FROM events WHERE n > ? ORDER BY n"  # noqa: S608  the columns are ours
    for row in connection.execute(chosen, (after,)):
        yield Row(*row[:-1]), row[-1]


def set_aside(path: Path) -> Path:
    """Quarantine a damaged segment with what SQLite keeps beside it; where it lies now."""
    target = path.with_name(f"{path.name}.quarantined")
    count = 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.name}.quarantined-{count}")
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(target.with_name(target.name + suffix))
    path.rename(target)
    return target


def archive(state: Path, path: Path) -> Path:
    """Compress a segment that is done; it is removed only when its archive is complete and on the disk."""
    folder = state / ARCHIVE
    folder.mkdir(exist_ok=True)
    target = folder / f"{path.name}.gz"
    new = target.with_name(target.name + ".new")
    with path.open("rb") as plain, gzip.open(new, "wb") as packed:
        shutil.copyfileobj(plain, packed)
    new.replace(target)
    path.unlink()
    return target
