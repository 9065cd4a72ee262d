"""What a shuffler says and is told.

1. A batch shuffler tells when a shuffle begins and how it ends; a continuous one tells `ShuffleBegun` when it starts to
   turn cards in and `ShuffleComplete` when all that it holds have been through.
2. It may itself be the dealing device: then it says all that a shoe says, in the shoe's messages.
3. No message tells a card that has not been dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from drivers.messages import Catalogue, Message
from drivers.shoe.messages import CATALOGUE as SHOE
from drivers.wire import U8, choice


@dataclass(frozen=True, slots=True)
class ShuffleBegun(Message):
    """A shuffle has begun."""

    IDENT: ClassVar[int] = 0x20


@dataclass(frozen=True, slots=True)
class ShuffleComplete(Message):
    """The cards are shuffled."""

    IDENT: ClassVar[int] = 0x21
    method: Annotated[str, choice("machine", "riffle"), "how they were shuffled"]
    times: Annotated[int, U8, "how often, 1 if the device knows no number"]


@dataclass(frozen=True, slots=True)
class ShuffleFailed(Message):
    """The shuffle was given up; the cards are in no known state."""

    IDENT: ClassVar[int] = 0x22
    reason: Annotated[int, U8, "the device's own number for the reason, 0 = not said"]


CATALOGUE = Catalogue(
    "shuffler",
    events=(ShuffleBegun, ShuffleComplete, ShuffleFailed, *SHOE.events),
    commands=SHOE.commands,
)
