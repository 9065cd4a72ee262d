"""The kinds of field that a message may have: how each value stands in the payload.

1. A kind has a name for the tables, a smallest and a largest size in bytes, and both directions of its conversion.
   All integers are little-endian.
2. A kind of fixed size has a `form`, its letters in the language of `struct`: the fields of a message that all have
   one are packed and unpacked in a single call. `decode` and `encode` then stand between the number and the value.
3. A kind of varying size has `read` and `write`. A card has both: its plain form, face and no code, is by far the
   most frequent and goes the fast way.
4. A value that is not exactly as described is refused, never bent to fit: a kind raises one of `REFUSALS`. The
   codec turns that into "no message" when it decodes and into a `MessageError` when it encodes. A bool is 0 or 1, a
   choice is one of its names, a card one of the faces below. No two payloads of a message mean the same.
5. A card is text, as the deal notation writes it::

       face u8      0 unread (??) · 0x40 no playing card (JOKER) · else suit << 4 | rank
                    rank 1 A, 2 .. 9, 10 T, 11 J, 12 Q, 13 K · suit 0 S, 1 H, 2 D, 3 C
       length u8    of the code, 0 to 16; always 0 for ?? and JOKER
       code         ASCII letters and digits

6. A place is three bytes: box i8 (1 to 99, 0 dealer, -1 burn, -2 discard), hand u8, slot u8; 0 = not said.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

RANKS = "A23456789TJQK"
SUITS = "SHDC"
UNREAD = "??"
NO_PLAYING_CARD = "JOKER"
LONGEST_CODE = 16
LONGEST_CARD = 2 + LONGEST_CODE

DEALER = 0
BURN = -1
DISCARD = -2
HIGHEST_BOX = 99

# What a kind raises when a value or its bytes are not as the kind describes.
REFUSALS = (LookupError, ValueError, TypeError, AttributeError, struct.error)


class Spot(NamedTuple):
    """A place on the table: box (0 dealer, -1 burn, -2 discard), hand and slot; 0 = not said."""

    box: int
    hand: int = 0
    slot: int = 0


@dataclass(frozen=True, slots=True)
class Kind:
    """One way in which a value stands in a payload."""

    name: str
    smallest: int
    largest: int
    form: str = ""
    decode: Callable[[Any], Any] | None = None
    encode: Callable[[Any], Any] | None = None
    read: Callable[[bytes, int], tuple[Any, int]] | None = None
    write: Callable[[Any], bytes] | None = None


def _number(name: str, form: str) -> Kind:
    """Return an integer kind; struct refuses what does not fit."""
    size = struct.calcsize("<" + form)
    return Kind(name, size, size, form)


U8 = _number("u8", "B")
U16 = _number("u16", "H")
U32 = _number("u32", "I")
U64 = _number("u64", "Q")
I64 = _number("i64", "q")

_BOOLS = {0: False, 1: True}
BOOL = Kind("bool", 1, 1, "B", _BOOLS.__getitem__, {False: 0, True: 1}.__getitem__)

_BOXES = {box: box for box in range(HIGHEST_BOX + 1)}
BOX = Kind("box u8", 1, 1, "B", _BOXES.__getitem__, _BOXES.__getitem__)


def choice(*names: str) -> Kind:
    """Return a kind that is one of these names, on the wire 1, 2 and so on in this order."""
    numbers = {name: number for number, name in enumerate(names, start=1)}
    words = {number: name for name, number in numbers.items()}
    listed = ", ".join(f"{number} {name}" for name, number in numbers.items())
    return Kind(f"u8: {listed}", 1, 1, "B", words.__getitem__, numbers.__getitem__)


# Places

_SPOT = struct.Struct("<bBB")


@lru_cache(maxsize=4096)
def _spot(data: bytes) -> Spot:
    """Return the place that three bytes say."""
    spot = Spot._make(_SPOT.unpack(data))
    if not DISCARD <= spot.box <= HIGHEST_BOX:
        raise ValueError(spot)
    return spot


def _spot_bytes(spot: Sequence[int]) -> bytes:
    """Return the three bytes of a place."""
    box, hand, slot = spot
    if not DISCARD <= box <= HIGHEST_BOX:
        raise ValueError(spot)
    return _SPOT.pack(box, hand, slot)


SPOT = Kind("place: box i8, hand u8, slot u8", 3, 3, "3s", _spot, _spot_bytes)


# Cards

_FACE_TEXTS = {0x00: UNREAD, 0x40: NO_PLAYING_CARD} | {
    suit << 4 | rank: RANKS[rank - 1] + SUITS[suit] for suit in range(4) for rank in range(1, 14)
}
_FACES = {text: face for face, text in _FACE_TEXTS.items()}


def _read_card(data: bytes, at: int) -> tuple[str, int]:
    """Return the card that begins at this byte, and where the next field begins."""
    face = _FACE_TEXTS[data[at]]
    length = data[at + 1]
    end = at + 2 + length
    if not length:
        return face, end
    code = data[at + 2 : end].decode("ascii")
    if len(face) != 2 or face == UNREAD or length > LONGEST_CODE or len(code) != length or not code.isalnum():
        raise ValueError(code)
    return f"{face}#{code}", end


def _write_card(card: str) -> bytes:
    """Return the bytes of a card."""
    face, mark, code = card.partition("#")
    number = _FACES[face]
    if mark and (face in {UNREAD, NO_PLAYING_CARD} or not code.isalnum() or len(code) > LONGEST_CODE):
        raise ValueError(card)
    return bytes((number, len(code))) + code.encode("ascii")


# The plain form takes face and length as one number: with no code the length, its high byte, is 0.
CARD = Kind("card", 2, LONGEST_CARD, "H", _FACE_TEXTS.__getitem__, _FACES.__getitem__, _read_card, _write_card)


def cards(room: int) -> Kind:
    """Return the kind of a list of cards: count u8, then the cards, which take at most `room` bytes together."""

    def read(data: bytes, at: int) -> tuple[tuple[str, ...], int]:
        start = at + 1
        here = start
        found = []
        for _ in range(data[at]):
            card, here = _read_card(data, here)
            found.append(card)
        if here - start > room:
            raise ValueError(here)
        return tuple(found), here

    def write(value: Sequence[str]) -> bytes:
        body = b"".join([_write_card(card) for card in value])
        if len(body) > room:
            raise ValueError(value)
        return bytes((len(value),)) + body

    return Kind(f"count u8, cards of at most {room} bytes in all", 1, 1 + room, read=read, write=write)


# Text and small numbers


def _printable(value: str, longest: int) -> str:
    """A text that is not too long and has no control characters.

    Raises:
        ValueError: it is, or it has.
    """
    if len(value) > longest or not value.isprintable():
        raise ValueError(value)
    return value


def text(longest: int) -> Kind:
    """Return the kind of a text: length u8, then one byte a character in ISO 8859-1, no control characters."""

    def read(data: bytes, at: int) -> tuple[str, int]:
        end = at + 1 + data[at]
        if end > len(data):
            raise IndexError(end)
        return _printable(data[at + 1 : end].decode("latin-1"), longest), end

    def write(value: str) -> bytes:
        return bytes((len(_printable(value, longest)),)) + value.encode("latin-1")

    return Kind(f"length u8, at most {longest} characters of ISO 8859-1", 1, 1 + longest, read=read, write=write)


def unicode_text(longest: int, room: int) -> Kind:
    """Return the kind of a text in any script: length u8 in bytes, then UTF-8, no control characters."""

    def read(data: bytes, at: int) -> tuple[str, int]:
        end = at + 1 + data[at]
        if end > len(data) or data[at] > room:
            raise IndexError(end)
        return _printable(data[at + 1 : end].decode("utf-8"), longest), end

    def write(value: str) -> bytes:
        body = _printable(value, longest).encode("utf-8")
        if len(body) > room:
            raise ValueError(value)
        return bytes((len(body),)) + body

    name = f"length u8, UTF-8 of at most {room} bytes and {longest} characters"
    return Kind(name, 1, 1 + room, read=read, write=write)


def fixed_bytes(size: int) -> Kind:
    """Return a kind of exactly `size` bytes."""

    def checked(value: bytes) -> bytes:
        if len(value) != size:
            raise ValueError(value)
        return value

    return Kind(f"{size} bytes", size, size, f"{size}s", encode=checked)


def levels(longest: int, highest: int) -> Kind:
    """Return the kind of a row of small numbers: count u8, then one byte each, 0 to `highest`."""

    def checked(value: bytes) -> bytes:
        if len(value) > longest or max(value, default=0) > highest:
            raise ValueError(value)
        return value

    def read(data: bytes, at: int) -> tuple[tuple[int, ...], int]:
        end = at + 1 + data[at]
        if end > len(data):
            raise IndexError(end)
        return tuple(checked(data[at + 1 : end])), end

    def write(value: Sequence[int]) -> bytes:
        return bytes((len(value),)) + checked(bytes(value))

    return Kind(f"count u8, at most {longest} times u8, 0 to {highest}", 1, 1 + longest, read=read, write=write)
