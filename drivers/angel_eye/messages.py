"""What an Angel Eye style shoe says, and how its data bytes read.

Experimental: written from public descriptions, never tried on a device.

1. The data of a frame is a letter and what belongs to it. A byte after the letter has bit 7 set; it is read the same
   without it::

       D  card dealt         aim, card           aim: bits 6 to 4 where to (game of the device), bits 3 to 0 which card
       d  outside the game   mode, card          mode: bits 6 to 4 0 locked, 1 error, 2 setting
       R  card again         aim, card           one description says retransmission, another says deal again
       C  cutting card
       S  start              the device begins to speak, its sequence too
       E  error              bits 5 to 0 its number, bit 6 whether the device stopped for it
       e  error is over      bits 6 to 0 its number
       L  key lock           bit 0 locked
       P  stand by, G  result of the device's game, M  a setting changed

       card: bits 6 to 4 suit 1 D, 2 C, 3 S, 4 H; bits 3 to 0 rank 1 A to 13 K; both 0 = no card was read

2. A card that left the shoe is always told. If its bytes are wrong it is told as `??`, with a `bad-message`.
3. A card outside the game flow is a card that left the shoe too. It has a message of its own, so that nobody takes it
   for one that the game was due, and nobody misses it.
4. `CardAgain` is no further card by one description and begins a deal again by the other. It comes with an
   `unverified`: somebody must look.
5. `CardDoubtful` is a card that may be a copy of another; the driver cannot tell. Somebody must look.
6. The device has no clock: the gap of a card is always 0, and the time of its event is the host's.
7. The aims and results of the device's own game mean nothing at this table. They stay in `raw`; `Notice` carries what
   has no message here. A letter that nobody describes is `Unknown`, with an `unknown-message`; a known one with the
   wrong length is `Unknown`, with a `bad-message`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from drivers.faults import BAD_MESSAGE, UNKNOWN_MESSAGE, UNVERIFIED, Fault
from drivers.messages import Catalogue, Message, Unknown
from drivers.shoe.messages import CardOut, CuttingCard
from drivers.wire import BOOL, CARD, RANKS, U8, UNREAD, choice, levels, text

MODES = ("locked", "error", "setting", "other")
TROUBLES = {
    1: "a card could not be read",
    2: "more cards drawn than the device's game allows",
    3: "a button was used wrongly",
    4: "a card ran backwards at the mouth",
    5: "a card ran backwards on its way",
    6: "the code of a card is wrong",
    7: "drawing a card took too long",
}
"""The device's errors by number."""

_SUITS = {1: "D", 2: "C", 3: "S", 4: "H"}
_SUIT_BITS = {suit: bits for bits, suit in _SUITS.items()}


@dataclass(frozen=True, slots=True)
class OutsideFlow(Message):
    """A card left the shoe outside the flow of the device's game."""

    IDENT: ClassVar[int] = 0x60
    card: Annotated[str, CARD, "the card, `??` if it could not be read"]
    mode: Annotated[str, choice(*MODES), "what the device was in when the card left"]


@dataclass(frozen=True, slots=True)
class CardAgain(Message):
    """The device told a card again that it had told before, or begins its deal again."""

    IDENT: ClassVar[int] = 0x61
    card: Annotated[str, CARD, "the card"]


@dataclass(frozen=True, slots=True)
class CardDoubtful(Message):
    """A card that may be a real one or a copy of another."""

    IDENT: ClassVar[int] = 0x62
    card: Annotated[str, CARD, "the card"]
    outside: Annotated[bool, BOOL, "whether it was told as outside the game flow"]
    why: Annotated[str, choice("repeat", "copies-differ", "alone"), "why it is in doubt"]


@dataclass(frozen=True, slots=True)
class Started(Message):
    """The device was switched on or restarted; it has forgotten what was before."""

    IDENT: ClassVar[int] = 0x63


@dataclass(frozen=True, slots=True)
class Trouble(Message):
    """The device reports an error, or that one is over."""

    IDENT: ClassVar[int] = 0x64
    code: Annotated[int, U8, "the device's number for it"]
    present: Annotated[bool, BOOL, "whether it is there now"]
    stopped: Annotated[bool, BOOL, "whether the device stopped for it"]

    @property
    def text(self) -> str:
        """What the number means."""
        return TROUBLES.get(self.code, "not described")


@dataclass(frozen=True, slots=True)
class KeyLock(Message):
    """The device was locked or unlocked with its key."""

    IDENT: ClassVar[int] = 0x65
    locked: Annotated[bool, BOOL, "whether it is locked now"]


@dataclass(frozen=True, slots=True)
class Notice(Message):
    """Something of the device's own game or settings."""

    IDENT: ClassVar[int] = 0x66
    letter: Annotated[str, text(1), "P stand by, G result, M setting"]
    data: Annotated[tuple[int, ...], levels(32, 255), "the bytes after the letter"]


CATALOGUE = Catalogue(
    "angel-eye",
    events=(CardOut, CuttingCard, OutsideFlow, CardAgain, CardDoubtful, Started, Trouble, KeyLock, Notice),
    commands=(),
)


def card_byte(card: str) -> int:
    """Return the byte of a card, for the device's end.

    Raises:
        ValueError: it is neither a card of the set nor `??`.
    """
    if card == UNREAD:
        return 0x80
    if len(card) != 2 or card[0] not in RANKS or card[1] not in _SUIT_BITS:
        problem = f"{card!r} is no card"
        raise ValueError(problem)
    return 0x80 | _SUIT_BITS[card[1]] << 4 | RANKS.index(card[0]) + 1


def card_of(byte: int) -> str | None:
    """Return the card of a byte, `??` if the device read none, None if the byte is no card."""
    suit, rank = byte >> 4 & 0b111, byte & 0b1111
    if suit == rank == 0:
        return UNREAD
    if suit not in _SUITS or not 1 <= rank <= len(RANKS):
        return None
    return RANKS[rank - 1] + _SUITS[suit]


def decode(data: bytes) -> tuple[Message, Fault | None]:
    """Return the message of a frame's data, and what is wrong with it if anything is."""
    letter, rest = data[:1], data[1:]
    match letter, len(rest):
        case ((b"D" | b"d" | b"R"), _):
            return _card(letter, rest)
        case b"C", 0:
            return CuttingCard(), None
        case b"S", 0:
            return Started(), None
        case b"E", 1:
            return Trouble(rest[0] & 0x3F, present=True, stopped=bool(rest[0] & 0x40)), None
        case b"e", 1:
            return Trouble(rest[0] & 0x7F, present=False, stopped=False), None
        case b"L", 1:
            return KeyLock(locked=bool(rest[0] & 1)), None
        case ((b"P" | b"G" | b"M"), _):
            return Notice(letter.decode("ascii"), tuple(rest)), None
        case ((b"C" | b"S" | b"E" | b"e" | b"L"), _):
            return Unknown(data[0], rest), Fault(BAD_MESSAGE, f"{data.hex(' ')} has the wrong length")
        case _:
            return Unknown(data[0], rest), Fault(UNKNOWN_MESSAGE, f"{data.hex(' ')} is not described")


def _card(letter: bytes, rest: bytes) -> tuple[Message, Fault | None]:
    """Return the message of a card."""
    card = card_of(rest[1]) if len(rest) == 2 else None
    fault = None
    if card is None:
        card = UNREAD
        fault = Fault(BAD_MESSAGE, f"a card whose bytes say none: {(letter + rest).hex(' ')}")
    if letter == b"R":
        if fault is None:
            fault = Fault(UNVERIFIED, f"{card} was told again (R): no new card, or a deal begun again")
        return CardAgain(card), fault
    if letter == b"d":
        mode = rest[0] >> 4 & 0b111 if rest else len(MODES)
        return OutsideFlow(card, MODES[min(mode, len(MODES) - 1)]), fault
    return CardOut(card, gap_ms=0, face_up=False), fault
