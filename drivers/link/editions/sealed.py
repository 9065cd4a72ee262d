"""Edition 2: static keys at both ends, a Noise handshake, and frames that all look alike.

    frame       0x20 u8 | counter u32 | sealed 64 | crc32 u32                73 bytes, 76 on the wire
    sealed      ChaCha20-Poly1305 of 48 bytes, under the counter, bound to type and counter
    48 bytes    kind u8 | length u8 | body, at most 46 | zeros
    HELLO       counter | Noise message 1, without a payload
    ANSWER      counter | first 4 bytes of HELLO's key | Noise message 2: IDENTITY, always 169 bytes

1. The prologue names edition, kind and serial number: an end that means another edition or device does not get through.
2. The counter is the nonce. It rises with each frame of an end and its keys are fresh in each session, so none is used
   twice. A message of the handshake is made once and repeated byte for byte.
3. Each time the counter passes a multiple of 65,536 the key of that direction is replaced (REKEY). A receiver takes the
   present key or the next: 65,536 frames in a row do not get lost.
4. Anyone who listens learns when frames pass, and nothing of what they say.
5. Bit 7 of the kind of a DATA frame says that more parts of the same message follow.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Final

from drivers.faults import FOREIGN_DEVICE, REPLAYED, VERSION_MISMATCH, Fault
from drivers.link import frames, hello
from drivers.link.editions import noise
from drivers.link.editions.aead import KEY_SIZE, TAG_SIZE, Aead
from drivers.link.editions.edition import TWO, Cipher, Opened
from drivers.link.frames import CRC, HEAD
from drivers.link.hello import DeviceAnswer, Hello

PROLOGUE: Final = b"truedeal link 2\0"
TEXT: Final = 48
"""Bytes that are sealed in a frame."""
MOST_BODY: Final = TEXT - 2
SIZE: Final = HEAD.size + TEXT + TAG_SIZE + CRC.size
WHICH: Final = 4
"""Bytes of HELLO's key that stand in its ANSWER, so that a late one is told from a foreign one."""
START: Final = Struct("<I")
"""The number from which on events are wanted."""


def prologue(kind: str, serial: str) -> bytes:
    """What both ends must mean before they say anything."""
    return PROLOGUE + hello.text_bytes(kind) + hello.text_bytes(serial)


class Sealer:
    """One direction of a session."""

    __slots__ = ("_cipher", "_epoch", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._epoch = 0
        self._cipher = Aead(TEXT)

    def seal(self, kind: int, counter: int, body: bytes) -> bytes:
        """The frame without its CRC; the counter never falls."""
        while self._epoch < counter >> 16:
            self._key, self._epoch = noise.rekeyed(self._key), self._epoch + 1
        said = HEAD.pack(frames.SEALED, counter)
        return said + self._cipher.seal(self._key, counter, said, (bytes((kind, len(body))) + body).ljust(TEXT, b"\0"))

    def open(self, frame: bytes) -> bytes | None:
        """The content of a frame that the other end has sealed."""
        outer, counter = HEAD.unpack_from(frame)
        ahead = (counter >> 16) - self._epoch
        if outer != frames.SEALED or len(frame) != SIZE or ahead not in (0, 1):
            return None
        key = noise.rekeyed(self._key) if ahead else self._key
        text = self._cipher.open(key, counter, frame[: HEAD.size], frame[HEAD.size : -CRC.size])
        if text is None:
            return None
        self._key, self._epoch = key, counter >> 16
        return text[:1] + frame[1 : HEAD.size] + text[2 : 2 + text[1]]


class SealedHost:
    """The host's end: its own secret key, and the public key of the device."""

    edition = TWO
    opening = frames.HELLO
    answer = frames.ANSWER
    proves = True

    def __init__(
        self,
        secret: bytes,
        device: bytes,
        *,
        kind: str,
        serial: str,
        ephemeral: Callable[[], bytes] = noise.fresh_secret,
    ) -> None:
        self._secret, self._device = secret, device
        self._prologue = prologue(kind, serial)
        self._fresh = ephemeral
        self.begin()

    def begin(self) -> None:
        """Begin a new handshake."""
        self._shake = noise.Shake(
            initiator=True,
            secret=self._secret,
            other=self._device,
            prologue=self._prologue,
            ephemeral=self._fresh(),
        )
        self._message = self._shake.write(b"")
        self._read = b""
        self._keys = b"", b""

    def challenge(self) -> bytes:
        """The body of HELLO."""
        return self._message

    def read(self, body: bytes) -> DeviceAnswer | Fault:
        """What an ANSWER says."""
        if body[:WHICH] != self._message[:WHICH]:
            return Fault(REPLAYED, "an ANSWER to another HELLO")
        shake = self._shake.copy()
        said = shake.read(body[WHICH:])
        if said is None:
            return Fault(FOREIGN_DEVICE, "the device did not prove its key, or is of another kind or serial number")
        stated = hello.read_stated(said)
        if stated is None or stated.protocol[0] != TWO.protocol[0]:
            return Fault(VERSION_MISMATCH, f"the device says of itself {said[:2].hex()}…, which version 2 does not")
        self._read, self._keys = body, shake.split()
        return DeviceAnswer(stated, body[:WHICH], body[WHICH : WHICH + KEY_SIZE], b"")

    def proved(self, given: DeviceAnswer) -> bool:  # noqa: ARG002  what was read was proved
        """An ANSWER that opens is proof."""
        return True

    def repeats(self, body: bytes) -> bool:
        """Whether an ANSWER repeats the one that was read."""
        return body == self._read

    def start(self, given: DeviceAnswer, first: int) -> bytes:  # noqa: ARG002  the frame proves itself
        """The body of START."""
        return START.pack(first)

    def ciphers(self, given: DeviceAnswer) -> tuple[Cipher, Cipher]:  # noqa: ARG002  one handshake has one answer
        """Both directions."""
        down, up = self._keys
        return Sealer(down), Sealer(up)


class SealedDevice:
    """The device's end: its own secret key, and the public key of its host."""

    edition = TWO
    opening = frames.HELLO
    answer = frames.ANSWER

    def __init__(
        self,
        secret: bytes,
        host: bytes,
        *,
        kind: str,
        serial: str,
        ephemeral: Callable[[], bytes] = noise.fresh_secret,
    ) -> None:
        self._secret, self._host = secret, host
        self._prologue = prologue(kind, serial)
        self._fresh = ephemeral
        self.forget()

    @property
    def begun(self) -> bool:
        """Whether a HELLO was opened."""
        return self._shake is not None

    def forget(self) -> None:
        """Forget the handshake."""
        self._shake: noise.Shake | None = None
        self._hello = self._answer = b""
        self._keys = b"", b""

    def opened(self, body: bytes) -> Opened:
        """Take a HELLO; return what it is."""
        if len(body) != KEY_SIZE + TAG_SIZE:
            return Opened.MEANINGLESS
        if body == self._hello:
            return Opened.AGAIN
        shake = noise.Shake(
            initiator=False,
            secret=self._secret,
            other=self._host,
            prologue=self._prologue,
            ephemeral=self._fresh(),
        )
        if shake.read(body) is None:
            return Opened.FOREIGN
        self._shake, self._hello, self._answer = shake, body, b""
        return Opened.NEW

    def identity(self, said: Hello) -> bytes:
        """The body of ANSWER: made once, for a key must not meet a nonce twice."""
        if not self._answer and self._shake is not None:
            message = self._shake.write(said.stated().ljust(hello.MOST_STATED, b"\0"))
            self._answer = self._hello[:WHICH] + message
            self._keys = self._shake.split()
        return self._answer

    def started(self, body: bytes) -> int | None:
        """The number that START wants."""
        return int(START.unpack(body)[0]) if len(body) == START.size else None

    def refuses(self, body: bytes) -> int | None:  # noqa: ARG002  the frame proves itself
        """Nobody but the host can have sealed it."""
        return None

    def ciphers(self) -> tuple[Cipher, Cipher]:
        """Both directions."""
        down, up = self._keys
        return Sealer(up), Sealer(down)
