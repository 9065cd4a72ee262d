"""How much of a journal stays at hand, before it is archived: what is configured, and within which bounds."""

from __future__ import annotations

from typing import NamedTuple

MOST_DAYS = 36_500
LEAST_MEGABYTES, MOST_MEGABYTES = 10, 10_000_000


class Retention(NamedTuple):
    """Days and megabytes of the journal that stay at hand; the defaults suit a month, and the disk of a small box."""

    days: int = 30
    megabytes: int = 1000
