"""What a dealing shoe says and is told.

1. Every card that leaves is told, in the order in which it left, readable or not.
2. `gap_ms` is the time since the previous card left, by the device's clock; 0 for the first card, 2**32 - 1 for that
   long or longer.
3. The cutting card is not a card of the set and is told by its own message; any other card that is no playing card,
   such as a joker, is a card.
4. A state (cover, jam) is told when it changes.
5. A shoe with the bit `ANCHORS` in its capabilities keeps registers of journals (`drivers.anchors`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from drivers.anchors import Anchor, Anchored
from drivers.messages import Catalogue, Message
from drivers.wire import BOOL, CARD, U16, U32, cards


@dataclass(frozen=True, slots=True)
class CardOut(Message):
    """A card left the shoe."""

    IDENT: ClassVar[int] = 0x10
    card: Annotated[str, CARD, "the card, `??` if it could not be read"]
    gap_ms: Annotated[int, U32, "milliseconds since the card before it"]
    face_up: Annotated[bool, BOOL, "whether it lay face up in the shoe"]


@dataclass(frozen=True, slots=True)
class CardsOut(Message):
    """Several cards left the shoe in one pull."""

    IDENT: ClassVar[int] = 0x11
    cards: Annotated[tuple[str, ...], cards(room=208), "the cards, `??` for each that could not be read"]
    ordered: Annotated[bool, BOOL, "whether they stand in the order in which they lay"]
    gap_ms: Annotated[int, U32, "milliseconds since the card before them"]


@dataclass(frozen=True, slots=True)
class PushedBack(Message):
    """A card was pushed back into the shoe through its mouth."""

    IDENT: ClassVar[int] = 0x12
    card: Annotated[str, CARD, "the card, `??` if it could not be read"]


@dataclass(frozen=True, slots=True)
class CuttingCard(Message):
    """The cutting card left the shoe."""

    IDENT: ClassVar[int] = 0x13


@dataclass(frozen=True, slots=True)
class Cover(Message):
    """The cover was opened or closed."""

    IDENT: ClassVar[int] = 0x14
    open: Annotated[bool, BOOL, "whether it is open now"]


@dataclass(frozen=True, slots=True)
class Jam(Message):
    """Cards jammed, or a jam was cleared."""

    IDENT: ClassVar[int] = 0x15
    present: Annotated[bool, BOOL, "whether there is a jam now"]


@dataclass(frozen=True, slots=True)
class Empty(Message):
    """A card was asked for, and none is left."""

    IDENT: ClassVar[int] = 0x16


@dataclass(frozen=True, slots=True)
class Count(Message):
    """How many cards the device counts inside itself."""

    IDENT: ClassVar[int] = 0x17
    cards: Annotated[int, U16, "cards inside now, the cutting card not counted"]


@dataclass(frozen=True, slots=True)
class Loaded(Message):
    """Cards were put in, and the device is ready to deal."""

    IDENT: ClassVar[int] = 0x18
    cards: Annotated[int, U16, "cards inside now, the cutting card not counted"]


@dataclass(frozen=True, slots=True)
class Lock(Message):
    """Let no card out."""

    IDENT: ClassVar[int] = 0x80


@dataclass(frozen=True, slots=True)
class Unlock(Message):
    """Let cards out again."""

    IDENT: ClassVar[int] = 0x81


CATALOGUE = Catalogue(
    "shoe",
    events=(CardOut, CardsOut, PushedBack, CuttingCard, Cover, Jam, Empty, Count, Loaded, Anchored),
    commands=(Lock, Unlock, Anchor),
)
