"""The daemon's table once more, made from its journal.

1. The journal is the truth: what stands in it has happened, in this order, whether a hand in the harness did it, a
   scenario, the robot or a person at the console. The same events give the same table, so this one is the daemon's.
2. `follow` reads what has been written since the last call, and applies it. It begins at the end of the journal as it
   is found; a table that is set up after that begins the replica and its record again.
3. The record is every event of the table with the row where it stands, and whether it was refused. Noise on a line is
   no event, and is noted beside them.
4. `text` writes the record down in deal notation. Refused commands are left out. The cards that came out are the shoe
   of its header: no card is named that has not been dealt. If it does not give the table's report when it is played
   again, its first line says so.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

from firmware_bridge.journal import event_codec, schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.segments import end, number_of, open_for_reading, rows, segments
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import FindingView, IrregularityFound
from gamecore.model.events.refusals import Refused
from gamecore.notation.export import scenario_of
from gamecore.notation.header import read_header
from gamecore.notation.lines import split
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Draw, Header, Noise
from gamecore.notation.writer import write, write_event, write_what
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view.veil import veiled_text

_PATIENCE = 5.0
DIFFERS = "# Played again, this does not give the report that the table gave.\n"


class ReadEvent(NamedTuple):
    """One event of the journal: its row, the device, the device's number, why it was refused, what was found by it."""

    n: int
    device: str
    number: int | None
    event: Event
    refused: Refused | None
    found: tuple[FindingView, ...] = ()

    @property
    def words(self) -> str:
        """The event in the words of deal notation, no card named: one that lies face down is known to nobody."""
        match self.event:
            case ev.ShoeEmpty():
                return "draw"
            case ev.CardDrawn(_, told, face_up):
                return write_what(Draw(told, None, face_up, laid=told is not None))
            case event:
                return veiled_text(write_event(event))


class Replica:
    """A table that follows a journal."""

    def __init__(self, state: Path) -> None:
        """Begin at the end of the journal in this folder."""
        self._state = state
        self._segment, self._n = self._end()
        self._table: Table | None = None
        self._header: Header | None = None
        self.seen: list[ReadEvent | Noise] = []

    @property
    def table(self) -> Table:
        """The table as the journal tells it."""
        if self._table is None:
            problem = "no table has been set up"
            raise RuntimeError(problem)
        return self._table

    def follow(self) -> list[ReadEvent]:
        """Apply what has been written since the last call, and return it."""
        found: list[ReadEvent] = []
        for row in self._new_rows():
            match row.kind:
                case schema.TABLE:
                    self._begin(row.body or "")
                case schema.EVENT if self._table is not None:
                    found.append(self._happen(row, self._table))
                case _:
                    pass
            self._n = row.n
        return found

    def note(self, noise: Noise) -> None:
        """Note that a line is noisy from now on."""
        self.seen.append(noise)

    # --- the record --------------------------------------------------------------------------------------------------

    def words(self, count: int) -> list[dict[str, object]]:
        """The last things that happened, no card named: a drawn card that was laid at once is one of them."""
        found: list[dict[str, object]] = []
        before: Event | None = None
        for one in self.seen[-2 * count :]:
            event = None if isinstance(one, Noise) else one.event
            if isinstance(event, ev.CardLaid) and isinstance(before, ev.CardDrawn) and event.card == before.card:
                found.pop()
                text = write_what(Draw(event.place, None, before.face_up, event.exposed))
            else:
                text = write_what(one) if isinstance(one, Noise) else one.words
            refused = None if isinstance(one, Noise) or one.refused is None else str(one.refused)
            found.append({"text": text, "refused": refused, "device": one.device})
            before = event
        return found[-count:]

    def text(self, header: Header) -> str:
        """The record in deal notation; `header` is that of the table, with its seed."""
        kept = [one if isinstance(one, Noise) else one.event for one in self.seen if not _refused(one)]
        scenario = scenario_of(header, cast("list[Event]", kept))  # noise goes through as it is
        before = _before_load(kept)
        if ev.ShoeEmpty() in before:
            scenario = replace(scenario, header=replace(scenario.header, left=len(scenario.header.shoe)))
        text = write(scenario)
        again = play_text(text, "record", GAMES)
        report = self.table.report()
        same = again.error is None and all(again.report.get(name) == told for name, told in report.items())
        return text if same else DIFFERS + text

    # --- the journal -------------------------------------------------------------------------------------------------

    def _end(self) -> tuple[int, int]:
        """The segment that is being written, and its last row."""
        for path in reversed(segments(self._state)):
            with closing(_opened(path)) as connection:
                return number_of(path), end(connection)[0]
        return 0, 0

    def _new_rows(self) -> Iterator[Row]:
        for path in segments(self._state):
            if number_of(path) >= self._segment:
                try:
                    with closing(_opened(path)) as connection:
                        found = [row for row, _ in rows(connection, self._n)]
                except sqlite3.OperationalError:
                    return  # the daemon is just opening or closing it: the rows are read the next time
                self._segment = number_of(path)
                yield from found

    def _begin(self, text: str) -> None:
        header = read_header(split(text)[0], GAMES)
        self._table = Table(GAMES[header.game], table_config(header))
        self._header = header
        self.seen = []

    def _happen(self, row: Row, table: Table) -> ReadEvent:
        event = event_codec.decode(row.body or "")
        outputs = table.apply(event)
        refused = next((output for output in outputs if isinstance(output, Refused)), None)
        found = tuple(output.finding for output in outputs if isinstance(output, IrregularityFound))
        seen = ReadEvent(row.n, row.device, row.number, event, refused, found)
        self.seen.append(seen)
        return seen


def _opened(path: Path) -> sqlite3.Connection:
    connection = open_for_reading(path)
    connection.execute(f"PRAGMA busy_timeout = {int(_PATIENCE * 1000)}")
    return connection


def _refused(one: ReadEvent | Noise) -> bool:
    return isinstance(one, ReadEvent) and one.refused is not None


def _before_load(kept: list[Event | Noise]) -> list[Event | Noise]:
    loads = [index for index, one in enumerate(kept) if isinstance(one, ev.Loaded)]
    return kept[: loads[0]] if loads else kept
