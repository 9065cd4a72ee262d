"""What the sensor hub of the table says.

1. The hub sees places: where a card came to lie, where one was taken away, where chips changed.
2. `exposed` says how the card lies. A hub that reads cards through their back tells a card that lies face down too;
   one that cannot says `??`.
3. Money is a whole number of cents. `change` is against what the hub said before of the same place and kind.
4. Cards in the discard rack are counted, not named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from drivers.messages import Catalogue, Message
from drivers.wire import BOOL, BOX, CARD, I64, SPOT, U16, Spot, choice

KINDS = (
    "main",
    "pair",
    "busted",
    "pot-of-gold",
    "rws-pairs",
    "boom-busted",
    "lucky-stash",
    "ace-race",
    "pandemonium",
    "insurance",
)


@dataclass(frozen=True, slots=True)
class CardArrived(Message):
    """A card came to lie at a place."""

    IDENT: ClassVar[int] = 0x30
    place: Annotated[Spot, SPOT, "where it lies"]
    card: Annotated[str, CARD, "the card, `??` if the hub cannot tell"]
    exposed: Annotated[bool, BOOL, "whether it lies face up"]


@dataclass(frozen=True, slots=True)
class CardLeft(Message):
    """A card was taken from a place."""

    IDENT: ClassVar[int] = 0x31
    place: Annotated[Spot, SPOT, "where it lay"]
    card: Annotated[str, CARD, "the card, `??` if the hub cannot tell"]


@dataclass(frozen=True, slots=True)
class CardsTurned(Message):
    """The cards of a box that lay face down were turned up."""

    IDENT: ClassVar[int] = 0x32
    box: Annotated[int, BOX, "the box, 0 for the dealer"]


@dataclass(frozen=True, slots=True)
class Chips(Message):
    """Chips were added to a betting spot or taken from it."""

    IDENT: ClassVar[int] = 0x33
    place: Annotated[Spot, SPOT, "the betting spot"]
    kind: Annotated[str, choice(*KINDS), "what is bet on there"]
    change: Annotated[int, I64, "cents added, negative if taken away"]
    emptied: Annotated[bool, BOOL, "whether no chips are left there"]


@dataclass(frozen=True, slots=True)
class DiscardCount(Message):
    """How many cards are in the discard rack."""

    IDENT: ClassVar[int] = 0x34
    cards: Annotated[int, U16, "cards in the rack now"]


CATALOGUE = Catalogue("hub", events=(CardArrived, CardLeft, CardsTurned, Chips, DiscardCount), commands=())
