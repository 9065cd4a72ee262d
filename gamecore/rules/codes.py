"""The codes of findings and the words of rulings, as the notation has them.

1. A code states a fact, the same for all games. What follows from it is looked up (`matrix`).
2. `CODES` says whose error it is: the Dealer's, a Player's, the cards' or a device's. A report about a device makes it
   the device's, whatever the code.
"""

from __future__ import annotations

from gamecore.model.events.outputs import RETRACTED

DEALER, PLAYER, CARDS, DEVICE = "Dealer", "Player", "cards", "device"

#: code → whose error it is
CODES: dict[str, str] = {
    "foreign-card": CARDS,
    "extra-card": CARDS,
    "missing-card": CARDS,
    "unshuffled-cards": CARDS,
    "insufficient-cards": CARDS,
    "cut-card-passed": DEALER,
    "missing-burn": DEALER,
    "double-draw": DEALER,
    "face-up-card": CARDS,
    "unreadable-card": CARDS,
    "misdealt-card": DEALER,
    "dealer-not-dealt": DEALER,
    "box-not-dealt": DEALER,
    "box-short": DEALER,
    "unwagered-box-dealt": DEALER,
    "card-in-error": DEALER,
    "dealer-overdraw": DEALER,
    "hand-skipped": DEALER,
    "late-wager": PLAYER,
    "wager-withdrawn": PLAYER,
    "under-minimum": PLAYER,
    "over-maximum": PLAYER,
    "side-wager-without-main": PLAYER,
    "insurance-not-offered": DEALER,
    "absent-player": PLAYER,
    "power-failure": DEVICE,
    "unsettled-side-wager": DEALER,
    "link-lost": DEVICE,
    "uncovered": DEALER,
}

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
    RETRACTED,
)
