"""The closed vocabularies of deal notation.

1. What a statement, a claim or the header may choose from stands here, except the words that begin a statement
   (`statements`), the keys of the header (`header`), the sensors (`gamecore.model.config`) and the words of answers.
2. The order is the order in which an error message lists them.
3. A device that the game does not know may be named all the same: it can be lost, and be back.
4. The kinds of wager and the number of boxes are not here: they belong to the game (`layout`).
"""

from __future__ import annotations

import re

from gamecore.model.states import State
from gamecore.rules import codes

STATES = tuple(state.value for state in State)
CODES = tuple(codes.CODES)
RULINGS = codes.RULINGS


RESULTS = ("win", "lose", "stand-off", "surrendered", "returned", "refused")
ROW_KINDS = ("insurance", "super-bonus")
"""Kinds of a settlement row that are no betting spot: Insurance, and a bonus that is no wager."""

OFFERS = ("insurance", "surrender")
ROLES = ("pit-supervisor", "pit-manager", "shift-manager")
SHUFFLINGS = ("machine", "manual", "continuous")
ALL_FITTED = frozenset(("shoe", "positions", "bets", "discard", "panel"))
DEVICES = ("shoe", "hub", "panel", "shuffler", "meter")
"""The devices that the game knows by name."""
COMPUTER = "computer"
"""The table's own computer with its program and its journal: no device, but what a report may be about."""
ANOTHER_MAKERS = r"^(?=.{3,32}$)[a-z][a-z0-9]*(-[a-z0-9]+)+$"
"""The name of a device that the game does not know."""
_ANOTHER_MAKERS = re.compile(ANOTHER_MAKERS)


def is_another_makers(device: str) -> bool:
    """Whether this is the name of a device that the game does not know: with a hyphen, so that it is never one of ours.

    Such a name is ``acme-scale``. Without the hyphen a mistyped ``shoo`` would be a device too.
    """
    return _ANOTHER_MAKERS.fullmatch(device) is not None
