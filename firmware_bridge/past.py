"""Reads the rounds that are over from the journal's files, beside the daemon's own connection.

1. The newest segment first, until there are enough. Archived segments are not opened.
2. A round is found by its number on the table; where a number was used again, on another table, the newest is meant,
   unless the number of its first event is said.
3. A file that is archived or set aside meanwhile, or is damaged, is passed over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from firmware_bridge.journal.segments import open_for_reading, segments

MOST = 1000
"""How many rounds can be asked for at once."""
_SHORT = "number, game, first, last, began, ended, outcome, boxes"
_FINDINGS = "SELECT n, code, clause, ruling, places, whose FROM findings WHERE round = ? ORDER BY id"
_RULINGS = "SELECT n, at, who, what FROM rulings WHERE round = ? ORDER BY id"


def last_rounds(state: Path, count: int) -> list[dict[str, object]]:
    """The last rounds in short, newest first."""
    found: list[dict[str, object]] = []
    for connection in _newest_first(state):
        chosen = (
            f"SELECT {_SHORT}, (SELECT group_concat(code, ' ') FROM findings WHERE round = rounds.id) AS findings"  # noqa: S608
            " FROM rounds ORDER BY id DESC LIMIT ?"
        )
        found += _rows(connection, chosen, min(count, MOST) - len(found))
        if len(found) >= min(count, MOST):
            break
    return found


def one_round(state: Path, number: int | None, first: int | None = None) -> dict[str, object] | None:
    """One round with its report, findings and rulings: by number, by its first event, or the last one."""
    if first is not None:
        where, value = "WHERE first = ?", first
    elif number is not None:
        where, value = "WHERE number = ?", number
    else:
        where, value = "WHERE ? = 1", 1
    for connection in _newest_first(state):
        chosen = f"SELECT id, {_SHORT}, report FROM rounds {where} ORDER BY id DESC LIMIT 1"  # noqa: S608
        for found in _rows(connection, chosen, value):
            number_in_file = found.pop("id")
            report = json.loads(str(found.pop("report")))
            rulings = _rows(connection, _RULINGS, number_in_file)
            return found | {
                "report": report,
                "findings": _rows(connection, _FINDINGS, number_in_file),
                "rulings": rulings,
            }
    return None


def _newest_first(state: Path) -> Iterator[sqlite3.Connection]:
    """A connection to each segment in turn; one that cannot be read is passed over."""
    for path in reversed(segments(state)):
        try:
            with closing(open_for_reading(path)) as connection:
                connection.execute("SELECT 1 FROM rounds LIMIT 1").fetchone()
                connection.row_factory = sqlite3.Row
                yield connection
        except sqlite3.Error:
            continue


def _rows(connection: sqlite3.Connection, chosen: str, value: object) -> list[dict[str, object]]:
    return [dict(row) for row in connection.execute(chosen, (value,))]
