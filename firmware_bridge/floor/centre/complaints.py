"""Lines of the log about what tables send: a table's flood is not one of the log."""

from __future__ import annotations

import sys
import time

APART = 10.0
"""Seconds between two lines of one kind about one table."""


class Complaints:
    """Says what is wrong with what tables send, now and then."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._said: dict[tuple[str, str], tuple[float, int]] = {}

    def complain(self, table: str, what: str, detail: str) -> None:
        """Say it, unless the same was said of this table just now; then it is counted."""
        now = time.monotonic()
        at, unsaid = self._said.get((table, what), (-APART, 0))
        if now - at < APART:
            self._said[table, what] = at, unsaid + 1
            return
        self._said[table, what] = now, 0
        more = f" ({unsaid} more before)" if unsaid else ""
        sys.stderr.write(f"truedeal ingest: {table} {what}: {detail}{more}\n")
        sys.stderr.flush()
