"""HEARTBEAT: what an end says of its numbers and of the time.

    edition 1    time u32 | following u32                                        8 bytes
                 the same | question u32 | happened u32                          16, in a question and in its answer
    edition 2    the same | echo u32 | held u32                                  24, always; question 0 for none

1. `following` is the number after the highest one sent in this session, `happened` the number that the next event will
   get.
2. `echo` is the last time that the other end told, `held` how many milliseconds ago; `UNKNOWN` for none. Only the
   device echoes: the host compares clocks, and its own `held` is always `UNKNOWN`.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from drivers.link.freshness import UNKNOWN

HEARTBEAT_EVERY: Final = 0.5
ANSWERING_EVERY: Final = 0.6
"""The same for an end that answers heartbeats: three of them are still within two seconds."""
ANSWER_AFTER: Final = 0.25
"""In edition 1 a heartbeat is answered when nothing was sent for this many seconds."""

_SHORT: Final = Struct("<II")
_LONG: Final = Struct("<IIII")
_SEALED: Final = Struct("<IIIIII")


class Beat(NamedTuple):
    """A HEARTBEAT."""

    time: int
    following: int
    question: int = 0
    happened: int = 0
    echo: int = 0
    held: int = UNKNOWN


def body(beat: Beat, *, sealed: bool) -> bytes:
    """The body of a HEARTBEAT."""
    if sealed:
        return _SEALED.pack(*beat)
    return _LONG.pack(*beat[:4]) if beat.question else _SHORT.pack(*beat[:2])


def read(content: bytes, *, sealed: bool) -> Beat | None:
    """What a HEARTBEAT says; None if its bytes mean nothing."""
    if sealed:
        return Beat(*_SEALED.unpack(content)) if len(content) == _SEALED.size else None
    if len(content) == _SHORT.size:
        return Beat(*_SHORT.unpack(content))
    said = Beat(*_LONG.unpack(content)) if len(content) == _LONG.size else None
    return said if said is not None and said.question else None
