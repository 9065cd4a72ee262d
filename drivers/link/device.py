"""The device's end of a link: the model for firmware, and the heart of the simulated devices.

```
 no session --CHALLENGE / IDENTITY--> answered --START proved--> up
     ^                                   |                        |
     '--- another CHALLENGE: answered ---+--- silence, reboot, closed, a number asked for that is no longer kept
```

1. An event is numbered and kept until the host has acknowledged it, also while nobody listens. If the memory is full
   the oldest goes, and the next IDENTITY says from which number on events are kept.
2. A CHALLENGE with a new nonce ends the session and is answered with a new nonce; one with the same nonce is a
   repetition and is answered with the same nonce, without harm to the session.
3. START is taken if it names our nonce, its version is ours and it proves the key. Then everything below the number it
   names is dropped, and the rest is sent. A host that does not prove the key gets no events and gives no commands.
4. Commands are handed over once, in order, and acknowledged at once.
5. A frame of a session that this end does not know is answered with REFUSE, so that the host need not wait for silence.
6. What cannot be used is counted in `stats`: a device has nobody to tell.
"""

from __future__ import annotations

from collections.abc import Callable

from drivers.happenings import Arrived, Commanded, LinkHappening, LinkStats
from drivers.link import frames, hello, keys
from drivers.link.channel import Channel
from drivers.link.frames import DATA, HEAD, TRAILER, Framer
from drivers.link.host import fresh_nonce
from drivers.link.numbers import MASK, Outbox, checked_entry


class DeviceLink:
    """Bytes from a host in, commands out; events in, bytes to the host out.

    `boot` is another at each start of the device. The boot in which it began its event numbers names its numbering.
    """

    def __init__(
        self,
        *,
        kind: str,
        serial: str,
        firmware: str,
        capabilities: int,
        key: bytes | None,
        boot: int,
        keep: int = 4096,
        nonce: Callable[[], bytes] = fresh_nonce,
    ) -> None:
        if keep < 1:
            raise ValueError("a device keeps at least one event")
        for text in (kind, serial, firmware):
            hello.text_bytes(text)
        self.stats = LinkStats()
        self.up = False
        self._texts = kind, serial, firmware
        self._capabilities = capabilities
        self._key = keys.checked(key)
        self._boot = boot
        self._keep = keep
        self._numbering = boot
        self._protocol = hello.PROTOCOL
        self._nonce = nonce
        self._events = Outbox(keep)
        self._channel = Channel(self.stats)
        self._framer = Framer()
        self._now = 0.0
        self._nonces: keys.Nonces | None = None
        self._host_protocol = hello.PROTOCOL
        self._answer_due = False
        self._refusal: int | None = None

    @property
    def acknowledged(self) -> int:
        """The highest event number that the host has acknowledged."""
        return self._events.acknowledged

    @property
    def kept(self) -> int:
        """How many events wait for their acknowledgement."""
        return len(self._events)

    def opened(self, now: float) -> None:
        """The cable is in: wait for a host."""
        self.closed()
        self._now = now

    def closed(self) -> None:
        """The cable is out; the events are kept."""
        self._framer = Framer()
        self._refusal = None
        self._forget_session()

    def reboot(self, boot: int, *, forget: bool) -> None:
        """The device starts again, with its events and numbers or without."""
        self.closed()
        self._boot = boot
        if forget:
            self._numbering = boot
            self._events = Outbox(self._keep)

    def event(self, ident: int, payload: bytes, time: int, now: float) -> int:
        """Something happened: its number. It is kept until it is acknowledged."""
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
            elif not self._shake(frame[0], frame[HEAD.size : -TRAILER]):
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
        out = b""
        if self._answer_due and self._nonces is not None:
            self._answer_due = False
            out += self._channel.seal(frames.IDENTITY, self._identity(self._nonces), tagged=False)
        if self._refusal is not None:
            out += self._channel.seal(frames.REFUSE, bytes([self._refusal]), tagged=False)
            self._refusal = None
        return out + self._channel.flush(self._now) if self.up else out

    # --- inside ----------------------------------------------------------------------------------------------------

    def _forget_session(self) -> None:
        self.up = False
        self._nonces = None
        self._answer_due = False

    def _session_frame(self, frame: bytes, commands: list[Commanded]) -> None:
        if not self.up:
            self.stats.bad += 1
            # During a handshake it is left over from an earlier session.
            if self._nonces is None:
                self._refusal = hello.NO_SESSION
            return
        brought: list[LinkHappening] = []
        self._channel.take(frame, self._now, brought)
        for happening in brought:
            if isinstance(happening, Arrived):
                self._channel.acknowledge(happening.number)
                commands.append(Commanded(happening.ident, happening.payload))
        if self._channel.lost_track:
            self._forget_session()
            self._refusal = hello.NO_SESSION

    def _shake(self, kind: int, body: bytes) -> bool:
        """A frame of the handshake; False if it cannot be used."""
        match kind:
            case frames.CHALLENGE if len(body) >= hello.CHALLENGE_BODY.size:
                major, minor, nonce = hello.CHALLENGE_BODY.unpack_from(body)
                self._challenged((major, minor), nonce)
            case frames.START if len(body) >= hello.START_BODY.size and self._nonces is not None:
                first, nonce, proof = hello.START_BODY.unpack_from(body)
                if nonce != self._nonces[1]:
                    return False
                self._started(self._nonces, first, proof)
            case frames.START if self._nonces is None:
                self._refusal = hello.NO_SESSION
            case _:
                return False
        return True

    def _challenged(self, protocol: tuple[int, int], nonce: bytes) -> None:
        self._answer_due = True
        self._refusal = None  # what it refused belongs to an earlier session
        if self._nonces is None or self._nonces[0] != nonce:
            self.up = False
            self._host_protocol = protocol
            self._nonces = nonce, hello.fits(self._nonce())
            self._channel.reset(self._now)

    def _identity(self, nonces: keys.Nonces) -> bytes:
        said = hello.Hello(
            self._protocol,
            self._boot & MASK,
            self._numbering & MASK,
            self._capabilities & MASK,
            self._events.oldest,
            self._events.next,
            *self._texts,
        )
        return hello.identity_body(said, *nonces, keys.proof(self._key, keys.DEVICE, nonces, said.stated()))

    def _started(self, nonces: keys.Nonces, first: int, proof: bytes) -> None:
        stated = hello.host_stated(self._host_protocol, first)
        if self._host_protocol[0] != self._protocol[0]:
            self._refusal = hello.REFUSED_VERSION
        elif not keys.proves(proof, self._key, keys.HOST, nonces, stated):
            self._refusal = hello.REFUSED_PROOF
        elif self.up:
            self._channel.beat()
        else:
            session = keys.session_key(self._key, nonces)
            self._events.acknowledge(first, self._now)
            self._channel.expect(1)
            self._channel.start(
                keys.Tagger(session, keys.TO_HOST), keys.Tagger(session, keys.TO_DEVICE), self._events, self._now
            )
            self._channel.beat()
            self.up = True
