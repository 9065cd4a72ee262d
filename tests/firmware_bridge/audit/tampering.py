"""Ways to tamper with a journal, drawn by chance: in SQL, and in the bytes of its files."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from firmware_bridge.journal import segments
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.schema import COLUMNS

_COLUMNS = COLUMNS.split(", ")


@dataclass(frozen=True, slots=True)
class Tampering:
    """What was done, at which event, and by which words it may be named."""

    what: str
    n: int
    named: tuple[str, ...]
    first: int | None = None  # the first event that may be named, where it is not exactly `n`


Tamper = Callable[[Path, Random], Tampering]


def unpacked(state: Path) -> None:
    """Take the archived segments out of the archive, so that they can be tampered with like the others."""
    for path in compressed_segments.archived(state):
        (state / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        path.unlink()


def packed(state: Path) -> None:
    """Put the oldest segment back into the archive."""
    oldest = segments.segment_path(state, 1)
    if oldest.exists():
        with _connect(oldest) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (state / segments.ARCHIVE / f"{oldest.name}.gz").write_bytes(gzip.compress(oldest.read_bytes(), mtime=0))
        segments.remove(oldest)


def _connect(path: Path) -> closing[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    return closing(connection)


def _numbers(path: Path) -> list[int]:
    with _connect(path) as connection:
        return [n for (n,) in connection.execute("SELECT n FROM events ORDER BY n")]


def _somewhere(state: Path, chance: Random) -> tuple[Path, list[int]]:
    path = chance.choice(segments.segments(state))
    return path, _numbers(path)


def flip_column(state: Path, chance: Random) -> Tampering:
    """Flip a bit of one column of one row."""
    path, numbers = _somewhere(state, chance)
    n = chance.choice(numbers)
    with _connect(path) as connection:
        values = connection.execute(f"SELECT {COLUMNS} FROM events WHERE n = ?", (n,)).fetchone()  # noqa: S608  ours
        filled = [name for name, value in zip(_COLUMNS, values, strict=True) if name != "n" and value not in {None, ""}]
        column = chance.choice(filled)
        other = _flipped(values[_COLUMNS.index(column)], chance)
        connection.execute(f"UPDATE events SET {column} = ? WHERE n = ?", (other, n))  # noqa: S608  our own columns
    return Tampering(f"{column} of {n}", n, ("changed",))


def _flipped(value: object, chance: Random) -> object:
    match value:
        case int():
            return value ^ (1 << chance.randrange(16))
        case str():
            place = chance.randrange(len(value))
            return value[:place] + chr(ord(value[place]) ^ (1 << chance.randrange(4))) + value[place + 1 :]
        case bytes():
            place = chance.randrange(len(value))
            return value[:place] + bytes([value[place] ^ (1 << chance.randrange(8))]) + value[place + 1 :]
    raise TypeError(value)


def delete(state: Path, chance: Random) -> Tampering:
    """Delete some rows in a row."""
    path, numbers = _somewhere(state, chance)
    begin = chance.randrange(len(numbers))
    gone = numbers[begin : begin + chance.choice((1, 1, 2, 5))]
    with _connect(path) as connection:
        connection.execute("DELETE FROM events WHERE n BETWEEN ? AND ?", (gone[0], gone[-1]))
    return Tampering(f"{gone} deleted", gone[0], ("removed", "cut"))


def delete_and_renumber(state: Path, chance: Random) -> Tampering:
    """Delete a row and number those after it again."""
    path, numbers = _somewhere(state, chance)
    n = chance.choice(numbers)
    with _connect(path) as connection:
        connection.execute("DELETE FROM events WHERE n = ?", (n,))
        for later in [number for number in numbers if number > n]:
            connection.execute("UPDATE events SET n = ? WHERE n = ?", (later - 1, later))
    named = ("removed", "changed", "cut")
    return Tampering(f"{n} deleted, later ones renumbered", n, named)


def swap(state: Path, chance: Random) -> Tampering:
    """Let two rows change places, with or without their digests."""
    path, numbers = _somewhere(state, chance)
    one, other = sorted(chance.sample(numbers, 2))
    moving = [name for name in _COLUMNS if name != "n" and (name != "chain" or chance.random() < 0.5)]
    columns, taken = ", ".join(moving), ", ".join(f"{name} = ?" for name in moving)
    with _connect(path) as connection:
        read = f"SELECT {columns} FROM events WHERE n = ?"  # noqa: S608  our own columns
        first, second = (connection.execute(read, (n,)).fetchone() for n in (one, other))
        write = f"UPDATE events SET {taken} WHERE n = ?"  # noqa: S608  our own columns
        connection.execute(write, (*second, one))
        connection.execute(write, (*first, other))
    # Two rows that differ in nothing but their number are the same row once their digests stay.
    return Tampering(f"{one} and {other} swapped", one, ("reordered", "changed") if first != second else ())


def cut_tail(state: Path, chance: Random) -> Tampering:
    """Cut off the end, as a whole or with all that speaks of it but the published head."""
    present = segments.segments(state)
    path = present[-1]
    numbers = _numbers(path)
    n = chance.choice(numbers)
    with _connect(path) as connection:
        connection.execute("DELETE FROM events WHERE n >= ?", (n,))
        if chance.random() < 0.5:
            connection.execute("DELETE FROM heads WHERE n >= ?", (n,))
            connection.execute("DELETE FROM snapshots WHERE n >= ?", (n,))
            connection.execute("DELETE FROM findings")
            connection.execute("DELETE FROM rounds WHERE last >= ?", (n,))
    if n == numbers[0] and chance.random() < 0.5:
        segments.remove(path)
    return Tampering(f"cut from {n}", n, ("cut", "removed"))


def remove_segment(state: Path, chance: Random) -> Tampering:
    """Remove a whole segment."""
    path, numbers = _somewhere(state, chance)
    segments.remove(path)
    return Tampering(f"{path.name} removed", numbers[0], ("removed", "cut"))


def flip_in_file(state: Path, chance: Random) -> Tampering:
    """Flip a bit in the bytes of a row where they lie in the file."""
    path, numbers = _somewhere(state, chance)
    with _connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        n = chance.choice(numbers)
        row = connection.execute(f"SELECT {COLUMNS} FROM events WHERE n = ?", (n,)).fetchone()  # noqa: S608  ours
    _remove_beside(path)
    # In a record the kind, the body and the bytes as they came lie one after the other.
    needle = row[5].encode() + (row[6] or "").encode() + (row[7] or b"")
    whole = bytearray(path.read_bytes())
    at = whole.index(needle)
    place = at + chance.randrange(len(needle))
    whole[place] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(whole))
    return Tampering(f"byte {place} of {path.name}, event {n}", n, ("changed",))


def flip_anywhere(state: Path, chance: Random) -> Tampering:
    """Flip a bit anywhere in a file: it may hit nothing that matters."""
    path, numbers = _somewhere(state, chance)
    with _connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _remove_beside(path)
    whole = bytearray(path.read_bytes())
    place = chance.randrange(len(whole))
    whole[place] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(whole))
    return Tampering(f"byte {place} of {path.name}", numbers[0], (), 1)


_ARCHIVE = ("changed", "unreadable", "removed", "reordered", "damaged", "cut")


def damage_archive(state: Path, chance: Random) -> Tampering:
    """Flip a bit of an archive, or cut it."""
    packed(state)
    (path, *_) = compressed_segments.archived(state)
    whole = bytearray(path.read_bytes())
    place = chance.randrange(10, len(whole))  # what lies before that means nothing
    if chance.random() < 0.5:
        del whole[place:]
    else:
        whole[place] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(whole))
    return Tampering(f"byte {place} of the archive", 1, _ARCHIVE, 1)


def _remove_beside(path: Path) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


WAYS: tuple[Tamper, ...] = (
    flip_column,
    flip_column,
    flip_column,
    delete,
    delete_and_renumber,
    swap,
    cut_tail,
    remove_segment,
    flip_in_file,
    flip_in_file,
    flip_anywhere,
    damage_archive,
)
