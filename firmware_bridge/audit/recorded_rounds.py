"""The rounds of a journal as their newest records have them, segment by segment, and those that have none.

1. A round is listed once, by its newest record, which may lie in the next segment.
2. A round has the name that the table had when it began, as the row of the start before it says.
3. People are named where the journal knows who said something: everyone who did while the round was on, or about it.
4. A round that was on when another table was set up, or is on when the journal ends, has no record. It is listed as its
   events make it, without an end: the former is abandoned, the latter open.
5. Everything that can be read is taken from a segment that was set aside. A record in it that makes no sense has no
   report. In any other segment, what cannot be read or makes no sense is an error that names the file.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from firmware_bridge.audit.journal_reader import Part, Reader, UnreadableError, Where, opened, parts
from firmware_bridge.audit.round_filter import About, Chosen
from firmware_bridge.audit.round_walk import Listener, walk
from firmware_bridge.audit.rows import table_name
from firmware_bridge.audit.speakers import Speakers
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_records import ABANDONED, OPEN, Done, FindingRecord
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import FindingView, Output
from gamecore.notation.syntax import Header
from gamecore.table import Table

_ROUND = "id, number, game, first, last, began, ended, outcome, boxes, report"
_NOT_IN_1 = frozenset({"how", "person", "role"})
"""What a finding of the first edition of the journal does not say."""


@dataclass(frozen=True, slots=True)
class ListedFinding:
    """A finding as its record has it, when it was made, who said so, and what was said about it."""

    record: FindingRecord
    at: str
    by: str
    said: list[str]


@dataclass(frozen=True, slots=True)
class ListedRound:
    """A round; one without an end has no record."""

    segment: str
    number: int
    game: str
    first: int
    last: int
    began: str
    ended: str
    outcome: str
    boxes: str
    report: dict[str, Any] | None
    findings: list[ListedFinding] = field(default_factory=list)
    people: tuple[str, ...] = ()
    table: str = ""

    def is_wanted(self, chosen: Chosen) -> bool:
        """Whether the round is one of those that are chosen."""
        findings = [(found.record.code, found.record.clause) for found in self.findings]
        return chosen.takes(About(self.number, self.began, self.ended, self.outcome, self.boxes, findings, self.people))


class _Spoken:
    """When rows were written, and who said what they hold, of the segment that was heard last and of the one before.

    A round that is told in one may have begun in the other.
    """

    def __init__(self) -> None:
        """Nothing was heard."""
        self.at: dict[int, str] = {}
        self._by: dict[int, dict[str, str]] = {}
        self._order: list[int] = []
        self._last: tuple[dict[int, str], dict[int, dict[str, str]]] = {}, {}
        self._names: list[tuple[int, str]] = []  # of the table, each from a row on

    def read_segment(self, part: Part, reader: Reader, step: Callable[[], None]) -> None:
        """Read a segment."""
        speakers, at, by = Speakers(), dict[int, str](), dict[int, dict[str, str]]()
        for row, _ in rows(part, reader):
            step()
            at[row.n] = row.at
            if (speaker := speakers.of(row)) is not None:
                by[row.n] = speaker
            if row.kind == schema.START:
                self._names.append((row.n, table_name(row)))
        self.at, self._by = self._last[0] | at, self._last[1] | by
        self._last, self._order = (at, by), sorted(self._by)

    def named(self, n: int) -> str:
        """What the table was called when a row was written."""
        return next((name for since, name in reversed(self._names) if since <= n), "")

    def by(self, n: int) -> str:
        """Who said what a row holds, with the role; nothing if the journal does not know."""
        speaker = self._by.get(n)
        return "" if speaker is None else f"{speaker['name']} ({speaker['role']})"

    def between(self, first: int, last: int, *more: int) -> tuple[str, ...]:
        """The names of everyone who said something from one row to another, or in one of some more."""
        spoken = self._order[bisect_left(self._order, first) : bisect_right(self._order, last)]
        return tuple(dict.fromkeys(self._by[n]["name"] for n in (*spoken, *more) if n in self._by))


def recorded(state: Where, chosen: Chosen, step: Callable[[], None]) -> Iterator[ListedRound]:
    """The chosen rounds that have a record, in the order of the segments.

    Raises:
        UnreadableError: there is no journal, or a segment at hand cannot be read.
    """
    before: list[ListedRound] = []
    spoken = _Spoken()
    for part, reader in each(state):
        spoken.read_segment(part, reader, step)
        found = _of_segment(part, reader, spoken)
        again = {(one.first, one.began) for one in found}
        yield from (one for one in before if (one.first, one.began) not in again and one.is_wanted(chosen))
        before = found
    yield from (one for one in before if one.is_wanted(chosen))


def each(state: Where) -> Iterator[tuple[Part, Reader]]:
    """Every segment in order, opened; see `passed_over` for what cannot be read."""
    for part in parts(state):
        try:
            with opened(part) as reader:
                yield part, reader
        except sqlite3.Error as error:
            passed_over(part, error)


def passed_over(part: Part, error: Exception) -> None:
    """Leave out what cannot be read in a segment that was set aside.

    Raises:
        UnreadableError: the segment was not set aside.
    """
    if not part.aside:
        message = f"{part.name}: {error}; 'truedeal verify' says what became of it"
        raise UnreadableError(message) from error


def rows(part: Part, reader: Reader) -> Iterator[tuple[Row, bytes]]:
    """The rows of a segment, up to where they can be read."""
    try:
        yield from reader.rows()
    except sqlite3.Error as error:
        passed_over(part, error)


def _of_segment(part: Part, reader: Reader, spoken: _Spoken) -> list[ListedRound]:
    """The newest record of each round of a segment."""
    try:
        rounds: list[Any] = reader.records("rounds", _ROUND)
        findings = _findings(reader, spoken)
        words: list[Any] = reader.records("rulings", "round, n")
    except sqlite3.Error as error:
        passed_over(part, error)
        return []
    about: dict[object, list[int]] = {}
    for round_, n in words:
        about.setdefault(round_, []).append(n)
    found: dict[object, ListedRound] = {}
    for id_, number, game, first, last, began, ended, outcome, boxes, report in rounds:
        told = (part.name, number, game, first, last, began, ended, outcome, boxes)
        found.pop(first, None)  # a later one takes its place at the end
        people = spoken.between(first, last, *about.get(id_, []))
        name = spoken.named(first)
        found[first] = ListedRound(*told, _report(part, report), findings.get(id_, []), people, name)
    return list(found.values())


def _report(part: Part, text: object) -> dict[str, Any] | None:
    try:
        told = json.loads(str(text))
        wagers = [(wager["stake"], wager["net"]) for wager in told["wagers"]]
        return told if isinstance(told, dict) and isinstance(wagers, list) else None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        passed_over(part, ValueError(f"the report of a round cannot be read: {error!r}"))
        return None


def _findings(reader: Reader, spoken: _Spoken) -> dict[object, list[ListedFinding]]:
    """The findings of a segment by the id of the record, with what was said and by whom."""
    first = segments.edition(reader.connection) == 1
    columns = ["''" if first and name in _NOT_IN_1 else name for name in FindingRecord._fields]
    listed: list[Any] = reader.records("findings", ", ".join(("id", "round", *columns)))
    said: dict[object, list[str]] = {}
    told: list[Any] = reader.records("rulings", "finding, n, who, what")
    for about, n, who, what in told:
        named = f"{who}, {spoken.by(n)}" if spoken.by(n) else who
        said.setdefault(about, []).append(f"{named}: {what}")
    found: dict[object, list[ListedFinding]] = {}
    for id_, round_, *values in listed:
        record = FindingRecord._make(values)
        at, by = spoken.at.get(record.n, ""), spoken.by(record.n)
        found.setdefault(round_, []).append(ListedFinding(record, at, by, said.get(id_, [])))
    return found


# --- rounds without a record ------------------------------------------------------------------------------------------


def every(state: Where, chosen: Chosen, step: Callable[[], None]) -> Iterator[ListedRound]:
    """The chosen rounds, those without a record last."""
    yield from recorded(state, chosen, step)
    yield from unfinished(state, chosen, step)


def unfinished(state: Where, chosen: Chosen, step: Callable[[], None]) -> list[ListedRound]:
    """The chosen rounds that were on when another table was set up, or are on when the journal ends."""
    following = _Unfinished()
    walk(state, following, step)
    following.ends(OPEN)
    return [one for one in following.found if one.is_wanted(chosen)]


class _Unfinished(Listener):
    """Looks for rounds that do not end."""

    def __init__(self) -> None:
        """No table is set up yet."""
        self.found: list[ListedRound] = []
        self._segment = ""
        self._table: Table | None = None
        self._on = (0, 0, "")  # the round that is on: its number, its first event, when
        self._last = 0
        self._speakers = Speakers()
        self._people: dict[str, None] = {}  # who said something while it was on
        self._rows: dict[
            int, tuple[int, str, str, str, str]
        ] = {}  # row, time, how, who and role, by the table's own count
        self._name = ""

    def opens(self, part: Part, reader: Reader) -> None:
        """A segment begins."""
        del reader
        self._segment = part.name

    def began(self, row: Row, header: Header, table: Table) -> None:
        """Another table: the round that is on does not end."""
        del header
        self.ends(ABANDONED)
        self._table, self._on = table, (0, row.n, row.at)

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """A round may begin."""
        del event, outputs, done
        self._table, self._last = table, row.n
        if table.round_number != self._on[0]:
            self._on, self._people, self._rows = (table.round_number, row.n, row.at), {}, {}
        self._rows[table.events] = row.n, row.at, row.how or "", row.person or "", row.role or ""

    def passed(self, part: Part, row: Row, table: Table | None) -> None:
        """Where the table is not known, nobody knows whether its round has ended."""
        del part
        self._table = table
        self._name = table_name(row) if row.kind == schema.START else self._name
        if (speaker := self._speakers.of(row)) is not None:
            self._people[speaker["name"]] = None

    def lost(self, part: Part) -> None:
        """The same, where the rest of a segment cannot be read."""
        del part
        self._table = None

    def ends(self, outcome: str) -> None:
        """Nothing more happens at this table, so that its round has this outcome."""
        if self._table is None or not self._table.round_is_on:
            return
        view, (number, first, began) = self._table.view(), self._on
        boxes = " ".join(str(box) for box, one in sorted(view.round.boxes.items()) if one.mains or one.sides)
        report = json.loads(json.dumps(self._table.round_report()))
        told = (self._segment, number, view.rules.id, first, self._last, began, "", outcome, boxes, report)
        findings = [self._finding(finding) for finding in view.round.findings]
        self.found.append(ListedRound(*told, findings, tuple(self._people), self._name))

    def _finding(self, finding: FindingView) -> ListedFinding:
        """A finding as records have it; what was said about it stands in the events."""
        n, at, how, *by = self._rows.get(finding.event, (self._on[1], self._on[2], "", "", ""))
        what = (finding.code, finding.clause, finding.ruling)
        where, cards = " ".join(map(str, finding.places)), " ".join(map(str, finding.cards))
        record = FindingRecord(n, *what, where, cards, finding.whose, how or finding.how, *by)
        return ListedFinding(record, at, f"{record.person} ({record.role})" if record.person else "", [])
