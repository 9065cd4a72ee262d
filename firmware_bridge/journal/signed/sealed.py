"""Plain data as bytes that show whether they are as they were written.

1. The bytes are a digest in hexadecimal, a line's end and JSON in ASCII: what has decayed on the disk is not read as
   something else, and what was tampered with can be wrong, but nothing in it runs.
2. Bytes of another schema are as they were written, and are not read: `snapshot` raises `OtherShapeError`. What edition
   1 kept was no plain data and cannot be told from damage; the reader knows the edition of the segment.
"""

from __future__ import annotations

import json
from hashlib import blake2b

_write = json.JSONEncoder(separators=(",", ":")).encode


class SnapshotError(ValueError):
    """Bytes that hold no value of the state."""


class OtherShapeError(SnapshotError):
    """Bytes that other software has kept, in a way of its own."""


def sealed(said: object) -> bytes:
    """The bytes of plain data."""
    text = _write(said).encode("ascii")
    return _digest(text) + b"\n" + text


def is_whole(data: object) -> bool:
    """Whether bytes are as they were written; what they hold is not looked at."""
    seal, _, text = data.partition(b"\n") if isinstance(data, bytes) else (b"", b"", b"")
    return seal == _digest(text)


def unsealed(data: bytes) -> object:
    """The plain data that bytes hold.

    Raises:
        SnapshotError: they are not as they were written.
    """
    if not is_whole(data):
        raise SnapshotError("these bytes are not as they were written")
    try:
        value: object = json.loads(data.partition(b"\n")[2])
    except (ValueError, RecursionError) as error:
        message = f"these bytes are no snapshot: {error}"
        raise SnapshotError(message) from error
    return value


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).hexdigest().encode("ascii")
