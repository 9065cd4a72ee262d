"""The dealing shoe, on our own link."""

from drivers.shoe.messages import (
    CATALOGUE,
    CardOut,
    CardsOut,
    Count,
    Cover,
    CuttingCard,
    Empty,
    Jam,
    Loaded,
    Lock,
    PushedBack,
    Unlock,
)

__all__ = [
    "CATALOGUE",
    "CardOut",
    "CardsOut",
    "Count",
    "Cover",
    "CuttingCard",
    "Empty",
    "Jam",
    "Loaded",
    "Lock",
    "PushedBack",
    "Unlock",
]
