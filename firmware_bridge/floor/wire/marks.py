"""Marks: how far a journal has come at the centre.

1. `Mark` is what the centre has committed: the line, the segment, the last event and its digest, how many rows of
   records the segment has and their digest, and the number of the last head. The table sends what follows it.
2. `Seal` is what a verified head covers. The centre holds a table to that alone: a journal that ends before its seal
   was put back. An honest table may lose what lies between the seal and the mark, if its file was damaged.
3. A *line* begins where a table went on after such damage, and gave numbers again that it had already sent. What it
   had sent stays under the line before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware_bridge.journal.chain import GENESIS
from firmware_bridge.journal.signed.signing import NOTHING


class Mark(NamedTuple):
    """How far a journal has come."""

    line: int = 1
    segment: int = 0
    n: int = 0
    chain: bytes = GENESIS
    records: int = 0
    digest: bytes = NOTHING
    head: int = 0


class Seal(NamedTuple):
    """The last head that was verified: its number, and the event and digest that it covers."""

    head: int = 0
    n: int = 0
    chain: bytes = GENESIS


def written(mark: Mark | Seal) -> list[int | str]:
    """A mark as plain data."""
    return [part.hex() if isinstance(part, bytes) else part for part in mark]


def mark_of(said: Any) -> Mark:
    """The mark that plain data holds.

    Raises:
        ValueError: it holds none.
    """
    match said:
        case [int(line), int(segment), int(n), str(chain), int(records), str(digest), int(head)]:
            return Mark(line, segment, n, _digest(chain), records, _digest(digest), head)
        case _:
            raise ValueError("no mark")


def seal_of(said: Any) -> Seal:
    """The seal that plain data holds.

    Raises:
        ValueError: it holds none.
    """
    match said:
        case [int(head), int(n), str(chain)]:
            return Seal(head, n, _digest(chain))
        case _:
            raise ValueError("no seal")


def _digest(text: str) -> bytes:
    found = bytes.fromhex(text)
    if len(found) != len(GENESIS):
        raise ValueError("no digest")
    return found
