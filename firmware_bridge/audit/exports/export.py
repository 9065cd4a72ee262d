"""What a journal holds, for other programs: JSON lines and deal notation; `csv_tables` has the CSV.

1. JSON lines have every row with all its columns as they are: the body as the text that was chained, bytes in
   hexadecimal. Anyone who has all the lines can compute the chain again.
2. Deal notation has one text for each table that was set up, with everything that was not refused. The command plays it
   again at once (`Session.plays_again`): it must give the report that the journal gives. The state of a round depends
   on all before it: with chosen rounds the text begins where the table did, and ends with the last of them.
3. Rounds are chosen as `round_filter` says: by their records, or by their events if they have none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from firmware_bridge.audit.journal_reader import Part, Reader, Where
from firmware_bridge.audit.recorded_rounds import each, every, rows
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.audit.round_walk import Listener, refused, walk
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_records import Done
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.notation.export import scenario_of
from gamecore.notation.playing.player import play_text
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write
from gamecore.rules.games import GAMES
from gamecore.table import Table

Step = Callable[[], None]


def json_lines(state: Where, chosen: Chosen, step: Step) -> Iterator[str]:
    """Every row of the journal, or those of the chosen rounds."""
    spans = None if not chosen else [(one.first, one.last) for one in every(state, chosen, step)]
    for part, reader in each(state):
        for row, chain in rows(part, reader):
            step()
            if spans is None or any(first <= row.n <= last for first, last in spans):
                said = {"segment": part.name, **row._asdict(), "raw": _hex(row.raw), "chain": _hex(chain)}
                yield json.dumps(said, separators=(",", ":")) + "\n"


def _hex(value: object) -> object:
    """Bytes in hexadecimal; what is none in a damaged file stays as it is."""
    return value.hex() if isinstance(value, bytes) else value


# --- deal notation ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Session:
    """One table from the moment when it was set up: what happened at it, and its report."""

    header: Header
    table: Table
    events: list[Event] = field(default_factory=list)
    until: int = 0  # how many of its events reach to the end of the last chosen round
    report: dict[str, object] | None = None  # after it
    edition: int = schema.EDITION  # the earliest that has kept a part of it

    def text(self) -> str:
        """The session in deal notation."""
        return write(scenario_of(self.header, self.events[: self.until or None]))

    def plays_again(self, text: str) -> bool:
        """Whether the text gives the report that the journal gives."""
        played = play_text(text, "export", GAMES)
        report = self.report if self.report is not None else self.table.report()
        return played.error is None and all(played.report.get(name) == told for name, told in report.items())


def sessions(state: Where, chosen: Chosen, step: Step) -> tuple[list[Session], int]:
    """Every table that was set up and at which something happened, or those with the chosen rounds.

    Also returns how many events are in none of them, because the beginning of their table is not there.
    """
    collecting = _Collecting({one.first for one in every(state, chosen, step)} if chosen else set())
    passed_over = walk(state, collecting, step)
    found = [session for session in collecting.sessions if session.events]
    return [one for one in found if not chosen or one.until], passed_over


class _Collecting(Listener):
    """Takes down what happens at each table."""

    rounds = None

    def __init__(self, chosen: set[int]) -> None:
        """No table is set up yet; the rounds that are chosen are told by their first event."""
        self.sessions: list[Session] = []
        self._chosen = chosen
        self._edition = schema.EDITION
        self._on = False  # whether the round that is on is chosen

    def opens(self, part: Part, reader: Reader) -> None:
        """A segment has rows of one edition."""
        del part
        self._edition = segments.edition(reader.connection)

    def began(self, row: Row, header: Header, table: Table) -> None:
        """Another table."""
        del row
        self._on = False
        self.sessions.append(Session(header, table))

    def after(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...], done: Done | None) -> None:
        """Take down what was not refused."""
        session = self.sessions[-1]
        if refused(outputs):
            return
        session.events.append(event)
        session.edition = min(session.edition, self._edition)
        if row.n in self._chosen:
            self._on = True
        if done is not None and done.round.first in self._chosen:
            self._on, session.until, session.report = False, len(session.events), table.report()
        elif self._on:  # it may have no end
            session.until, session.report = len(session.events), None
