"""What people have written about a round: notes, bookmarks, and the marks of a dispute.

1. Each is a row of the journal by itself, of kind ``note``, which names the first event of the round, the person and
   the role. None is ever changed or removed. A bookmark is taken off by another row: the newest counts.
2. It may lie in the round's own segment or in any later one. What cannot be read is passed over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from firmware_bridge.audit.journal_reader import UnreadableError, Where, opened, parts

NOTED, DISPUTED = "noted", "disputed"
"""The words with which such a row begins."""
_ROWS = (
    "SELECT n, at, body FROM events WHERE n > ? AND kind = 'note' AND device = 'console'"
    " AND (body LIKE '{\"noted\": %' OR body LIKE '{\"disputed\": %') ORDER BY n"
)


class RoundNote(NamedTuple):
    """A note, a bookmark or the mark of a dispute; `bookmark` is None if it says nothing of that."""

    n: int
    at: str
    first: int
    by: str
    role: str
    text: str
    bookmark: bool | None = None
    disputed: bool = False


def read_notes(connection: sqlite3.Connection, after: int = 0) -> Iterator[RoundNote]:
    """The notes of one segment after a row, in order.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    for n, at, body in connection.execute(_ROWS, (after,)).fetchall():
        with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):  # of a damaged file
            said = json.loads(body)
            disputed = DISPUTED in said
            first = int(said[DISPUTED if disputed else NOTED])
            text = str(said.get("reason" if disputed else "text") or "")
            by, role = str(said.get("by") or ""), str(said.get("role") or "")
            yield RoundNote(n, at, first, by, role, text, said.get("bookmark"), disputed)


def round_notes(state: Where, step: Callable[[], None]) -> dict[int, list[RoundNote]]:
    """All notes of a journal, by the first event of the round.

    Raises:
        UnreadableError: there is no journal.
    """
    found: dict[int, list[RoundNote]] = {}
    for part in parts(state):
        step()
        with suppress(sqlite3.Error, UnreadableError, UnicodeDecodeError), opened(part) as reader:
            for note in read_notes(reader.connection):
                found.setdefault(note.first, []).append(note)
    return found


def is_bookmarked(notes: Iterable[RoundNote]) -> bool:
    """Whether the newest of these that speaks of a bookmark sets one."""
    said = [note.bookmark for note in notes if note.bookmark is not None]
    return bool(said and said[-1])
