"""The table again, event by event, as the journal tells it.

1. The table begins as the first ``start`` says, and again at every ``table``. After a later start it goes on as it was.
2. If a segment was set aside while the daemon ran, the table goes on. If it was set aside at a start, that start is the
   second row of the new segment. If a restart or a power cut follows it, the table is as the segments before had left
   it; otherwise it is as the configuration says.
3. Snapshots are never read: they are the daemon's own, and prove nothing. If what came before is missing, or lies in a
   segment that was set aside and cannot be read, the table is not known: rows are passed over until a table begins.
4. Refused commands are applied like the others: they change nothing. Rounds that an earlier edition has kept are taken
   over as `journal.rounds.editions` says.
5. Nothing is verified here: `verify` does that.
6. A listener that wants only a part says where to begin (`Begin`): at a segment, or after a row of it with the table as
   it was then. It raises `EnoughError` when it has heard enough.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import NamedTuple

from firmware_bridge.audit.journal_reader import Part, Reader, UnreadableError, Where, opened, parts
from firmware_bridge.journal import event_codec, schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.recovery import ROUNDS
from firmware_bridge.journal.rounds.editions import Editions
from firmware_bridge.journal.rounds.round_records import Done, Happened, Recorder
from firmware_bridge.journal.writer import QUARANTINE
from firmware_bridge.people.two_names import Rows
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.model.events.refusals import Refused
from gamecore.notation.header import read_header
from gamecore.notation.lines import split
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.games import GAMES
from gamecore.table import Table


class Listener:
    """Hears what happens at the table; override only the methods that are needed."""

    rounds: int | None = ROUNDS
    """How many past rounds the table keeps; None for all."""

    def opens(self, part: Part, reader: Reader) -> None:
        """A segment begins."""

    def began(self, row: Row, header: Header, table: Table) -> None:
        """A table begins."""

    def before(self, row: Row, event: Event, table: Table) -> None:
        """An event is about to be applied."""

    def before_statement(self, row: Row, event: Event, table: Table, rows: Rows) -> None:
        """An event that somebody said in a role is about to be applied; `rows` says whose word an earlier one was."""

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """An event was applied; `done` is the round that it has ended."""

    def judged_otherwise(self, part: Part, row: Row, differs: str) -> None:
        """This row ends a round that an earlier edition has kept, and that would be judged otherwise now."""

    def passed(self, part: Part, row: Row, table: Table | None) -> None:
        """A row of any kind is dealt with; without a table it was passed over."""

    def lost(self, part: Part) -> None:
        """The rest of a segment that was set aside cannot be read."""


class EnoughError(Exception):
    """The listener has heard enough: the walk ends here."""


class Begin(NamedTuple):
    """Where a walk begins: at a segment or, with a table, after the row of it at which the table stood so."""

    part: Part
    n: int = 0
    table: Table | None = None

    def is_at(self, part: Part) -> bool:
        """Whether a segment is this one, wherever it lies by now."""
        return (self.part.number, self.part.aside) == (part.number, part.aside)


def walk(state: Where, listener: Listener, step: Callable[[], None] = lambda: None, begin: Begin | None = None) -> int:
    """Go through a journal, or what lies after a beginning; returns how many events had to be passed over.

    Raises:
        UnreadableError: there is none, or an event cannot be read.
    """
    walker = _Walker(listener, step)
    for part in parts(state):
        if begin is not None and part.number < begin.part.number:
            continue
        try:
            with opened(part) as reader:
                walker.part(part, reader, begin if begin is not None and begin.is_at(part) else None)
        except EnoughError:
            break
        except (sqlite3.Error, UnreadableError) as error:
            if not part.aside:
                message = f"{part.name}: {error}; 'truedeal verify' says what became of it"
                raise (error if isinstance(error, UnreadableError) else UnreadableError(message)) from error
            walker.lose()
            listener.lost(part)
    return walker.passed_over


class _Walker:
    """The table at one row of the journal."""

    def __init__(self, listener: Listener, step: Callable[[], None]) -> None:
        """Nothing is known."""
        self.passed_over = 0  # events of a table that is not known
        self._listener = listener
        self._step = step
        self._table: Table | None = None
        self._recorder = Recorder()
        self._n = 0
        self._editions: Editions | None = None  # of the segment
        self._trusted: tuple[Table, Recorder] | None = None  # before a segment that was set aside

    def lose(self) -> None:
        """The rest of a segment cannot be read: the table is not known any more."""
        self._table = None
        self._n = 0

    def part(self, part: Part, reader: Reader, begin: Begin | None = None) -> None:
        """Go through one segment, or through what follows a row of it."""
        self._editions = Editions(reader.connection)
        self._listener.opens(part, reader)
        if part.aside:
            self._trusted = self._trusted or self._copy()
        begun: Row | None = None
        after = 0
        if begin is not None and begin.table is not None:
            after, self._table, self._recorder = begin.n, begin.table, Recorder()
            begun = next((row for row, _ in reader.rows(after - 1)), None)
        for row, following in _pairs(reader.rows(after)):
            self._step()
            if begun is None:
                begun = row
                if not _goes_on(row, self._n):
                    self._table = None
            elif row.kind == schema.START and row.n == begun.n + 1:
                self._starts(part, row, begun, following)
            self._row(part, row)
            self._n = row.n
            self._listener.passed(part, row, self._table)
        if not part.aside:
            self._trusted = None

    def _copy(self) -> tuple[Table, Recorder] | None:
        """The table as it is now, to come back to."""
        return None if self._table is None else (self._table.copied(), deepcopy(self._recorder))

    def _starts(self, part: Part, row: Row, begun: Row, following: Row | None) -> None:
        """The daemon began with this segment: again, or with what the segments before had left."""
        if not _restarts(following):
            self._begin(row, _configured(part, row))
        elif self._trusted is not None and f'"{QUARANTINE}"' in (begun.body or ""):
            (self._table, self._recorder), self._trusted = self._trusted, None

    def _row(self, part: Part, row: Row) -> None:
        match row.kind:
            case schema.TABLE:
                self._begin(row, _header(part, row, row.body or ""))
            case schema.EVENT | schema.LIFTED if self._table is not None and self._editions is not None:
                self._happen(part, row, self._table, self._editions)
            case schema.EVENT | schema.LIFTED:
                self.passed_over += 1
            case _:
                pass

    def _begin(self, row: Row, header: Header) -> None:
        self._table, self._recorder = Table(GAMES[header.game], table_config(header)), Recorder()
        self._listener.began(row, header, self._table)

    def _happen(self, part: Part, row: Row, table: Table, editions: Editions) -> None:
        try:
            event = editions.event(row, table)
        except event_codec.CodecError as error:
            message = f"{part.name}: event {row.n} cannot be read; 'truedeal verify' says what became of it"
            raise UnreadableError(message) from error
        if event is None:
            return
        happened = Happened.of(row)
        self._recorder.before(happened, event, table)
        self._listener.before(row, event, table)
        if row.role is not None:
            self._listener.before_statement(row, event, table, self._recorder.row_of)
        taken = editions.apply(row, event, table)
        if taken.differs:
            self._listener.judged_otherwise(part, row, taken.differs)
        done = self._recorder.after(happened, table, refused=taken.refused)
        self._listener.after(row, event, table, taken.outputs, done)
        if done is not None and self._listener.rounds is not None:
            table.forget_rounds(self._listener.rounds)


def refused(outputs: tuple[Output, ...]) -> bool:
    """Whether a command was refused."""
    return any(isinstance(output, Refused) for output in outputs)


def _pairs(rows: Iterator[tuple[Row, bytes]]) -> Iterator[tuple[Row, Row | None]]:
    """Each row with the one after it."""
    last: Row | None = None
    for row, _ in rows:
        if last is not None:
            yield last, row
        last = row
    if last is not None:
        yield last, None


def _goes_on(row: Row, n: int) -> bool:
    """Whether the first row of a segment follows what was read last."""
    return row.kind == schema.SEGMENT and row.n == n + 1


def _restarts(row: Row | None) -> bool:
    """Whether a row says that the table goes on after a start."""
    if row is None or row.kind != schema.EVENT:
        return False
    try:
        return isinstance(event_codec.decode(row.body or ""), ev.Restarted | ev.PowerCut)
    except event_codec.CodecError:
        return False


def _configured(part: Part, row: Row) -> Header:
    """The table that a start tells."""
    try:
        text = str(json.loads(row.body or "")["table"])
    except (KeyError, TypeError, ValueError):
        text = ""
    return _header(part, row, text)


def _header(part: Part, row: Row, text: str) -> Header:
    try:
        return read_header(split(text)[0], GAMES)
    except NotationError as error:
        message = f"{part.name}: event {row.n} describes no table: {error}; 'truedeal verify' says what became of it"
        raise UnreadableError(message) from error
