"""Which rounds a bad card concerns: those since the last proof that the set of cards was complete.

1. Four findings concern rounds: a missing, an extra or a foreign card, and cards that were not shuffled. A finding that
   was taken back concerns none.
2. What counts as a **proof** depends on what was found:
   a missing card, or an extra one that a count has shown: a load of the whole set, a count of the shoe that matched the
   cards that were left, or between rounds a count of the discard holder that matched the cards that were out;
   a foreign card, or an extra one that was recognised by its face or its code: only a load of the whole set after a
   shuffle, since a count does not say which cards they are;
   cards that were not shuffled: the load itself, since the order of the cards begins with it.
   The beginning of a table is no proof, but nothing is known before it. The proof says whether a device has counted or
   a person at the console has said so.
3. A case reaches from that proof to the next one after the finding. Rounds that were dealt after the card was found,
   but before that next proof, belong to it too. A round that was on when something was proved belongs to both sides.
   Findings between the same two proofs are one case.
4. A person who reports a card of an earlier round is believed: the proof is the last one before that round, and the
   case ends with the first one after it.
5. Everything is made from the events, not from the records of the rounds: a finding between rounds counts as well. What
   was found out about a round later belongs to the same round, which counts once.
6. A round that was on when another table was set up ended there, unsettled. One that is on when the journal ends is
   still on. Rounds of another table belong to no case of this one.
7. Anyone who looks for some of the cases (`round_filter`) gets them whole: those with a finding of that code and clause
   within that time, and with a round of that number, box, outcome and person.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from firmware_bridge.audit.journal_reader import Part, Where
from firmware_bridge.audit.round_filter import About, Chosen
from firmware_bridge.audit.round_walk import Listener, walk
from firmware_bridge.audit.speakers import Speakers
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.pump.items import CONSOLE
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import FindingView, IrregularityFound, Output, TakenBack
from gamecore.notation.syntax import Header
from gamecore.table import Table

COUNT, FACE, ORDER = "count", "face", "order"
"""What is in doubt: how many cards there are, which ones, in what order."""


class Proof(NamedTuple):
    """Something that says how the cards are, or that nothing is known before it."""

    n: int
    at: str
    what: str
    proves: frozenset[str] = frozenset()


class DatedFinding(NamedTuple):
    """A finding, with when and where it was made, and the ruling that it has in the end."""

    n: int
    at: str
    round: int
    finding: FindingView


class Concerned(NamedTuple):
    """A round that a case concerns; without an end it is still on."""

    number: int
    first: int
    last: int
    began: str
    ended: str
    report: dict[str, Any]
    left: bool = False  # it was on when another table was set up
    people: tuple[str, ...] = ()  # who said something while it was on

    @property
    def about(self) -> About:
        """What it is chosen by, but for what was found."""
        boxes = " ".join(dict.fromkeys(str(wager["box"]) for wager in self.report["wagers"]))
        return About(self.number, self.began, self.ended, self.report["outcome"], boxes, (), self.people)


@dataclass(slots=True)
class Case:
    """Bad cards: what was found, since when nothing is proved, and the rounds in between."""

    doubt: str
    since: Proof
    until: Proof | None = None
    found: list[DatedFinding] = field(default_factory=list)
    rounds: list[Concerned] = field(default_factory=list)

    @property
    def wagers(self) -> list[dict[str, Any]]:
        """Every wager of the rounds."""
        return [wager for concerned in self.rounds for wager in concerned.report["wagers"]]

    def is_wanted(self, chosen: Chosen) -> bool:
        """Whether the case is one of those that are chosen."""
        since, until = chosen.since or "", chosen.until
        found = any(
            chosen.finds(seen.finding.code, seen.finding.clause)
            and since <= seen.at
            and (until is None or seen.at <= until)
            for seen in self.found
        )
        rounds = replace(chosen, since=None, until=None, finding=None, clause=None)
        return found and (not rounds or any(rounds.takes(one.about) for one in self.rounds))


class Affected(NamedTuple):
    """The cases of a journal in the order in which they were found, and how many events could not be followed."""

    cases: list[Case]
    passed_over: int


def affected(state: Where, step: Callable[[], None] = lambda: None) -> Affected:
    """The cases of a journal.

    Raises:
        UnreadableError: there is none, or an event cannot be read.
    """
    following = _Following()
    passed_over = walk(state, following, step)
    return Affected(following.end(), passed_over)


class _Following(Listener):
    """Follows the cards of a table from proof to proof."""

    def __init__(self) -> None:
        """Nothing is known."""
        self._cases: list[Case] = []
        self._proofs: list[Proof] = []
        self._begun = 0  # the event with which this table began
        self._rounds: dict[int, Concerned] = {}  # by the first event, in order
        self._on = (0, 0, "")  # the round that is on: its number, its first event, when
        self._table: Table | None = None
        self._proof: Proof | None = None
        self._last = 0  # the last event
        self._speakers = Speakers()
        self._spoken: list[tuple[int, str]] = []  # the events of people, and their names

    def began(self, row: Row, header: Header, table: Table) -> None:
        """A table begins: nothing is proved of its cards."""
        del header
        self._end_round(row.at)
        begins = Proof(row.n, row.at, "the table begins")
        for case in self._cases:
            case.until = case.until or begins
        self._proofs = [begins]
        self._begun = row.n
        self._table = table
        self._on = (table.round_number, row.n, row.at)

    def before(self, row: Row, event: Event, table: Table) -> None:
        """Compare what is counted or loaded with what is known."""
        self._proof = None
        if not isinstance(event, ev.Loaded | ev.ShoeCounted | ev.DiscardCounted):
            return
        view = table.view()
        cards = view.cards
        match event:
            case ev.Loaded(count):
                lying = len(view.round.dealt) if view.round_is_on else 0
                whole, shuffled = count + lying == cards.size, view.shuffled or cards.continuous
                proves = {ORDER, *([COUNT] if whole else ()), *([FACE] if whole and shuffled else ())}
                full = "of the whole set, " if whole else f"of a set of {cards.size}, "
                how = "after a shuffle" if shuffled else "without a shuffle"
                self._proof = Proof(row.n, row.at, f"{count} cards were loaded {full}{how}", frozenset(proves))
            case ev.ShoeCounted(count) if count == cards.in_shoe:
                told = f"the shoe counted {count} cards, as many as were left{_said_by(row)}"
                self._proof = Proof(row.n, row.at, told, frozenset({COUNT}))
            case ev.DiscardCounted(count) if not view.round_is_on and count == cards.size - cards.in_shoe:
                told = f"the discard holder counted {count} cards, as many as were out{_said_by(row)}"
                self._proof = Proof(row.n, row.at, told, frozenset({COUNT}))

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """Note what was found, and what was proved."""
        self._last = row.n
        proof = self._proof
        if proof is not None and ORDER in proof.proves:
            self._prove(proof._replace(proves=frozenset({ORDER})))
        number = table.round_number
        if number != self._on[0]:
            self._on = (number, row.n, row.at)
        for output in outputs:
            if isinstance(output, IrregularityFound) and output.finding.code in _CODES:
                self._add_finding(DatedFinding(row.n, row.at, number, output.finding), event)
            elif isinstance(output, TakenBack):
                self._taken_back(output.findings)
        if proof is not None:
            self._prove(proof._replace(proves=proof.proves - {ORDER}))
        if done is not None:
            self._rule(table)
            made = done.round
            report = json.loads(made.report)
            concerned = Concerned(made.number, made.first, made.last, made.began, made.ended, report)
            self._rounds[made.first] = concerned

    def passed(self, part: Part, row: Row, table: Table | None) -> None:
        """Note who said what a row holds."""
        del part, table
        if (speaker := self._speakers.of(row)) is not None:
            self._spoken.append((row.n, speaker["name"]))

    def _prove(self, proof: Proof) -> None:
        """Something is proved: cases that doubted it end."""
        if not proof.proves:
            return
        self._proofs.append(proof)
        for case in self._cases:
            if case.until is None and case.doubt in proof.proves:
                case.until = proof

    def _add_finding(self, seen: DatedFinding, event: Event) -> None:
        """Put a finding to the case that it belongs to."""
        doubt = _doubt(seen.finding)
        first, last = seen.n, seen.n
        if isinstance(event, ev.Call) and event.round_number is not None:
            here = (one for one in self._rounds.values() if one.first > self._begun)
            named = [one for one in here if one.number == event.round_number]
            if named:
                first, last = named[-1].first, named[-1].last
        since = next(
            (proof for proof in reversed(self._proofs) if proof.n <= first and doubt in proof.proves), self._proofs[0]
        )
        until = next((proof for proof in self._proofs if proof.n > last and doubt in proof.proves), None)
        for case in self._cases:
            if (case.doubt, case.since, case.until) == (doubt, since, until):
                case.found.append(seen)
                return
        self._cases.append(Case(doubt, since, until, [seen]))

    def _taken_back(self, findings: tuple[FindingView, ...]) -> None:
        """What a person had reported by mistake puts nothing in doubt."""
        gone = {(finding.event, finding.code) for finding in findings}
        for case in self._cases:
            if case.since in self._proofs:
                case.found = [seen for seen in case.found if (seen.finding.event, seen.finding.code) not in gone]
        self._cases = [case for case in self._cases if case.found]

    def _rule(self, table: Table) -> None:
        """Give what was found at this table the ruling that it has by now."""
        view = table.view()
        now = {finding.key: finding for finding in (*view.round.findings, *view.for_later)}
        for case in self._cases:
            case.found = [
                seen._replace(finding=now.get(seen.finding.key, seen.finding)) if seen.n > self._proofs[0].n else seen
                for seen in case.found
            ]

    def _end_round(self, at: str = "") -> None:
        """A round that is on when another table is set up, or when the journal ends, is concerned as it lies."""
        if self._table is not None:
            self._rule(self._table)
        if self._table is not None and self._table.round_is_on:
            number, first, began = self._on
            report = self._table.round_report()
            last = max(first, self._last)
            self._rounds[first] = Concerned(number, first, last, began, at, report, left=bool(at))

    def end(self) -> list[Case]:
        """Give each case its rounds."""
        self._end_round()
        for case in self._cases:
            end = None if case.until is None else case.until.n
            concerned = [
                one for one in self._rounds.values() if one.last >= case.since.n and (end is None or one.first <= end)
            ]
            case.rounds = [one._replace(people=self._people(one.first, one.last)) for one in concerned]
        return self._cases

    def _people(self, first: int, last: int) -> tuple[str, ...]:
        """Everyone who said something from one event to another."""
        at = bisect_left(self._spoken, (first, "")), bisect_right(self._spoken, (last + 1, ""))
        return tuple(dict.fromkeys(name for _, name in self._spoken[slice(*at)]))


_CODES = ("missing-card", "extra-card", "foreign-card", "unshuffled-cards")


def _said_by(row: Row) -> str:
    """Whether it was no device that told a count."""
    return ", as was said at the console" if row.device == CONSOLE else ""


def _doubt(finding: FindingView) -> str:
    """What a finding puts in doubt."""
    if finding.code == "unshuffled-cards":
        return ORDER
    return FACE if finding.code == "foreign-card" or (finding.code == "extra-card" and finding.cards) else COUNT
