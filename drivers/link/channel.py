"""The numbered traffic of one session, the same at both ends.

1. A frame is taken if its counter is above that of the last frame taken and the cipher of the session opens it. The
   counter goes up by one with each frame sent, also with one sent again, and never wraps: an end that has used it up
   falls silent.
2. Events are taken in the order of their numbers, each once. A number above the expected one is a gap: it is not kept,
   and all from the expected one on is asked for again. A number below it is a duplicate: it is acknowledged again.
3. A gap is asked for once in each round of sending: again only when a number comes that is not above the last one seen,
   or a HEARTBEAT says that more was sent. A run of duplicates is reported once. Both are counted frame by frame.
4. An ACK says that everything below its number is durable here, so the owner decides when. With bit 0 of its flags it
   acknowledges nothing: it asks for all from its number on.
5. A HEARTBEAT tells the number after the last one sent, so that a lost last event is noticed. It is sent when nothing
   else was sent for half a second. An end that hears no valid frame for two seconds (`silent_after`) ends the session.
   The host has many links, and an idle table should not wake it: it answers a HEARTBEAT with its own, which is then due
   or soon will be, in the same turn. Its own timer is a little longer, so that it hardly ever comes first. In edition 2
   a HEARTBEAT also compares clocks: it is sent whatever else was sent, and the host always answers it.
6. Frames are made in `flush`, so that many acknowledgements between two writes are one frame.
7. The host may ask how far the device has come: a longer HEARTBEAT with the number of the question, sent again until it
   is answered. The device answers at once, after what it has to send, with the number after the last event that has
   happened there. When all before that number have been taken, the question is closed: `CaughtUp`. All that happened
   at the device before it was asked has then been given, however late the links and the computer are.
8. The parts of a message are taken like events and given as one, when the last is there. What a session leaves
   unfinished is asked for again from its first part on.
9. In edition 2 the host checks how old an event is, unless the device had it before the session began, and whether
   anything is withheld (`freshness`).
"""

from __future__ import annotations

from collections import deque
from struct import Struct
from typing import Final

from drivers.faults import BAD_FRAME, DUPLICATE, FOREIGN_DEVICE, GAP, LATE, REPLAYED, Fault
from drivers.happenings import Arrived, CaughtUp, LinkHappening, LinkStats
from drivers.link import beats, frames, freshness
from drivers.link.beats import ANSWER_AFTER, ANSWERING_EVERY, HEARTBEAT_EVERY
from drivers.link.editions.edition import Cipher, Edition
from drivers.link.editions.keys import NO_TAG, Tagger
from drivers.link.frames import ACK, DATA, HEAD, HEARTBEAT, MORE, encode
from drivers.link.freshness import Clock, Ticks, Watch, milliseconds
from drivers.link.numbers import BODY, HALF, MASK, MOST_PAYLOAD, RESEND, Outbox, distance

AGAIN: Final = 1
"""Bit 0 of the flags of an ACK: send again from this number on."""

_COUNTER: Final = Struct("<I")
_ACK: Final = Struct("<IB")
_BODY_AT: Final = HEAD.size
_PAYLOAD_AT: Final = HEAD.size + BODY.size
_ACK_SIZE: Final = HEAD.size + _ACK.size
_new = tuple.__new__
"""Makes an `Arrived` in half the time that its own constructor takes."""


class Channel:
    """One end of a session: counters, tags, numbers, timers. The host's end has a patience, and answers heartbeats."""

    __slots__ = (
        "_ack_due",
        "_ahead",
        "_answers",
        "_ask_again_at",
        "_ask_due",
        "_asked",
        "_asking",
        "_beat_at",
        "_beat_due",
        "_clock",
        "_duplicates",
        "_echo",
        "_edition",
        "_every",
        "_gap_due",
        "_heard_at",
        "_interval",
        "_open",
        "_parts",
        "_patience",
        "_receiving",
        "_reply_due",
        "_seen",
        "_sending",
        "_sent_at",
        "_stats",
        "_their_clock",
        "_told_due",
        "backlog",
        "counter",
        "durable",
        "expected",
        "lost_track",
        "outbox",
        "silent_after",
        "watch",
    )

    def __init__(
        self, stats: LinkStats, edition: Edition, *, patience: float | None = None, clock: Ticks = milliseconds
    ) -> None:
        self._stats = stats
        self._edition = edition
        self._answers, self._patience = patience is not None, patience or freshness.PATIENCE
        self.silent_after = self._patience + freshness.MARGIN
        self._clock = clock
        self._every = ANSWERING_EVERY if self._answers else HEARTBEAT_EVERY
        self.outbox = Outbox(0, edition=edition)
        self.expected = 1
        self.durable = 0
        self._parts: list[bytes] = []
        self.reset(0.0)

    def reset(self, now: float) -> None:
        """Begin a new session, before its keys are known: both counters start again."""
        self.counter = 0
        self.lost_track = False
        """The other end asked for a number that is not here: only a new handshake can mend that."""
        self._seen = 0
        self._ahead = 0
        self._asking = self._duplicates = self._ack_due = self._gap_due = self._beat_due = self._ask_due = False
        self._asked = self._reply_due = 0
        self._ask_again_at: float | None = None
        self._interval = RESEND
        self._open: deque[CaughtUp] = deque()
        """Questions that were answered and are not closed yet, each with the number that closes it."""
        self._heard_at = self._sent_at = self._beat_at = now
        self._sending: Cipher = Tagger(None, b"")
        self._receiving: Cipher = self._sending
        self._echo: tuple[int, float] | None = None
        self._told_due: float | None = None
        self.watch = Watch(now, self._patience) if self._edition.sealed and self._answers else None
        self._their_clock = Clock()
        self.backlog = self.expected
        """The device had all events before this number when the session began: their age says nothing."""
        self.expected = (self.expected - len(self._parts)) & MASK
        self._parts.clear()

    def start(self, sending: Cipher, receiving: Cipher, outbox: Outbox, now: float) -> None:
        """Begin numbered traffic: both ends are known."""
        self._sending, self._receiving = sending, receiving
        self.outbox = outbox
        outbox.rewind()
        self._heard_at = self._sent_at = self._beat_at = now
        if self.watch is not None:
            self.watch.beaten(now)

    def expect(self, number: int) -> None:
        """Wait for this number; all before it is taken as durable."""
        self.expected = number & MASK
        self.durable = (number - 1) & MASK
        self._parts.clear()

    def opened(self, frame: bytes) -> bytes | None:
        """The content of a frame that is none of the numbered traffic yet; None if the other end did not make it."""
        content = self._receiving.open(frame)
        if content is not None:
            (self._seen,) = _COUNTER.unpack_from(frame, 1)
        return content

    # --- sending ---------------------------------------------------------------------------------------------------

    def seal(self, kind: int, body: bytes, *, clear: bool = False) -> bytes:
        """The bytes on the wire of the next frame; none once the counter is used up."""
        if self.counter == MASK:
            return b""
        self.counter += 1
        if clear:
            return encode(HEAD.pack(kind, self.counter) + body + NO_TAG)
        return encode(self._sending.seal(kind, self.counter, body))

    def send(self, ident: int, payload: bytes, now: float) -> bool:
        """Number a message and keep it until it is acknowledged; False if too many wait."""
        if not self.outbox.fits(payload):
            return False
        number = self.outbox.add(self._clock(now), ident, payload)
        if self.watch is not None:
            self.watch.sent(number, now)
        return True

    def flush(self, now: float) -> bytes:
        """All that is to be sent now."""
        if not (self._gap_due or self._ack_due or self._beat_due or self.outbox.ready):
            return b""  # a question and its answer are heartbeats that are due
        wires: list[bytes] = []
        if self._gap_due:
            wires.append(self.seal(ACK, _ACK.pack(self.expected, AGAIN)))
        if self._ack_due:
            wires.append(self.seal(ACK, _ACK.pack((self.durable + 1) & MASK, 0)))
        entries, again = self.outbox.next_to_send(now)
        wires += [self.seal(kind, body) for kind, body in entries]
        if self._beat_due and (not wires or self._ask_due or self._reply_due or self._edition.sealed):
            wires.append(self.seal(HEARTBEAT, self._beat(now)))
            self._beat_at = now
        if not wires:
            return b""
        self._gap_due = self._ack_due = self._beat_due = False
        self._stats.resent += again
        self._sent_at = now
        return b"".join(wires)

    def beat(self) -> None:
        """Have a heartbeat sent next; in edition 1 only if nothing else is sent."""
        self._beat_due = True

    def ask(self, now: float) -> int:
        """Ask the other end how far it has come; return the number of the question, which stands for all before it."""
        self._asked += 1
        self._ask_due = self._beat_due = True
        self._interval = RESEND
        self._ask_again_at = now + RESEND
        return self._asked

    def _beat(self, now: float) -> bytes:
        """The body of a HEARTBEAT, with the question that is due or the one that is answered."""
        question = self._asked if self._ask_due else self._reply_due
        self._ask_due, self._reply_due = False, 0
        said = beats.Beat(self._clock(now), self.outbox.after_sent, question, self.outbox.next)
        if self._echo is not None:
            said = said._replace(echo=self._echo[0], held=milliseconds(now - self._echo[1]))
        return beats.body(said, sealed=self._edition.sealed)

    def acknowledge(self, number: int) -> None:
        """Note that everything up to this number is durable; a number that was not delivered changes nothing."""
        if 0 < distance(self.durable, number) <= distance(self.durable, self.expected - 1):
            self.durable = number
            self._ack_due = True

    # --- timers ----------------------------------------------------------------------------------------------------

    def due(self) -> float:
        """When `tick` has something to do."""
        first = min(self._next_beat(), self._heard_at + self.silent_after)
        look = None if self.watch is None else self.watch.due()
        for other in (self.outbox.due(), look, self._ask_again_at):
            if other is not None and other < first:
                first = other
        self._told_due = first
        return first

    def _next_beat(self) -> float:
        return (self._beat_at if self._edition.sealed else self._sent_at) + self._every

    def woken(self, now: float) -> None:
        """Note, before anything else is done, whether this call comes later than `due` asked for."""
        late = 0.0 if self._told_due is None else now - self._told_due
        if late > freshness.LATE and self.watch is not None:
            self.watch.woken(now, late)
        self._told_due = None

    def tick(self, now: float) -> bool:
        """Let time pass; False if the other end has been silent for too long."""
        if now >= self._heard_at + self.silent_after:
            return False
        self.outbox.tick(now)
        if now >= self._next_beat():
            self._beat_due = True
        if self._ask_again_at is not None and now >= self._ask_again_at:
            self._ask_due = self._beat_due = True
            self._interval = min(self._edition.resend_most, self._interval * 2)
            self._ask_again_at = now + self._interval
        return True

    # --- receiving -------------------------------------------------------------------------------------------------

    def accept_frame(self, frame: bytes, now: float, into: list[LinkHappening]) -> bool:
        """Take a frame of the session; False if it is not one. What it brought goes to `into`."""
        (counter,) = _COUNTER.unpack_from(frame, 1)
        if counter <= self._seen:
            self._stats.bad += 1
            into.append(Fault(REPLAYED, f"counter {counter} after {self._seen}"))
            return False
        content = self._receiving.open(frame)
        if content is None:
            self._stats.bad += 1
            into.append(Fault(FOREIGN_DEVICE, f"frame {counter} is not the other end's"))
            return False
        self._seen = counter
        kind = content[0]
        if kind == DATA and len(content) >= _PAYLOAD_AT and not self._parts:
            number, time, ident = BODY.unpack_from(content, _BODY_AT)
            if number == self.expected:
                self._next(time, now, into)
                into.append(_new(Arrived, (number, time, ident, content[_PAYLOAD_AT:], content)))
                if self._open:
                    self._tell_caught_up(into)
            else:
                self._out_of_order(number, into)
        elif not self._other(kind, content, now, into):
            self._stats.bad += 1
            into.append(Fault(BAD_FRAME, f"type 0x{kind:02x} makes no sense here: {content.hex()}"))
            return False
        self._heard_at = now
        self._stats.frames += 1
        return True

    def _next(self, time: int, now: float, into: list[LinkHappening]) -> None:
        """The expected number is there."""
        number = self.expected
        self.expected = (number + 1) & MASK
        self._asking = self._duplicates = False
        if self.watch is not None:
            self.watch.arrived(self.expected)
            age = self._their_clock.age(time, now)
            if age > self._patience + self.watch.excused(now) and distance(self.backlog, number) < HALF:
                into.append(Fault(LATE, f"event {number} came {age:.1f} s after it had happened"))

    def _other(self, kind: int, content: bytes, now: float, into: list[LinkHappening]) -> bool:
        """A frame that is no event of one part; False if it makes no sense."""
        sealed, size = self._edition.sealed, len(content)
        match kind & ~MORE if sealed else kind:
            case frames.DATA if sealed and size >= _PAYLOAD_AT:
                return self._part(content, now, into)
            case frames.ACK if size == _ACK_SIZE:
                number, flags = _ACK.unpack_from(content, _BODY_AT)
                return self._answered(number, flags, now)
            case frames.HEARTBEAT:
                return self._beaten(beats.read(content[_BODY_AT:], sealed=sealed), now, into)
            case frames.START if sealed and not self._answers:
                self._beat_due = True  # it was taken, and the host has not heard of that
                return True
        return False

    def _part(self, content: bytes, now: float, into: list[LinkHappening]) -> bool:
        """A part of a message: given when the last part is there, or more than a message can have."""
        number, time, ident = BODY.unpack_from(content, _BODY_AT)
        if number != self.expected:
            self._out_of_order(number, into)
            return True
        self._next(time, now, into)
        self._parts.append(content[_PAYLOAD_AT:])
        if content[0] == DATA or len(self._parts) * self._edition.room > MOST_PAYLOAD:
            payload = b"".join(self._parts)
            self._parts.clear()
            into.append(Arrived(number, time, ident, payload, content[:_PAYLOAD_AT] + payload))
            self._tell_caught_up(into)
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
        known = self.outbox.acknowledge(number, now)
        if self.watch is not None:
            self.watch.acknowledged(self.outbox.oldest)
        return known

    def _beaten(self, said: beats.Beat | None, now: float, into: list[LinkHappening]) -> bool:
        """A HEARTBEAT: something is missing if the other end has sent more than came. False if it makes no sense."""
        if said is None or (self._answers and said.question > self._asked):
            return False
        if not self._answers:
            self._echo = said.time, now
        else:
            self._their_clock.sample(said.time, said.echo, said.held, now)
            if self._edition.sealed or now >= self._sent_at + ANSWER_AFTER:
                self._beat_due = True
        if self.watch is not None:
            sent = self.watch.beaten(now, self._their_clock.age(said.time, now))
            self.watch.announced(said.following, self.expected, sent, now)
        if 0 < distance(self.expected, said.following) < HALF:
            self._ask(f"number {(said.following - 1) & MASK} was sent", into)
        if said.question:
            self._questioned(said.question, said.happened, into)
        return True

    def _questioned(self, question: int, happened: int, into: list[LinkHappening]) -> None:
        """A question, which is answered at once, or the answer to ours."""
        if not self._answers:
            self._reply_due, self._beat_due = question, True
            return
        if self._ask_again_at is not None and question == self._asked:
            self._ask_again_at = None
        self._open.append(CaughtUp(question, happened))
        self._tell_caught_up(into)

    def _tell_caught_up(self, into: list[LinkHappening]) -> None:
        """Tell of the questions whose numbers have all been taken."""
        while self._open and distance(self._open[0].following, self.expected) < HALF:
            into.append(self._open.popleft())
