"""The closed vocabularies of deal notation.

1. Every word that a file may use and that is neither a card, a place, an amount nor a name stands here once.
2. The order is the order in which an error message lists them.
3. Which kinds of wager and how many boxes a layout has is not here: that belongs to the game (`layout`).
"""

from __future__ import annotations

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
