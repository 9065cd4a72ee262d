"""The device's end of a link: the model for firmware, and the heart of the simulated devices.

```
 no session --first message / answer--> answered --START proved--> up
     ^                                     |                        |
     '----- another one: answered ---------+--- silence, reboot, closed, a number asked for that is no longer kept
```

1. An event is numbered and kept until the host has acknowledged it, also while nobody listens. If the memory is full
   the oldest goes, and the next IDENTITY says from which number on events are kept.
2. A first message that is new ends the session and is answered afresh; one that came before is a repetition and gets
   the same answer, without harm to the session. One of a host that is not ours (edition 2) changes nothing: it
   is refused.
3. START is taken if it belongs to our answer and the host proves itself. Then everything below the number it names is
   dropped, and the rest is sent. A host that does not prove itself gets no events and gives no commands.
4. Commands are handed over once, in order, and acknowledged at once.
5. A frame of a session that this end does not know is answered with REFUSE, so that the host need not wait for silence.
   During a handshake such a frame is left over from an earlier session, and only counted.
6. A device of edition 2 that can be paired (`pairing.device`) takes another host when a pairing succeeds: the session
   ends, the events are kept.
7. What cannot be used is counted in `stats`: a device has nobody to tell.
"""

from __future__ import annotations

from drivers.happenings import Arrived, Commanded, LinkHappening, LinkStats
from drivers.link import frames, hello
from drivers.link.channel import Channel
from drivers.link.editions.edition import DeviceShake, Opened
from drivers.link.frames import DATA, HEAD, TRAILER, Framer
from drivers.link.freshness import Ticks, milliseconds
from drivers.link.numbers import MASK, Outbox, checked_entry
from drivers.link.pairing.device import PairingDevice


class DeviceLink:
    """Bytes from a host in, commands out; events in, bytes to the host out.

    `boot` differs at each start of the device. The boot in which it began its event numbers names its numbering.
    `shake` is how it proves what it is, with pairing or without. `clock` tells the milliseconds by which the device
    gives its events a time.
    """

    def __init__(
        self,
        *,
        kind: str,
        serial: str,
        firmware: str,
        capabilities: int,
        shake: DeviceShake | PairingDevice,
        boot: int,
        keep: int = 4096,
        clock: Ticks = milliseconds,
    ) -> None:
        if keep < 1:
            raise ValueError("a device keeps at least one event")
        for text in (kind, serial, firmware):
            hello.text_bytes(text)
        self.stats = LinkStats()
        self.up = False
        self._texts = kind, serial, firmware
        self._capabilities = capabilities
        self._pairing = shake if isinstance(shake, PairingDevice) else None
        self._shaking = shake.shake() if isinstance(shake, PairingDevice) else shake
        self._boot = boot
        self._keep = keep
        self._numbering = boot
        self._protocol = self._shaking.edition.protocol
        self._events = Outbox(keep, edition=self._shaking.edition)
        self._channel = Channel(self.stats, self._shaking.edition, clock=clock)
        self._framer = Framer()
        self._now = 0.0
        self._answer_due = False
        self._refusal: int | None = None
        self._pair_due = b""

    @property
    def acknowledged(self) -> int:
        """The highest event number that the host has acknowledged."""
        return self._events.acknowledged

    @property
    def kept(self) -> int:
        """How many events wait for their acknowledgement."""
        return len(self._events)

    def opened(self, now: float) -> None:
        """Wait for a host: the cable is in."""
        self.closed()
        self._now = now

    def closed(self) -> None:
        """End the session: the cable is out. The events are kept."""
        self._framer = Framer()
        self._refusal = None
        self._pair_due = b""
        self._forget_session()

    def pressed(self, now: float, *, same: bool) -> None:
        """Take the press of the person who compared the code of a pairing at the display."""
        if self._pairing is not None and self._pairing.press(now, same=same):
            self._take_host(self._pairing)

    def reboot(self, boot: int, *, forget: bool) -> None:
        """Start the device again, with its events and numbers or without."""
        self.closed()
        self._boot = boot
        if forget:
            self._numbering = boot
            self._events = Outbox(self._keep, edition=self._shaking.edition)

    def event(self, ident: int, payload: bytes, time: int, now: float) -> int:
        """Number an event and keep it until it is acknowledged; return its number."""
        checked_entry(ident, payload)
        self._now = now
        return self._events.add(time, ident, payload)

    def received(self, data: bytes, now: float) -> list[Commanded]:
        """Take bytes that came."""
        self._now = now
        self.stats.bytes += len(data)
        commands: list[Commanded] = []
        for frame in self._framer.feed(data):
            if not isinstance(frame, bytes):
                self.stats.bad += 1
            elif frame[0] >= DATA:
                self._session_frame(frame, commands)
            elif not self._handshake(frame[0], frame[HEAD.size : -TRAILER]):
                self.stats.bad += 1
            else:
                self.stats.frames += 1
        return commands

    def tick(self, now: float) -> None:
        """Let time pass."""
        self._now = now
        if self.up and not self._channel.tick(now):
            self._forget_session()

    def due(self) -> float | None:
        """When `tick` has something to do next."""
        return self._channel.due() if self.up else None

    def outgoing(self) -> bytes:
        """What is to be written now."""
        out, self._pair_due = self._pair_due, b""
        if self._answer_due and self._shaking.begun:
            self._answer_due = False
            out += self._channel.seal(self._shaking.answer, self._answer(), clear=True)
        if self._refusal is not None:
            out += self._channel.seal(frames.REFUSE, bytes([self._refusal]), clear=True)
            self._refusal = None
        return out + self._channel.flush(self._now) if self.up else out

    # --- inside ----------------------------------------------------------------------------------------------------

    def _forget_session(self) -> None:
        self.up = False
        self._shaking.forget()
        self._answer_due = False

    def _session_frame(self, frame: bytes, commands: list[Commanded]) -> None:
        if not self.up:
            if not self._starts(frame):
                self.stats.bad += 1
                # During a handshake it is left over from an earlier session.
                if not self._shaking.begun:
                    self._refusal = hello.NO_SESSION
            return
        brought: list[LinkHappening] = []
        self._channel.accept_frame(frame, self._now, brought)
        for happening in brought:
            if isinstance(happening, Arrived):
                self._channel.acknowledge(happening.number)
                commands.append(Commanded(happening.ident, happening.payload))
        if self._channel.lost_track:
            self._forget_session()
            self._refusal = hello.NO_SESSION

    def _starts(self, frame: bytes) -> bool:
        """Whether a frame of the session is the START that is awaited, which it is in edition 2."""
        if not (self._shaking.edition.sealed and self._shaking.begun):
            return False
        content = self._channel.opened(frame)
        return content is not None and content[0] == frames.START and self._started(content[HEAD.size :])

    def _handshake(self, kind: int, body: bytes) -> bool:
        """A frame of the handshake; False if it cannot be used."""
        if kind == frames.PAIR and self._pairing is not None:
            return self._paired(self._pairing, body)
        if kind == self._shaking.opening:
            return self._challenged(body)
        if kind != frames.START or self._shaking.edition.sealed:
            return False
        if not self._shaking.begun:
            self._refusal = hello.NO_SESSION
            return True
        return self._started(body)

    def _paired(self, pairing: PairingDevice, body: bytes) -> bool:
        match pairing.answer_frame(body, self._now):
            case None:
                return False
            case int(reason):
                self._refusal = reason
            case answer, taken:
                self._pair_due = self._channel.seal(frames.PAIR, answer, clear=True)
                if taken:
                    self._take_host(pairing)
        return True

    def _take_host(self, pairing: PairingDevice) -> None:
        """Another host from now on."""
        self._forget_session()
        self._shaking = pairing.shake()

    def _challenged(self, body: bytes) -> bool:
        match self._shaking.opened(body):
            case Opened.MEANINGLESS:
                return False
            case Opened.FOREIGN:
                self._refusal = hello.REFUSED_PROOF
                return False
            case Opened.NEW:
                self.up = False
                self._channel.reset(self._now)
        self._answer_due = True
        self._refusal = None  # what it refused belongs to an earlier session
        return True

    def _answer(self) -> bytes:
        """What the device says of itself."""
        said = hello.Hello(
            self._protocol,
            self._boot & MASK,
            self._numbering & MASK,
            self._capabilities & MASK,
            self._events.oldest,
            self._events.next,
            *self._texts,
        )
        answer = self._shaking.identity(said)
        if not self.up:
            self._channel.start(*self._shaking.ciphers(), self._events, self._now)
        return answer

    def _started(self, body: bytes) -> bool:
        """START; False if it is not the one that is awaited."""
        first = self._shaking.started(body)
        if first is None:
            return False
        refusal = self._shaking.refuses(body)
        if refusal is not None:
            self._refusal = refusal
        elif self.up:
            self._channel.beat()
        else:
            self._events.acknowledge(first, self._now)
            self._channel.expect(1)
            self._channel.start(*self._shaking.ciphers(), self._events, self._now)
            self._channel.beat()
            self.up = True
        return True
