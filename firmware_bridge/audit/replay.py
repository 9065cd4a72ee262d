"""Proves that the records of rounds are what the events make: every round again, compared with the tables.

1. Each round is rebuilt from its events and compared with its records: number, times, outcome, boxes, the report with
   every wager and its settlement, the findings with their rulings, and what was said about them. Every difference is
   listed.
2. What was found out later is another record of the same round. The newest must be what the events make in the end, and
   each one before it what they made at some moment. A finding or a ruling that belongs to no round is a difference.
3. Snapshots are not looked at: they are the daemon's own, and prove nothing.
4. The newest record of the very last round may not be written yet, or may have been lost in a crash: that is noted, and
   is no difference. The daemon makes it again.
5. A round that an earlier edition has kept, and whose events are judged otherwise now, is not judged again: its record
   stands (`journal.rounds.editions`). What does not depend on the rules is still compared: its times with those of its
   rows, and its report with the rest of the record. Each such round is noted, with what would be judged otherwise.
6. A round cannot be rebuilt if its beginning is not in the journal, or if some of it lies in a segment that was set
   aside and cannot be read. The records of such rounds are counted.
7. What somebody was allowed to say, and would not be now, is a remark, and is no difference (`remarks`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from firmware_bridge.audit.journal_reader import Part, Reader, Where
from firmware_bridge.audit.remarks import Remarks
from firmware_bridge.audit.round_walk import Listener, walk
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.difference import differences
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.people.two_names import Rows
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.notation.syntax import Header
from gamecore.table import Table

_ROUND = "id, number, game, first, last, began, ended, outcome, boxes, report"
_FINDING = "round, id, n, code, clause, ruling, places, cards, whose, how, person, role"
_RULING = "round, finding, n, at, who, what, person, role"
_FINDING_1 = "round, id, n, code, clause, ruling, places, cards, whose, '', '', ''"
_RULING_1 = "round, finding, n, at, who, what, '', ''"


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
    passed_over: int = 0  # rounds that cannot be rebuilt
    last: int = 0  # the last event of the last round that is over
    unrecorded: int = 0  # the last round, whose newest record is still to be written
    not_judged: list[str] = field(default_factory=list)  # rounds that an earlier edition has kept
    remarks: list[str] = field(default_factory=list)  # words that would be refused now
    differences: list[Difference] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """What a person should also know."""
        missing = ["the newest record of the last round is not written yet"] if self.unrecorded else []
        over = f"{self.passed_over} records cannot be proved: their events, or how their table began, are not here"
        return [*missing, *([over] if self.passed_over else []), *self.not_judged, *self.remarks]

    @property
    def sorted(self) -> list[Difference]:
        """The differences by event; those of one event as they were met."""
        return sorted(self.differences, key=lambda one: one.n)


def replay(state: Where, step: Callable[[], None] = lambda: None) -> Replayed:
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
    edition: int


class _Comparing(Listener):
    """Compares each round with its records, whichever of the two comes first."""

    def __init__(self) -> None:
        """Nothing is rebuilt yet."""
        self._result = Replayed()
        self._records: dict[int, list[_Record]] = {}  # by the first event, oldest first
        self._made: dict[int, list[Done]] = {}  # the same rounds as the events made them, one moment after the other
        self._compared: dict[int, set[bytes]] = {}  # digests of those that were compared, for a record that comes later
        self._last = 0  # the first event of the last round
        self._unknown: list[tuple[int, int]] = []  # events that were passed over
        self._passed = 0  # the last event that was read
        self._unread = 0  # where events begin that cannot be read
        self._kept: set[int] = set()  # rounds whose record stands, by the first event
        self._remarks = Remarks()

    def opens(self, part: Part, reader: Reader) -> None:
        """Read the records of a segment."""
        (begins,) = reader.connection.execute("SELECT min(n) FROM events").fetchone()
        if isinstance(begins, int) and begins <= self._passed:
            self._begin_again(begins)
        told = _findings_by_round(reader)
        edition = segments.edition(reader.connection)
        listed: set[object] = set()
        for id_, number, game, first, last, began, ended, outcome, boxes, report in reader.records("rounds", _ROUND):
            listed.add(id_)
            values = (number, game, last, began, ended, outcome, boxes, _json(report))
            record = _Record(part, {**dict(zip(_NAMES, values, strict=True)), **told(id_)}, edition)
            if isinstance(first, int):
                self._looks_right(reader, first, record)
                self._compare_or_store(first, record)
        for table in ("findings", "rulings"):
            for round_, n in reader.records(table, "round, n"):
                if round_ not in listed:
                    at = n if isinstance(n, int) else self._passed
                    self._differs(at, f"{table} in {part.name}", "one belongs to no round")

    def _begin_again(self, n: int) -> None:
        """Events from a number on were not taken over from a segment that was set aside: other ones have it now."""
        self._compare(self._last)
        self._last = 0
        self._result.passed_over += sum(len(records) for first, records in self._records.items() if first >= n)
        for known in (self._records, self._made, self._compared):
            for first in [first for first in known if first >= n]:
                del known[first]

    def _compare_or_store(self, first: int, record: _Record) -> None:
        """Keep a record until its round is rebuilt, or compare it with what was."""
        known = self._compared.get(first)
        if known is None:
            self._records.setdefault(first, []).append(record)
        elif _digest(record.told) not in known:
            self._differs(first, _where(record), "it is not what the events make")

    def began(self, row: Row, header: Header, table: Table) -> None:
        """Another table has other sensors."""
        del row, table
        self._remarks.sensors = header.sensors

    def before_statement(self, row: Row, event: Event, table: Table, rows: Rows) -> None:
        """Look whether it could still be said."""
        self._remarks.before_statement(row, event, table, rows)

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """A round may be over."""
        del event, table, outputs
        if done is not None:
            if done.round.first != self._last:
                self._result.rounds += 1
                self._compare(self._last)
            self._last, self._result.last = done.round.first, row.n
            self._made.setdefault(self._last, []).append(done)

    def judged_otherwise(self, part: Part, row: Row, differs: str) -> None:
        """The record of a round stands."""
        for first, records in self._records.items():
            if records[-1].part is part and records[-1].told["last"] == row.n:
                self._kept.add(first)
                self._not_judged(first, records[-1], differs)

    def _looks_right(self, reader: Reader, first: int, record: _Record) -> None:
        """What an earlier edition has kept of a round, compared with itself and with the rows that it names."""
        if record.edition == schema.EDITION:
            return
        at = dict(reader.connection.execute("SELECT n, at FROM events WHERE n IN (?, ?)", (first, record.told["last"])))
        kept = {name: record.told[name] for name in ("began", "ended")}
        rows = {"began": at.get(first, kept["began"]), "ended": at.get(record.told["last"])}
        for difference in (*differences(kept, rows), *_disagreeing(record.told)):
            self._differs(first, _where(record), difference)

    def passed(self, part: Part, row: Row, table: Table | None) -> None:
        """Note what was passed over."""
        del part
        self._remarks.passed(row)
        if self._unread:
            self._unknown.append((self._unread, row.n - 1))
            self._unread = 0
        self._passed = row.n
        if table is None:
            begin, end = self._unknown[-1] if self._unknown else (row.n, row.n - 1)
            follows = end + 1 == row.n and bool(self._unknown)
            self._unknown[len(self._unknown) - follows :] = [(begin if follows else row.n, row.n)]

    def lost(self, part: Part) -> None:
        """The next events that can be read are those of the segment after it."""
        del part
        self._unread = self._passed + 1

    def _compare(self, first: int) -> None:
        """Compare a round with its records, if both are there."""
        if first not in self._records or first not in self._made:
            return
        records, made = self._records.pop(first), self._made.pop(first)
        for at, record in enumerate(records, start=1):
            versions = [_rebuilt(done, record.edition) for done in made]
            if at < len(records) and record.told in versions:
                continue
            if first == self._last and record.told in versions[:-1]:
                self._result.unrecorded += 1
                continue
            self._report_diff(
                first, record, versions[-1] if at == len(records) else versions[min(at, len(versions)) - 1]
            )
        self._compared[first] = {_digest(_rebuilt(done, schema.EDITION)) for done in made}

    def _report_diff(self, first: int, record: _Record, made: dict[str, object]) -> None:
        """Tell in what a record differs from what the events make."""
        found = [] if first in self._kept else list(differences(record.told, made))
        if record.edition != schema.EDITION:
            for difference in found[:1]:
                self._not_judged(first, record, difference)
            return
        for difference in found:
            self._differs(first, _where(record), difference)

    def _not_judged(self, first: int, record: _Record, differs: str) -> None:
        where = f"event {first}, {_where(record)}"
        self._result.not_judged.append(f"{where}: kept by edition {record.edition}, not judged again; {differs}")

    def _is_unknown(self, n: object) -> bool:
        """Whether an event was passed over."""
        return isinstance(n, int) and any(begin <= n <= end for begin, end in self._unknown)

    def _differs(self, n: int, where: str, detail: str) -> None:
        self._result.differences.append(Difference(n, where, detail))

    def end(self) -> Replayed:
        """What is left has no counterpart."""
        result, self._result.remarks = self._result, self._remarks.found
        self._compare(self._last)
        for first, made in self._made.items():
            if first == self._last:
                result.unrecorded += 1
            else:
                self._differs(first, f"round {made[-1].round.number}", "the events make a round that has no record")
        for first, records in self._records.items():
            for record in records:
                if self._is_unknown(first) or self._is_unknown(record.told["last"]):
                    result.passed_over += 1
                else:
                    self._differs(first, _where(record), "the record has no round in the events")
        return result


# --- records and rounds as plain values -------------------------------------------------------------------------------

_NAMES = ("number", "game", "last", "began", "ended", "outcome", "boxes", "report")
_FINDING_NAMES = ("n", "code", "clause", "ruling", "places", "cards", "whose", "how", "person", "role")
_RULING_NAMES = ("finding", "n", "at", "who", "what", "person", "role")


def _findings_by_round(reader: Reader) -> Callable[[object], dict[str, object]]:
    """The findings of a round, and what was said about them, by the id of the round."""
    findings: dict[object, list[dict[str, object]]] = {}
    rulings: dict[object, list[dict[str, object]]] = {}
    places: dict[object, int] = {}
    first = segments.edition(reader.connection) == 1
    for round_, id_, *values in reader.records("findings", _FINDING_1 if first else _FINDING):
        of_round = findings.setdefault(round_, [])
        places[id_] = len(of_round)
        of_round.append(dict(zip(_FINDING_NAMES, values, strict=True)))
    for round_, about, *said in reader.records("rulings", _RULING_1 if first else _RULING):
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


def _disagreeing(told: dict[str, Any]) -> list[str]:
    """Where the report of a round says something else than the rest of its record."""
    report, names = told["report"], ("code", "clause", "ruling")
    try:
        said = {name: report[name] for name in ("number", "outcome")}
        said["findings"] = [[finding[name] for name in names] for finding in report["findings"]]
    except (LookupError, TypeError) as error:
        return [f"its report cannot be read: {error!r}"]
    listed = [[finding[name] for name in names] for finding in told["findings"]]
    return list(differences({"number": told["number"], "outcome": told["outcome"], "findings": listed}, said))


def _where(record: _Record) -> str:
    return f"round {record.told['number']} in {record.part.name}"


def _digest(told: dict[str, object]) -> bytes:
    return blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16).digest()


def _json(text: object) -> object:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return text
