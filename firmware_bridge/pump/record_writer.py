"""The pump's books: what is written, and what becomes of it when it cannot be.

1. A batch is written as a whole. If the disk is full or does not answer, nothing of it is written: the pump waits, says
   so, and tries again. `numbers` has the last event of each device that is written, and its numbering.
2. A file that turns out damaged is set aside, a new segment begins with the table as it stands, and the batch goes
   there. Nothing is deleted, and play goes on; the pump puts it before the shift manager.
3. When a round is over, its record, a snapshot and the signed head are written, after the events and after everybody
   has been answered. `signed` is called when the head of a round is on the disk.
4. When a shoe begins and the segment is long, a new segment begins; where cards are shuffled continuously no shoe ends,
   and the end of a round counts instead.
5. While nothing may be signed (`signs`), records stay due. A new segment does not: like one for which there is no room,
   it is tried again only when the next shoe begins, or between rounds where cards are shuffled continuously.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress

from firmware_bridge.inputs.device_messages import Translator
from firmware_bridge.journal import segments, snapshot
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.recovery import ROUNDS, Recovered, renumbered
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.journal.writer import Entry, Journal
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_header
from gamecore.table import Table


class StalledError(Exception):
    """The journal cannot be written now; nothing was written."""


class RecordWriter:
    """The journal of one table, and the records of its rounds."""

    def __init__(self, journal: Journal, recovered: Recovered) -> None:
        """Go on from where the journal ends."""
        self.journal = journal
        self.recorder = recovered.recorder
        self.numbers = dict(recovered.numbers)
        self.boot = recovered.boot or ""
        self.configured = recovered.configured
        self.programs = recovered.programs
        self.alarms = recovered.alarms
        self.anchored = dict(recovered.anchored)
        self.documents: dict[str, object] = {}  # in force: the house's (`setup.house_documents`), the floor's roster
        self.signs: Callable[[], bool] = lambda: True
        self.signed: Callable[[], None] = lambda: None
        self._done: list[Done] = list(recovered.done)

    def write(self, entries: Sequence[Entry], header: Header, table: Table, translator: Translator) -> tuple[int, str]:
        """Write entries; return the number of the first, and where a damaged file was set aside, if one was.

        Raises:
            StalledError: nothing is written, and it may be tried again.
            sqlite3.Error: nothing is written, and nothing can be.
        """
        aside = ""
        while True:
            try:
                first = self.journal.append(entries)
            except sqlite3.DatabaseError as error:
                aside = self._aside(error, entries[0].at, self.kept(header, table, translator))
                continue
            for entry in entries:
                if entry.number is not None:
                    self.numbers[entry.device] = (entry.number, self.numbers.get(entry.device, (0, 0))[1])
            return first, aside

    def kept(self, header: Header, table: Table, translator: Translator) -> tuple[int, bytes]:
        """The table as it stands, for a snapshot."""
        whole = snapshot.Kept(
            write_header(header),
            table.snapshot(),
            translator,
            dict(self.numbers),
            self.boot,
            self.configured,
            self.recorder,
            self.programs,
            self.alarms,
            self.anchored,
        )
        return snapshot.FORMAT, snapshot.dump(whole)

    def renumbered(self, device: str, numbering: int) -> None:
        """Take up the numbering that a device tells; the numbers of another one count no longer."""
        self.numbers[device] = renumbered(self.numbers.get(device), numbering)

    def ended(self, done: Done) -> None:
        """Note that a round is over and its record is due."""
        self._done.append(done)

    def write_due_records(self, header: Header, table: Table, translator: Translator) -> str:
        """Write the due records with snapshot and signed head; return where a damaged file was set aside, if one was.

        Raises:
            StalledError: they cannot be written now, and stay due.
        """
        aside = ""
        while self._done and self.signs():
            kept = self.kept(header, table, translator)
            try:
                self.journal.end_round(self._done[0], kept)
            except sqlite3.DatabaseError as error:
                aside = self._aside(error, wall_clock(), kept)
                continue
            except OSError as error:
                raise StalledError(str(error)) from error
            self._done.pop(0)
            table.forget_rounds(ROUNDS)
            self.signed()
        return aside

    def _aside(self, error: sqlite3.DatabaseError, at: str, kept: tuple[int, bytes]) -> str:
        """Set a damaged file aside and go on in a new one; return where it lies.

        Raises:
            StalledError: the file is not damaged but cannot be written now, or a new one cannot be made now.
            sqlite3.DatabaseError: what was to be written can be written nowhere.
        """
        try:
            if not segments.is_damage(error, self.journal.path):
                raise error
            return str(self.journal.quarantine(at, kept))
        except (sqlite3.OperationalError, OSError) as reason:
            raise StalledError(str(reason)) from reason

    def new_shoe(self, header: Header, table: Table, translator: Translator) -> None:
        """Begin a new segment if this one is long: a shoe begins, or a round is over where no shoe ends."""
        if self.journal.long and self.signs():
            with suppress(sqlite3.OperationalError, OSError):  # there is no room: this one goes on until the next time
                self.journal.rotate(wall_clock(), self.kept(header, table, translator))
