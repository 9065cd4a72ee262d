"""The closed vocabularies of deal notation.

1. Every word that a file may use and that is neither a card, a place, an amount nor a name stands here once.
2. The order is the order in which an error message lists them.
3. Which kinds of wager and how many boxes a layout has is not here: that belongs to the game (`layout`).
"""

from __future__ import annotations

from gamecore.machine import State

STATES = tuple(state.value for state in State)

CODES = (
    "foreign-card",
    "extra-card",
    "missing-card",
    "unshuffled-cards",
    "insufficient-cards",
    "cut-card-passed",
    "missing-burn",
    "double-draw",
    "face-up-card",
    "unreadable-card",
    "misdealt-card",
    "dealer-not-dealt",
    "box-not-dealt",
    "box-short",
    "unwagered-box-dealt",
    "card-in-error",
    "dealer-overdraw",
    "hand-skipped",
    "late-wager",
    "wager-withdrawn",
    "under-minimum",
    "over-maximum",
    "side-wager-without-main",
    "insurance-not-offered",
    "absent-player",
    "power-failure",
    "unsettled-side-wager",
    "link-lost",
    "uncovered",
)

RULINGS = (
    "void",
    "reconstruct",
    "continue",
    "as-next-card",
    "discard",
    "return-wager",
    "refuse-wager",
    "option",
    "pit-decides",
    "dealer-draws",
    "house-draws",
    "shuffle-after-round",
    "riffle-and-continue",
    "settle-to-limit",
    "pay-once",
    "refer",
)

RESULTS = ("win", "lose", "stand-off", "surrendered", "returned", "refused")
ROW_KINDS = ("insurance", "super-bonus")
"""Kinds of a settlement row that are no betting spot: Insurance, and a bonus that is no wager."""

OFFERS = ("insurance", "surrender")
ROLES = ("pit-supervisor", "pit-manager", "shift-manager")
ASKED = ("all", "dealer", "pit", "house")
"""Who is asked, beside a Player, who is named by his place."""

SHUFFLINGS = ("machine", "manual", "continuous")
ALL_FITTED = frozenset(("shoe", "positions", "bets", "discard", "panel"))
DEVICES = ("shoe", "hub", "panel", "shuffler", "meter")
