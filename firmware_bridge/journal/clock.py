"""The time of day as the journal writes it, in UTC to the microsecond; the time that nobody can set; their distance.

1. The time since the computer began runs evenly whatever becomes of the clock. While the computer runs, the time of day
   minus that time is the same number: where it changes by more than `JUMP`, somebody or something has set the clock.
2. The first such change after the computer began sets its clock right, as a board without a battery needs it every
   time: it is noted. Any further change is an alarm as well.
3. Across two starts of the computer only a time of day that goes back by more than `JUMP` is an alarm.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import lru_cache
from time import CLOCK_BOOTTIME, clock_gettime_ns, time_ns

JUMP = 2_000_000_000
"""Nanoseconds by which the clock may be set without a note."""
JUMPED = "clock-jump"
"""The code of the alarm."""


def wall_clock() -> str:
    """The time as the journal writes it."""
    return written(time_ns())


def written(wall: int) -> str:
    """A time of day in nanoseconds, as the journal writes it."""
    seconds, rest = divmod(wall, 1_000_000_000)
    return f"{_second(seconds)}{rest // 1000:06}+00:00"


def read(at: str) -> int:
    """The nanoseconds of a time that the journal has written."""
    return int(datetime.fromisoformat(at).timestamp() * 1_000_000) * 1000


def since_boot() -> int:
    """Nanoseconds since the computer began, those in which it slept too."""
    return clock_gettime_ns(CLOCK_BOOTTIME)


class Watch:
    """Follows the distance of the two times while the computer runs."""

    def __init__(self, distance: int | None = None, *, was_set: bool = False) -> None:
        """Go on from the distance of an earlier run under the same boot id, and whether the clock was set since."""
        self._distance = time_ns() - since_boot() if distance is None else distance
        self._was_set = was_set

    def jumped(self, wall: int, mono: int) -> str:
        """The note of a clock that was set; empty if it was not. The new distance counts from now on."""
        change = wall - mono - self._distance
        if -JUMP <= change <= JUMP:
            return ""
        self._distance += change
        first, self._was_set = not self._was_set, True
        return note(change, wall, alarm=not first)


def note(change: int, wall: int, *, alarm: bool) -> str:
    """The note of a clock that was set by `change` nanoseconds, with an alarm or without."""
    said = {"clock": "set", "seconds": round(change / 1e9, 3), "from": written(wall - change), "to": written(wall)}
    return json.dumps({"alarm": JUMPED, **said} if alarm else said)


@lru_cache(1)
def _second(seconds: int) -> str:
    """A second as the journal writes it, up to its fraction: most events come in the same second as the one before."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.")
