"""Faults, counted: the first of a code at once, then how many more, once a minute; and when it is a flood.

1. The first fault of a code is told at once. Those of the same code that follow are counted, and told as one, with the
   last one's detail, a minute after the one that was told before. A code that was quiet for a minute is new again.
2. A fault that says that events are lost, or that the device has started its numbers again, is reported each time.
3. It is a flood if within a minute there are more than `FLOOD` faults, and one or more for every `SPARSE` bytes that
   came. The second is for busy links: noise that spoils one frame in ten does so however many there are. Events that
   come late are not noise, and do not count here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from drivers.faults import EVENTS_LOST, FORGOT, LATE, Fault

MINUTE: Final = 60.0
FLOOD: Final = 600
SPARSE: Final = 256
_EACH: Final = frozenset({EVENTS_LOST, FORGOT})


@dataclass(slots=True)
class _Count:
    """The faults of a code since one was told."""

    told_at: float
    times: int = 0
    last: Fault | None = None


class Tally:
    """The faults of one link."""

    __slots__ = ("_bytes", "_counts", "_faults", "_since")

    def __init__(self) -> None:
        self._counts: dict[str, _Count] = {}
        self._since = 0.0
        self._faults = 0
        self._bytes = 0

    def count_fault(self, fault: Fault, now: float) -> Fault | None:
        """Return the fault if it is to be told now, else count it."""
        if fault.code in _EACH or fault.lost:
            return fault
        count = self._counts.get(fault.code)
        if count is None:
            self._counts[fault.code] = _Count(now)
            return fault
        count.times, count.last = count.times + 1, fault
        return None

    def flooded(self, fault: Fault, came: int, now: float) -> bool:
        """Count a fault after `came` bytes in all; return whether it is a flood."""
        if fault.code == LATE:
            return False
        if now >= self._since + MINUTE:
            self._since, self._faults, self._bytes = now, 0, came
        self._faults += 1
        return self._faults > FLOOD and (came - self._bytes) < SPARSE * self._faults

    def due(self) -> float | None:
        """When the next sum is to be told."""
        return min((count.told_at + MINUTE for count in self._counts.values()), default=None)

    def sums(self, now: float) -> list[Fault]:
        """Return what was counted for a minute, one fault for each code, and count again."""
        told = []
        for code, count in list(self._counts.items()):
            if now < count.told_at + MINUTE:
                continue
            if count.last is None:
                del self._counts[code]
                continue
            told.append(replace(count.last, times=count.times))
            self._counts[code] = _Count(now)
        return told
