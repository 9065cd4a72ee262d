"""Which segments go into the archive, and which must stay at hand.

1. A segment is due when its last event is older than `days`, or when all segments at hand together are larger than
   `megabytes`: then the oldest go first, until they are not.
2. These stay, however old and large: the one that is being written; those with the last hundred rounds, which the
   daemon shows and begins again with; one with an event that the caller names, because nobody has cleared its alarm;
   one that the published head does not cover yet; one with the row that last names something which is in force, such as
   the keys of the devices, until the daemon has named it again. What was set aside as damaged is no segment at hand and
   is never touched.
3. Before a segment goes, every row is compared with the chain, its last row with the head that was signed over it, and
   SQLite checks the file (`not_whole`). A segment that is not whole, or cannot be read, stays as it is: somebody must
   look at it.
4. Only whole segments go, so that a shoe's rounds stay in one file. Nothing is ever deleted: an archive is the segment.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from firmware_bridge.journal import segments
from firmware_bridge.journal.archive.retention_limits import Retention
from firmware_bridge.journal.last_named import naming_segment
from firmware_bridge.journal.signed import covered, signing

ROUNDS = 100
"""How many of the last rounds stay at hand."""
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Stay:
    """A segment that would be due and stays, and why.

    `wrong`: somebody must look at it. `names` is what it alone names, until the daemon names it again.
    """

    path: Path
    why: str
    wrong: bool = False
    names: str = ""


@dataclass(frozen=True, slots=True)
class _Done:
    """A segment that is done, and what was looked at in it."""

    path: Path
    size: int
    first: int
    last: int
    ended: str
    rounds: int


def perhaps(state: Path, retention: Retention, now: float) -> bool:
    """Whether a segment may be due, by the times and sizes of the files alone: that costs next to nothing."""
    found = [segments.size_and_time(path) for path in segments.segments(state)]
    oldest = min((changed for _, changed in found[:-1]), default=now)
    whole = sum(size for size, _ in found)
    return now - oldest > retention.days * 86_400 or whole > retention.megabytes * _MEGABYTE


def due(
    state: Path, retention: Retention, now: datetime, at_hand: Collection[int] = (), words: Collection[str] = ()
) -> tuple[list[Path], list[Stay]]:
    """The due segments that may go, oldest first; and those that stay, for an event of `at_hand` or as in 2 and 3.

    `words` are those under which the journal names what is in force.
    """
    naming = {naming_segment(state, word): word for word in words}
    unacknowledged = sorted(at_hand)
    head = signing.published(state / signing.HEAD)
    signed = 0 if head is None else head.n
    found, stays = _candidates(state)
    whole = sum(segments.size_and_time(path)[0] for path in segments.segments(state))
    before = (now - timedelta(days=retention.days)).isoformat(timespec="microseconds")
    going: list[Path] = []
    for one in found:
        too_much = whole > retention.megabytes * _MEGABYTE
        if one.ended >= before and not too_much:
            continue
        held = [n for n in unacknowledged if one.first <= n <= one.last]
        if held:
            stays.append(Stay(one.path, f"event {held[0]} is not acknowledged: its alarm is open"))
        elif signed < one.last:
            stays.append(Stay(one.path, f"it ends with event {one.last}, the published head covers {signed}"))
        elif one.path in naming:
            word = naming[one.path]
            stays.append(Stay(one.path, f"it names {word} last: the daemon names it again first", names=word))
        else:
            going.append(one.path)
            whole -= one.size
    return going, stays


def _candidates(state: Path) -> tuple[list[_Done], list[Stay]]:
    """The segments that need not stay at hand for the daemon, oldest first, and those that cannot be read."""
    found: list[_Done] = []
    stays: list[Stay] = []
    rounds = 0
    for place, path in enumerate(reversed(segments.segments(state))):
        try:
            one = _done(path)
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            stays.append(Stay(path, f"it cannot be read: {error}", wrong=True))
            continue
        if place > 0 and rounds >= ROUNDS:
            found.append(one)
        rounds += one.rounds
    return found[::-1], stays


def _done(path: Path) -> _Done:
    with closing(segments.open_for_reading(path)) as connection:
        first = connection.execute("SELECT n FROM events ORDER BY n LIMIT 1").fetchone()
        last = connection.execute("SELECT n, at FROM events ORDER BY n DESC LIMIT 1").fetchone()
        (rounds,) = connection.execute("SELECT count(DISTINCT first) FROM rounds").fetchone()
    match first, last:
        case (int(begins),), (int(ends), str(at)):
            return _Done(path, segments.size_and_time(path)[0], begins, ends, at, rounds)
        case _:
            raise segments.damage("its first row or its last is none")


def not_whole(path: Path) -> str:
    """What is wrong with a segment that is to go, compared with its chain and its signed end; empty if nothing is."""
    try:
        with closing(segments.open_for_reading(path)) as connection:
            return next(_problems(connection), "")
    except (sqlite3.Error, UnicodeDecodeError, TypeError, ValueError, KeyError) as error:
        return f"it cannot be read: {error}"


def _problems(connection: sqlite3.Connection) -> Iterator[str]:
    n, digest, link = 0, b"", segments.linked_by(connection)
    for row, chain in segments.rows(connection):
        if not digest:
            digest, n = bytes.fromhex(json.loads(row.body or "")["chain"]), row.n - 1
        digest = link(digest, row)
        n += 1
        if (row.n, chain) != (n, digest):
            yield f"event {n} is not as it was written"
            return
    if not any((head.n, head.chain) == (n, digest) and signing.verify(head) for head in covered.any_heads(connection)):
        yield f"its last event, {n}, has no signed head"
    (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        yield f"the file is damaged: {said}"
