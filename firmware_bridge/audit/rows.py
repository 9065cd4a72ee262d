"""What a file gives as a row, what a damaged one may be taken for, and when it was written."""

from __future__ import annotations

import json

from firmware_bridge.journal import clock, schema
from firmware_bridge.journal.chain import Row


def is_row(n: object, chain: object) -> bool:
    """Whether a damaged file gives at least a number and a digest."""
    return isinstance(n, int) and isinstance(chain, bytes)


def said_to_follow(row: Row) -> tuple[int, bytes] | None:
    """What the first row of a segment says that it follows."""
    if row.kind != schema.SEGMENT:
        return None
    try:
        said = json.loads(row.body or "")
        return int(said["follows"]), bytes.fromhex(said["chain"])
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None


def went_back(row: Row, before: str) -> list[str]:
    """That a row was written at an earlier time than the one before it, if it was."""
    try:
        back = clock.read(before) - clock.read(row.at) if before else 0
    except (OverflowError, TypeError, ValueError):
        return []  # no time at all: the chain says so
    return [f"event {row.n}: the clock went back, from {before[:19]} to {row.at[:19]}"] if back > clock.JUMP else []
