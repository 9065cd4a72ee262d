"""Figures over time: what the daemon told, in buckets, and what the journal holds."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.console.history import samples
from firmware_bridge.console.history.samples import KEPT, Samples, pace
from tests.firmware_bridge.audit.journals import copied, long_journal, made
from tests.firmware_bridge.console.journals import INCIDENTS, play_files, records

BEGAN = 1_800_000_000.0


def health(p50: int | None = 900, p99: int | None = 2000, **links: tuple[int, int]) -> dict[str, Any]:
    """A daemon's account of itself: by device the frames that came, and those that were spoiled."""
    told = {
        name: {"up": True, "link": {"frames": frames - bad, "bad": bad, "gaps": 0, "resent": 0}}
        for name, (frames, bad) in links.items()
    }
    return {"latency": {"p50": p50, "p99": p99}, "links": told, "open": True}


class Clock:
    """A clock that is set."""

    def __init__(self) -> None:
        """It begins."""
        self.now = BEGAN

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock that is set."""
    return Clock()


@pytest.fixture
def kept(clock: Clock, tmp_path: Path) -> Samples:
    """Return samples of a daemon that is not there."""
    return Samples(tmp_path / "control.sock", clock)


def test_a_bucket_has_the_median_and_the_worst(kept: Samples, clock: Clock) -> None:
    """Of the medians the median, of the 99th percentiles the highest."""
    for p50, p99 in ((100, 900), (300, 5000), (200, 800)):
        kept.add(health(p50, p99))
        clock.now += 10
    (bucket,) = kept.series(1)["latency"]
    assert (200, 5000, 1.0) == (bucket["p50"], bucket["p99"], bucket["here"])


def test_of_a_link_is_counted_what_went_over_it_since_the_sample_before(kept: Samples, clock: Clock) -> None:
    """Counts since the daemon began become counts of a bucket; a restart counts from 0."""
    for frames, bad in ((1000, 10), (1100, 12), (1300, 12), (50, 5)):
        kept.add(health(shoe=(frames, bad)))
        clock.now += 60
    counted = [(one["frames"], one["spoiled"]) for one in kept.series(1)["links"]["shoe"]]
    assert [(0, 0), (100, 2), (200, 0), (50, 5)] == counted


def test_that_no_daemon_answers_is_a_sample(kept: Samples, clock: Clock) -> None:
    """Without figures, so that the line has a gap."""
    kept.add(health())
    clock.now += 60
    kept.take_sample()
    first, second = kept.series(1)["latency"]
    assert (900, 1.0, None, None, 0.0) == (first["p50"], first["here"], second["p50"], second["p99"], second["here"])


def test_a_day_is_kept_and_no_more(kept: Samples, clock: Clock) -> None:
    """The oldest sample makes room; a window shows what lies in it."""
    for _ in range(KEPT + 100):
        kept.add(health())
        clock.now += samples.EVERY
    assert KEPT == len(kept._kept)
    shown = {hours: kept.series(hours)["latency"] for hours in samples.WINDOWS}
    assert [60, 60, 60] == [len(shown[hours]) - 1 for hours in (1, 6, 24)]


def test_before_anything_was_heard_nothing_is_told(kept: Samples) -> None:
    """An empty plot, and nobody knows whether there are roles."""
    assert ([], {}, None, None) == (*(kept.series(24)[name] for name in ("latency", "links", "since")), kept.roles)


@pytest.mark.parametrize("known", [False, True])
def test_whether_the_table_has_roles_is_remembered(kept: Samples, known: bool) -> None:
    """Also while the daemon is away."""
    kept.add(health() | {"open": not known})
    kept.take_sample()
    assert known is kept.roles


def test_round_pace_is_what_the_journal_holds(tmp_path: Path) -> None:
    """Every round in the bucket in which it ended, archived segments included."""
    state = tmp_path / "state"
    long_journal(state)
    ended = [datetime.fromisoformat(record["ended"]).timestamp() for record in records(state)]
    told = pace(state, 1, max(ended))
    counts = {one["at"]: one["count"] for one in told["rounds"]}
    assert (10, 300, 13) == (sum(counts.values()), told["bucket"], len(counts))
    late = pace(state, 1, max(ended) + 2 * 3600)
    assert (0, []) == (sum(one["count"] for one in late["rounds"]), late["codes"])


def test_findings_are_counted_by_kind(tmp_path: Path) -> None:
    """The most frequent kind first; damaged segments are passed over."""
    state = tmp_path / "state"
    made(state, lambda house: play_files(house, INCIDENTS))
    kept = records(state)
    expected = Counter(finding["code"] for record in kept for finding in record["report"]["findings"])
    now = datetime.fromisoformat(kept[-1]["ended"]).timestamp()
    told = pace(state, 24, now)
    counted: Counter[str] = Counter()
    for one in told["rounds"]:
        counted.update(one["findings"])
    codes: Any = told["codes"]
    assert (expected, sorted(expected.values(), reverse=True)) == (counted, [counted[code] for code in codes])
    spoiled = copied(state, tmp_path / "spoiled")
    (spoiled / "journal-000009.db").write_bytes(b"no segment at all")
    assert told == pace(spoiled, 24, now)
