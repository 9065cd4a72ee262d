"""Three copies of every message made into one, without losing a card.

Experimental: written from public descriptions, never tried on a device.

1. The device sends each message three times with the same sequence number and asks for no answer. Two equal cards
   in a row have different sequence numbers. How far apart the copies are, and after which number the sequence
   starts again, is not publicly said: all that is taken for granted is that a sequence has more than three numbers.
2. A frame is a repeat if it equals an earlier frame in sequence and data, and three things hold. That one has been seen
   fewer than three times; it was seen at most `window` seconds ago; and at most two other messages began since, as a
   copy may come after the next message has begun. A sequence cannot have come round with so few messages in between.
3. A message is told when `agree` copies of it have come, or when no further copy came within `window`: one or two
   lost copies cost time, never the card. Messages are told in the order of their first copies. With
   `agree` 2 a single copy is believed if there is a check and about as many bytes as two copies have were thrown away
   next to it, or the port was closed behind it. Otherwise it is told as doubtful: it may be a copy of another message,
   damaged in its sequence number.
4. Copies with one sequence number and different data, as near to each other, are rivals. If one of them gets its
   second copy first, the other is outvoted: a `bad-frame`. If it gets a second copy after that, it is told as doubtful.
   If nothing decides, both are told as doubtful.
5. An equal frame that is no repeat by rule 2 is a new message if at least eight others came in between: the sequence
   came round. With fewer it may be a fourth copy, a late one, or a real card after the device restarted its sequence:
   it is told as doubtful, never swallowed, and its own further copies are merged into it.
6. A start message whose copies agree makes this end forget all that came before it: after a restart an equal frame
   is a new message.
   A start after a longer pause than `window` is always a new one.
7. At most 16 messages are remembered.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from drivers.angel_eye.frames import Frame
from drivers.faults import BAD_FRAME, Fault

COPIES = 3
START = b"S"

_KEPT = 16
_STILL_A_REPEAT = 2
_COME_ROUND = 8
_SLACK = 4


class Doubt(Enum):
    """Why a message may not be what it seems."""

    REPEAT = "repeat"
    """It may be one more copy of an earlier message."""
    DIFFER = "copies-differ"
    """Another copy with its sequence number said something else."""
    ALONE = "alone"
    """It came once, and nothing shows that its other copies were damaged."""


class Once(NamedTuple):
    """A message, told once; `first` is when its first copy came, `doubt` is why it may not be what it seems."""

    frame: Frame
    first: float
    doubt: Doubt | None


class _State(Enum):
    """How far a message has come."""

    PENDING = auto()
    TOLD = auto()
    OUTVOTED = auto()


@dataclass(slots=True)
class _Copies:
    """One message and the copies of it."""

    frame: Frame
    first: float
    last: float
    copies: int = 1
    damage: int = 0
    state: _State = _State.PENDING
    doubt: Doubt | None = None


class Repeats:
    """Merges copies."""

    def __init__(self, *, window: float, agree: int, checked: bool) -> None:
        self._window = window
        self._agree = agree
        self._checked = checked
        self._said: deque[_Copies] = deque()
        self._latest: _Copies | None = None
        self._damage = 0

    def add(self, frame: Frame, now: float) -> list[Once | Fault]:
        """Take a frame; return what is certain now."""
        told = self.tick(now)
        known, newer = self._known(frame)
        doubt = None
        if known is not None:
            if known.copies < COPIES and now - known.last <= self._window and newer <= _STILL_A_REPEAT:
                known.copies += 1
                known.last = now
                self._came(known)
                told += self._repeated(known)
                return told
            restarted = frame.data == START and now - known.last > self._window
            if newer < _COME_ROUND and not restarted:
                doubt = Doubt.REPEAT
        said = _Copies(frame, now, now, doubt=doubt)
        if len(self._said) == _KEPT:
            told += self._tell_alone(self._said[0])
            self._said.popleft()
        self._said.append(said)
        self._came(said)
        if said.copies >= self._agree:
            told += self._agreed(said)
        return told

    def damaged(self, size: int) -> None:
        """Note that `size` bytes were thrown away here."""
        self._damage += size
        if self._latest is not None:
            self._latest.damage += size

    def tick(self, now: float) -> list[Once | Fault]:
        """Tell what waited long enough for its second copy."""
        return self._tell_waiting([said for said in self._said if self._deadline(said) <= now])

    def due(self) -> float | None:
        """When a message has waited long enough."""
        return min((self._deadline(said) for said in self._said if said.state is _State.PENDING), default=None)

    def flush(self) -> list[Once | Fault]:
        """Tell all that waits: the wire is gone, and with it the other copies of what came last."""
        if self._latest is not None:
            self._latest.damage += COPIES * len(self._latest.frame.raw)
        self._latest = None
        self._damage = 0
        return self._tell_waiting(list(self._said))

    def _came(self, said: _Copies) -> None:
        """Note that a copy came, after the damage since the one before."""
        said.damage += self._damage
        self._damage = 0
        self._latest = said

    def _deadline(self, said: _Copies) -> float:
        """When a message has waited long enough."""
        return said.last + self._window

    def _known(self, frame: Frame) -> tuple[_Copies | None, int]:
        """Return the latest message that equals the frame, and how many began since."""
        for newer, said in enumerate(reversed(self._said)):
            if said.frame[:2] == frame[:2]:
                return said, newer
        return None, 0

    def _rivals(self, said: _Copies) -> list[_Copies]:
        """Return the messages near it that have its sequence number, but not its data."""
        at = self._index(said)
        return [
            other
            for index, other in enumerate(self._said)
            if other.frame.sequence == said.frame.sequence
            and other.frame.data != said.frame.data
            and abs(index - at) <= _STILL_A_REPEAT + 1
            and abs(other.first - said.first) <= self._window
        ]

    def _index(self, said: _Copies) -> int:
        """Return where a message stands; equal ones are told apart."""
        return next(index for index, other in enumerate(self._said) if other is said)

    def _repeated(self, said: _Copies) -> list[Once | Fault]:
        """Judge a message that got one more copy."""
        if said.copies < self._agree or said.state is _State.TOLD:
            return []
        if said.state is _State.OUTVOTED:
            said.doubt = said.doubt or Doubt.DIFFER
        return self._agreed(said)

    def _agreed(self, said: _Copies) -> list[Once | Fault]:
        """Tell a message of which enough copies came, after all that began before it."""
        told: list[Once | Fault] = []
        for rival in self._rivals(said):
            if rival.state is _State.PENDING and rival.copies < said.copies:
                rival.state = _State.OUTVOTED
                what = f"a copy said {rival.frame.raw.hex(' ')}, outvoted by {said.frame.raw.hex(' ')}"
                told.append(Fault(BAD_FRAME, what))
            elif rival.state is not _State.OUTVOTED:
                said.doubt = said.doubt or Doubt.DIFFER
        index = self._index(said)
        told += self._tell_waiting([self._said[before] for before in range(index)])
        told.append(self._tell_once(said))
        if said.frame.data == START and said.doubt is None:
            for _ in range(index):
                self._said.popleft()
        return told

    def _tell_waiting(self, waiting: list[_Copies]) -> list[Once | Fault]:
        """Tell those of them that wait, as they are."""
        return [item for said in waiting for item in self._tell_alone(said)]

    def _tell_alone(self, said: _Copies) -> list[Once | Fault]:
        """Tell a message that waited in vain for a second copy."""
        if said.state is not _State.PENDING:
            return []
        if said.doubt is None:
            if any(rival.state is not _State.OUTVOTED for rival in self._rivals(said)):
                said.doubt = Doubt.DIFFER
            elif not self._checked or said.damage < (COPIES - 1) * len(said.frame.raw) - _SLACK:
                said.doubt = Doubt.ALONE
        told = self._tell_once(said)
        return [Fault(BAD_FRAME, f"one of three copies came whole: {said.frame.raw.hex(' ')}"), told]

    def _tell_once(self, said: _Copies) -> Once:
        """Tell a message."""
        said.state = _State.TOLD
        return Once(said.frame, said.first, said.doubt)
