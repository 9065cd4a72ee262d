"""Who tried to log in during the last hour, as the journal tells it: for the lock-outs of a daemon that begins.

1. The newest segments are read from their ends, until a row is older than an hour. A clock that was put back makes rows
   of the future, which count as well.
2. What cannot be read is passed over: a damaged segment is the journal's to report.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from firmware_bridge.journal import schema
from firmware_bridge.journal.segments import open_for_reading, segments
from firmware_bridge.people.login.lockouts import HOUR

_NOTES = (
    f"SELECT at, body FROM events WHERE kind = '{schema.NOTE}' AND body LIKE '{{\"login%'"  # noqa: S608  the words are ours
    " AND at >= ? ORDER BY n DESC"
)
_OLD = "SELECT 1 FROM events WHERE at < ? LIMIT 1"


def tried(state: Path, now: datetime | None = None) -> list[tuple[float, dict[str, Any]]]:
    """The notes of logins and wrong tries, oldest first, with how many seconds ago each was."""
    now = now if now is not None else datetime.now(UTC)
    since = datetime.fromtimestamp(now.timestamp() - HOUR, UTC).isoformat(timespec="microseconds")
    found: list[tuple[float, dict[str, Any]]] = []
    for path in reversed(segments(state)):
        with suppress(sqlite3.Error, ValueError, RecursionError), closing(open_for_reading(path)) as connection:
            for at, body in connection.execute(_NOTES, (since,)):
                ago = (now - datetime.fromisoformat(at)).total_seconds()
                found.append((max(0.0, ago), json.loads(body)))
            if connection.execute(_OLD, (since,)).fetchone() is not None:
                break
    return found[::-1]
