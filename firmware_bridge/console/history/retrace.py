"""The table again around one round, from the journal's own events.

1. A walk begins at the nearest place before the round where the table is known from events: a checkpoint of an
   earlier walk, or the segment in which a table was set up last, else the beginning of the journal. Snapshots are
   never read.
2. A walk counts only if it comes to the round as its record has it: the same hands, wagers and outcome. A damaged
   journal is shown up to where it can be read. A round that an earlier edition has kept may be judged otherwise now;
   then its record stands.
3. While a walk passes rounds it keeps checkpoints in memory: at most `KEPT`, at least `APART` rows apart, for each of
   the `SEGMENTS` segments that were used last, and the first one of every other segment. Segments that were set aside
   have none. So the first look at a round takes as long as all that came before it; a later look begins near by.
4. Each segment is read as it was at one moment, and nothing in the state folder changes.
"""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TypeVar

from firmware_bridge.audit.journal_reader import Part, Reader, UnreadableError, opened, parts
from firmware_bridge.audit.round_walk import Begin, EnoughError, Listener, walk
from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.editions import same_round
from firmware_bridge.journal.rounds.round_records import Done
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.notation.syntax import Header
from gamecore.table import Table

KEPT = 64
"""The most checkpoints of a segment."""
SEGMENTS = 8
APART = 150
"""The fewest rows between two checkpoints."""
_SET_UP = f"SELECT 1 FROM events WHERE kind = '{schema.TABLE}' AND n <= ?"  # noqa: S608  the word is ours


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
    """Looks on at a walk; override only the methods that are needed."""

    def begins(self, header: Header, table: Table, *, fresh: bool) -> None:
        """The walk begins at a table, or a table begins."""

    def row(self, row: Row) -> None:
        """A row that is no event of the table."""

    def event(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...]) -> None:
        """An event was applied."""


F = TypeVar("F", bound=Follower)


@dataclass(slots=True)
class Checkpoints:
    """Tables between rounds, as earlier walks have found them; by the number of the segment, then by row."""

    _known: dict[int, dict[int, tuple[Part, Header, Table]]] = field(default_factory=dict)
    _recent: OrderedDict[int, None] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def keep_table(self, part: Part, n: int, header: Header, table: Table) -> None:
        """Keep a table as it stands after a row, unless one near it is kept, or the segment was set aside."""
        if part.aside:
            return  # its numbers may have been given again
        with self._lock:
            known = self._known.setdefault(part.number, {})
            self._recent[part.number] = None
            self._recent.move_to_end(part.number)
            if len(known) >= KEPT or any(abs(n - other) < APART for other in known):
                return
            copied = table.copied()
            copied.forget_rounds(1)
            known[n] = part, header, copied
            while len(self._recent) > SEGMENTS:
                number, _ = self._recent.popitem(last=False)
                first = min(self._known[number])
                self._known[number] = {first: self._known[number][first]}

    def before(self, part: Part, n: int) -> Start | None:
        """The nearest one before a row of a segment."""
        with self._lock:
            found = [
                (number, at)
                for number, known in self._known.items()
                for at in known
                if at < n and (number < part.number or (number == part.number and not part.aside))
            ]
            if not found:
                return None
            number, at = max(found)
            kept, header, table = self._known[number][at]
            return Start(Begin(kept, at, table.copied()), header)


def retrace(
    state: Path, span: Span, make: Callable[[], F], checkpoints: Checkpoints, back: int | None = None
) -> tuple[F, bool]:
    """Let a follower see the table up to the end of a round; returns it, and whether the round came out as recorded.

    `back` shows more of what was before: it says how many segments to go back. 0 is the round's own segment, from its
    beginning.
    """
    follower = make()
    with suppress(UnreadableError, sqlite3.Error):
        start = _start(state, span, checkpoints, back)
        walking = _Walking(span, start, follower, checkpoints)
        with suppress(UnreadableError, sqlite3.Error):
            walk(state, walking, begin=start.begin)
        return follower, walking.true
    return follower, False


def _start(state: Path, span: Span, checkpoints: Checkpoints, back: int | None) -> Start:
    """Where a walk begins: as near as may be."""
    until = span.first
    before = [part for part in parts(state) if part.number <= span.part.number]
    if back is not None:
        until = _first_row(before[-1 - min(back, len(before) - 1)], until)
    known = checkpoints.before(span.part, until)
    for part in reversed(before):
        if known is not None and known.begin is not None and known.begin.part.number >= part.number:
            return known
        if _sets_up(part, until):
            return Start(Begin(part))
    return Start(None)


def _first_row(part: Part, otherwise: int) -> int:
    with suppress(sqlite3.Error, UnreadableError), opened(part) as reader:
        found = reader.connection.execute("SELECT min(n) FROM events").fetchone()[0]
        return found if isinstance(found, int) else otherwise
    return otherwise


def _sets_up(part: Part, until: int) -> bool:
    """Whether a table is set up in a segment, up to a row."""
    try:
        with opened(part) as reader:
            return reader.connection.execute(_SET_UP, (until,)).fetchone() is not None
    except (sqlite3.Error, UnreadableError):
        return False


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

    def began(self, row: Row, header: Header, table: Table) -> None:
        """A table begins."""
        del row
        self._header = header
        self._follower.begins(header, table, fresh=True)

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """An event was applied."""
        self._follower.event(row, event, table, outputs)
        if row.n == self._span.last:
            report = table.round_report()
            self.true = not self.otherwise and same_round(self._span.report, json.loads(json.dumps(report)))
        elif done is not None and self._part is not None and self._header is not None:
            self._checkpoints.keep_table(self._part, row.n, self._header, table)

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
