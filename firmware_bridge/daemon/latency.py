"""How long it takes from an arrival to what comes of it.

1. The clock begins with the first item that enters an empty queue, and ends when its batch, and all that came with it,
   is applied and shown. What waits for a journal that cannot be written waits on this clock too.
2. Percentiles are of the last `KEPT` batches; the count and the longest are since the daemon began. All times are
   whole microseconds. It costs two looks at the clock for each batch, and memory for `KEPT` numbers.
"""

from __future__ import annotations

from time import perf_counter_ns
from typing import Annotated, TypedDict

KEPT = 512
"""Batches of which the times are kept."""


class LatencyFigures(TypedDict):
    """How long batches took, in microseconds."""

    count: int
    of: Annotated[int, "how many the figures are made of"]
    p50: int | None
    p99: int | None
    max: int | None


class Latency:
    """The times of one pump."""

    __slots__ = ("_began", "_count", "_kept", "_longest")

    def __init__(self) -> None:
        """Nothing has arrived."""
        self._began = 0
        self._count = 0
        self._longest = 0
        self._kept: list[int] = []

    def arrived(self) -> None:
        """Start the clock, as something has entered the queue; if it runs already, it runs on."""
        if not self._began:
            self._began = perf_counter_ns()

    def shown(self) -> None:
        """Stop the clock, as all that has arrived is applied and shown."""
        if not self._began:
            return
        took = perf_counter_ns() - self._began
        self._began = 0
        if len(self._kept) < KEPT:
            self._kept.append(took)
        else:
            self._kept[self._count % KEPT] = took
        self._count += 1
        self._longest = max(self._longest, took)

    def figures(self) -> LatencyFigures:
        """Count, percentiles and the longest, in microseconds."""
        kept = sorted(self._kept)
        half, most = (_at(kept, 50), _at(kept, 99)) if kept else (None, None)
        longest = self._longest // 1000 if kept else None
        return {"count": self._count, "of": len(kept), "p50": half, "p99": most, "max": longest}


def _at(ordered: list[int], percent: int) -> int:
    """The time that `percent` of the batches do not exceed, in microseconds."""
    return ordered[-(-len(ordered) * percent // 100) - 1] // 1000
