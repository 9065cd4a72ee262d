"""What the journal names last under a word of its own: the list of people, the keys of the devices.

1. A note or the start of a daemon is a JSON object; what it holds under the word is in force from then on.
2. The segments at hand are read from the newest. When one is archived the daemon names what is in force again, so that
   there always is a row at hand.
"""

from __future__ import annotations

import json
import sqlite3
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
    """What stands under a word in the newest row that has it; None if there never was one."""
    for path in reversed(segments(state)):
        with suppress(sqlite3.Error), closing(open_for_reading(path)) as connection:
            for (body,) in connection.execute(_ROWS, (f'"{word}": ',)):
                with suppress(ValueError):
                    said = json.loads(body)
                    if isinstance(said, dict) and word in said:  # not within other words
                        return said[word]
    return None
