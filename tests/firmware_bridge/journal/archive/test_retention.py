"""Which segments go into the archive, and which stay."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from firmware_bridge.journal import segments
from firmware_bridge.journal.archive import retention
from firmware_bridge.journal.archive.retention import Stay, due, not_whole, perhaps
from firmware_bridge.journal.archive.retention_limits import Retention
from firmware_bridge.journal.last_named import named
from firmware_bridge.journal.schema import NAMED
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.writer import Entry, Journal
from tests.firmware_bridge.journal.archive.journals import LENGTH

NOW = datetime.now(UTC) + timedelta(days=100)
OLD = Retention(days=30, megabytes=1000)


def going(state: Path, wanted: Retention = OLD, now: datetime = NOW, at_hand: tuple[int, ...] = ()) -> list[int]:
    """Return the numbers of the segments that may go."""
    return [segments.number_of(path) for path in due(state, wanted, now, at_hand)[0]]


def staying(state: Path, wanted: Retention = OLD, at_hand: tuple[int, ...] = ()) -> dict[int, Stay]:
    """Return what would be due and stays, by number."""
    return {segments.number_of(stay.path): stay for stay in due(state, wanted, NOW, at_hand)[1]}


def spans(state: Path) -> dict[int, tuple[int, int, int]]:
    """Return the first and the last event of each segment, and how many rounds it has."""
    found = {}
    for path in segments.segments(state):
        with closing(segments.open_for_reading(path)) as connection:
            first, last = connection.execute("SELECT min(n), max(n) FROM events").fetchone()
            (rounds,) = connection.execute("SELECT count(*) FROM rounds").fetchone()
        found[segments.number_of(path)] = (first, last, rounds)
    return found


def test_what_is_young_and_small_stays(state: Path) -> None:
    """Nothing is due before its time."""
    assert ([], []) == due(state, OLD, datetime.now(UTC))


def test_old_segments_go_and_the_last_hundred_rounds_stay(state: Path) -> None:
    """All that are old go, oldest first, but those that hold one of the last hundred rounds, and the newest."""
    found, expected = spans(state), []
    for number in found:
        later = sum(rounds for other, (_, _, rounds) in found.items() if other > number)
        if later >= retention.ROUNDS:
            expected.append(number)
    assert len(expected) >= 3
    assert expected == going(state)
    assert {} == staying(state)


def test_age_is_that_of_the_last_event(state: Path) -> None:
    """A segment whose last event is a second younger than the days allow stays."""
    path = segments.segments(state)[0]
    with closing(segments.open_for_reading(path)) as connection:
        (at,) = connection.execute("SELECT at FROM events ORDER BY n DESC LIMIT 1").fetchone()
    exactly = datetime.fromisoformat(at) + timedelta(days=30)
    assert [] == going(state, now=exactly - timedelta(seconds=1))
    assert 1 == going(state, now=exactly + timedelta(seconds=1))[0]


def test_beyond_a_size_the_oldest_go_until_it_fits(state: Path) -> None:
    """However young they are; the size is that of everything at hand."""
    present = segments.segments(state)
    sizes = [segments.size_and_time(path)[0] for path in present]
    padding = 10_000_000 - sum(sizes) + sizes[0] + 1  # the least limit is exceeded until two are gone
    with present[-1].with_name(f"{present[-1].name}-wal").open("wb") as file:
        file.truncate(padding)
    assert [1, 2] == going(state, Retention(days=30, megabytes=10), datetime.now(UTC))


@pytest.mark.parametrize("place", [0, LENGTH // 2, -1])
def test_an_open_alarm_keeps_its_segment_and_no_other(state: Path, place: int) -> None:
    """Wherever in the segment its event lies, and until it is cleared."""
    first, last, _ = spans(state)[2]
    event = range(first, last + 1)[place]
    everything = going(state, at_hand=(event,))
    assert 2 not in everything
    assert {1, 3} <= set(everything)
    why = f"event {event} is not acknowledged: its alarm is open"
    assert [(why, False)] == [(one.why, one.wrong) for one in due(state, OLD, NOW, (event,))[1] if "alarm" in one.why]
    assert 2 in going(state)


def test_what_the_published_head_does_not_cover_stays(state: Path) -> None:
    """A segment goes when a head beyond its end has been published; without a head nothing does."""
    (_, last, _) = spans(state)[2]
    signing.publish(state, signing.Head(b"", 1, 1, last - 1, b"", b"", b"", b""))
    assert [1] == going(state)
    assert f"it ends with event {last}, the published head covers {last - 1}" == staying(state)[2].why
    (state / signing.HEAD).unlink()
    assert [] == going(state)


def test_a_damaged_segment_is_no_segment_at_hand(state: Path) -> None:
    """What was set aside is never touched."""
    segments.set_aside(segments.segment_path(state, 2))
    assert 2 not in going(state)
    assert {} == staying(state)


def _change(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE events SET body = 'x' WHERE n = (SELECT min(n) + 20 FROM events)")


def _remove(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM events WHERE n = (SELECT max(n) FROM events)")


def _behead(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM heads WHERE n = (SELECT max(n) FROM heads)")


def _forge(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE heads SET signature = zeroblob(64) WHERE n = (SELECT max(n) FROM heads)")


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (_change, "event 21 is not as it was written"),
        (_remove, "has no signed head"),
        (_behead, "has no signed head"),
        (_forge, "has no signed head"),
    ],
)
def test_a_segment_that_is_not_whole_is_named(
    state: Path, tamper: Callable[[sqlite3.Connection], None], said: str
) -> None:
    """Its rows, its last one and its signature are looked at before it goes."""
    path = segments.segments(state)[0]
    assert "" == not_whole(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        tamper(connection)
    assert said in not_whole(path)


def test_a_file_that_is_none_any_more_is_told(state: Path) -> None:
    """It stays, and somebody must look at it; the others go."""
    segments.segment_path(state, 2).write_bytes(b"no longer a journal" * 1000)
    assert (True, True) == (staying(state)[2].wrong, "cannot be read" in staying(state)[2].why)
    assert {1, 3} <= set(going(state))


def test_whether_something_may_be_due_is_told_by_times_and_sizes(state: Path) -> None:
    """By the oldest file that is done, and by all of them together; an empty folder has nothing that is due."""
    now = datetime.now(UTC).timestamp()
    assert not perhaps(state, OLD, now)
    assert perhaps(state, OLD, now + 31 * 86_400)
    with segments.segments(state)[-1].open("r+b") as file:
        file.truncate(20_000_000)
    assert perhaps(state, Retention(days=30, megabytes=10), now)
    assert not perhaps(state / "nothing", OLD, now)


def test_what_one_segment_alone_names_stays_until_it_is_named_again(state: Path) -> None:
    """A segment with the last row that names something in force stays; once a later row does, it goes."""
    first = going(state)[0]
    chosen, stays = due(state, OLD, NOW, words=[NAMED])
    assert first not in [segments.number_of(path) for path in chosen]
    assert [(first, NAMED, False)] == [(segments.number_of(stay.path), stay.names, stay.wrong) for stay in stays]
    journal = Journal(state, NOW.isoformat())
    journal.append([Entry(NOW.isoformat(), "daemon", "note", json.dumps({NAMED: "T7"}))])
    journal.close()
    assert "T7" == named(state, NAMED)
    assert first in [segments.number_of(path) for path in due(state, OLD, NOW, words=[NAMED])[0]]
