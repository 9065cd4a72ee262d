"""The host's end of a pairing (`exchange`), as a driver: it takes the place of the device's own while it lasts.

```
 offering --KEY of the right device--> revealed --RESULT taken--> taken
     |                                     |
     '------- time over, refused, not taken, the port is lost after REVEAL ------> failed
```

1. OFFER is sent every `REPEAT` seconds until KEY comes, then REVEAL until the device has taken it or not. A device that
   is not in pairing mode ends nothing: somebody is on the way to its switch. After `exchange.MODE` seconds the pairing
   fails.
2. It also fails if kind and serial number are not the configured ones, or the device rests after too many tries.
3. `changed` is called when there is something to see: `met` from REVEAL on, then `taken` or `failed`. After that it is
   silent. If the port is lost before REVEAL, the same OFFER is sent again; after REVEAL the exchange has failed.
4. It gives no event and takes no command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from drivers.happenings import Happening
from drivers.link import frames, hello
from drivers.link.editions import noise
from drivers.link.editions.keys import NO_TAG
from drivers.link.frames import HEAD, TRAILER, Framer, encode
from drivers.link.pairing import exchange
from drivers.link.pairing.device import fresh_nonce
from drivers.messages import Message

REPEAT: Final = 0.25


class Met(NamedTuple):
    """The device that answered: its public key, and what it shows itself: the code on its display, or its label."""

    public: bytes
    shows: str


class PairingHost:
    """One pairing, seen from the host."""

    def __init__(
        self,
        secret: bytes,
        *,
        kind: str,
        serial: str,
        tries: exchange.Tries,
        changed: Callable[[], None],
        nonce: Callable[[], bytes] = fresh_nonce,
    ) -> None:
        self.kind = kind
        self.met: Met | None = None
        self.taken = False
        self.failed = ""
        self._reveal = noise.public(secret) + nonce()
        self._offer = exchange.commitment(*exchange.split_key(self._reveal))
        self._key = b""
        self._serial = serial
        self._tries = tries
        self._changed = changed
        self._framer = Framer()
        self._open = False
        self._counter = 0
        self._now = self._send_at = 0.0
        self._over_at: float | None = None

    # --- a driver's life -------------------------------------------------------------------------------------------

    def opened(self, now: float) -> None:
        """Begin to offer: the port is open."""
        self._framer, self._open = Framer(), True
        self._now = self._send_at = now
        self._over_at = now + exchange.MODE if self._over_at is None else self._over_at

    def closed(self) -> None:
        """Note that the port is gone; after REVEAL the pairing has failed."""
        self._open = False
        if self._key:
            self._fail("the port was lost")

    def received(self, data: bytes, now: float) -> list[Happening]:
        """Take bytes that came; what is none of the exchange is left over from a session."""
        self._now = now
        for frame in self._framer.feed(data):
            if isinstance(frame, bytes) and not self._done:
                body = frame[HEAD.size : -TRAILER]
                if frame[0] == frames.PAIR:
                    self._read_answer(body)
                elif frame[0] == frames.REFUSE and body == bytes([exchange.REFUSED_TRIES]):
                    self._fail(f"it was tried {exchange.TRIES} times: the device rests for ten minutes")
        return []

    def tick(self, now: float) -> list[Happening]:
        """Let time pass."""
        self._now = now
        if not self._done and self._over_at is not None and now >= self._over_at:
            said = "nobody pressed at the device" if self._key else "no device in pairing mode has answered"
            self._fail(f"{said} within {exchange.MODE:g} s")
        return []

    def due(self) -> float | None:
        """When `tick` or `outgoing` has something to do next."""
        if self._done or not self._open or self._over_at is None:
            return None
        return min(self._send_at, self._over_at)

    def outgoing(self) -> bytes:
        """What is to be written now."""
        if self._done or not self._open or self._now < self._send_at:
            return b""
        self._send_at = self._now + REPEAT
        self._counter += 1
        said = bytes([exchange.REVEAL]) + self._reveal if self._key else bytes([exchange.OFFER]) + self._offer
        return encode(HEAD.pack(frames.PAIR, self._counter) + said + NO_TAG)

    def send(self, command: Message, now: float) -> bool:  # noqa: ARG002  a driver's
        """Return False: there is no session."""
        return False

    def acknowledge(self, number: int, now: float) -> None:
        """Do nothing: there are no events."""

    def ask(self, now: float) -> int | None:  # noqa: ARG002  a driver's
        """Return None: there is nobody to ask."""
        return None

    # --- the exchange ----------------------------------------------------------------------------------------------

    @property
    def _done(self) -> bool:
        return self.taken or bool(self.failed)

    def _read_answer(self, body: bytes) -> None:
        step, said = body[:1], body[1:]
        if step == bytes([exchange.KEY]) and not self._key:
            self._answered(said)
        elif step == bytes([exchange.RESULT]) and self._key:
            if said == bytes([exchange.TAKEN]):
                self.taken = True
                self._changed()
            elif said == bytes([exchange.NOT_TAKEN]):
                self._fail("the device did not take it")

    def _answered(self, said: bytes) -> None:
        """The device has told its key: reveal ours."""
        public, rest = exchange.split_key(said)
        told = rest[exchange.NONCE_SIZE :]
        if told != hello.text_bytes(self.kind) + hello.text_bytes(self._serial):
            self._fail("another kind of device or serial number is there than the configuration names")
            return
        self._tries.count(self._now)
        self._key = said
        self._send_at = self._now
        hashed = exchange.handshake_hash(self._offer, said, self._reveal)
        display = self.kind in exchange.DISPLAYS
        self.met = Met(public, exchange.code(hashed) if display else exchange.fingerprint(public))
        self._changed()

    def _fail(self, why: str) -> None:
        if not self._done:
            self.failed = why
            self._changed()
