"""Pairing: how both ends learn each other's public key, so that nobody in between can give them another one.

    PAIR        0x07 | counter | step u8 | body                        in clear, as the other frames of a handshake
    1 OFFER     host      commitment 32
    2 KEY       device    its public key 32 | nonce 16 | kind | serial number, each a length byte and its characters
    3 REVEAL    host      its public key 32 | nonce 16
    4 RESULT    device    u8: 1 wait for the press, 2 taken, 3 not taken

1. The commitment is BLAKE2s (person `td-com`) of what REVEAL says. The host is bound to its key before it sees the
   device's nonce, the device to its own before it sees the host's: without that somebody in between would try keys
   until the codes of both ends are the same six digits.
2. The handshake hash is BLAKE2s over `truedeal pair 2`, a zero byte, and the bodies of OFFER, KEY and REVEAL without
   their steps. The **code** comes from it: BLAKE2s, person `td-sas`, the first 8 bytes as u64 modulo 10**6.
3. A kind with a display (`DISPLAYS`) shows the code, draws a new key at each pairing, and takes the host's key when a
   person presses there that the table shows the same one.
4. A kind without has a label: the **fingerprint** of its public key, 16 characters of base32 of the first 10 bytes of
   BLAKE2s, person `td-fpr`. It takes the host's key at once. Somebody in between can keep such a device from its table,
   and never pass for it: its key is not the one on the label.
5. A device takes an OFFER and a first REVEAL in pairing mode only, for `MODE` seconds after a switch inside its cover
   was turned. REFUSE 4 says that it is off.
6. `TRIES` tries, then `REST` seconds of rest, at both ends, each counted where the other end could know the code: at
   the device with KEY, at the host with REVEAL. REFUSE 5 says that the device rests.
"""

from __future__ import annotations

from base64 import b32encode
from hashlib import blake2s
from typing import Final

from drivers.link import hello
from drivers.link.editions.aead import KEY_SIZE

OFFER: Final = 1
KEY: Final = 2
REVEAL: Final = 3
RESULT: Final = 4
WAIT: Final = 1
TAKEN: Final = 2
NOT_TAKEN: Final = 3
REFUSED_MODE: Final = 4
REFUSED_TRIES: Final = 5

PROLOGUE: Final = b"truedeal pair 2\0"
NONCE_SIZE: Final = 16
COMMITMENT_SIZE: Final = 32
DISPLAYS: Final = frozenset({"panel"})
"""The kinds of device with a display; all others have a label."""
MODE: Final = 60.0
TRIES: Final = 3
REST: Final = 600.0


def commitment(public: bytes, nonce: bytes) -> bytes:
    """What binds the host to its REVEAL."""
    return blake2s(public + nonce, person=b"td-com").digest()


def handshake_hash(offer: bytes, key: bytes, reveal: bytes) -> bytes:
    """What names one exchange: the same at both ends if nobody changed a byte of it."""
    return blake2s(PROLOGUE + offer + key + reveal).digest()


def code(hashed: bytes) -> str:
    """The six digits that both ends show."""
    digest = blake2s(hashed, person=b"td-sas").digest()
    return f"{int.from_bytes(digest[:8], 'little') % 10**6:06d}"


def fingerprint(public: bytes) -> str:
    """Sixteen characters that stand for a public key, in groups of four."""
    text = b32encode(blake2s(public, person=b"td-fpr").digest()[:10]).decode("ascii")
    return "-".join(text[at : at + 4] for at in range(0, 16, 4))


def key_body(public: bytes, nonce: bytes, kind: str, serial: str) -> bytes:
    """The body of KEY."""
    return public + nonce + hello.text_bytes(kind) + hello.text_bytes(serial)


def split_key(body: bytes) -> tuple[bytes, bytes]:
    """The public key at the beginning of KEY and REVEAL, and what follows it."""
    return body[:KEY_SIZE], body[KEY_SIZE:]


class Tries:
    """How often it may still be tried."""

    __slots__ = ("_count", "_rests_until")

    def __init__(self) -> None:
        self._count = 0
        self._rests_until = 0.0

    def rests(self, now: float) -> float:
        """For how many seconds nothing is tried any more; 0 if it may be."""
        return max(0.0, self._rests_until - now)

    def count(self, now: float) -> None:
        """Count one more try; the last of `TRIES` begins the rest."""
        self._count += 1
        if self._count == TRIES:
            self._count, self._rests_until = 0, now + REST

    def succeeded(self) -> None:
        """Forget the tries: both ends are paired."""
        self._count, self._rests_until = 0, 0.0
