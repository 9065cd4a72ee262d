"""The host's end of a link.

```
 closed --opened--> challenging --answer proved--> starting --first frame of the session--> up
    ^                    |                              |                                      |
    '------closed--------+------------------------------+------------------- ended <--- fatal fault in any state
```

1. **Challenging**: the first message of the handshake is sent every quarter second. An answer to another one is late,
   reported as `replayed`; an answer to ours is judged: version, kind and serial number, proof.
2. **Starting**: START says from which number events are wanted. It is repeated until the device sends a frame of the
   session, which shows that it took it: then the link is `Up`.
3. What the device numbers is compared with what is expected, once a session: `forgot` if it has begun its numbers
   again, `events-lost` with their count if it no longer keeps the next one.
4. An event goes to the owner at once and is acknowledged only when the owner says that it is durable. START never asks
   the device to drop what is not, so after a reconnect events that the owner already has may come again: duplicates.
5. A fatal fault ends the session: nothing more is taken or sent until the port was closed and opened. A device that
   says itself that it has ended the session is still there: it has not heard this end for too long, perhaps because the
   computer was too busy. Then the handshake begins again at once, in the same port, and a second `Up` follows. The
   device is lost only if it has restarted meanwhile or does not answer.
6. Frames of a session that come while challenging, and refusals of them, are left over from an earlier one: ignored,
   reported once.
7. Commands are numbered from 1 in each session. Those not yet acknowledged are dropped with it.
8. What the edition decides, the proofs and how a frame is closed, is not known here (`editions`). In edition 2 the link
   ends with `withheld` when events or acknowledgements stay away for a second, or heartbeats for two.
9. A device that speaks 1.1 or later can be asked how far it has come (`ask`); the answer is `CaughtUp`, once all that
   it had to say has been given. A question that is open when the session ends is never answered.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from drivers.faults import (
    BAD_FRAME,
    EVENTS_LOST,
    FOREIGN_DEVICE,
    FORGOT,
    SESSION_ENDED,
    SILENT,
    UNVERIFIED,
    VERSION_MISMATCH,
    WITHHELD,
    WRONG_DEVICE,
    Fault,
)
from drivers.happenings import Identity, LinkHappening, LinkStats, Up
from drivers.link import frames, hello
from drivers.link.channel import Channel
from drivers.link.editions.edition import HostShake
from drivers.link.frames import DATA, HEAD, TRAILER, Framer
from drivers.link.freshness import PATIENCE
from drivers.link.numbers import MASK, Outbox, behind, checked_entry, distance

REPEAT: Final = 0.25
"""Seconds between two first messages of a handshake, and between two START frames."""
_NO_SESSION: Final = bytes([hello.NO_SESSION])
MOST_COMMANDS: Final = 256
"""Frames of commands that may wait for their acknowledgement; a long command takes several."""


class State(Enum):
    """Where a link is."""

    CLOSED = "closed"
    CHALLENGING = "challenging"
    STARTING = "starting"
    UP = "up"
    ENDED = "ended"


class HostLink:
    """Bytes from a device in, `Up`, `Arrived`, `CaughtUp` and `Fault` out.

    `expected` is the next event number wanted and `numbering` the device's numbering it belongs to, both if they are
    known from earlier. `serial` None takes any serial number. `patience` is more than a second where the device is
    simulated (`freshness`).
    """

    def __init__(
        self,
        *,
        kind: str,
        serial: str | None,
        shake: HostShake,
        expected: int | None,
        numbering: int | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.stats = LinkStats()
        self.numbering = numbering
        self.identity: Identity | None = None
        self._kind = kind
        self._serial = serial
        self._shaking = shake
        self._known = expected is not None
        self._channel = Channel(self.stats, shake.edition, patience=patience)
        if expected is not None:
            self._channel.expect(expected)
        self._framer = Framer()
        self._state = State.CLOSED
        self._now = 0.0
        self._offer: hello.DeviceAnswer | None = None
        self._send_at = 0.0
        self._give_up_at = 0.0
        self._leftovers = False
        self._resumes: int | None = None
        """The boot of the device whose session is begun again."""

    # --- the owner's calls -----------------------------------------------------------------------------------------

    @property
    def up(self) -> bool:
        """Whether the handshake is done and the session has not ended."""
        return self._state is State.UP

    @property
    def expected(self) -> int | None:
        """The number of the next event, if it is known."""
        return self._channel.expected if self._known else None

    def opened(self, now: float) -> None:
        """Start afresh: the port is open."""
        self.closed()
        self._challenge(now)

    def _challenge(self, now: float) -> None:
        """Begin a handshake."""
        self._now = now
        self._shaking.begin()
        self._channel.reset(now)
        self._state = State.CHALLENGING
        self._offer = None
        self._send_at = now
        self._give_up_at = now + self._channel.silent_after

    def closed(self) -> None:
        """Forget the session: the port is gone. What was learnt of the device's numbers is kept."""
        self._state = State.CLOSED
        self._framer = Framer()
        self._offer = self._resumes = None
        self._leftovers = False
        self.identity = None

    def received(self, data: bytes, now: float) -> list[LinkHappening]:
        """Take bytes that came."""
        self._now = now
        self.stats.bytes += len(data)
        happenings: list[LinkHappening] = []
        self._channel.woken(now)
        take = self._channel.accept_frame
        for frame in self._framer.feed(data):
            if self._state is State.UP and type(frame) is bytes and frame[0] >= DATA:
                if not take(frame, now, happenings) or self._channel.lost_track:
                    self._refused(happenings)
            elif isinstance(frame, Fault):
                self.stats.bad += 1
                happenings.append(frame)
            else:
                self._shake(frame, happenings)
        return happenings

    def tick(self, now: float) -> list[LinkHappening]:
        """Let time pass."""
        self._now = now
        self._channel.woken(now)
        match self._state:
            case State.CHALLENGING | State.STARTING if now >= self._give_up_at:
                return [self._end(Fault(SILENT, f"no answer to the handshake in {self._channel.silent_after:g} s"))]
            case State.UP if not self._channel.tick(now):
                return [self._end(Fault(SILENT, f"nothing valid heard for {self._channel.silent_after:g} s"))]
            case State.UP if self._channel.watch is not None and (what := self._channel.watch.withheld(now)):
                return [self._end(Fault(WITHHELD, what))]
        return []

    def due(self) -> float | None:
        """When `tick` or `outgoing` has something to do next."""
        if self._state is State.UP:
            return self._channel.due()
        match self._state:
            case State.CHALLENGING | State.STARTING:
                return min(self._send_at, self._give_up_at)
        return None

    def outgoing(self) -> bytes:
        """What is to be written now."""
        if self._state is State.UP:
            return self._channel.flush(self._now)
        match self._state:
            case State.CHALLENGING if self._now >= self._send_at:
                self._send_at = self._now + REPEAT
                return self._channel.seal(self._shaking.opening, self._shaking.challenge(), clear=True)
            case State.STARTING if self._now >= self._send_at and self._offer is not None:
                self._send_at = self._now + REPEAT
                clear = not self._shaking.edition.sealed
                return self._channel.seal(frames.START, self._start_body(self._offer), clear=clear)
        return b""

    def send(self, ident: int, payload: bytes, now: float) -> bool:
        """Send a command, again until it is acknowledged; False if the link is not up or too many wait."""
        checked_entry(ident, payload)
        self._now = now
        return self._state is State.UP and self._channel.send(ident, payload, now)

    def acknowledge(self, number: int, now: float) -> None:
        """Note that all events up to this number are durable."""
        self._now = now
        self._channel.acknowledge(number)

    def ask(self, now: float) -> int | None:
        """Ask how far the device has come; return the number of the question, None if it is not up or cannot tell."""
        self._now = now
        if self._state is not State.UP or self.identity is None or self.identity.protocol < hello.QUESTIONS:
            return None
        return self._channel.ask(now)

    # --- the handshake ---------------------------------------------------------------------------------------------

    def _shake(self, frame: bytes, into: list[LinkHappening]) -> None:
        """A frame that came outside a session, or one of the handshake."""
        kind, body = frame[0], frame[HEAD.size : -TRAILER]
        match self._state, kind:
            case ((State.CLOSED | State.ENDED), _):
                self.stats.bad += 1
            case State.STARTING, _ if kind >= DATA:
                self._confirm(frame, into)
            case State.CHALLENGING, _ if kind >= DATA or (kind == frames.REFUSE and body[:1] == _NO_SESSION):
                self.stats.bad += 1
                if not self._leftovers:
                    self._leftovers = True
                    into.append(Fault(BAD_FRAME, "frames of an earlier session are ignored"))
            case ((State.CHALLENGING | State.STARTING), _) if kind == self._shaking.answer:
                self._judge(body, into)
            case State.UP, _ if kind == self._shaking.answer and self._shaking.repeats(body):
                self.stats.frames += 1
            case State.UP, frames.REFUSE if body[:1] == _NO_SESSION:
                self.stats.frames += 1
                self._begin_again(into)
            case _, frames.REFUSE if len(body) >= 1 and (fault := self._refusal(body[0])):
                self.stats.frames += 1
                into.append(self._end(fault))
            case _:
                self.stats.bad += 1
                into.append(Fault(BAD_FRAME, f"type 0x{kind:02x} out of turn ({self._state.value}): {frame.hex()}"))

    def _judge(self, body: bytes, into: list[LinkHappening]) -> None:
        """The device's answer: go on, or say what is wrong with it."""
        given = self._shaking.read(body)
        fault = given if isinstance(given, Fault) else self._objection(given)
        if fault is not None:
            self.stats.bad += 1
            into.append(self._end(fault) if fault.fatal else fault)
        elif not isinstance(given, Fault):
            self.stats.frames += 1
            if self._offer is None or self._offer.device_nonce != given.device_nonce:
                self._begin(given)

    def _objection(self, given: hello.DeviceAnswer) -> Fault | None:
        """What is wrong with a device that has answered."""
        said = given.hello
        if said.kind != self._kind or self._serial not in {None, said.serial}:
            wanted = f"{self._kind} {self._serial or '(any)'}"
            return Fault(WRONG_DEVICE, f"{said.kind} {said.serial} is plugged in where {wanted} belongs")
        if not self._shaking.proved(given):
            return Fault(FOREIGN_DEVICE, f"{said.kind} {said.serial} did not prove its key")
        if self._resumes not in {None, said.boot}:
            return Fault(SILENT, "the device has restarted")
        return None

    def _begin(self, given: hello.DeviceAnswer) -> None:
        """The answer is good: say START."""
        self._offer = given
        commands = Outbox(MOST_COMMANDS, edition=self._shaking.edition)
        self._channel.start(*self._shaking.ciphers(given), commands, self._now)
        self._state = State.STARTING
        self._send_at = self._now
        self._give_up_at = self._now + self._channel.silent_after

    def _start_body(self, offer: hello.DeviceAnswer) -> bytes:
        faults = self._losses(offer.hello)
        first = offer.hello.oldest if faults or not self._known else (self._channel.durable + 1) & MASK
        return self._shaking.start(offer, first)

    def _confirm(self, frame: bytes, into: list[LinkHappening]) -> None:
        """A frame of the session while START is under way: if it is valid, the device took it and the link is up."""
        offer = self._offer
        if offer is None:
            return
        said = offer.hello
        losses = self._losses(said)
        before = self._channel.expected, self._channel.durable
        if losses or not self._known:
            self._channel.expect(said.oldest)
        expected = self._channel.expected
        held = distance(expected, said.following) if behind(expected, said.following) else 0
        brought: list[LinkHappening] = []
        self._channel.backlog = said.following
        if not self._channel.accept_frame(frame, self._now, brought):
            self._channel.expected, self._channel.durable = before
            into += brought
            self._refused(into)
            return
        proved = self._shaking.proves
        self._known, self.numbering, self._state, self._resumes = True, said.numbering, State.UP, None
        self.identity = Identity(
            said.kind,
            said.serial,
            said.firmware,
            said.protocol,
            said.capabilities,
            proved,
            said.boot,
            said.numbering,
            held,
            said.following,
        )
        into += [Up(self.identity), *losses]
        if not proved:
            into.append(Fault(UNVERIFIED, f"{said.kind} {said.serial} runs without a key"))
        into += brought

    def _losses(self, said: hello.Hello) -> list[Fault]:
        """What the device's numbers say about events that will not come."""
        expected = self._channel.expected
        if not self._known:
            return []
        if self.numbering not in {None, said.numbering} or behind(said.following, expected):
            faults = [Fault(FORGOT, f"the device numbers from {said.oldest} where {expected} is next")]
            count = distance(1, said.oldest)
        else:
            faults = []
            count = distance(expected, said.oldest) if behind(expected, said.oldest) else 0
        if count:
            faults.append(Fault(EVENTS_LOST, f"the device keeps events from {said.oldest} on", count))
        return faults

    # --- the end of a session --------------------------------------------------------------------------------------

    def _refused(self, into: list[LinkHappening]) -> None:
        """End the session if the last frame leaves no other way."""
        if self._channel.lost_track:
            into.append(self._end(Fault(SILENT, "the device asks for a command that was never sent")))
        elif isinstance(fault := into[-1], Fault) and fault.fatal:
            self._end(fault)

    def _begin_again(self, into: list[LinkHappening]) -> None:
        """The device has ended the session, and says so: a new one."""
        self._resumes = None if self.identity is None else self.identity.boot
        self._challenge(self._now)
        into.append(Fault(SESSION_ENDED, "the device has not heard this end for too long"))

    def _refusal(self, reason: int) -> Fault | None:
        """What a REFUSE means in this state; None if nothing."""
        match self._state, reason:
            case ((State.CHALLENGING | State.STARTING), hello.REFUSED_VERSION):
                return Fault(VERSION_MISMATCH, f"the device refuses version {self._shaking.edition.protocol[0]}")
            case ((State.CHALLENGING | State.STARTING), hello.REFUSED_PROOF):
                return Fault(FOREIGN_DEVICE, "the device refuses this host's proof")
            case State.STARTING, hello.NO_SESSION:
                return Fault(SILENT, "the device has ended the handshake")
        return None

    def _end(self, fault: Fault) -> Fault:
        self._state = State.ENDED
        self.identity = None
        return fault
