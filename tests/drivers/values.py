"""Messages with any values that their fields can hold: from seeded chance, and as strategies of hypothesis."""

from __future__ import annotations

import random
import string
import struct
from typing import Any

from hypothesis import strategies as st

from drivers import wire
from drivers.messages import Message, fields_of
from drivers.panel import LINE_LENGTH
from drivers.wire import Kind, Spot

FACES = [rank + suit for rank in wire.RANKS for suit in wire.SUITS]
CODES = st.text(string.ascii_letters + string.digits, min_size=1, max_size=wire.LONGEST_CODE)
CARDS = st.one_of(
    st.sampled_from([*FACES, wire.UNREAD, wire.NO_PLAYING_CARD]),
    st.builds(lambda face, code: f"{face}#{code}", st.sampled_from(FACES), CODES),
)
SPOTS = st.builds(Spot, st.integers(wire.DISCARD, wire.HIGHEST_BOX), st.integers(0, 255), st.integers(0, 255))
LATIN = "".join(chr(code) for code in range(256) if chr(code).isprintable())


def valid_bytes(kind: Kind) -> list[Any]:
    """Return all values of a kind that is one byte."""
    assert kind.decode is not None
    found = []
    for number in range(256):
        try:
            found.append(kind.decode(number))
        except KeyError:
            continue
    return found


def values_of(kind: Kind) -> st.SearchStrategy[Any]:
    """Return a strategy for all values of a kind."""
    if kind is wire.CARD:
        return CARDS
    if kind is wire.SPOT:
        return SPOTS
    if kind.form.endswith("s"):
        return st.binary(min_size=kind.smallest, max_size=kind.smallest)
    if kind.form:
        if kind.decode is not None:
            return st.sampled_from(valid_bytes(kind))
        bits = 8 * struct.calcsize("<" + kind.form)
        low = -(2 ** (bits - 1)) if kind.form.islower() else 0
        return st.integers(low, low + 2**bits - 1)
    if "cards" in kind.name:
        return st.lists(CARDS, max_size=11).map(tuple)
    if "characters" in kind.name:
        return st.text(LATIN, max_size=min(kind.largest - 1, LINE_LENGTH))
    return st.lists(st.integers(0, 2), max_size=kind.largest - 1).map(tuple)


def messages_of(message: type[Message]) -> st.SearchStrategy[Message]:
    """Return a strategy for all messages of a class."""
    return st.builds(message, *(values_of(field.kind) for field in fields_of(message)))


def a_value(kind: Kind, chance: random.Random) -> Any:
    """Return some value of a kind."""
    if kind is wire.CARD:
        face = chance.choice([*FACES, wire.UNREAD, wire.NO_PLAYING_CARD])
        plain = face in {wire.UNREAD, wire.NO_PLAYING_CARD} or chance.random() < 0.7
        return face if plain else f"{face}#{chance.randrange(10**6)}"
    if kind is wire.SPOT:
        return Spot(chance.randint(wire.DISCARD, wire.HIGHEST_BOX), chance.randrange(256), chance.randrange(256))
    if kind.form.endswith("s"):
        return chance.randbytes(kind.smallest)
    if kind.form:
        if kind.decode is not None:
            return chance.choice(valid_bytes(kind))
        return chance.randrange(2 ** (8 * struct.calcsize("<" + kind.form) - 1))
    if "cards" in kind.name:
        return tuple(a_value(wire.CARD, chance) for _ in range(chance.randrange(2, 6)))
    if "characters" in kind.name:
        return "".join(chance.choices(LATIN, k=chance.randrange(min(kind.largest, LINE_LENGTH + 1))))
    return tuple(chance.randrange(3) for _ in range(chance.randrange(10)))


def a_message(message: type[Message], chance: random.Random) -> Message:
    """Return some message of a class."""
    return message(*(a_value(field.kind, chance) for field in fields_of(message)))
