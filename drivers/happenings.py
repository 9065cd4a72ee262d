"""What a link or a driver tells its owner.

1. A host's link gives `Up`, `Arrived`, `CaughtUp` and `Fault`; a driver, which knows the messages, gives `Received` for
   `Arrived`. A device's link gives `Commanded`.
2. `Up` comes once a session, before its first event. A fatal fault ends the session. A session that the
   device has ended may be followed by another without a fatal fault.
3. Events come in the order of their numbers, each once. `time` is the device's clock in milliseconds modulo 2**32; for
   a device without a clock it is the host's.
4. What is made for every frame is a named tuple, because a tuple is made fastest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from drivers.faults import Fault


@dataclass(frozen=True, slots=True)
class Identity:
    """What a device said of itself in the handshake; `authenticated` if it proved its key.

    `boot` is another at each start of the device, `numbering` another each time its event numbers have started from 1
    again. `held` counts the numbers of events that it already kept for us when the session began, and `following` is
    the first number after them; a long event has several numbers, of which the last is its own.
    """

    kind: str
    serial: str
    firmware: str
    protocol: tuple[int, int]
    capabilities: int
    authenticated: bool
    boot: int
    numbering: int = 0
    held: int = 0
    following: int = 0


@dataclass(frozen=True, slots=True)
class Up:
    """The handshake is done, events may come."""

    identity: Identity


class Arrived(NamedTuple):
    """An event as the link gives it; `raw` is the message as it was sent and proved, from its kind to its payload."""

    number: int
    time: int
    ident: int
    payload: bytes
    raw: bytes


class CaughtUp(NamedTuple):
    """All that had happened at the device when it was asked has been given: every event before the number `following`.

    What answers a question answers all before it.
    """

    question: int
    following: int


class Commanded(NamedTuple):
    """A command as the device's link gives it."""

    ident: int
    payload: bytes


class Received(NamedTuple):
    """An event whose message is known; `raw` is the message as it came, once it was opened."""

    number: int
    time: int
    message: object
    raw: bytes


LinkHappening = Up | Arrived | CaughtUp | Fault
"""What a link gives."""
Happening = Up | Received | CaughtUp | Fault
"""What a driver gives."""


@dataclass(slots=True)
class LinkStats:
    """What went over one link since it was made, for `doctor`."""

    frames: int = 0
    """Valid frames received."""
    bad: int = 0
    """Frames thrown away: check, shape, tag or replay."""
    duplicates: int = 0
    """Numbered frames that had been taken already."""
    gaps: int = 0
    """Numbered frames that came too early."""
    resent: int = 0
    """Numbered frames sent again."""
    bytes: int = 0
    """Bytes received."""
