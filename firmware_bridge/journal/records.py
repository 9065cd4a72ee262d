"""Makes the records of rounds that people look up, from the events as they are applied.

1. A round begins with the event that opened its bets and ends with the event after which it is settled, void or
   concluded. What happens between rounds belongs to the next one; what is found out about a round that is over is
   added to its record.
2. A finding is filed under the event that proved it. What somebody says or does while a finding is open is filed under
   that finding, word for word: cards that are lifted and laid again too.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from firmware_bridge.journal.pickled import dumped
from gamecore.model import events as ev
from gamecore.model.events import Event
from gamecore.model.machine import BETWEEN_ROUNDS
from gamecore.model.round import Finding
from gamecore.notation.writer import write_event
from gamecore.table import Table
from gamecore.view.report import round_report

_WORDS = (ev.Answer, ev.Approve, ev.Reconstructed, ev.CannotReconstruct, ev.CardsDisclosed, ev.CardMoved, ev.Call)


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
    state: bytes


class FindingRecord(NamedTuple):
    """A finding of a round."""

    n: int
    code: str
    clause: str
    ruling: str
    places: str
    cards: str
    whose: str


class RulingRecord(NamedTuple):
    """What somebody said or did about a finding, which is counted from 0 within its round."""

    finding: int | None
    n: int
    at: str
    who: str
    what: str


class Done(NamedTuple):
    """A round that is over."""

    round: RoundRecord
    findings: list[FindingRecord]
    rulings: list[RulingRecord]


class Said(NamedTuple):
    """What somebody said, and about which finding."""

    finding: Finding | None
    n: int
    at: str
    who: str
    what: str


class Recorder:
    """Follows one table from event to event."""

    def __init__(self) -> None:
        """No round is on."""
        self._number = 0
        self._first = 0
        self._began = ""
        self._done: Done | None = None  # the record of the round, once it is over
        self._numbers: dict[int, int] = {}  # the journal's number of each event, by the table's own count
        self._said: list[Said] = []

    def before(self, n: int, at: str, device: str, event: Event, table: Table) -> None:
        """An event is about to be applied."""
        matters = table.knows.matters
        at_work = isinstance(event, ev.CardLifted) or (isinstance(event, ev.CardLaid) and bool(table.knows.lifted))
        if isinstance(event, _WORDS) or (matters and at_work):
            finding = matters[0].finding if matters else None
            self._said.append(Said(finding, n, at, _who(event, device), write_event(event)))

    def after(self, n: int, at: str, table: Table, *, refused: bool) -> Done | None:
        """An event was applied; the record of the round that it has ended, if it did."""
        knows = table.knows
        if refused:
            if self._said and self._said[-1].n == n:
                self._said.pop()
            return None
        self._numbers[knows.events] = n
        if knows.round.number != self._number:
            self._number, self._first, self._began, self._done = knows.round.number, n, at, None
        listed = None if self._done is None else len(self._done.findings)
        if knows.machine.state not in BETWEEN_ROUNDS or not self._first or listed == len(knows.round.findings):
            return None
        self._done = self._record(n, at, table)
        self._numbers, self._said = {}, []
        return self._done

    def _record(self, n: int, at: str, table: Table) -> Done:
        knows = table.knows
        report = round_report(knows, knows.round)
        boxes = " ".join(str(number) for number, box in sorted(knows.round.boxes.items()) if box.mains or box.sides)
        made = RoundRecord(
            knows.round.number,
            knows.rules.id,
            self._first,
            n,
            self._began,
            at,
            knows.round.outcome,
            boxes,
            json.dumps(report, ensure_ascii=False, separators=(",", ":")),
            dumped(knows.round),
        )
        findings = knows.round.findings
        rulings = [
            RulingRecord(findings.index(said.finding) if said.finding in findings else None, *said[1:])
            for said in self._said
        ]
        before = self._done
        if before is None:
            return Done(made, [self._finding(finding) for finding in findings], rulings)
        further = [self._finding(finding) for finding in findings[len(before.findings) :]]
        again = before.round._replace(report=made.report, state=made.state)
        return Done(again, [*before.findings, *further], [*before.rulings, *rulings])

    def _finding(self, finding: Finding) -> FindingRecord:
        return FindingRecord(
            self._numbers.get(finding.event, self._first),
            finding.code,
            finding.clause,
            finding.ruling,
            " ".join(map(str, finding.places)),
            " ".join(map(str, finding.cards)),
            finding.whose,
        )


def _who(event: Event, device: str) -> str:
    """Who speaks: the one who was asked, the role, or the device where it was said."""
    match event:
        case ev.Answer(who):
            return who
        case ev.Approve(role):
            return role
        case _:
            return device
