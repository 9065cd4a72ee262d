"""How the table did over time: what the daemon reported about itself, and what the journal holds.

1. The daemon is asked for its health every `EVERY` seconds. What counts for a plot is kept for a day, then the oldest
   goes. No answer is a sample too. The samples start again with the console.
2. Round pace and findings come from the journal's tables, so they survive a restart, and reach back a week.
3. A window is divided into buckets: about 60 of samples (`WINDOWS`), fewer of rounds (`PACE`). A bucket of samples has
   the median of the medians, the worst of the 99th percentiles and, for each link, how many frames went over it in that
   time and how many were spoiled.
4. A device's counts start again when the daemon does: a count that is smaller than the one before it is counted from 0.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from firmware_bridge.audit.journal_reader import UnreadableError, opened, parts
from firmware_bridge.console.answers import LatencyPoint, Pace, SampleSeries, Spoiled
from firmware_bridge.control.client import ControlClient, read_path
from firmware_bridge.journal import schema
from firmware_bridge.shown.health_type import HealthFacts

EVERY = 10.0
KEPT = round(24 * 3600 / EVERY)
PATIENCE = 5.0
WINDOWS: dict[int, int] = {1: 60, 6: 360, 24: 1440, 168: 10080}
"""Hours of a window that can be asked for, and the seconds of a bucket of samples."""
PACE = {1: 300, 6: 900, 24: 3600, 168: 21600}
"""Seconds of a bucket of rounds."""


class Link(NamedTuple):
    """What went over a link since the daemon began."""

    up: bool
    frames: int
    spoiled: int


class Sample(NamedTuple):
    """What counts for a plot; `p50` and `p99` in microseconds, None if the daemon has not answered."""

    at: float
    here: bool
    p50: int | None = None
    p99: int | None = None
    links: tuple[tuple[str, Link], ...] = ()


def ask(control: Path) -> HealthFacts:
    """The daemon's own account of how it is.

    Raises:
        ConnectionError, TimeoutError: no daemon answers.
    """
    with ControlClient(read_path(control), PATIENCE) as client:
        health: HealthFacts = client.ask(do="health")["health"]
        return health


def sampled(at: float, health: Mapping[str, Any]) -> Sample:
    """The part of a health that counts for a plot."""
    latency = health.get("latency") or {}
    links = []
    for name, link in health.get("links", {}).items():
        stats = link.get("link") or {}
        frames, bad = stats.get("frames", 0), stats.get("bad", 0)
        spoiled = bad + stats.get("gaps", 0) + stats.get("resent", 0)
        links.append((name, Link(bool(link.get("up")), frames + bad, spoiled)))
    return Sample(at, True, latency.get("p50"), latency.get("p99"), tuple(links))


class Samples:
    """The samples of one daemon, the last day of them."""

    def __init__(self, control: Path, clock: Callable[[], float] = time.time) -> None:
        self._control = control
        self._clock = clock
        self._kept: deque[Sample] = deque(maxlen=KEPT)
        self.roles: bool | None = None  # whether the table has them, None while nothing was heard

    def take_sample(self) -> None:
        """Ask the daemon once, and keep its answer or that there was none."""
        try:
            self.add(ask(self._control))
        except (ConnectionError, TimeoutError, ValueError, KeyError):
            self._kept.append(Sample(self._clock(), False))

    def add(self, health: Mapping[str, Any]) -> None:
        """Keep the part of a health that counts for a plot."""
        self.roles = health.get("open") is False
        self._kept.append(sampled(self._clock(), health))

    async def run(self) -> None:
        """Take samples until it is cancelled."""
        while True:
            await asyncio.to_thread(self.take_sample)
            await asyncio.sleep(EVERY)

    def series(self, hours: int) -> SampleSeries:
        """The plots of a window that ends now."""
        now, width = self._clock(), WINDOWS[hours]
        kept = [sample for sample in list(self._kept) if sample.at >= now - hours * 3600]
        buckets: dict[int, list[Sample]] = {}
        for sample in kept:
            buckets.setdefault(int(sample.at // width), []).append(sample)
        names = sorted({name for sample in kept for name, _ in sample.links})
        spoiled = {name: _spoiled(name, kept, width) for name in names}
        return {
            "every": EVERY,
            "since": None if not kept else stamp(kept[0].at),
            "latency": [_latency(at * width, found) for at, found in sorted(buckets.items())],
            "links": {
                name: [{"at": stamp(at * width), **spoiled[name].get(at, _NONE)} for at in sorted(buckets)]
                for name in names
            },
        }


_NONE: Spoiled = {"frames": 0, "spoiled": 0, "up": None}


def stamp(at: float) -> str:
    """A time as the journal writes it."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _latency(at: float, found: list[Sample]) -> LatencyPoint:
    half = [sample.p50 for sample in found if sample.p50 is not None]
    most = [sample.p99 for sample in found if sample.p99 is not None]
    here = sum(sample.here for sample in found) / len(found)
    return {
        "at": stamp(at),
        "p50": round(median(half)) if half else None,
        "p99": max(most, default=None),
        "here": round(here, 3),
    }


def _spoiled(name: str, kept: Iterable[Sample], width: int) -> dict[int, Spoiled]:
    """How much of what went over a link was spoiled, by bucket."""
    sums: dict[int, tuple[int, int, bool]] = {}
    before: Link | None = None
    for sample in kept:
        link = dict(sample.links).get(name)
        if link is None:
            continue
        if before is not None:
            begun = link.frames < before.frames or link.spoiled < before.spoiled
            base = Link(True, 0, 0) if begun else before
            frames, spoiled, up = sums.get(int(sample.at // width), (0, 0, True))
            more = (frames + link.frames - base.frames, spoiled + link.spoiled - base.spoiled, up and link.up)
            sums[int(sample.at // width)] = more
        before = link
    return {at: {"frames": frames, "spoiled": bad, "up": up} for at, (frames, bad, up) in sums.items()}


# --- the journal ----------------------------------------------------------------------------------------------------


def pace(state: Path, hours: int, now: float) -> Pace:
    """How many rounds ended, and what was found, in each bucket of a window that ends now.

    Raises:
        UnreadableError: there is no journal.
    """
    width = PACE[hours]
    first = int((now - hours * 3600) // width)
    rounds: Counter[int] = Counter()
    findings: Counter[tuple[int, str]] = Counter()
    seen: set[int] = set()  # rounds, by their first event: the newest record counts
    since = stamp(first * width)
    for part in reversed(parts(state)):
        try:
            with opened(part) as reader:
                newest = reader.connection.execute("SELECT max(ended) FROM rounds").fetchone()[0]
                ended = reader.connection.execute(_ENDED, (since,)).fetchall()
                found = reader.connection.execute(_FOUND, (since,)).fetchall()
        except (sqlite3.Error, UnreadableError, UnicodeDecodeError):
            continue  # a damaged one; History names it
        rounds.update(_bucket(at, width) for first, at in ended if first not in seen)
        findings.update((_bucket(at, width), code) for first, at, code in found if first not in seen)
        seen.update(first for first, _ in ended)
        if newest is not None and newest < since:
            break
    last = int(now // width)
    codes = sorted({code for _, code in findings}, key=lambda code: (-_total(findings, code), code))
    return {
        "bucket": width,
        "codes": codes,
        "rounds": [
            {
                "at": stamp(at * width),
                "count": rounds[at],
                "findings": {code: findings[at, code] for code in codes if findings[at, code]},
            }
            for at in range(first, last + 1)
        ],
    }


_ENDED = f"SELECT first, ended FROM rounds WHERE ended >= ? AND {schema.NEWEST}"  # noqa: S608  the condition is ours
_FOUND = (
    "SELECT rounds.first, rounds.ended, code FROM findings JOIN rounds ON rounds.id = findings.round"  # noqa: S608
    f" WHERE rounds.ended >= ? AND {schema.NEWEST}"
)


def _bucket(at: str, width: int) -> int:
    return int(datetime.fromisoformat(at).timestamp() // width)


def _total(findings: Counter[tuple[int, str]], code: str) -> int:
    return sum(count for (_, other), count in findings.items() if other == code)
