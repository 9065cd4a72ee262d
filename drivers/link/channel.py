"""The numbered traffic of one session, the same at both ends.

1. A frame is taken if its counter is above that of the last frame taken and its tag is right. The counter goes up by
   one with each frame sent, also with one sent again, and never wraps: an end that has used it up falls silent.
2. Events are taken in the order of their numbers, each once. A number above the expected one is a gap: it is not kept,
   and all from the expected one on is asked for again. A number below it is a duplicate: it is acknowledged again.
3. A gap is asked for once in each round of sending: again only when a number comes that is not above the last one seen.
   A run of duplicates is reported once. Both are counted frame by frame.
4. An ACK says that everything below its number is durable here, so the owner decides when. With bit 0 of its flags it
   acknowledges nothing: it asks for all from its number on.
5. A HEARTBEAT tells the number after the last one sent, so that a lost last event is noticed. It is sent when nothing
   else was sent for half a second. An end that hears no valid frame for two seconds ends the session. The host has many
   links, and an idle table should not wake it: it answers a HEARTBEAT with its own, which is then due or soon will be,
   in the same turn, and is a little more patient, so that its own timer hardly ever comes first.
6. Frames are made in `flush`, so that many acknowledgements between two writes are one frame.
7. The host may ask how far the device has come: a longer HEARTBEAT with the number of the question, sent again until it
   is answered. The device answers at once, after what it has to send, with the number after the last event that has
   happened there. When all before that number have been taken, the question is settled: `CaughtUp`. All that happened
   at the device before it was asked has then been given, however late the links and the computer are.
"""

from __future__ import annotations

from collections import deque
from struct import Struct
from typing import Final

from drivers.faults import BAD_FRAME, DUPLICATE, FOREIGN_DEVICE, GAP, REPLAYED, Fault
from drivers.happenings import Arrived, CaughtUp, LinkHappening, LinkStats
from drivers.link.frames import ACK, DATA, HEAD, HEARTBEAT, TRAILER, encode
from drivers.link.keys import NO_TAG, Tagger
from drivers.link.numbers import HALF, MASK, RESEND, RESEND_MOST, Outbox, distance

HEARTBEAT_EVERY: Final = 0.5
ANSWERING_EVERY: Final = 0.6
"""The same for an end that answers heartbeats: three of them are still within `SILENT_AFTER`."""
ANSWER_AFTER: Final = 0.25
"""A heartbeat is answered when nothing was sent for so long."""
SILENT_AFTER: Final = 2.0
AGAIN: Final = 1
"""Bit 0 of the flags of an ACK: send again from this number on."""

_START_OF_DATA: Final = Struct("<BIIIB")
_ACK: Final = Struct("<IB")
_HEARTBEAT: Final = Struct("<II")
_QUESTION: Final = Struct("<II")
"""What a longer HEARTBEAT adds: the number of a question, and the number after the last event that has happened."""
_PAYLOAD_AT: Final = 14
_SHORTEST_DATA: Final = 26
_ACK_SIZE: Final = 22
_HEARTBEAT_SIZE: Final = 25
_QUESTION_AT: Final = 13
_new = tuple.__new__
"""Makes an `Arrived` in half the time that its own constructor takes."""


class Channel:
    """One end of a session: counters, tags, numbers, timers."""

    __slots__ = (
        "_ack_due",
        "_ahead",
        "_answers",
        "_ask_again_at",
        "_ask_due",
        "_asked",
        "_asking",
        "_beat_due",
        "_duplicates",
        "_every",
        "_gap_due",
        "_heard_at",
        "_interval",
        "_open",
        "_receiving",
        "_reply_due",
        "_seen",
        "_sending",
        "_sent_at",
        "_stats",
        "counter",
        "durable",
        "expected",
        "lost_track",
        "outbox",
    )

    def __init__(self, stats: LinkStats, *, answers: bool = False) -> None:
        self._stats = stats
        self._answers = answers
        self._every = ANSWERING_EVERY if answers else HEARTBEAT_EVERY
        self.outbox = Outbox(0)
        self.expected = 1
        self.durable = 0
        self.reset(0.0)

    def reset(self, now: float) -> None:
        """A new session, before its keys are known: both counters start again."""
        self.counter = 0
        self.lost_track = False
        """The other end asked for a number that is not here: only a new handshake can settle that."""
        self._seen = 0
        self._ahead = 0
        self._asking = self._duplicates = False
        self._ack_due = self._gap_due = self._beat_due = self._ask_due = False
        self._asked = self._reply_due = 0
        self._ask_again_at: float | None = None
        self._interval = RESEND
        self._open: deque[CaughtUp] = deque()
        """Questions that were answered and are not settled yet, each with the number that settles it."""
        self._heard_at = self._sent_at = now
        self._sending = self._receiving = Tagger(None, b"")

    def start(self, sending: Tagger, receiving: Tagger, outbox: Outbox, now: float) -> None:
        """Both ends are known: numbered traffic may begin."""
        self._sending, self._receiving = sending, receiving
        self.outbox = outbox
        outbox.rewind()
        self._heard_at = self._sent_at = now

    def expect(self, number: int) -> None:
        """Wait for this number; all before it is taken as durable."""
        self.expected = number & MASK
        self.durable = (number - 1) & MASK

    # --- sending ---------------------------------------------------------------------------------------------------

    def seal(self, kind: int, body: bytes, *, tagged: bool = True) -> bytes:
        """The bytes on the wire of the next frame; none once the counter is used up."""
        if self.counter == MASK:
            return b""
        self.counter += 1
        content = HEAD.pack(kind, self.counter) + body
        return encode(content + (self._sending.tag(content) if tagged else NO_TAG))

    def flush(self, now: float) -> bytes:
        """All that is to be sent now."""
        if not (self._gap_due or self._ack_due or self._beat_due or self.outbox.ready):
            return b""  # a question and its answer are heartbeats that are due
        frames: list[bytes] = []
        if self._gap_due:
            frames.append(self.seal(ACK, _ACK.pack(self.expected, AGAIN)))
        if self._ack_due:
            frames.append(self.seal(ACK, _ACK.pack((self.durable + 1) & MASK, 0)))
        bodies, again = self.outbox.take(now)
        frames += [self.seal(DATA, body) for body in bodies]
        if self._beat_due and (not frames or self._ask_due or self._reply_due):
            frames.append(self.seal(HEARTBEAT, self._beat(now)))
        if not frames:
            return b""
        self._gap_due = self._ack_due = self._beat_due = False
        self._stats.resent += again
        self._sent_at = now
        return b"".join(frames)

    def beat(self) -> None:
        """Let a heartbeat be sent next, unless something else is."""
        self._beat_due = True

    def ask(self, now: float) -> int:
        """Ask the other end how far it has come: the number of the question. The last one stands for all before it."""
        self._asked += 1
        self._ask_due = self._beat_due = True
        self._interval = RESEND
        self._ask_again_at = now + RESEND
        return self._asked

    def _beat(self, now: float) -> bytes:
        """The body of a HEARTBEAT, with the question that is due or the one that is answered."""
        body = _HEARTBEAT.pack(int(now * 1000) & MASK, self.outbox.after_sent)
        question = self._asked if self._ask_due else self._reply_due
        self._ask_due, self._reply_due = False, 0
        return body + _QUESTION.pack(question, self.outbox.next) if question else body

    def acknowledge(self, number: int) -> None:
        """Everything up to this number is durable here; a number that was not delivered changes nothing."""
        if 0 < distance(self.durable, number) <= distance(self.durable, self.expected - 1):
            self.durable = number
            self._ack_due = True

    # --- timers ----------------------------------------------------------------------------------------------------

    def due(self) -> float:
        """When `tick` has something to do."""
        first = min(self._sent_at + self._every, self._heard_at + SILENT_AFTER)
        resend = self.outbox.due()
        if self._ask_again_at is not None:
            first = min(first, self._ask_again_at)
        return first if resend is None else min(first, resend)

    def tick(self, now: float) -> bool:
        """Let time pass; False if the other end has been silent for too long."""
        if now >= self._heard_at + SILENT_AFTER:
            return False
        self.outbox.tick(now)
        if now >= self._sent_at + self._every:
            self._beat_due = True
        if self._ask_again_at is not None and now >= self._ask_again_at:
            self._ask_due = self._beat_due = True
            self._interval = min(RESEND_MOST, self._interval * 2)
            self._ask_again_at = now + self._interval
        return True

    # --- receiving -------------------------------------------------------------------------------------------------

    def take(self, frame: bytes, now: float, into: list[LinkHappening]) -> bool:
        """Take a frame of the session; False if it is not one. What it brought goes to `into`."""
        kind, counter, number, time, ident = _START_OF_DATA.unpack_from(frame)
        if counter <= self._seen:
            self._stats.bad += 1
            into.append(Fault(REPLAYED, f"counter {counter} after {self._seen}"))
            return False
        if not self._receiving.verifies(frame):
            self._stats.bad += 1
            into.append(Fault(FOREIGN_DEVICE, f"the tag of frame {counter} is wrong"))
            return False
        self._seen = counter
        size = len(frame)
        if kind == DATA and size >= _SHORTEST_DATA:
            if number == self.expected:
                self.expected = (number + 1) & MASK
                self._asking = self._duplicates = False
                into.append(_new(Arrived, (number, time, ident, frame[_PAYLOAD_AT:-TRAILER], frame)))
                if self._open:
                    self._settle(into)
            else:
                self._out_of_order(number, into)
        # An ACK's flags and a HEARTBEAT's next number stand where a DATA frame has its time.
        elif not (
            (kind == ACK and size == _ACK_SIZE and self._answered(number, time & 0xFF, now))
            or (kind == HEARTBEAT and size == _HEARTBEAT_SIZE and self._beaten(time, now, into))
            or (kind == HEARTBEAT and size == _HEARTBEAT_SIZE + _QUESTION.size and self._questioned(frame, now, into))
        ):
            self._stats.bad += 1
            into.append(Fault(BAD_FRAME, f"type 0x{kind:02x} makes no sense here: {frame.hex()}"))
            return False
        self._heard_at = now
        self._stats.frames += 1
        return True

    def _out_of_order(self, number: int, into: list[LinkHappening]) -> None:
        """An event that was taken before, or one that comes too early."""
        ahead = distance(self.expected, number)
        if ahead < HALF:
            self._stats.gaps += 1
            if not self._asking or ahead <= self._ahead:
                self._ask(f"number {number} came", into)
            self._ahead = ahead
            return
        self._stats.duplicates += 1
        self._ack_due = True
        if not self._duplicates:
            self._duplicates = True
            into.append(Fault(DUPLICATE, f"number {number} came again, {self.expected} is next"))

    def _ask(self, why: str, into: list[LinkHappening]) -> None:
        self._asking = self._gap_due = True
        into.append(Fault(GAP, f"{why} where {self.expected} is next"))

    def _answered(self, number: int, flags: int, now: float) -> bool:
        """An ACK; False if it names what was never sent."""
        if flags & AGAIN:
            self.lost_track = self.lost_track or not self.outbox.ask(number)
            return True
        return self.outbox.acknowledge(number, now)

    def _beaten(self, following: int, now: float, into: list[LinkHappening]) -> bool:
        """A HEARTBEAT: something is missing if the other end has sent more than came."""
        if self._answers and now >= self._sent_at + ANSWER_AFTER:
            self._beat_due = True
        if 0 < distance(self.expected, following) < HALF:
            self._ask(f"number {(following - 1) & MASK} was sent", into)
        return True

    def _questioned(self, frame: bytes, now: float, into: list[LinkHappening]) -> bool:
        """A HEARTBEAT with a question, which is answered at once, or with the answer to ours; False if to none."""
        _, _, _, following, _ = _START_OF_DATA.unpack_from(frame)
        question, happened = _QUESTION.unpack_from(frame, _QUESTION_AT)
        if not self._answers:
            self._reply_due, self._beat_due = question, True
        elif not 0 < question <= self._asked:
            return False
        elif self._ask_again_at is not None and question == self._asked:
            self._ask_again_at = None
        self._beaten(following, now, into)
        if self._answers:
            self._open.append(CaughtUp(question, happened))
            self._settle(into)
        return True

    def _settle(self, into: list[LinkHappening]) -> None:
        """Tell of the questions whose numbers have all been taken."""
        while self._open and distance(self._open[0].following, self.expected) < HALF:
            into.append(self._open.popleft())
