"""Checks and makes PINs beside the loop: in one thread, one after the other.

1. A PIN costs a tenth of a second by design. The loop, on which the devices wait, does none of that work.
2. At most `WAITING` wait for their turn, of one user half of them; one more is turned away, so that nobody's flood is a
   queue of minutes or keeps others out.
3. What comes of a check is told in the loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from firmware_bridge.people.accounts.roles import Pin, fits, make_pin

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_T = TypeVar("_T")
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
        self._do(uid, lambda: fits(pin, tried), done)

    def make(self, uid: int, chosen: str, done: Callable[[Pin], None]) -> None:
        """Make the kept form of a PIN that may be chosen; `done` hears it in the loop."""
        self._do(uid, lambda: make_pin(chosen), done)

    def _do(self, uid: int, work: Callable[[], _T], done: Callable[[_T], None]) -> None:
        if self._worker is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  a daemon at which nobody logs in needs none

            self._worker = ThreadPoolExecutor(1, "pins")
        self._under_way[uid] += 1
        worked = asyncio.get_running_loop().run_in_executor(self._worker, work)
        worked.add_done_callback(lambda _: self._done(uid, worked, done))

    def close(self) -> None:
        """Check nothing more."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None

    def _done(self, uid: int, worked: asyncio.Future[_T], done: Callable[[_T], None]) -> None:
        self._under_way[uid] -= 1
        self._under_way += Counter()  # a user of whom nothing waits is forgotten
        if not worked.cancelled():
            done(worked.result())
