"""The chain: each row of the journal carries a digest of itself and of all rows before it.

1. The digest of a row is BLAKE2b (32 bytes) over the digest of the row before it and the row's own bytes. The first row
   of a table's journal follows 32 zero bytes, that of training another value (`domain`). The first row of a later
   segment says which row it follows: the last of the segment before or, if that is damaged, the last that is known.
2. The bytes of a row are its columns in order, each with its type and, where it varies, its length: two different rows
   never have the same bytes. Rows of edition 1 have the first eight columns; those of edition 2 have all, after
   ``td2``. The first row of a segment names the edition (`schema`): the rows of one segment are all hashed by one
   function, for ever.
3. To change, remove or reorder a row, every digest after it must be made again, and the signed heads do not fit them.
4. Who did what a row tells stands in that row: `person` and `role` as they were known when it was written, and `how` it
   became known. `mono` is the time since the computer began, which nobody can set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from struct import Struct, error
from typing import NamedTuple

SIZE = 32
GENESIS = bytes(SIZE)

_INTEGER = Struct("<Bq")
_SIZED = Struct("<BI")
_NOTHING, _WHOLE, _TEXT, _BYTES = 0, 1, 2, 3
_NONE = bytes([_NOTHING])
_PREFIX = b"td2"
_FIRST = 8  # columns of a row of edition 1

SENSED, TOLD, PANEL, KEY, DAEMON, BACKLOG = "sensed", "told", "panel", "key", "daemon", "backlog"
"""How a row became known: a device saw it, a person said it, pressed it, pressed it with the key switch on, the daemon
itself knows it, a device saw it while nobody listened."""


class Row(NamedTuple):
    """One row of the journal, without its digest."""

    n: int
    at: str
    device: str
    number: int | None
    clock: int | None
    kind: str
    body: str | None
    raw: bytes | None
    mono: int | None = None
    person: str | None = None
    role: str | None = None
    how: str | None = None


def row_bytes(row: Row) -> bytes:
    """The bytes that stand for a row: fast where the columns have their usual types, else by `column_bytes`."""
    n, at, device, number, clock, kind, body, raw, mono, person, role, how = row
    whole, sized = _INTEGER.pack, _SIZED.pack
    try:
        when, said = at.encode(), b"" if body is None else body.encode()
        return b"".join(
            (
                _PREFIX,
                whole(_WHOLE, n),
                sized(_TEXT, len(when)),
                when,
                _text(device),
                _NONE if number is None else whole(_WHOLE, number),
                _NONE if clock is None else whole(_WHOLE, clock),
                _text(kind),
                _NONE if body is None else sized(_TEXT, len(said)),
                said,
                _NONE if raw is None else sized(_BYTES, len(raw)),
                raw or b"",
                _NONE if mono is None else whole(_WHOLE, mono),
                _text(person),
                _text(role),
                _text(how),
            )
        )
    except (AttributeError, TypeError, UnicodeEncodeError, error):
        return _PREFIX + column_bytes(row)


@lru_cache(64)
def _text(value: str | None) -> bytes:
    """The bytes of one of the few texts that stand in many rows."""
    if value is None:
        return _NONE
    data = value.encode()
    return _SIZED.pack(_TEXT, len(data)) + data


def column_bytes(columns: Sequence[object]) -> bytes:
    """The bytes of columns that may hold anything."""
    parts: list[bytes] = []
    for value in columns:
        match value:
            case None:
                parts.append(_NONE)
            case int():
                parts.append(_INTEGER.pack(_WHOLE, value))
            case str():
                text = value.encode("utf-8", "surrogatepass")
                parts += (_SIZED.pack(_TEXT, len(text)), text)
            case bytes():
                parts += (_SIZED.pack(_BYTES, len(value)), value)
            case _:
                raise TypeError(value)
    return b"".join(parts)


def link(previous: bytes, row: Row) -> bytes:
    """The digest of a row that follows another."""
    return blake2b(previous + row_bytes(row), digest_size=SIZE).digest()


def _link_1(previous: bytes, row: Row) -> bytes:
    """The same in edition 1."""
    return blake2b(previous + column_bytes(row[:_FIRST]), digest_size=SIZE).digest()


Link = Callable[[bytes, Row], bytes]
LINKS: dict[int, Link] = {1: _link_1, 2: link}
"""How the rows of each edition hang together."""
