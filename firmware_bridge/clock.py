"""The time of day as the journal writes it, in UTC to the microsecond; and the time that nobody can set."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import CLOCK_BOOTTIME, clock_gettime_ns, time_ns


def wall_clock() -> str:
    """The time as the journal writes it."""
    seconds, rest = divmod(time_ns(), 1_000_000_000)
    return f"{_second(seconds)}{rest // 1000:06}+00:00"


def since_boot() -> int:
    """Nanoseconds since the computer began, those in which it slept too."""
    return clock_gettime_ns(CLOCK_BOOTTIME)


@lru_cache(1)
def _second(seconds: int) -> str:
    """A second as the journal writes it, up to its fraction: most events come in the same second as the one before."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.")
