"""Lets the shoe be heard before a place that only counts.

1. Links are a little late against each other. A place that reads a card can be heard before the shoe: card and place
   find each other by the card. A place that only counts says nothing but "a card", and would be taken for any card that
   is out. So its report waits for `SECONDS`, in which the shoe's own report of that card arrives.
2. What the same device says after it waits behind it: the order of a device's events is never changed.
3. What waits is not durable and not acknowledged; the device keeps it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from drivers.happenings import Received
from drivers.hub.messages import CardArrived
from gamecore.model.cards import UNREAD

SECONDS = 0.06


class Patience:
    """The reports of one device, those that only count held back for a moment."""

    def __init__(self, go_on: Callable[[Received], None]) -> None:
        """Hand every report on to `go_on`."""
        self._go_on = go_on
        self._waiting: deque[tuple[float, Received]] = deque()

    def received(self, event: Received) -> None:
        """Take a report; it goes on at once unless it must wait."""
        counts = isinstance(event.message, CardArrived) and event.message.card == str(UNREAD)
        if not counts and not self._waiting:
            self._go_on(event)
            return
        loop = asyncio.get_running_loop()
        due = loop.time() + SECONDS if counts else 0.0
        self._waiting.append((due, event))
        if len(self._waiting) == 1:
            loop.call_at(due, self._release)

    def _release(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and self._waiting[0][0] <= loop.time():
            self._go_on(self._waiting.popleft()[1])
        if self._waiting:
            loop.call_at(self._waiting[0][0], self._release)
