"""What both ends say of themselves in the handshake, read and written.

1. The handshake frames of edition 1 have zeros for a tag: their proofs stand in their bodies. Edition 2 seals what the
   device says.
2. The layout of edition 1, and of what a device says in either, stays readable in all later versions: new fields of a
   later minor version follow the known ones, so a body may be longer than what is read here. The version comes first,
   and is judged before the other fields.
3. A text is one byte with its length, then its characters: printable ASCII, at most 48.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from drivers.link.editions.keys import NONCE_SIZE

QUESTIONS: Final = (1, 1)
"""The version from which on a device can be asked how far it has come."""

REFUSED_VERSION: Final = 1
REFUSED_PROOF: Final = 2
NO_SESSION: Final = 3

MOST_TEXT: Final = 48
CHALLENGE_BODY: Final = Struct("<BB16s")
START_BODY: Final = Struct("<I16s16s")
_STATE: Final = Struct("<BBIIIII")
_FIXED: Final = Struct("<22s16s16s16s")
MOST_STATED: Final = _STATE.size + 3 * (1 + MOST_TEXT)
"""The most that a device says of itself, in bytes."""


class Hello(NamedTuple):
    """What a device says of itself: the body of an IDENTITY frame without nonces and proof."""

    protocol: tuple[int, int]
    boot: int
    numbering: int
    capabilities: int
    oldest: int
    following: int
    kind: str
    serial: str
    firmware: str

    def state(self) -> bytes:
        """The fields before the nonces."""
        return _STATE.pack(*self.protocol, self.boot, self.numbering, self.capabilities, self.oldest, self.following)

    def texts(self) -> bytes:
        """The fields after the proof."""
        return b"".join(text_bytes(text) for text in (self.kind, self.serial, self.firmware))

    def stated(self) -> bytes:
        """What the device's proof covers together with the nonces."""
        return self.state() + self.texts()


class DeviceAnswer(NamedTuple):
    """What a device's answer says: an IDENTITY as it came. An ANSWER has keys for nonces and no proof of its own."""

    hello: Hello
    host_nonce: bytes
    device_nonce: bytes
    proof: bytes


def text_bytes(text: str) -> bytes:
    """A text on the wire; ValueError for one that may not stand there."""
    if len(text) > MOST_TEXT or not (text.isascii() and text.isprintable()):
        raise ValueError(f"at most {MOST_TEXT} printable ASCII characters, not {text!r}")
    return bytes([len(text)]) + text.encode("ascii")


def identity_body(hello: Hello, host_nonce: bytes, device_nonce: bytes, proof: bytes) -> bytes:
    """The body of an IDENTITY frame."""
    return _FIXED.pack(hello.state(), host_nonce, device_nonce, proof) + hello.texts()


def read_identity(body: bytes) -> DeviceAnswer | None:
    """What an IDENTITY frame says; None if its bytes mean nothing."""
    if len(body) < _FIXED.size:
        return None
    state, host_nonce, device_nonce, proof = _FIXED.unpack_from(body)
    said = read_stated(state + body[_FIXED.size :])
    return None if said is None else DeviceAnswer(said, host_nonce, device_nonce, proof)


def read_stated(stated: bytes) -> Hello | None:
    """What a device says of itself; None if its bytes mean nothing."""
    texts: list[str] = []
    at = _STATE.size
    for _ in range(3):
        if at >= len(stated):
            return None
        length = stated[at]
        text = stated[at + 1 : at + 1 + length].decode("latin-1")
        if length > MOST_TEXT or len(text) < length or not (text.isascii() and text.isprintable()):
            return None
        texts.append(text)
        at += 1 + length
    major, minor, *numbers = _STATE.unpack_from(stated)
    return Hello((major, minor), *numbers, *texts)


def host_stated(protocol: tuple[int, int], expected: int) -> bytes:
    """What the host's proof covers together with the nonces."""
    return bytes(protocol) + expected.to_bytes(4, "little")


def fits(nonce: bytes) -> bytes:
    """A nonce of the right size; ValueError otherwise."""
    if len(nonce) != NONCE_SIZE:
        raise ValueError(f"a nonce has {NONCE_SIZE} bytes, not {len(nonce)}")
    return nonce
