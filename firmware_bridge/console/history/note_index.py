"""The notes on rounds, kept in memory so that no list reads the whole journal again.

1. Of the segment that is being written, only what is new is read. A segment that is done is read once, wherever it
   lies; one that cannot be read is tried again.
2. Several threads may use it.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import Lock

from firmware_bridge.audit.journal_reader import UnreadableError, opened, parts
from firmware_bridge.audit.round_notes import RoundNote, is_bookmarked, read_notes


class NoteIndex:
    """The notes of one state folder."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._lock = Lock()
        self._read: dict[tuple[int, bool], int] = {}  # the last row that was read, by segment
        self._done: set[tuple[int, bool]] = set()
        self._notes: dict[int, dict[int, RoundNote]] = {}  # by the first event of the round, then by row

    def refresh(self) -> None:
        """Read what is new.

        Raises:
            UnreadableError: there is no journal.
        """
        with self._lock:
            found = parts(self._state)
            for part in found:
                name = part.number, part.aside
                if name in self._done:
                    continue
                with suppress(sqlite3.Error, UnreadableError, UnicodeDecodeError), opened(part) as reader:
                    last = reader.connection.execute("SELECT max(n) FROM events").fetchone()[0] or 0
                    for note in read_notes(reader.connection, self._read.get(name, 0)):
                        self._notes.setdefault(note.first, {})[note.n] = note
                    self._read[name] = last
                    if part is not found[-1]:
                        self._done.add(name)

    def of(self, first: int) -> list[RoundNote]:
        """What was written about a round, in order."""
        return [note for _, note in sorted(self._notes.get(first, {}).items())]

    def in_short(self, first: int) -> tuple[int, bool]:
        """How many notes a round has, and whether it is bookmarked."""
        notes = self.of(first)
        return sum(bool(note.text) for note in notes), is_bookmarked(notes)

    def noted(self, *, bookmarked: bool) -> list[int]:
        """The rounds that have a note, or that are bookmarked, by their first events."""
        short = {first: self.in_short(first) for first in list(self._notes)}
        return [first for first, (many, marked) in short.items() if marked or (many and not bookmarked)]
