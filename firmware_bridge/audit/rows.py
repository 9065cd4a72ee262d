"""What a damaged file gives as a row, and what it may be taken for."""

from __future__ import annotations

import json

from firmware_bridge.journal import schema
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
