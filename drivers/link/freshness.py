"""How old an event is when it arrives, and what stays away for too long, as the host judges it.

1. The device's clock is compared with ours at each heartbeat: it says its own time, the last time of ours that it
   heard, and how long ago it heard that. The rest of the time in between is the trip. Of the last `SAMPLES` the one
   with the shortest trip counts.
2. An age is the most that it can be: the whole trip counts as the way back. Anyone who delays a cable makes the trip
   longer, and so cannot hide it. Clocks may run apart by `DRIFT`.
3. Events that the device's heartbeat says were sent must arrive within `PATIENCE` seconds, and our commands must be
   acknowledged within as long. If not, somebody withholds them. Somebody also does if no heartbeat comes for `MARGIN`
   seconds more while other frames pass: without heartbeats nothing of this would be known. A heartbeat counts from when
   the device sent it: if all that comes is held back alike, nobody gains time by it. An event that is older than
   `PATIENCE` when it comes is late.
4. Time in which our own loop did not turn does not count: what lay unread meanwhile is our own delay. We notice it when
   we are woken later than we asked for, so while anything is awaited we ask to be woken every `LOOK` seconds.
5. A simulated device is a process that shares the computer, and starves where that is busy. Its link may bear more
   seconds than `PATIENCE` (`Settings.patience`): nobody is at a cable that is none. A real device's never does.
6. Order is the order of arrival. Clocks of two devices are never compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from drivers.link.numbers import HALF, MASK, distance

PATIENCE: Final = 1.0
MARGIN: Final = 1.0
"""Seconds by which silence is borne for longer."""
SAMPLES: Final = 16
DRIFT: Final = 200e-6
LOOK: Final = 0.1
LATE: Final = 0.02
"""A timer that is later than this was kept waiting by our own loop."""
CATCHING_UP: Final = 0.25
"""Seconds after our loop stood still in which an event may be older by the time it stood."""
UNKNOWN: Final = MASK
"""In place of how long ago a time was heard: none was."""


Ticks = Callable[[float], int]
"""What turns our seconds into the milliseconds that stand in frames."""


def milliseconds(now: float) -> int:
    """A time as it stands in frames."""
    return int(now * 1000) & MASK


class Clock:
    """What is known here of the device's clock."""

    __slots__ = ("_best", "_samples")

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float, int]] = deque(maxlen=SAMPLES)
        self._best: tuple[float, float, int] | None = None

    def sample(self, time: int, echo: int, held: int, now: float) -> None:
        """Compare clocks: it was `time` there, `held` milliseconds after our `echo` had come."""
        trip = distance(echo, int(now * 1000)) - held
        if held != UNKNOWN and trip < HALF:
            self._samples.append((max(trip, 0) / 1000, now, time))
            self._best = min(self._samples)

    def age(self, time: int, now: float) -> float:
        """How many seconds ago it can at most have been `time` there; zero if nothing is known yet."""
        if self._best is None:
            return 0.0
        trip, at, then = self._best
        after = ((time - then + HALF) & MASK) - HALF
        return (now - at) * (1 - DRIFT) + trip - after / 1000


class Watch:
    """What is awaited, and since when."""

    __slots__ = ("_asleep", "_beat_at", "_commands", "_look_at", "_missing", "_woken", "patience")

    def __init__(self, now: float, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._asleep = 0.0
        self._beat_at = now
        self._woken = (0.0, 0.0)
        self._missing: tuple[int, float] | None = None
        self._commands: deque[tuple[int, float]] = deque()
        self._look_at = 0.0

    def woken(self, now: float, late: float) -> None:
        """Note that our loop did not turn for `late` seconds."""
        self._asleep += late
        self._woken = now, late

    def excused(self, now: float) -> float:
        """By how much an event may be older because it lay here unread."""
        at, late = self._woken
        return late if now <= at + CATCHING_UP else 0.0

    def beaten(self, now: float, age: float = 0.0) -> float:
        """Note a heartbeat of this age; return when it was sent. The time that it lay here unread does not count."""
        sent = now - min(max(0.0, age - self.excused(now)), self.patience + MARGIN)
        self._beat_at = sent - self._asleep
        return sent

    def announced(self, following: int, expected: int, sent: float, now: float) -> None:
        """Note that the device has sent all before this number, as a heartbeat says that was sent then."""
        if self._missing is None and 0 < distance(expected, following) < HALF:
            self._missing = following, sent - self._asleep
            self._look_at = now + LOOK

    def arrived(self, expected: int) -> None:
        """Note that all before this number is here."""
        if self._missing is not None and distance(self._missing[0], expected) < HALF:
            self._missing = None

    def sent(self, number: int, now: float) -> None:
        """Note that a command was given its number."""
        self._commands.append((number, now - self._asleep))
        self._look_at = now + LOOK

    def acknowledged(self, oldest: int) -> None:
        """Note that all commands before this number have arrived."""
        while self._commands and 0 < distance(self._commands[0][0], oldest) < HALF:
            self._commands.popleft()

    def withheld(self, now: float) -> str | None:
        """Return what has stayed away for too long, in words; None if nothing has."""
        self._look_at = now + LOOK
        before = now - self._asleep - self.patience
        if self._missing is not None and self._missing[1] <= before:
            return f"events before {self._missing[0]} were sent {self.patience:g} s ago and have not come"
        if self._commands and self._commands[0][1] <= before:
            return f"command {self._commands[0][0]} has not been acknowledged for {self.patience:g} s"
        if now - self._asleep >= self._beat_at + self.patience + MARGIN:
            return f"no heartbeat has come for {self.patience + MARGIN:g} s"
        return None

    def due(self) -> float:
        """When to look again: soon while anything is awaited but a heartbeat."""
        beatless = self._beat_at + self._asleep + self.patience + MARGIN
        return min(self._look_at, beatless) if self._commands or self._missing is not None else beatless
