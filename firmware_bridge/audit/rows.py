"""Reads single rows, even of a damaged file: whether it is one, what it follows, the table's name, its times."""

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


def table_name(row: Row) -> str:
    """What the row of a start says that people call the table; empty where nobody had named it."""
    try:
        return str(json.loads(row.body or "").get(schema.NAMED, ""))
    except (AttributeError, ValueError, RecursionError):
        return ""


class Times:
    """Follows the times of the rows of a journal.

    The clock may be set, and is noted where it goes back. The time since the computer began runs evenly and starts
    again with each start of the computer, which is told by the boot id in the row of each start of the daemon: within
    one start it never goes back, and across two it says nothing. The first row of a segment that a start begins stands
    before the row of that start, and is compared with nothing.
    """

    def __init__(self) -> None:
        """No row has come."""
        self._boot = ""
        self._mono = 0

    def went_back(self, row: Row, before: str) -> list[str]:
        """What went back in the times of a row since the row before it, which was written at `before`; in words."""
        if row.kind == schema.START and (boot := _boot(row)) != self._boot:
            self._boot, self._mono = boot, 0
        said = self._clock(row, before)
        if not isinstance(row.mono, int) or row.kind == schema.SEGMENT:
            return said
        if row.mono < self._mono:
            back = f"{(self._mono - row.mono) / 1e9:.3f} s"
            said.append(f"event {row.n}: the time since the computer began went back, by {back} within one start of it")
        self._mono = row.mono
        return said

    @staticmethod
    def _clock(row: Row, before: str) -> list[str]:
        try:
            back = clock.read(before) - clock.read(row.at) if before else 0
        except (OverflowError, TypeError, ValueError):
            return []  # no time at all: the chain says so
        return [f"event {row.n}: the clock went back, from {before[:19]} to {row.at[:19]}"] if back > clock.JUMP else []


def _boot(row: Row) -> str:
    """The boot id that the row of a start names."""
    try:
        return str(json.loads(row.body or "")["boot"])
    except (KeyError, TypeError, ValueError, RecursionError):
        return ""
