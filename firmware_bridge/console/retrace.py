"""The table again around one round, from the journal's own events.

1. A walk begins at the nearest place before the round where the table is known: a checkpoint of an earlier walk, a
   snapshot of the segment, the beginning of the segment, and at last the beginning of the journal.
2. A walk counts only if it comes to the round as its record has it: the same hands, wagers and outcome. Else the next
   place further back is tried. What a damaged journal cannot show is told as far as it can be. A round that an earlier
   edition has kept may be judged otherwise now; then its record stands, and there is nothing more to try.
3. While a walk passes rounds it keeps checkpoints, at most `KEPT` for each of the last `SEGMENTS` segments. So the next
   round of the same segment is there at once.
4. Everything is read as it was at one moment, and nothing in the state folder changes.
"""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TypeVar

from firmware_bridge.audit.reading import Part, Reader, UnreadableError, opened, parts
from firmware_bridge.audit.walk import Begin, EnoughError, Listener, walk
from firmware_bridge.journal import schema, segments, snapshot
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.editions import same_round
from firmware_bridge.journal.records import Done
from firmware_bridge.journal.recovery import ROUNDS
from firmware_bridge.journal.sealed import SnapshotError
from gamecore.model.events import Event
from gamecore.model.outputs import Output
from gamecore.notation.header import read_header
from gamecore.notation.lines import split
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.games import GAMES
from gamecore.table import Table

KEPT = 64
"""Checkpoints of a segment."""
SEGMENTS = 8
APART = 150
"""Rows between two checkpoints, at least."""
_EARLIER = 'SELECT 1 FROM events WHERE n > ? AND n <= ? AND body LIKE \'{"is":"Call"%"round_number"%\''


@dataclass(frozen=True, slots=True)
class Span:
    """The rows of a round, and the report that its record has."""

    part: Part
    first: int
    last: int
    report: dict[str, object]


@dataclass(frozen=True, slots=True)
class Start:
    """Where a walk begins, with the header of the table that stands there."""

    begin: Begin | None
    header: Header | None = None


class Follower:
    """Who looks on; every method may be left as it is."""

    def begins(self, header: Header, table: Table, *, fresh: bool) -> None:
        """The walk begins at a table, or a table begins."""

    def row(self, row: Row) -> None:
        """A row that is no event of the table."""

    def event(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...]) -> None:
        """An event was applied."""


F = TypeVar("F", bound=Follower)


@dataclass(slots=True)
class Checkpoints:
    """Tables between rounds, as earlier walks have found them."""

    _known: OrderedDict[int, dict[int, tuple[Header, bytes]]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def keep(self, part: Part, n: int, header: Header, table: Table) -> None:
        """Keep a table as it stands after a row, unless one near it is kept."""
        with self._lock:
            known = self._known.setdefault(part.number, {})
            self._known.move_to_end(part.number)
            if len(known) >= KEPT or any(abs(n - other) < APART for other in known):
                return
            known[n] = header, snapshot.dump_table(table)
            while len(self._known) > SEGMENTS:
                self._known.popitem(last=False)

    def before(self, part: Part, n: int) -> Start | None:
        """The nearest one before a row."""
        with self._lock:
            known = self._known.get(part.number, {})
            at = max((other for other in known if other < n), default=None)
            if at is None:
                return None
            header, data = known[at]
        return Start(Begin(part, at, snapshot.load_table(data)), header)


def retrace(
    state: Path, span: Span, make: Callable[[], F], checkpoints: Checkpoints, back: int | None = None
) -> tuple[F, bool]:
    """Let a follower see the table up to the end of a round; and whether it came out as its record has it.

    Who wants to see more of what was before says how many segments to go back; 0 is the beginning of the round's own.
    """
    tried = make()
    for start in _starts(state, span, checkpoints, back):
        tried = make()
        walking = _Walking(span, start, tried, checkpoints)
        with suppress(UnreadableError, sqlite3.Error):
            walk(state, walking, begin=start.begin)
        if walking.true or walking.otherwise:
            return tried, walking.true
    return tried, False


def _starts(state: Path, span: Span, checkpoints: Checkpoints, back: int | None) -> Iterator[Start]:
    """Where a walk may begin, the nearest first."""
    if back is None:
        found = [start for start in (checkpoints.before(span.part, span.first), _kept(span)) if start is not None]
        yield from sorted(found, key=lambda start: start.begin.n if start.begin else 0, reverse=True)
    with suppress(UnreadableError):
        before = [part for part in parts(state) if part.number <= span.part.number]
        while len(before) > 1 and _begins_after(before[-1], span.first):
            before.pop()
        if before:
            yield Start(Begin(before[-1 - min(back or 0, len(before) - 1)]))
    yield Start(None)


def _begins_after(part: Part, n: int) -> bool:
    """Whether a segment begins when a round was on already: after an upgrade, or after a damaged segment."""
    try:
        with opened(part) as reader:
            found = reader.connection.execute("SELECT min(n) FROM events").fetchone()[0]
    except (sqlite3.Error, UnreadableError):
        return False
    return isinstance(found, int) and found > n


def _kept(span: Span) -> Start | None:
    """The newest snapshot of the segment before the round, with the rounds before it if somebody speaks of them."""
    try:
        with opened(span.part) as reader:
            for n, data in segments.snapshots(reader.connection, snapshot.FORMAT):
                if n < span.first:
                    kept = snapshot.load(data)
                    header = read_header(split(kept.header)[0], GAMES)
                    table = Table.resumed(kept.table)
                    if reader.connection.execute(_EARLIER, (n, span.last)).fetchone():
                        table.recall_rounds(_rounds(reader, n, table.round_number))
                    return Start(Begin(span.part, n, table), header)
    except (sqlite3.Error, UnreadableError, SnapshotError, NotationError, UnicodeDecodeError):
        return None
    return None


def _rounds(reader: Reader, n: int, current: int) -> list[object]:
    """The rounds of this segment that were over before a row."""
    chosen = "SELECT state FROM rounds WHERE last <= ? AND number < ? ORDER BY id DESC LIMIT ?"
    found = [snapshot.load_round(state) for (state,) in reader.connection.execute(chosen, (n, current, ROUNDS))]
    return found[::-1]


class _Walking(Listener):
    """Tells a follower what a walk meets, and ends it after the round."""

    def __init__(self, span: Span, start: Start, follower: Follower, checkpoints: Checkpoints) -> None:
        self._span = span
        self._follower = follower
        self._checkpoints = checkpoints
        self._part: Part | None = None
        self._header = start.header
        self.true = self.otherwise = False
        if start.begin is not None and start.begin.table is not None and start.header is not None:
            follower.begins(start.header, start.begin.table, fresh=False)

    def opens(self, part: Part, reader: Reader) -> None:
        """A segment begins."""
        del reader
        self._part = part
        if part.number > self._span.part.number:
            raise EnoughError

    def began(self, row: Row, header: Header, table: Table, *, fresh: bool) -> None:
        """A table begins, or is taken from a snapshot."""
        del row
        self._header = header
        self._follower.begins(header, table, fresh=fresh)

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """An event was applied."""
        self._follower.event(row, event, table, outputs)
        if row.n == self._span.last:
            report = table.round_report()
            self.true = not self.otherwise and same_round(self._span.report, json.loads(json.dumps(report)))
        elif done is not None and self._part is not None and self._header is not None:
            self._checkpoints.keep(self._part, row.n, self._header, table)

    def judged_otherwise(self, part: Part, row: Row, differs: str) -> None:
        """The record of a round stands; if it is this one, that is to be told."""
        del part, differs
        self.otherwise = row.n == self._span.last

    def passed(self, part: Part, row: Row, table: Table | None) -> None:
        """A row is dealt with; the round's last one ends the walk."""
        del table
        if row.kind not in {schema.EVENT, schema.LIFTED}:
            self._follower.row(row)
        if row.n >= self._span.last and part.number == self._span.part.number:
            raise EnoughError
