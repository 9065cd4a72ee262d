"""The chain: each row of the journal carries a digest of itself and of all rows before it.

1. The digest of a row is BLAKE2b (32 bytes) over the digest of the row before it and the row's own bytes. The first row
   of all follows 32 zero bytes; the first row of a segment follows the last one of the segment before.
2. The bytes of a row are its columns in order, each with its type and length, so that no two rows have the same bytes.
3. To change, remove or reorder a row, every digest after it must be made anew, and the signed heads do not fit them.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct, error
from typing import NamedTuple

SIZE = 32
GENESIS = bytes(SIZE)

_INTEGER = Struct("<Bq")
_SIZED = Struct("<BI")
_NOTHING, _WHOLE, _TEXT, _BYTES = 0, 1, 2, 3
_NONE = bytes([_NOTHING])


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


def row_bytes(row: Row) -> bytes:
    """The bytes that stand for a row; of a row as it is written they are made without looking at each column's type."""
    n, at, device, number, clock, kind, body, raw = row
    whole, sized = _INTEGER.pack, _SIZED.pack
    try:
        texts = at.encode(), device.encode(), kind.encode()
        said = b"" if body is None else body.encode()
        return b"".join(
            (
                whole(_WHOLE, n),
                sized(_TEXT, len(texts[0])),
                texts[0],
                sized(_TEXT, len(texts[1])),
                texts[1],
                _NONE if number is None else whole(_WHOLE, number),
                _NONE if clock is None else whole(_WHOLE, clock),
                sized(_TEXT, len(texts[2])),
                texts[2],
                _NONE if body is None else sized(_TEXT, len(said)),
                said,
                _NONE if raw is None else sized(_BYTES, len(raw)),
                raw or b"",
            )
        )
    except (AttributeError, TypeError, UnicodeEncodeError, error):
        return _any_bytes(row)


def _any_bytes(row: Row) -> bytes:
    """The bytes of a row of which a column may hold anything."""
    parts: list[bytes] = []
    for value in row:
        match value:
            case None:
                parts.append(_NONE)
            case int():
                parts.append(_INTEGER.pack(_WHOLE, value))
            case str():
                text = value.encode("utf-8", "surrogatepass")
                parts += (_SIZED.pack(_TEXT, len(text)), text)
            case _:
                parts += (_SIZED.pack(_BYTES, len(value)), value)
    return b"".join(parts)


def link(previous: bytes, row: Row) -> bytes:
    """The digest of a row that follows another."""
    return blake2b(previous + row_bytes(row), digest_size=SIZE).digest()
