"""Proves that the records of rounds are what the events make: every round again, held against the tables.

1. Each round is rebuilt from its events and held against its record: number, times, outcome, boxes, the report with
   every wager and its settlement, the findings with their rulings, what was said about them, and the round as it lay,
   unless software of another version has kept that.
2. Each snapshot is held against the table at its row.
3. The record of the very last round may not be written yet, or may have been lost in a crash: that is told, and is no
   difference. The daemon makes it again.
4. Rounds whose beginning is not in the journal, or of which something lies in a part of a segment that was set aside
   and cannot be read, cannot be rebuilt; they are counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.audit.reading import Part, Reader
from firmware_bridge.audit.walk import Listener, walk
from firmware_bridge.journal import snapshot
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.records import Done
from firmware_bridge.journal.sealed import OtherShapeError, SnapshotError
from gamecore.model.events import Event
from gamecore.model.outputs import Output
from gamecore.notation.syntax import Header
from gamecore.table import Table
from gamecore.view.keeping import plain

_LONGEST = 120
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

    def opens(self, part: Part, reader: Reader) -> None:
        """Read the records of a segment."""
        told = _told(reader)
        for record in reader.records("rounds", _ROUND):
            id_, number, game, first, last, began, ended, outcome, boxes, report, state = record
            values = (number, game, last, began, ended, outcome, boxes, _json(report))
            named = dict(zip(_NAMES, values, strict=True))
            if isinstance(first, int):
                self._records[first] = _Record(part, {**named, **told(id_)}, state)
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
        difference = first_difference(record.told, _rebuilt(done))
        if not difference:
            difference = _as_it_lay(record.state, done.round.state)
        if difference:
            self._differs(first, where, difference)

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


def _rebuilt(done: Done) -> dict[str, object]:
    """A round that was rebuilt, in the shape of its record."""
    made = done.round
    values = (made.number, made.game, made.last, made.began, made.ended, made.outcome, made.boxes, _json(made.report))
    findings = [dict(zip(_FINDING_NAMES, finding, strict=True)) for finding in done.findings]
    rulings = [dict(zip(_RULING_NAMES, ruling, strict=True)) for ruling in done.rulings]
    return {**dict(zip(_NAMES, values, strict=True)), "findings": findings, "rulings": rulings}


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


def first_difference(kept: object, made: object, where: str = "") -> str:
    """Where two values differ first, and what each of them says; nothing if they are equal."""
    if type(kept) is type(made):
        match kept, made:
            case dict(), dict():
                names = [*kept, *(name for name in made if name not in kept)]
                inner = (_inner(kept, made, name, f"{where}.{name}" if where else str(name)) for name in names)
                return next((difference for difference in inner if difference), "")
            case list(), list() if len(kept) == len(made):
                pairs = enumerate(zip(kept, made, strict=True), start=1)
                inner = (first_difference(one, other, f"{where} {place}") for place, (one, other) in pairs)
                return next((difference for difference in inner if difference), "")
    if kept == made and type(kept) is type(made):
        return ""
    return f"{where}: kept is {_short(kept)}, the events give {_short(made)}"


def _inner(kept: dict[object, object], made: dict[object, object], name: object, where: str) -> str:
    if name not in kept or name not in made:
        return f"{where}: {'not kept' if name not in kept else 'kept, but the events give none'}"
    return first_difference(kept[name], made[name], where)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
