"""Proves that the records of rounds are what the events make: every round again, held against the tables.

1. Each round is rebuilt from its events and held against its record: number, times, outcome, boxes, the report with
   every wager and its settlement, the findings with their rulings, what was said about them, and the round as it lay,
   unless software of another version has kept that.
2. Each snapshot is held against the table at its row.
3. The record of the very last round may not be written yet, or may have been lost in a crash: that is told, and is no
   difference. The daemon makes it again.
4. A round that an earlier edition has kept, and whose events are judged otherwise now, is not judged again: its record
   stands (`journal.editions`). What does not depend on the rules is compared all the same: its times with those of its
   rows, and its report with the rest of the record. Each such round is told, with what would be judged otherwise.
5. Rounds whose beginning is not in the journal, or of which something lies in a part of a segment that was set aside
   and cannot be read, cannot be rebuilt; they are counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from firmware_bridge.audit.reading import Part, Reader
from firmware_bridge.audit.walk import Listener, walk
from firmware_bridge.journal import schema, segments, snapshot
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.difference import first_difference
from firmware_bridge.journal.records import Done
from firmware_bridge.journal.sealed import OtherShapeError, SnapshotError
from gamecore.model.events import Event
from gamecore.model.outputs import Output
from gamecore.notation.syntax import Header
from gamecore.table import Table
from gamecore.view.keeping import plain

_ROUND = "id, number, game, first, last, began, ended, outcome, boxes, report, state"
_FINDING = "round, id, n, code, clause, ruling, places, cards, whose"
_RULING = "round, finding, n, at, who, what"


class Difference(NamedTuple):
    """Where a record is not what the events make, and in what."""

    n: int
    where: str
    detail: str

    def __str__(self) -> str:
        """One line for a person."""
        return f"event {self.n}, {self.where}: {self.detail}"


@dataclass(slots=True)
class Replayed:
    """What was rebuilt, and what differs."""

    rounds: int = 0
    snapshots: int = 0
    passed_over: int = 0  # rounds that cannot be rebuilt
    unrecorded: int = 0  # the last round, whose record is still to be written
    not_judged: list[str] = field(default_factory=list)  # rounds that an earlier edition has kept
    differences: list[Difference] = field(default_factory=list)

    @property
    def first(self) -> Difference | None:
        """The difference at the first event."""
        return min(self.differences, default=None)


def replay(state: Path, step: Callable[[], None] = lambda: None) -> Replayed:
    """Rebuild every round of a journal.

    Raises:
        UnreadableError: there is none, or an event cannot be read.
    """
    comparing = _Comparing()
    walk(state, comparing, step)
    return comparing.end()


class _Record(NamedTuple):
    part: Part
    told: dict[str, object]
    state: object
    edition: int


class _Comparing(Listener):
    """Holds each round against its record, whichever of the two comes first."""

    def __init__(self) -> None:
        """Nothing is rebuilt yet."""
        self._result = Replayed()
        self._records: dict[int, _Record] = {}  # by the first event
        self._rebuilt: dict[int, Done] = {}
        self._snapshots: dict[int, object] = {}
        self._last = 0  # the first event of the last round
        self._unknown: list[tuple[int, int]] = []  # events that were passed over
        self._passed = 0  # the last event that was read
        self._unread = 0  # where events begin that cannot be read
        self._kept: set[int] = set()  # rounds whose record stands, by the first event

    def opens(self, part: Part, reader: Reader) -> None:
        """Read the records of a segment."""
        told = _told(reader)
        edition = segments.edition(reader.connection)
        for record in reader.records("rounds", _ROUND):
            id_, number, game, first, last, began, ended, outcome, boxes, report, state = record
            values = (number, game, last, began, ended, outcome, boxes, _json(report))
            named = dict(zip(_NAMES, values, strict=True))
            if isinstance(first, int):
                self._records[first] = _Record(part, {**named, **told(id_)}, state, edition)
                self._looks_right(reader, first, self._records[first])
                if first != self._last:
                    self._compare(first)
        self._snapshots = {
            n: state
            for n, format_, state in reader.records("snapshots", "n, format, state")
            if isinstance(n, int) and format_ == snapshot.FORMAT
        }

    def began(self, row: Row, header: Header, table: Table, *, fresh: bool) -> None:
        """A snapshot that was taken up is not held against itself."""
        del header, table
        if not fresh:
            self._snapshots.pop(row.n, None)

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """A round may be over."""
        del row, event, table, outputs
        if done is not None:
            if done.round.first != self._last:
                self._result.rounds += 1
                self._compare(self._last)
            self._last = done.round.first
            self._rebuilt[self._last] = done  # or what was found out about it later

    def judged_otherwise(self, part: Part, row: Row, differs: str) -> None:
        """The record of a round stands."""
        for first, record in self._records.items():
            if record.part is part and record.told["last"] == row.n:
                self._kept.add(first)
                self._not_judged(first, record, differs)

    def _looks_right(self, reader: Reader, first: int, record: _Record) -> None:
        """What an earlier edition has kept of a round, compared with itself and with the rows that it names."""
        if record.edition == schema.EDITION:
            return
        at = dict(reader.connection.execute("SELECT n, at FROM events WHERE n IN (?, ?)", (first, record.told["last"])))
        kept = {name: record.told[name] for name in ("began", "ended")}
        rows = {"began": at.get(first, kept["began"]), "ended": at.get(record.told["last"])}
        difference = first_difference(kept, rows) or _disagrees(record.told)
        if difference:
            self._differs(first, f"round {record.told['number']} in {record.part.name}", difference)

    def passed(self, part: Part, row: Row, table: Table | None) -> None:
        """A snapshot may have been taken after this row."""
        if self._unread:
            self._unknown.append((self._unread, row.n - 1))
            self._unread = 0
        self._passed = row.n
        if table is None:
            begin, end = self._unknown[-1] if self._unknown else (row.n, row.n - 1)
            follows = end + 1 == row.n and bool(self._unknown)
            self._unknown[len(self._unknown) - follows :] = [(begin if follows else row.n, row.n)]
            return
        state = self._snapshots.pop(row.n, None)
        if state is None:
            return
        self._result.snapshots += 1
        try:
            kept = snapshot.load(state if isinstance(state, bytes) else b"")
        except SnapshotError as error:
            self._differs(row.n, f"snapshot in {part.name}", str(error))
            return
        difference = first_difference(plain(kept.table), plain(table.snapshot()))
        if difference:
            self._differs(row.n, f"snapshot in {part.name}", difference)

    def lost(self, part: Part) -> None:
        """The next events that can be read are those of the segment after it."""
        del part
        self._unread = self._passed + 1

    def _compare(self, first: int) -> None:
        """Hold a round against its record, if both are there."""
        if first not in self._records or first not in self._rebuilt:
            return
        record, done = self._records.pop(first), self._rebuilt.pop(first)
        where = f"round {done.round.number} in {record.part.name}"
        difference = "" if first in self._kept else first_difference(record.told, _rebuilt(done, record.edition))
        if not difference and record.edition == schema.EDITION:
            difference = _as_it_lay(record.state, done.round.state)
        if difference and record.edition != schema.EDITION:
            self._not_judged(first, record, difference)
        elif difference:
            self._differs(first, where, difference)

    def _not_judged(self, first: int, record: _Record, differs: str) -> None:
        where = f"event {first}, round {record.told['number']} in {record.part.name}"
        self._result.not_judged.append(f"{where}: kept by edition {record.edition}, not judged again; {differs}")

    def _is_unknown(self, n: object) -> bool:
        """Whether an event was passed over."""
        return isinstance(n, int) and any(begin <= n <= end for begin, end in self._unknown)

    def _differs(self, n: int, where: str, detail: str) -> None:
        self._result.differences.append(Difference(n, where, detail))

    def end(self) -> Replayed:
        """What is left has no counterpart."""
        result = self._result
        self._compare(self._last)
        for first, done in self._rebuilt.items():
            if first == self._last:
                result.unrecorded += 1
            else:
                self._differs(first, f"round {done.round.number}", "the events make a round that has no record")
        for first, record in self._records.items():
            if self._is_unknown(first) or self._is_unknown(record.told["last"]):
                result.passed_over += 1
            else:
                where = f"round {record.told['number']} in {record.part.name}"
                self._differs(first, where, "the record has no round in the events")
        return result


# --- records and rounds as plain values -------------------------------------------------------------------------------

_NAMES = ("number", "game", "last", "began", "ended", "outcome", "boxes", "report")
_FINDING_NAMES = ("n", "code", "clause", "ruling", "places", "cards", "whose")
_RULING_NAMES = ("finding", "n", "at", "who", "what")


def _told(reader: Reader) -> Callable[[object], dict[str, object]]:
    """The findings of a round, and what was said about them, by the id of the round."""
    findings: dict[object, list[dict[str, object]]] = {}
    rulings: dict[object, list[dict[str, object]]] = {}
    places: dict[object, int] = {}
    for round_, id_, *values in reader.records("findings", _FINDING):
        of_round = findings.setdefault(round_, [])
        places[id_] = len(of_round)
        of_round.append(dict(zip(_FINDING_NAMES, values, strict=True)))
    for round_, about, *said in reader.records("rulings", _RULING):
        values = [None if about is None else places.get(about, about), *said]
        rulings.setdefault(round_, []).append(dict(zip(_RULING_NAMES, values, strict=True)))
    return lambda id_: {"findings": findings.get(id_, []), "rulings": rulings.get(id_, [])}


def _rebuilt(done: Done, edition: int) -> dict[str, object]:
    """A round that was rebuilt, in the shape of its record; the first edition listed a card that is moved once."""
    made = done.round
    values = (made.number, made.game, made.last, made.began, made.ended, made.outcome, made.boxes, _json(made.report))
    findings = [dict(zip(_FINDING_NAMES, finding, strict=True)) for finding in done.findings]
    said = [one for one in done.rulings if edition == schema.EDITION or not one.what.startswith("lift ")]
    rulings = [dict(zip(_RULING_NAMES, ruling, strict=True)) for ruling in said]
    return {**dict(zip(_NAMES, values, strict=True)), "findings": findings, "rulings": rulings}


def _disagrees(told: dict[str, Any]) -> str:
    """Where the report of a round says something else than the rest of its record; nothing if nowhere."""
    report, names = told["report"], ("code", "clause", "ruling")
    try:
        said = {name: report[name] for name in ("number", "outcome")}
        said["findings"] = [[finding[name] for name in names] for finding in report["findings"]]
    except (LookupError, TypeError) as error:
        return f"its report cannot be read: {error!r}"
    listed = [[finding[name] for name in names] for finding in told["findings"]]
    return first_difference({"number": told["number"], "outcome": told["outcome"], "findings": listed}, said)


def _json(text: object) -> object:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return text


def _as_it_lay(kept: object, made: bytes) -> str:
    """The first difference between the round as it was kept and as it was rebuilt."""
    try:
        known = snapshot.load_round(kept if isinstance(kept, bytes) else b"")
    except OtherShapeError:
        return ""  # other software has kept it in its own way; its report was compared
    except SnapshotError as error:
        return f"the round as it lay: {error}"
    difference = first_difference(plain(known), plain(snapshot.load_round(made)))
    return f"the round as it lay: {difference}" if difference else ""
