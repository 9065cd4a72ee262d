"""The shape of the state of a table: the names of its classes and their fields, as a digest.

1. What was kept in another shape is not read as if it were in this one: an old state in new classes lacks what they
   need, and would fail at some later event. Nobody has to remember to change a number: the digest changes with a class.
2. What a field holds is not told by its name. Who changes that and leaves the name raises `MEANING`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from hashlib import blake2b

from gamecore import history
from gamecore.model import cardset, commands, hands, physical, round, state  # noqa: A004  the round of play
from gamecore.model.places import Place

MEANING = 1
SIZE = 8
"""Bytes of the digest."""


def digest(told: Iterable[str]) -> bytes:
    """The digest of what is told of classes."""
    return blake2b("\n".join(sorted(told)).encode(), digest_size=SIZE).digest()


def of_tuple(kind: type) -> str:
    """What a named tuple holds."""
    return f"{kind.__name__}: {getattr(kind, '_fields', ())}"


def _state() -> list[str]:
    classes = [
        kind
        for module in (hands, round, state, cardset, history, commands, physical)
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and is_dataclass(kind)
    ]
    told = [f"{kind.__name__}: {[field.name for field in fields(kind)]}" for kind in classes]
    return [*told, of_tuple(Place), f"meaning {MEANING}"]


STATE = digest(_state())
"""The shape of a table and its rounds."""
