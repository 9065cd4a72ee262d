"""Rounds that an earlier edition of the software has kept.

1. The events are the truth. They are applied as they were taken then (`event_codec.of_row`).
2. A round that is over has its record. Where the present rules judge its events otherwise, the record stands: after its
   last row the round is over as the record has it, each wager settled as it was, and it is not judged again. `differs`
   says what would be judged otherwise.
3. A round begins where its record says, so that one that was judged otherwise spoils none after it.
4. A round in play has no record: it is applied from the last round's end, and goes on. Rows do not say which commands
   were refused. One that is refused now may have been taken then; `doubt` names the first, so that the shift manager
   looks at the table before play goes on.
5. A second claim to an Insurance option was refused in edition 1, and still is when it is read.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any, NamedTuple

from firmware_bridge.journal import event_codec, schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.difference import first_difference
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.model.events.outputs import Row as WagerRow
from gamecore.model.events.refusals import Refused
from gamecore.notation.writer import write_event
from gamecore.table import Table
from gamecore.view.report import row_of

_RECORDS = "SELECT first, last, outcome, report FROM rounds ORDER BY id"


class _Record(NamedTuple):
    outcome: str
    report: dict[str, Any]
    rows: list[WagerRow]


class RowOutcome(NamedTuple):
    """What came of a row: what the table gave, and what the record of the round that it ended says otherwise."""

    outputs: tuple[Output, ...]
    differs: str = ""

    @property
    def refused(self) -> bool:
        """Whether the row was refused; a row that ended a round then has ended it, whatever the rules say now."""
        return not self.differs and any(isinstance(output, Refused) for output in self.outputs)


class Editions:
    """The rows of one segment, as the edition that wrote them took them."""

    def __init__(self, connection: sqlite3.Connection, doubt: str = "") -> None:
        """Read what the segment knows of its rounds; `doubt` is about the round that began in the segment before."""
        self.edition = segments.edition(connection)
        self.doubt = "" if self.present else doubt
        self._ends: dict[int, _Record] = {}
        self._begins: set[int] = set()
        if not self.present:
            self._read(connection)

    def _read(self, connection: sqlite3.Connection) -> None:
        try:
            for first, last, outcome, text in connection.execute(_RECORDS):
                report = json.loads(text)
                self._ends[last] = _Record(outcome, report, [row_of(wager) for wager in report["wagers"]])
                self._begins.add(first)
        except (sqlite3.Error, LookupError, TypeError, ValueError):
            return  # the events are there all the same

    @property
    def present(self) -> bool:
        """Whether it is the edition of this software."""
        return self.edition == schema.EDITION

    def has_record(self, first: int) -> bool:
        """Whether an earlier edition has kept the round that began with a row."""
        return first in self._begins

    def event(self, row: Row, table: Table) -> Event | None:
        """The event that a row holds; None if it holds none, or one that was refused when it was written.

        Raises:
            CodecError: it should hold one, and its text is none.
        """
        event = event_codec.of_row(row.kind, row.body, self.edition)
        if not self.present and isinstance(event, ev.Insure) and _insured(table, event):
            return None
        return event

    def apply(self, row: Row, event: Event, table: Table) -> RowOutcome:
        """Apply an event as it was taken then."""
        if self.present:
            return RowOutcome(table.apply(event))
        if not table.round_is_on:
            self.doubt = ""
        if row.n in self._begins and isinstance(event, ev.PlaceBets) and not table.can(event):
            table.end_as_kept()
        outputs = table.apply(event)
        refused = next((output for output in outputs if isinstance(output, Refused)), None)
        if refused is not None and table.round_is_on and not self.doubt:
            self.doubt = f"event {row.n}, {write_event(event)}, is refused: {refused}"
        return RowOutcome(outputs, self._end(row, table))

    def _end(self, row: Row, table: Table) -> str:
        """The round is over as its record has it; what would be judged otherwise."""
        record = self._ends.get(row.n)
        if record is None:
            return ""
        self.doubt = ""
        made = json.loads(json.dumps(table.round_report()))
        settled = not table.round_is_on and not table.view().matters
        if settled and same_round(record.report, made):
            return ""
        table.end_as_kept(record.outcome, record.rows)
        return first_difference(record.report, made) or "it is held"


def _insured(table: Table, event: ev.Insure) -> bool:
    """Whether somebody has taken the option already."""
    box = table.view().round.boxes.get(event.place.box)
    if box is None:
        return False
    slot = event.place.slot or box.controller
    return any(insurance.slot == slot for insurance in box.insurance)


def same_round(kept: dict[str, object], made: dict[str, object]) -> bool:
    """Whether a round is as its record has it; what was found out later is in the record alone."""
    late, found = kept.get("findings"), made.get("findings")
    known = isinstance(late, list) and isinstance(found, list) and late[: len(found)] == found
    return known and {**kept, "findings": None} == {**made, "findings": None}
