"""Whether the journal at hand names a finding of the daemon's own looks already: what it names is no news."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from firmware_bridge.journal import segments


def is_known(state: Path, digest: str) -> bool:
    """Whether a note of the daemon in the journal at hand has this digest as found."""
    asked = "SELECT 1 FROM events WHERE kind = 'note' AND device = 'daemon' AND instr(body, ?)"
    for path in reversed(segments.segments(state)):
        with suppress(sqlite3.Error, OSError), closing(segments.open_for_reading(path)) as connection:
            if connection.execute(asked, (f'"found": "{digest}"',)).fetchone():
                return True
    return False
