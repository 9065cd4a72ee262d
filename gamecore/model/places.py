"""Places on the layout.

1. A place is ``BOX[.HAND][/SLOT]``. Box 1 is on the Dealer's left; hands are counted in the order of play; slot 1 is
   the wager nearest the Dealer.
2. Hand 0 and slot 0 mean "not said". In a decision that is the hand whose turn it is and the Player who controls the
   box; for chips it is slot 1.
3. The Dealer's hand, the burn and the discard holder are places too.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_PLACE = re.compile(r"([1-9][0-9]?)(?:\.([1-9][0-9]?))?(?:/([1-9][0-9]?))?")


class Place(NamedTuple):
    """A place on the layout, in deal notation ``box.hand/slot``."""

    box: int
    hand: int = 0
    slot: int = 0

    def __deepcopy__(self, _: object) -> Place:
        return self

    def __str__(self) -> str:
        """The place in deal notation."""
        if self.box <= 0:
            return _NAMES[self.box]
        hand = f".{self.hand}" if self.hand else ""
        slot = f"/{self.slot}" if self.slot else ""
        return f"{self.box}{hand}{slot}"


@cache
def hand_place(box: int, hand: int = 0) -> Place:
    """The place of a hand; there are few, and each is made once."""
    return Place(box, hand)


DEALER = Place(0)
BURN = Place(-1)
DISCARD = Place(-2)
_NAMES = {0: "dealer", -1: "burn", -2: "discard"}
_NAMED = {"dealer": DEALER, "burn": BURN, "discard": DISCARD}


class PlaceError(ValueError):
    """A text that is not a place."""


def place(text: str) -> Place:
    """The place that `text` names.

    Raises:
        PlaceError: the text names no place.
    """
    if text in _NAMED:
        return _NAMED[text]
    match = _PLACE.fullmatch(text)
    if match is None:
        message = f"'{text}' is no place: expected BOX[.HAND][/SLOT] such as 3, 3.2 or 3/1, or dealer, burn, discard"
        raise PlaceError(message)
    return Place(int(match[1]), int(match[2] or 0), int(match[3] or 0))


def asked_place(name: str) -> Place | None:
    """The box and slot that a Player's name in an answer stands for; None for anybody else."""
    box, _, slot = name.partition("/")
    if not box.isdigit() or (slot and not slot.isdigit()):
        return None
    return Place(int(box), 0, int(slot or 0))
