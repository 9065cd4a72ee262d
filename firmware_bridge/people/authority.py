"""The role that stands behind each ruling.

1. `AUTHORITY` has a role for every ruling of the matrix. What is ruled decides who says that it was carried out, and
   who clears its alarm (`permissions`).
2. This file knows no table: those who read records of rounds ask it, at a table or at the centre.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from firmware_bridge.people.accounts.roles import DEALER, PIT_MANAGER, PIT_SUPERVISOR, SHIFT_MANAGER
from gamecore.model.events.outputs import RETRACTED

AUTHORITY: Mapping[str, str] = MappingProxyType(
    {
        "void": PIT_MANAGER,
        "reconstruct": PIT_SUPERVISOR,
        "continue": DEALER,
        "as-next-card": PIT_SUPERVISOR,
        "discard": PIT_SUPERVISOR,
        "return-wager": PIT_SUPERVISOR,
        "refuse-wager": DEALER,
        "option": PIT_SUPERVISOR,
        "pit-decides": PIT_SUPERVISOR,
        "dealer-draws": PIT_SUPERVISOR,
        "house-draws": PIT_SUPERVISOR,
        "shuffle-after-round": DEALER,
        "riffle-and-continue": PIT_SUPERVISOR,
        "settle-to-limit": DEALER,
        "pay-once": PIT_SUPERVISOR,
        "refer": SHIFT_MANAGER,
        RETRACTED: PIT_SUPERVISOR,
    }
)


def needs_pit(ruling: str) -> bool:
    """Whether somebody above the dealer stands behind a ruling that was not retracted."""
    return AUTHORITY.get(ruling, "") != DEALER and ruling != RETRACTED
