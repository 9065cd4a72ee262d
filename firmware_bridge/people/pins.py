"""Checks PINs beside the loop: in one thread, one after the other.

1. A PIN costs a tenth of a second by design. The loop, on which the devices wait, does none of that work.
2. At most `WAITING` wait for their turn, of one user half of them; one more is turned away, so that nobody's flood is a
   queue of minutes or keeps others out.
3. What comes of a check is told in the loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_bridge.people.roles import Pin, fits

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

WAITING = 8
"""Checks under way or waiting."""


class Pins:
    """The one thread that checks PINs; it begins with the first."""

    def __init__(self) -> None:
        """Nothing is checked yet."""
        self._worker: ThreadPoolExecutor | None = None
        self._under_way: Counter[int] = Counter()

    def busy(self, uid: int) -> bool:
        """Whether as many wait as may, of all or of this user."""
        return self._under_way.total() >= WAITING or self._under_way[uid] >= WAITING // 2

    def check(self, uid: int, pin: Pin, tried: str, done: Callable[[bool], None]) -> None:
        """Check a PIN for a user of the computer; `done` hears in the loop whether it fits."""
        if self._worker is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  a daemon at which nobody logs in needs none

            self._worker = ThreadPoolExecutor(1, "pins")
        self._under_way[uid] += 1
        checked = asyncio.get_running_loop().run_in_executor(self._worker, fits, pin, tried)
        checked.add_done_callback(lambda _: self._done(uid, checked, done))

    def close(self) -> None:
        """Check nothing more."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None

    def _done(self, uid: int, checked: asyncio.Future[bool], done: Callable[[bool], None]) -> None:
        self._under_way[uid] -= 1
        self._under_way += Counter()  # a user of whom nothing waits is forgotten
        if not checked.cancelled():
            done(checked.result())
