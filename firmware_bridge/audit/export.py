"""What a journal holds, for other programs: JSON lines, CSV of rounds and of findings, deal notation.

1. JSON lines have every row with all its columns as they are: body as the text that was chained, bytes in hexadecimal.
   Who has the lines can compute the chain again.
2. CSV of rounds and findings is what the tables of records say. What was said about a finding stands with it.
3. Deal notation has one file for each table that was set up, with everything that was not refused. It is played again
   at once, and must give the report that the journal gives. The state of a round depends on all before it: with chosen
   rounds the file begins where the table did, and ends with the last of them.
4. Rounds are chosen by the number that the table has given them.
5. Of a segment that was set aside everything is taken that can be read. A record of it that makes no sense has its
   numbers left empty. In a segment at hand either is an error that names the file.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge.audit.affected_report import safe
from firmware_bridge.audit.reading import Part, Reader, UnreadableError, opened, parts
from firmware_bridge.audit.walk import Listener, refused, walk
from firmware_bridge.commands.terminal import cents_of
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.records import Done
from gamecore.model.events import Event
from gamecore.model.money import dollars
from gamecore.model.outputs import Output
from gamecore.notation.export import scenario_of
from gamecore.notation.player import play_text
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write
from gamecore.rules.games import GAMES
from gamecore.table import Table

Step = Callable[[], None]
Chosen = range | None
"""The numbers of the rounds that are wanted; None: all."""

ROUNDS_HEAD = "segment,id,number,game,first,last,began,ended,outcome,boxes,wagers,staked,net,findings\r\n"
FINDINGS_HEAD = "segment,id,round,n,code,clause,ruling,places,cards,whose,said\r\n"
_ROUND = "id, number, game, first, last, began, ended, outcome, boxes, report"
_FINDING = "id, round, n, code, clause, ruling, places, cards, whose"


def chosen_rounds(text: str) -> range:
    """The numbers that ``A-B`` or ``A`` names.

    Raises:
        ValueError: it names none.
    """
    first, _, last = text.partition("-")
    numbers = range(int(first), int(last or first) + 1)
    if not numbers or numbers[0] < 1:
        message = f"{text} names no round"
        raise ValueError(message)
    return numbers


def _each(state: Path) -> Iterator[tuple[Part, Reader]]:
    """Every segment in order, open."""
    for part in parts(state):
        try:
            with opened(part) as reader:
                yield part, reader
        except sqlite3.Error as error:
            _passed_over(part, error)


def _passed_over(part: Part, error: Exception) -> None:
    """What cannot be read of a segment that was set aside is left out; of another it is an error."""
    if not part.aside:
        message = f"{part.name}: {error}; 'truedeal verify' says what became of it"
        raise UnreadableError(message) from error


def _rows(part: Part, reader: Reader) -> Iterator[tuple[Row, bytes]]:
    """The rows of a segment, as far as they can be read."""
    try:
        yield from reader.rows()
    except sqlite3.Error as error:
        _passed_over(part, error)


# --- JSON lines and CSV -----------------------------------------------------------------------------------------------


def json_lines(state: Path, chosen: Chosen, step: Step) -> Iterator[str]:
    """Every row of the journal, or those of the chosen rounds."""
    spans = None if chosen is None else _spans(state, chosen)
    for part, reader in _each(state):
        for row, chain in _rows(part, reader):
            step()
            if spans is None or any(first <= row.n <= last for first, last in spans):
                said = {"segment": part.name, **row._asdict(), "raw": _hex(row.raw), "chain": _hex(chain)}
                yield json.dumps(said, separators=(",", ":")) + "\n"


def _hex(value: object) -> object:
    """Bytes in hexadecimal; what is none in a damaged file stays as it is."""
    return value.hex() if isinstance(value, bytes) else value


def _spans(state: Path, chosen: range) -> list[tuple[int, int]]:
    """From which event to which the chosen rounds reach."""
    return [
        (int(first), int(last))
        for part, reader in _each(state)
        for number, first, last in _records(part, reader, "rounds", "number, first, last")
        if number in chosen
    ]


def _records(part: Part, reader: Reader, table: str, columns: str) -> list[tuple[Any, ...]]:
    """The records of a segment; none where they cannot be read."""
    try:
        return reader.records(table, columns)
    except sqlite3.Error as error:
        _passed_over(part, error)
        return []


def rounds_csv(state: Path, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line a round."""
    yield ROUNDS_HEAD
    for part, reader in _each(state):
        for *values, report in _records(part, reader, "rounds", _ROUND):
            step()
            if chosen is None or values[1] in chosen:
                yield _line([part.name, *values, *_sums(part, report)])


def _sums(part: Part, report: str) -> list[Any]:
    """How many wagers a round had, what was staked, what the Players won, how many findings."""
    try:
        told = json.loads(report)
        wagers = told["wagers"]
        staked = dollars(sum(cents_of(wager["stake"]) for wager in wagers))
        net = dollars(sum(cents_of(wager["net"]) for wager in wagers if wager["net"] is not None))
        return [len(wagers), staked, net, len(told["findings"])]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        _passed_over(part, ValueError(f"the report of a round cannot be read: {error!r}"))
        return [None, None, None, None]


def findings_csv(state: Path, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line a finding."""
    yield FINDINGS_HEAD
    for part, reader in _each(state):
        numbers = dict(_records(part, reader, "rounds", "id, number"))
        said: dict[int, list[str]] = {}
        for about, who, what in _records(part, reader, "rulings", "finding, who, what"):
            said.setdefault(about, []).append(f"{who}: {what}")
        for id_, of_round, *values in _records(part, reader, "findings", _FINDING):
            step()
            number = numbers.get(of_round)
            if chosen is None or number in chosen:
                yield _line([part.name, id_, number, *values, safe("; ".join(said.get(id_, [])))])


def _line(values: list[Any]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerow(values)
    return stream.getvalue()


# --- deal notation ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Session:
    """One table from the moment when it was set up: what happened at it, and its report."""

    header: Header
    table: Table
    events: list[Event] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    report: dict[str, object] | None = None
    edition: int = schema.EDITION  # the earliest that has kept a part of it

    def text(self) -> str:
        """The session in deal notation."""
        return write(scenario_of(self.header, self.events))

    def plays_again(self, text: str) -> bool:
        """Whether the text gives the report that the journal gives."""
        played = play_text(text, "export", GAMES)
        report = self.report if self.report is not None else self.table.report()
        return played.error is None and all(played.report.get(name) == told for name, told in report.items())


def sessions(state: Path, chosen: Chosen, step: Step) -> tuple[list[Session], int]:
    """Every table that was set up and had something happen, or those with the chosen rounds.

    And how many events are in none, because the beginning of their table is not there.
    """
    collecting = _Collecting(chosen)
    passed_over = walk(state, collecting, step)
    found = [session for session in collecting.sessions if session.events]
    return [one for one in found if chosen is None or any(number in chosen for number in one.rounds)], passed_over


class _Collecting(Listener):
    """Takes down what happens at each table."""

    rounds = None

    def __init__(self, chosen: Chosen) -> None:
        """No table is set up yet."""
        self.sessions: list[Session] = []
        self._last = None if chosen is None else chosen[-1]
        self._edition = schema.EDITION

    def opens(self, part: Part, reader: Reader) -> None:
        """A segment has rows of one edition."""
        del part
        self._edition = segments.edition(reader.connection)

    def began(self, row: Row, header: Header, table: Table) -> None:
        """Another table."""
        del row
        self.sessions.append(Session(header, table))

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """Take down what was not refused."""
        del row
        session = self.sessions[-1]
        if session.report is not None or refused(outputs):
            return
        session.events.append(event)
        session.edition = min(session.edition, self._edition)
        if done is not None:
            session.rounds.append(done.round.number)
            if done.round.number == self._last:
                session.report = table.report()
