"""What the journal names last under a word of its own: the list of people, the keys of the devices.

1. The row of a start, or a note that is a JSON object, may hold something under the word: it is in force from then on.
2. The segments at hand are read from the newest. A segment with the row that names something last is not archived
   (`retention`): the daemon first names it again, and the next run lets the segment go. So a row is always at hand.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from firmware_bridge.journal import schema
from firmware_bridge.journal.segments import open_for_reading, segments

_ROWS = (
    f"SELECT body FROM events WHERE kind IN ('{schema.NOTE}', '{schema.START}')"  # noqa: S608  the words are ours
    " AND instr(body, ?) ORDER BY n DESC"
)


def named(state: Path, word: str) -> Any:
    """What stands under a word in the newest row that has it; None if there is none."""
    return next((value for _, value in _namings(state, word)), None)


def naming_segment(state: Path, word: str) -> Path | None:
    """The segment with the newest row that names something under a word; None if nothing is named."""
    path, value = next(_namings(state, word), (None, None))
    return path if value else None


def _namings(state: Path, word: str) -> Iterator[tuple[Path, Any]]:
    """Each row that has a word: its segment and what stands there, from the newest."""
    for path in reversed(segments(state)):
        with suppress(sqlite3.Error), closing(open_for_reading(path)) as connection:
            for (body,) in connection.execute(_ROWS, (f'"{word}": ',)):
                with suppress(ValueError, RecursionError):
                    said = json.loads(body)
                    if isinstance(said, dict) and word in said:  # not within other words
                        yield path, said[word]
