"""What the jackpot meter says.

1. The meter draws a multiplier for a place and tells it once it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from drivers.messages import Catalogue, Message
from drivers.wire import SPOT, U16, Spot


@dataclass(frozen=True, slots=True)
class Multiplier(Message):
    """A multiplier was drawn."""

    IDENT: ClassVar[int] = 0x50
    place: Annotated[Spot, SPOT, "the place it is for"]
    multiplier: Annotated[int, U16, "how many times the wager it pays"]


CATALOGUE = Catalogue("meter", events=(Multiplier,), commands=())
