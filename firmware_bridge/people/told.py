"""Which list of people the journal names last: its digest.

1. The start of a daemon and each change name the digest of the list that is in force from then on, under `DIGEST`.
2. The segments at hand are read from the newest. When one is archived the daemon names the digest again, so that there
   always is a row at hand.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from firmware_bridge.journal import schema
from firmware_bridge.journal.segments import open_for_reading, segments

DIGEST = "people-digest"
_ROWS = (
    f"SELECT body FROM events WHERE kind IN ('{schema.NOTE}', '{schema.START}')"  # noqa: S608  the words are ours
    f' AND body LIKE \'%"{DIGEST}": "%\' ORDER BY n DESC'
)


def told(state: Path) -> str:
    """The digest of the list that was in force last; empty if there never was one."""
    for path in reversed(segments(state)):
        with suppress(sqlite3.Error), closing(open_for_reading(path)) as connection:
            for (body,) in connection.execute(_ROWS):
                with suppress(ValueError):
                    said = json.loads(body)
                    if isinstance(said, dict) and isinstance(said.get(DIGEST), str):  # not within other words
                        return str(said[DIGEST])
    return ""
