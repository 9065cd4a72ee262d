"""Work that takes long, done beside the loop: in one thread, one piece after the other.

1. The devices wait for the loop, so it does nothing that takes longer than a few milliseconds: PINs are checked, and
   past rounds read, by a worker. Each kind of work has one of its own, which begins with the first piece.
2. At most `WAITING` pieces are under way or wait for their turn, and at most half as many of one user: then the worker
   is `busy`, and the caller must refuse. So no user's flood makes a queue of minutes, or keeps others out.
3. What comes of a piece is told in the loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_T = TypeVar("_T")
WAITING = 8
"""Pieces under way or waiting."""


class Worker:
    """One thread for one kind of work."""

    def __init__(self, name: str) -> None:
        """Nothing is done yet."""
        self._name = name
        self._pool: ThreadPoolExecutor | None = None
        self._under_way: Counter[int] = Counter()

    def busy(self, uid: int) -> bool:
        """Whether as many pieces wait as may, of all or of this user of the computer."""
        return self._under_way.total() >= WAITING or self._under_way[uid] >= WAITING // 2

    def run_in_thread(self, uid: int, work: Callable[[], _T], done: Callable[[_T], None]) -> None:
        """Do a piece of work for a user of the computer; `done` hears in the loop what came of it."""
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  a daemon of which nobody asks needs none

            self._pool = ThreadPoolExecutor(1, self._name)
        self._under_way[uid] += 1
        worked = asyncio.get_running_loop().run_in_executor(self._pool, work)
        worked.add_done_callback(lambda _: self._done(uid, worked, done))

    def close(self) -> None:
        """Drop the pieces that wait; one under way ends by itself."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _done(self, uid: int, worked: asyncio.Future[_T], done: Callable[[_T], None]) -> None:
        self._under_way[uid] -= 1
        self._under_way += Counter()  # a user of whom nothing waits is forgotten
        if not worked.cancelled():
            done(worked.result())
