"""The shuffler, on our own link; it may be the dealing device."""

from drivers.shoe.messages import (
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
from drivers.shuffler.messages import CATALOGUE, ShuffleBegun, ShuffleComplete, ShuffleFailed

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
    "ShuffleBegun",
    "ShuffleComplete",
    "ShuffleFailed",
    "Unlock",
]
