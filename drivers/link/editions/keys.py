"""Who is at the other end: proofs, session keys and tags, all of them keyed BLAKE2s.

1. Every value is the beginning of a BLAKE2s digest of 32 bytes: 32 for a session key, 16 for a proof, 8 for a tag.
   `person` tells the uses apart, filled up to 8 bytes with zeros; salt and tree parameters are those of plain BLAKE2s.
2. The device proves that it holds the key over both nonces and all it says of itself; the host over both nonces, the
   protocol version it speaks and the number from which it wants events. Both nonces are fresh: no proof works twice.
3. The session key comes from the key and both nonces. Each direction has a `person` of its own: a frame sent back to
   its sender does not verify.
4. Proofs and tags are compared in constant time.
"""

from __future__ import annotations

from hashlib import blake2s
from hmac import compare_digest
from typing import Final

from drivers.link.frames import HEAD, TAG_SIZE

DEVICE: Final = b"td-dev"
HOST: Final = b"td-host"
SESSION: Final = b"td-sess"
TO_HOST: Final = b"td-d2h"
TO_DEVICE: Final = b"td-h2d"

NONCE_SIZE: Final = 16
PROOF_SIZE: Final = 16
KEY_SIZES: Final = range(16, 33)
NO_PROOF: Final = bytes(PROOF_SIZE)
NO_TAG: Final = bytes(TAG_SIZE)

Nonces = tuple[bytes, bytes]
"""The host's nonce and the device's."""


def proof(key: bytes | None, person: bytes, nonces: Nonces, stated: bytes) -> bytes:
    """What shows that its sender holds the key and states this now; zeros without a key."""
    if key is None:
        return NO_PROOF
    return blake2s(b"".join((*nonces, stated)), key=key, person=person).digest()[:PROOF_SIZE]


def proves(given: bytes, key: bytes | None, person: bytes, nonces: Nonces, stated: bytes) -> bool:
    """Whether a proof is the right one."""
    return compare_digest(given, proof(key, person, nonces, stated))


def session_key(key: bytes | None, nonces: Nonces) -> bytes | None:
    """The key of one session; none without a key."""
    return None if key is None else blake2s(b"".join(nonces), key=key, person=SESSION).digest()


def checked(key: bytes | None) -> bytes | None:
    """A provisioned key, refused with ValueError unless it has 16 to 32 bytes."""
    if key is not None and len(key) not in KEY_SIZES:
        raise ValueError(f"a key has {KEY_SIZES.start} to {KEY_SIZES.stop - 1} bytes, not {len(key)}")
    return key


class Tagger:
    """The tags of one direction of one session; zeros where there is no session key."""

    __slots__ = ("_keyed",)

    def __init__(self, session: bytes | None, person: bytes) -> None:
        self._keyed = None if session is None else blake2s(key=session, person=person)

    def seal(self, kind: int, counter: int, body: bytes) -> bytes:
        """The frame without its CRC."""
        content = HEAD.pack(kind, counter) + body
        return content + self.tag(content)

    def tag(self, content: bytes) -> bytes:
        """The tag of a frame, given from its type to the end of its body."""
        if self._keyed is None:
            return NO_TAG
        keyed = self._keyed.copy()
        keyed.update(content)
        return keyed.digest()[:TAG_SIZE]

    def open(self, frame: bytes) -> bytes | None:
        """The content of a frame, given from its type to its CRC, if its tag is the right one."""
        content = frame[:-12]
        if self._keyed is None:
            return content if frame[-12:-4] == NO_TAG else None
        keyed = self._keyed.copy()
        keyed.update(content)
        return content if compare_digest(keyed.digest()[:8], frame[-12:-4]) else None
