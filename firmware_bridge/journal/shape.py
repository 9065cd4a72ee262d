"""The shape of the state of a table: its classes, where they stand and what they hold, as a digest.

1. What was kept in another shape is not read as if it were in this one: an old state in new classes lacks what they
   need, and would fail at some later event. Nobody has to remember to change a number: the digest changes with a class.
2. What a field holds is not told by its name. Who changes that and leaves the name raises `MEANING`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from gamecore.view.keeping import shape

MEANING = 1
SIZE = 8
"""Bytes of the digest."""


def digest(told: Iterable[str]) -> bytes:
    """The digest of what is told of classes."""
    return blake2b("\n".join(sorted(told)).encode(), digest_size=SIZE).digest()


def of_tuple(kind: type) -> str:
    """What a named tuple holds."""
    return f"{kind.__name__}: {getattr(kind, '_fields', ())}"


STATE = digest([*shape(), f"meaning {MEANING}"])
"""The shape of a table and its rounds."""
