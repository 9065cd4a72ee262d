"""The pump's books: what is written, and what becomes of it when it cannot be.

1. A batch is written as a whole. If the disk is full or does not answer, nothing of it is written: the pump holds, says
   so, and tries again.
2. A file that turns out damaged is set aside, a new segment begins with the table as it stands, and the batch goes
   there. Nothing is deleted, and play goes on; that it happened is for the shift manager.
3. When a round is over its record, a snapshot and the signed head are written, after the events and after everybody
   has been answered. A shoe that begins with a long segment behind it begins a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from firmware_bridge.bridge.translate import Translator
from firmware_bridge.journal import snapshot
from firmware_bridge.journal.records import Done
from firmware_bridge.journal.recovery import ROUNDS, Recovered
from firmware_bridge.journal.store import Entry, Journal
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_header
from gamecore.table import Table


class StalledError(Exception):
    """The journal cannot be written now; nothing was written."""


class Books:
    """The journal of one table, and the records of its rounds."""

    def __init__(self, journal: Journal, recovered: Recovered) -> None:
        """Go on from where the journal ends."""
        self.journal = journal
        self.recorder = recovered.recorder
        self.numbers = dict(recovered.numbers)
        self.boot = recovered.boot or ""
        self._done: list[Done] = list(recovered.done)

    def write(self, entries: Sequence[Entry], header: Header, table: Table, translator: Translator) -> tuple[int, str]:
        """Write entries; the number of the first, and where a damaged file was set aside, if one was.

        Raises:
            StalledError: nothing is written, and it may be tried again.
            sqlite3.Error: nothing is written, and nothing can be.
        """
        try:
            return self.journal.append(entries), ""
        except sqlite3.OperationalError as error:
            raise StalledError(str(error)) from error
        except sqlite3.DatabaseError:
            aside = self.journal.quarantine(entries[0].at, self.kept(header, table, translator))
            return self.journal.append(entries), str(aside)

    def kept(self, header: Header, table: Table, translator: Translator) -> tuple[int, bytes]:
        """The table as it stands, for a snapshot."""
        whole = snapshot.Kept(
            write_header(header), table.knows, translator, dict(self.numbers), self.boot, self.recorder
        )
        return snapshot.FORMAT, snapshot.dump(whole)

    def note(self, device: str, number: int) -> None:
        """A device's event is durable."""
        self.numbers[device] = (number, self.numbers.get(device, (0, 0))[1])

    def renumbered(self, device: str, numbering: int) -> None:
        """A device numbers its events anew."""
        number, known = self.numbers.get(device, (0, numbering))
        self.numbers[device] = (number if known in {0, numbering} else 0, numbering)

    def ended(self, done: Done) -> None:
        """A round is over; its record is due."""
        self._done.append(done)

    def settle(self, at: str, header: Header, table: Table, translator: Translator) -> None:
        """Write the records that are due, with a snapshot and the signed head.

        Raises:
            StalledError: they cannot be written now, and stay due.
        """
        while self._done:
            try:
                self.journal.end_round(at, *self._done[0], self.kept(header, table, translator))
            except sqlite3.OperationalError as error:
                raise StalledError(str(error)) from error
            self._done.pop(0)
            rounds = table.knows.rounds
            del rounds[:-ROUNDS]

    def new_shoe(self, at: str, header: Header, table: Table, translator: Translator) -> None:
        """A shoe was loaded between rounds: begin a new segment if this one is long."""
        if self.journal.long:
            self.journal.rotate(at, self.kept(header, table, translator))
