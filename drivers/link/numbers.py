"""Event numbers: 32 bits that go round, and the frames that wait for their acknowledgement.

1. Numbers start at 1 and go up by one, past 2**32 - 1 to 0. Of two numbers the later is the one that is less than
   half the circle ahead.
2. `Outbox` keeps what was numbered until it is acknowledged. A device's lasts over sessions; when it is full its oldest
   message goes, and the host learns that from the next handshake. A host's lasts for one session and refuses what does
   not fit (`fits`).
3. A message that is longer than the room of one frame goes in parts with consecutive numbers, and has the number of the
   last one. It is kept, dropped and acknowledged as a whole.
4. At most `WINDOW` frames are under way. What is under way is sent again when the other end asks for it (a gap), from
   the number that it names, and from the oldest when `RESEND` seconds pass without progress. That time doubles until
   there is progress, up to the `resend_most` of the edition. After such a silence only `PROBE` frames are sent; each
   progress doubles that, up to `WINDOW`.
"""

from __future__ import annotations

from collections import deque
from struct import Struct
from typing import Final

from drivers.link.editions.edition import Edition
from drivers.link.frames import DATA, LONGEST, MORE, SHORTEST

MASK: Final = 0xFFFF_FFFF
HALF: Final = 0x8000_0000
WINDOW: Final = 64
PROBE: Final = 4
RESEND: Final = 0.06
BODY: Final = Struct("<IIB")
"""What stands before the payload of a DATA frame: number, time, ident."""
MOST_PAYLOAD: Final = LONGEST - SHORTEST - BODY.size
"""The longest payload of a message."""
Entry = tuple[int, bytes]
"""The kind and the body of a numbered frame."""


def distance(start: int, end: int) -> int:
    """How far `end` is ahead of `start`; a value of `HALF` or more means that it is behind."""
    return (end - start) & MASK


def behind(number: int, other: int) -> bool:
    """Whether a number comes before another."""
    return distance(other, number) >= HALF


def checked_entry(ident: int, payload: bytes) -> None:
    """Raise ValueError for an ident or a payload that no message can carry."""
    if not 0 <= ident <= 0xFF or len(payload) > MOST_PAYLOAD:
        raise ValueError(f"ident {ident} with {len(payload)} bytes does not fit into a message")


class Outbox:
    """Numbered frames that wait for their acknowledgement, oldest first."""

    __slots__ = (
        "_edition",
        "_interval",
        "_keep",
        "_kept",
        "_resend_at",
        "_sent",
        "_window",
        "acknowledged",
        "oldest",
        "reach",
    )

    def __init__(self, keep: int, first: int = 1, *, edition: Edition) -> None:
        self._keep = keep
        self._edition = edition
        self._kept: deque[Entry] = deque()
        self.oldest = first
        """The number of the oldest entry kept, or the next number."""
        self.acknowledged = (first - 1) & MASK
        """The highest number that was acknowledged."""
        self.rewind()

    def rewind(self) -> None:
        """Begin a new session: nothing is under way."""
        self._sent = 0
        self.reach = 0
        self._window = WINDOW
        self._interval = RESEND
        self._resend_at: float | None = None

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def next(self) -> int:
        """The number that the next entry gets."""
        return (self.oldest + len(self._kept)) & MASK

    @property
    def after_sent(self) -> int:
        """The number after the highest one sent in this session."""
        return (self.oldest + self.reach) & MASK

    @property
    def ready(self) -> bool:
        """Whether `next_to_send` has something to send."""
        return self._sent < len(self._kept) and self._sent < self._window

    def fits(self, payload: bytes) -> bool:
        """Whether another message would push out none."""
        return len(self._kept) + self._parts(payload) <= self._keep

    def _parts(self, payload: bytes) -> int:
        return max(1, -(-len(payload) // self._edition.room))

    def add(self, time: int, ident: int, payload: bytes) -> int:
        """Number and keep a message; return its number."""
        room, parts = self._edition.room, self._parts(payload)
        while self._kept and len(self._kept) + parts > self._keep:
            self._drop_oldest()
        for part in range(1, parts + 1):
            head = BODY.pack(self.next, time & MASK, ident)
            kind = DATA if part == parts else DATA | MORE
            self._kept.append((kind, head + payload[(part - 1) * room : part * room]))
        return (self.next - 1) & MASK

    def _drop_oldest(self) -> None:
        """Drop the oldest message with all its parts."""
        count = 1
        while self._kept[count - 1][0] & MORE:
            count += 1
        self._drop(count)

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._kept.popleft()
        self.oldest = (self.oldest + count) & MASK
        self._sent = max(0, self._sent - count)
        self.reach = max(0, self.reach - count)

    def next_to_send(self, now: float) -> tuple[list[Entry], int]:
        """Return what to send now, and how many of these frames were sent before."""
        first, last = self._sent, min(len(self._kept), self._window)
        if first >= last:
            return [], 0
        entries = [self._kept[at] for at in range(first, last)]
        again = max(0, min(self.reach, last) - first)
        self._sent = last
        self.reach = max(self.reach, last)
        if self._resend_at is None:
            self._resend_at = now + self._interval
        return entries, again

    def acknowledge(self, following: int, now: float) -> bool:
        """Drop all before this number, which the other end has; False if it cannot have it."""
        count = distance(self.oldest, following)
        if count > len(self._kept):
            return count >= HALF
        if count:
            self._drop(count)
            self.acknowledged = (following - 1) & MASK
            self._interval = RESEND
            self._window = min(WINDOW, self._window * 2)
            self._resend_at = now + RESEND if self._sent else None
        return True

    def ask(self, number: int) -> bool:
        """Send all from this number on again, as the other end asks; False if it is no longer or not yet here."""
        at = distance(self.oldest, number)
        if at <= self.reach:
            self._sent = min(self._sent, at)
        return at <= len(self._kept)

    def due(self) -> float | None:
        """When `tick` has something to do."""
        return self._resend_at

    def tick(self, now: float) -> None:
        """Send again what was not acknowledged in time."""
        if self._resend_at is not None and now >= self._resend_at:
            self._sent = 0
            self._window = PROBE
            self._interval = min(self._edition.resend_most, self._interval * 2)
            self._resend_at = None
