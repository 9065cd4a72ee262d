"""The files of a journal, opened so that nothing in the state folder changes.

1. The parts of a journal are its segments in the order of their numbers: those at hand, those in the archive, and those
   that were set aside, each before the segment of the same number that is not. A segment that is both at hand and
   archived is read at hand; one that is archived after it was listed is read in the archive.
2. A file without a write-ahead log, or with an empty one, is opened as one that does not change: SQLite then leaves
   nothing beside it. With a log it is opened beside the daemon's own connection, as it is at one moment. A log without
   its index belongs to a copied folder: both files are copied elsewhere and read there.
3. An archived segment is unpacked elsewhere, as far as that is possible. `Reader.damage` says what is wrong with the
   packing.
4. A text that is no valid text any more is still read, as another text than was written, so that the chain shows it.
5. A segment in which something else stands in the place of a table is not read: a view can have rows without end.
6. A journal may also lie elsewhere than in a folder (`Elsewhere`). Its segments are made again as files, one at a time,
   and read like all others: their rows, records and heads are those that were written. They have no snapshots, and the
   bytes of the files are not those of the table's.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from firmware_bridge.journal import segments
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.signed.signing import AnyHead

_GARBLED = "the description of its tables is garbled"  # an error of SQLite that quotes what is no text
_NAME = re.compile(r"journal-([0-9]{6})\.db(\.gz|\.quarantined(?:-[0-9]+)?)?")


class UnreadableError(Exception):
    """What was asked for cannot be read; the message says what and why."""


@dataclass(frozen=True, slots=True)
class Part:
    """One segment of a journal: where it lies, and whether it was set aside as damaged."""

    number: int
    path: Path
    aside: bool = False
    write: Callable[[Path], None] | None = None  # makes its file again, of a journal that lies elsewhere

    @property
    def rebuilt(self) -> bool:
        """Whether its file is made again to be read."""
        return self.write is not None

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.path.name

    @property
    def packed(self) -> bool:
        """Whether it is compressed."""
        return self.path.suffix == ".gz"


@dataclass(frozen=True, slots=True)
class Reader:
    """An open segment."""

    connection: sqlite3.Connection
    damage: str = ""  # of the packing of an archived one

    def rows(self, after: int = 0) -> Iterator[tuple[Row, bytes]]:
        """The rows after a number in order, each with its digest.

        Raises:
            sqlite3.Error: the next one cannot be read.
        """
        try:
            yield from segments.rows(self.connection, after)
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(_GARBLED) from error

    def records(self, table: str, columns: str) -> list[tuple[object, ...]]:
        """The records of another table, by their own order.

        Raises:
            sqlite3.Error: they cannot be read.
        """
        chosen = f"SELECT {columns} FROM {table} ORDER BY rowid"  # noqa: S608  the names are ours
        try:
            return self.connection.execute(chosen).fetchall()
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(_GARBLED) from error


class Elsewhere(Protocol):
    """A journal that does not lie in a state folder."""

    def parts(self) -> list[Part]:
        """Its segments, oldest first."""
        ...

    def root(self) -> bytes:
        """The first public key of all, as it was given when the table was enrolled."""
        ...

    def head(self) -> AnyHead | None:
        """The last head that came."""
        ...


Where = Path | Elsewhere
"""A state folder, or another place where a journal lies."""


def parts(state: Where) -> list[Part]:
    """The segments of a journal, oldest first.

    Raises:
        UnreadableError: there are none.
    """
    if not isinstance(state, Path):
        return state.parts()
    found: dict[tuple[int, str], Part] = {}
    for folder in (state / segments.ARCHIVE, state):
        for path in folder.glob("journal-*.db*"):
            match = _NAME.fullmatch(path.name)
            if match is not None and path.is_file():
                suffix = match[2] or ""
                aside = suffix.startswith(".quarantined")
                found[int(match[1]), suffix if aside else ""] = Part(int(match[1]), path, aside)
    if not found:
        why = "it holds no journal" if state.is_dir() else "there is no such folder"
        raise UnreadableError(f"{state}: {why}")
    return [found[key] for key in sorted(found, key=lambda key: (key[0], not key[1], key[1]))]


@contextmanager
def opened(part: Part) -> Iterator[Reader]:
    """Open a segment for reading, as it is at one moment.

    Raises:
        UnreadableError: the file cannot be opened.
        sqlite3.Error: it is no segment of a journal.
    """
    with ExitStack() as stack:

        def elsewhere() -> Path:
            return Path(stack.enter_context(TemporaryDirectory(prefix="truedeal-")))

        try:
            path, damage = _prepared(part, elsewhere)
            log = path.with_name(path.name + "-wal")
            fixed = "" if log.exists() and log.stat().st_size else "&immutable=1"
        except OSError as error:
            raise UnreadableError(f"{part.path}: {error.strerror or error}") from error
        uri = f"{path.resolve().as_uri()}?mode=ro{fixed}"
        with closing(segments.careful(sqlite3.connect(uri, uri=True, isolation_level=None))) as connection:
            connection.text_factory = _text
            segments.refuse_disguised(connection)
            connection.execute("BEGIN")
            yield Reader(connection, damage)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _prepared(part: Part, elsewhere: Callable[[], Path]) -> tuple[Path, str]:
    """Where the segment can be opened, and what is wrong with its packing; `elsewhere` makes a folder for it."""
    if part.write is not None:
        folder = elsewhere()
        part.write(folder / part.name)
        return folder / part.name, ""
    packed = part.path if part.packed else part.path.parent / segments.ARCHIVE / f"{part.name}.gz"
    if part.packed or (not part.path.exists() and packed.exists()):
        target = elsewhere() / packed.stem
        return target, compressed_segments.unpack(packed, target)
    log, index = (part.path.with_name(part.name + suffix) for suffix in ("-wal", "-shm"))
    if log.exists() and not index.exists():
        folder = elsewhere()
        for path in (part.path, log):
            shutil.copyfile(path, folder / path.name)
        return folder / part.name, ""
    part.path.open("rb").close()  # says why it cannot be read, which SQLite does not
    return part.path, ""


def file_digest(part: Part) -> str:
    """The digest of the bytes of a segment; an archived one is unpacked for it."""
    if not part.packed:
        return segments.file_digest(part.path)
    with TemporaryDirectory(prefix="truedeal-") as folder:
        target = Path(folder) / part.path.stem
        compressed_segments.unpack(part.path, target)
        return segments.file_digest(target)


def counted(found: list[Part]) -> int:
    """About how many events the parts hold, to show how far the work has come; rebuilt parts are left out."""
    total = 0
    for part in found:
        if part.rebuilt:
            continue
        if part.packed:
            total += part.path.stat().st_size // 64
            continue
        try:
            with opened(part) as reader:
                first, last = reader.connection.execute("SELECT min(n), max(n) FROM events").fetchone()
                total += last - first + 1 if last else 0
        except (UnreadableError, sqlite3.Error, TypeError, UnicodeDecodeError):
            continue
    return total
