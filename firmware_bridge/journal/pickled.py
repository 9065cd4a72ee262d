"""Values of the state as bytes, and back, safely.

1. What is read makes nothing but the state's own classes, each from the module where it is defined: bytes that somebody
   has tampered with can be wrong, but they cannot run anything.
2. The bytes begin with their digest: what has decayed on the disk is not read as something else. Then comes the shape
   of the state (`shape`): what other software has kept in another one is not read either, but it is not damaged.
3. A card, a state or a stage is kept by its name, a ruleset by its id: they are what they are in the software that
   reads.
"""

from __future__ import annotations

import io
import pickle
from enum import Enum
from hashlib import blake2b

from firmware_bridge.journal.shape import SIZE, STATE
from gamecore.cards.shuffle_test.sequential import Order, Verdict
from gamecore.model.cards import Card, card
from gamecore.model.machine import State
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from gamecore.rules.stages import Stage

_SAFE = frozenset(
    {
        ("builtins", "set"),
        ("builtins", "frozenset"),
        ("collections", "Counter"),
        ("collections", "deque"),
        ("collections", "OrderedDict"),
    }
)
#: The functions that are called: a round machine is kept by its state alone, a watch by the cards it has seen.
_MAKERS = frozenset({("gamecore.model.machine", "in_state"), ("gamecore.cards.shuffle_test.watch", "watched")})
_ENUMS: tuple[type[Enum], ...] = (State, Stage, Verdict, Order)
_ENUM_NAMES = {kind.__name__: kind for kind in _ENUMS}
_OURS = frozenset(
    {"firmware_bridge.bridge.translate", "firmware_bridge.journal.records", "firmware_bridge.journal.snapshot"}
)
_SEAL = 16


class SnapshotError(ValueError):
    """Bytes that hold no value of the state."""


class OtherShapeError(SnapshotError):
    """Bytes that are as they were written, by software whose state had another shape."""


class _Writer(pickle.Pickler):
    def persistent_id(self, value: object) -> tuple[str, str] | None:
        match value:
            case Card():
                return "card", str(value)
            case Ruleset():
                return "rules", value.id
            case Enum() if type(value) in _ENUMS:
                return type(value).__name__, value.name
        return None


class _Reader(pickle.Unpickler):
    def persistent_load(self, key: tuple[str, str]) -> object:
        kind, name = key
        match kind:
            case "card":
                return card(name)
            case "rules":
                return GAMES[name]
            case _:
                return _ENUM_NAMES[kind][name]

    def find_class(self, module: str, name: str) -> object:
        found: object = None
        if (module, name) in _SAFE or module in _OURS or module.startswith("gamecore."):
            found = super().find_class(module, name)
        ours = isinstance(found, type) and found.__module__ == module  # a function would be called
        if not ours and (module, name) not in _MAKERS:
            message = f"a snapshot holds no {module}.{name}"
            raise SnapshotError(message)
        return found


def dumped(value: object) -> bytes:
    """The bytes of a value."""
    stream = io.BytesIO()
    _Writer(stream, protocol=5).dump(value)
    return sealed(stream.getvalue())


def sealed(data: bytes) -> bytes:
    """Bytes that begin with their digest and the shape of the state."""
    whole = STATE + data
    return blake2b(whole, digest_size=_SEAL).digest() + whole


def loaded(data: bytes) -> object:
    """The value that the bytes hold.

    Raises:
        SnapshotError: they hold none.
        OtherShapeError: other software has kept them.
    """
    whole = data[_SEAL:]
    if data[:_SEAL] != blake2b(whole, digest_size=_SEAL).digest():
        message = "these bytes are not as they were written"
        raise SnapshotError(message)
    if whole[:SIZE] != STATE:
        message = "these bytes were kept by another version of the software"
        raise OtherShapeError(message)
    try:
        value: object = _Reader(io.BytesIO(whole[SIZE:])).load()
    except SnapshotError:
        raise
    except Exception as error:  # whatever an unpickler makes of damaged bytes
        message = f"these bytes are no snapshot: {error}"
        raise SnapshotError(message) from error
    return value
