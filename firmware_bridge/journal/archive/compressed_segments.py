"""The archive of a journal: segments that are done, compressed.

1. An archive is the file of a segment packed by gzip, ``archive/journal-000001.db.gz``, byte for byte what it was: any
   tool unpacks it, and the chain goes through it as before.
2. The order matters: what lies in a log beside the segment goes into it; it is compressed under another name; that is
   on the disk; it is unpacked again and compared with the original; it gets its name, on the disk; the original goes.
   Whenever the process is killed or the power fails, the segment is at hand, or archived, or both, never neither. A
   second run completes it.
3. Where a segment is at hand and archived at once, the one at hand counts.
4. Commits of the journal come first: the archive is written in pieces of at most `PIECE` bytes, each synchronised by
   itself, so that no commit of a card waits for a long flush. `pause` is called after each piece that was read.
5. An archived segment is unpacked elsewhere to be read. `unpack` says what is wrong with the packing and leaves all
   that comes before the fault; `opened` does not open such a segment. Every row holds a digest, which cannot be packed,
   so no segment packs to one part in `FOLD`: what unpacks to more than `FOLD` times its bytes and `SLACK` is no
   segment, and is not unpacked further, so that it fills no disk.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path

from firmware_bridge.journal import segments

PIECE = 64 * 1024
"""Bytes that are read, or written and synchronised, at once."""
FOLD, SLACK = 64, 4 * 1024 * 1024
_SMALL = 512  # where the packing is damaged, all that lies before that piece is still there
_GZIP = 31  # what zlib calls it


class ArchiveError(Exception):
    """A segment cannot be archived now; it stays where it is."""


def archived(state: Path) -> list[Path]:
    """The segments in the archive, oldest first."""
    return sorted(path for path in (state / segments.ARCHIVE).glob("journal-??????.db.gz") if segments.is_name(path))


def count(state: Path) -> int:
    """How many segments are archived; cheap enough to ask often."""
    try:
        with os.scandir(state / segments.ARCHIVE) as names:
            return sum(each.name.endswith(".db.gz") for each in names)
    except OSError:
        return 0


def pack(state: Path, path: Path, pause: Callable[[], None] = lambda: None) -> Path:
    """Archive a segment that is done; return where it lies now.

    Raises:
        ArchiveError: something else uses it, or what was packed is not what it was.
        OSError, sqlite3.Error: it cannot be read, or there is no room.
    """
    _take_in_log(path)
    folder = state / segments.ARCHIVE
    folder.mkdir(exist_ok=True)
    segments.sync(state)
    target = folder / f"{path.name}.gz"
    new = target.with_name(target.name + segments.NEW)
    original = _compress(path, new, pause)
    if _content(new, pause) != original:
        new.unlink()
        raise ArchiveError(f"{path.name} was not packed as it is")
    segments.put_in_place(new, target)
    segments.remove(path)
    segments.sync(state)
    return target


def tidy(state: Path) -> None:
    """Remove what a killed run has left unfinished."""
    for path in (state / segments.ARCHIVE).glob(f"journal-*{segments.NEW}"):
        path.unlink(missing_ok=True)


def _take_in_log(path: Path) -> None:
    """What a killed daemon has left in the log beside a segment belongs to it."""
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or not log.stat().st_size:
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise ArchiveError(f"{path.name} is in use")


def _compress(path: Path, new: Path, pause: Callable[[], None]) -> bytes:
    """Pack a file, on the disk when this returns; the digest of what it holds."""
    packing, digest, waiting = zlib.compressobj(wbits=_GZIP), blake2b(), b""
    with path.open("rb") as plain, new.open("wb", buffering=0) as packed:
        while piece := plain.read(PIECE):
            digest.update(piece)
            waiting += packing.compress(piece)
            waiting = _write(packed.fileno(), waiting, PIECE)
            pause()
        _write(packed.fileno(), waiting + packing.flush(), 1)
    return digest.digest()


def _write(handle: int, data: bytes, least: int) -> bytes:
    """Write data piece by piece while at least `least` bytes are left; return the rest."""
    while len(data) >= least:
        data = data[os.write(handle, data[:PIECE]) :]
        os.fsync(handle)
    return data


def _content(packed: Path, pause: Callable[[], None]) -> bytes:
    """The digest of what an archive holds."""
    unpacking, digest = zlib.decompressobj(wbits=_GZIP), blake2b()
    with packed.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(unpacking.decompress(piece))
            pause()
    return digest.digest() if unpacking.eof and not unpacking.unused_data else b""


# --- reading ----------------------------------------------------------------------------------------------------------


def unpack(source: Path, target: Path) -> str:
    """Unpack as much as possible; return what is wrong with the packing, empty if nothing is."""
    unpacking = zlib.decompressobj(wbits=_GZIP)
    most = FOLD * source.stat().st_size + SLACK
    with source.open("rb") as packed, target.open("wb") as plain:
        try:
            while data := packed.read(_SMALL):
                plain.write(unpacking.decompress(data))
                if plain.tell() > most:
                    return "the archive holds more than a segment can"
            plain.write(unpacking.flush())
        except zlib.error as error:
            return f"the archive is damaged: {error}"
    if not unpacking.eof:
        return "the archive is cut"
    return "the archive has something behind its end" if unpacking.unused_data else ""


def every(state: Path) -> list[Path]:
    """The segments at hand and in the archive, each once, oldest first."""
    found = {segments.number_of(path): path for path in (*archived(state), *segments.segments(state))}
    return [found[number] for number in sorted(found)]


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a segment for reading, wherever it lies; one that was archived since it was looked for is found there.

    Raises:
        sqlite3.Error: it cannot be read, or its packing is damaged.
        OSError: there is no room to unpack it.
    """
    if path.suffix != ".gz" and not path.exists():
        path = path.parent / segments.ARCHIVE / f"{path.name}.gz"
    if path.suffix != ".gz":
        with closing(segments.open_for_reading(path)) as connection:
            yield connection
        return
    from tempfile import TemporaryDirectory  # noqa: PLC0415  the daemon hardly ever needs it

    with TemporaryDirectory(prefix="truedeal-") as folder:
        target = Path(folder) / path.stem
        wrong = unpack(path, target) if path.exists() else "it is not there"
        if wrong:
            raise segments.damage(f"{path.name}: {wrong}")
        with closing(segments.open_for_reading(target)) as connection:
            yield connection
