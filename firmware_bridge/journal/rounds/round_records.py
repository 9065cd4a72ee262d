"""Makes the records of rounds that people look up, from the events as they are applied.

1. A round begins with the event that opened its bets and ends with the event after which it is settled, void or
   concluded. What is found out about a round that is over is added to its record. What somebody says between rounds
   goes into the record that is made next.
2. A finding is filed under the event that proved it. What somebody says or does while a finding is open is filed under
   that finding, word for word: cards that are lifted and laid again too. What was taken back and the word that did it
   both stand there. A word that the table refused does not.
3. A finding is known by its event and its number there: the same one after something was taken back, when the table
   has applied its events again. A round that was opened by a slip leaves the one before it as it was.
4. A round that is on has no record: `in_short` tells it in the form of one. A round that is given up because another
   table is put in place never gets a record: it stands in that form in the row that gives it up.
5. A finding says how the event that proved it became known, and whose word it was if it was one; so does every word.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from firmware_bridge.journal.chain import Row
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import FindingView
from gamecore.model.states import State
from gamecore.notation.writer import write_event
from gamecore.table import Table

_WORDS = frozenset(
    {
        *(ev.Answer, ev.Approve, ev.Reconstructed, ev.CannotReconstruct, ev.CardsDisclosed, ev.CardMoved, ev.Call),
        *(ev.TakeBack, ev.Retract, ev.SensorWrong),
    }
)
OPEN, ABANDONED = "open", "abandoned"
"""The outcomes of a round that has no end: it is on, or another table was put in its place."""


class RoundRecord(NamedTuple):
    """A round that is over, as people look it up."""

    number: int
    game: str
    first: int
    last: int
    began: str
    ended: str
    outcome: str
    boxes: str
    report: str


class FindingRecord(NamedTuple):
    """A finding of a round."""

    n: int
    code: str
    clause: str
    ruling: str
    places: str
    cards: str
    whose: str
    how: str
    person: str
    role: str


class RulingRecord(NamedTuple):
    """What somebody said or did about a finding, which is counted from 0 within its round."""

    finding: int | None
    n: int
    at: str
    who: str
    what: str
    person: str
    role: str


class Done(NamedTuple):
    """A round that is over."""

    round: RoundRecord
    findings: list[FindingRecord]
    rulings: list[RulingRecord]


def _done(said: Any) -> Done | None:
    if said is None:
        return None
    told, findings, rulings = said
    return Done(RoundRecord(*told), [FindingRecord(*one) for one in findings], [RulingRecord(*one) for one in rulings])


class RecordedWord(NamedTuple):
    """What somebody said, and about which finding (its `key`)."""

    about: tuple[int, int] | None
    n: int
    at: str
    who: str
    what: str
    person: str
    role: str


class Known(NamedTuple):
    """The row of an event: its number, how it became known, and whose word it was."""

    n: int
    how: str
    person: str
    role: str


class Happened(NamedTuple):
    """What the row of an event tells apart from the event itself."""

    n: int
    at: str
    device: str
    how: str | None = None
    person: str | None = None
    role: str | None = None

    @classmethod
    def of(cls, row: Row) -> Happened:
        """What a row tells."""
        return cls(row.n, row.at, row.device, row.how, row.person, row.role)


class Recorder:
    """Follows one table from event to event."""

    def __init__(self) -> None:
        """No round is on."""
        self._number = 0
        self._first = 0
        self._began = ""
        self._done: Done | None = None  # the record of the round, once it is over
        self._before: tuple[int, int, str, Done | None] | None = None  # the same of the round before
        self._rows: dict[int, Known] = {}  # the row of each event, by the table's own count
        self._said: list[RecordedWord] = []

    def kept(self) -> dict[str, object]:
        """What is noted, as plain data."""
        return {
            "round": [self._number, self._first, self._began, self._done],
            "before": self._before,
            "rows": list(self._rows.items()),
            "said": self._said,
        }

    @classmethod
    def resumed(cls, said: Any) -> Recorder:
        """One that goes on from what was noted."""
        made = cls()
        made._number, made._first, made._began, done = said["round"]
        made._done = _done(done)
        if said["before"] is not None:
            number, first, began, done = said["before"]
            made._before = number, first, began, _done(done)
        made._rows = {int(count): Known(*row) for count, row in said["rows"]}
        made._said = [RecordedWord(None if about is None else tuple(about), *rest) for about, *rest in said["said"]]
        return made

    @property
    def first(self) -> int:
        """The row that began the round which is on or was last; 0 before the first."""
        return self._first

    def row_of(self, event: int) -> Known | None:
        """The row of an event of the round that is on, or of what waits, by the table's own count."""
        return self._rows.get(event)

    def in_short(self, table: Table, outcome: str) -> dict[str, object]:
        """The round that is on, as the list of rounds has those that are over."""
        view = table.view()
        findings = view.round.findings
        return {
            "number": view.round.number,
            "game": view.rules.id,
            "first": self._first,
            "last": max((known.n for known in self._rows.values()), default=self._first),
            "began": self._began,
            "ended": "",
            "outcome": outcome,
            "boxes": _boxes(table),
            "findings": " ".join(finding.code for finding in findings) or None,
            "clauses": [finding.clause for finding in findings],
            "people": [*dict.fromkeys(known.person for known in self._rows.values() if known.person)],
        }

    def before(self, row: Happened, event: Event, table: Table) -> None:
        """Note what somebody says or does, before the event is applied."""
        held, said = table.state is State.HELD, type(event) in _WORDS
        if not said and not held:
            return  # most events: nobody looks at the table for them
        at_work = isinstance(event, ev.CardLifted) or (isinstance(event, ev.CardLaid) and table.view().lifted)
        if said or at_work:
            about = table.view().matters[0].finding.key if held else None
            by = row.person or "", row.role or ""
            self._said.append(RecordedWord(about, row.n, row.at, _who(event, row.device), write_event(event), *by))

    def after(self, row: Happened, table: Table, *, refused: bool) -> Done | None:
        """Note an event that was applied; return the record of a round that is over, if there is a new one."""
        n, at = row.n, row.at
        if refused:
            if self._said and self._said[-1].n == n:
                self._said.pop()
            return None
        self._rows[table.events] = Known(n, row.how or "", row.person or "", row.role or "")
        if self._before is not None and table.round_number == self._before[0]:
            self._number, self._first, self._began, self._done = self._before
            self._before = None
        elif table.round_number != self._number:
            self._before = self._number, self._first, self._began, self._done
            self._number, self._first, self._began, self._done = table.round_number, n, at, None
        if table.round_is_on or not self._first or self._listed(table.view().round.findings):
            return None
        ended = self._done is None
        self._done, self._said = self._record(n, at, table), []
        if ended:  # whose word it was is asked for what waits, and for what is said between rounds
            waiting = {number for one in table.view().pending for number in (one.finding.event, *one.words)}
            self._rows = {count: known for count, known in self._rows.items() if count in waiting}
        return self._done

    def _listed(self, findings: tuple[FindingView, ...]) -> bool:
        """Whether the record of the round says what was found, and how it was ruled."""
        if self._done is None:
            return False
        listed = [(record.code, record.clause, record.ruling) for record in self._done.findings]
        return listed == [(finding.code, finding.clause, finding.ruling) for finding in findings]

    def _record(self, n: int, at: str, table: Table) -> Done:
        view = table.view()
        made = RoundRecord(
            view.round.number,
            view.rules.id,
            self._first,
            n,
            self._began,
            at,
            view.round.outcome,
            _boxes(table),
            json.dumps(table.round_report(), ensure_ascii=False, separators=(",", ":")),
        )
        findings = view.round.findings
        listed = {finding.key: index for index, finding in enumerate(findings)}
        rulings = [
            RulingRecord(None if said.about is None else listed.get(said.about), *said[1:]) for said in self._said
        ]
        before = self._done
        if before is None:
            return Done(made, [self._finding(finding) for finding in findings], rulings)
        further = [self._finding(finding) for finding in findings[len(before.findings) :]]
        again = before.round._replace(report=made.report)
        known = [
            record._replace(clause=finding.clause, ruling=finding.ruling)
            for record, finding in zip(before.findings, findings, strict=False)
        ]
        return Done(again, [*known, *further], [*before.rulings, *rulings])

    def _finding(self, finding: FindingView) -> FindingRecord:
        n, *by = self._rows.get(finding.event, (self._first, "", "", ""))
        return FindingRecord(
            n,
            finding.code,
            finding.clause,
            finding.ruling,
            " ".join(map(str, finding.places)),
            " ".join(map(str, finding.cards)),
            finding.whose,
            *by,
        )


def _boxes(table: Table) -> str:
    """The boxes with a wager."""
    boxes = table.view().round.boxes
    return " ".join(str(number) for number, box in sorted(boxes.items()) if box.mains or box.sides)


def _who(event: Event, device: str) -> str:
    """Who speaks: the one who was asked, the role, or the device where it was said."""
    match event:
        case ev.Answer(who):
            return who
        case ev.Approve(role):
            return role
        case _:
            return device
