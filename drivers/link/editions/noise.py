"""Noise_KK_25519_ChaChaPoly_BLAKE2s: two messages after which both ends have proved their keys and share fresh ones.

1. It is the Noise Protocol Framework, revision 34, pattern KK, and nothing else of it::

       -> s    <- s    (both public keys are known before)
       -> e, es, ss
       <- e, ee, se

2. The primitives are libsodium's (X25519, ChaCha20-Poly1305) and Python's BLAKE2s. HMAC is written out, so that a
   handshake needs no OpenSSL.
3. `Shake` is one end. The initiator calls `write`, then `read`; the responder `read`, then `write`; then both `split`.
   A message that does not open leaves it unusable, so an owner that may get another one reads with a `copy`.
4. A `Shake` draws its ephemeral key when it is made, unless one is given. Its owner lets it write once, so no key meets
   a nonce twice.
5. `rekeyed` is the framework's REKEY.
"""

from __future__ import annotations

from hashlib import blake2s
from typing import Final

from nacl.bindings import crypto_scalarmult, crypto_scalarmult_base, randombytes
from nacl.exceptions import CryptoError

from drivers.link.editions.aead import KEY_SIZE, TAG_SIZE, Aead

_NAME: Final = b"Noise_KK_25519_ChaChaPoly_BLAKE2s"
_BLOCK: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
Pair = tuple[bytes, bytes]
"""A secret key of this end and the public key of the other that it meets."""


def public(secret: bytes) -> bytes:
    """The public key of a secret one; ValueError for one of the wrong size."""
    if len(secret) != KEY_SIZE:
        raise ValueError(f"a secret key has {KEY_SIZE} bytes, not {len(secret)}")
    return crypto_scalarmult_base(secret)


def fresh_secret() -> bytes:
    """A secret key that nobody can foretell."""
    return randombytes(KEY_SIZE)


def encrypt(key: bytes, count: int, said: bytes, text: bytes) -> bytes:
    """A text under a key and the count that is used once with it, bound to what is said in clear."""
    return Aead(len(text)).seal(key, count, said, text)


def decrypt(key: bytes, count: int, said: bytes, sealed: bytes) -> bytes | None:
    """The text; None if it was not sealed with this key and count, or something else was said."""
    return Aead(len(sealed)).open(key, count, said, sealed)


def rekeyed(key: bytes) -> bytes:
    """The key that follows a key; nobody finds the way back."""
    return encrypt(key, 2**64 - 1, b"", bytes(KEY_SIZE))[:KEY_SIZE]


def _hmac(key: bytes, data: bytes) -> bytes:
    filled = key.ljust(_BLOCK, b"\0")
    return blake2s(filled.translate(_OUTER) + blake2s(filled.translate(_INNER) + data).digest()).digest()


def _two_keys(chaining: bytes, secret: bytes) -> tuple[bytes, bytes]:
    """The framework's HKDF with two outputs."""
    spread = _hmac(chaining, secret)
    first = _hmac(spread, b"\x01")
    return first, _hmac(spread, first + b"\x02")


class Shake:
    """One end of a handshake."""

    __slots__ = ("_chaining", "_ephemeral", "_hash", "_initiator", "_key", "_other", "_others", "_secret")

    def __init__(
        self, *, initiator: bool, secret: bytes, other: bytes, prologue: bytes, ephemeral: bytes | None = None
    ) -> None:
        self._initiator = initiator
        self._secret, self._other = secret, other
        self._ephemeral = fresh_secret() if ephemeral is None else ephemeral
        self._others = b""
        self._key = b""
        self._chaining = self._hash = blake2s(_NAME).digest()
        self._mix(prologue)
        for known in (public(secret), other) if initiator else (other, public(secret)):
            self._mix(known)

    def copy(self) -> Shake:
        """The same end at the same point."""
        other = object.__new__(Shake)
        for name in Shake.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def write(self, payload: bytes) -> bytes:
        """The message of this end."""
        ephemeral = public(self._ephemeral)
        self._mix(ephemeral)
        if not self._agree():
            raise ValueError("the other end's public key is no point that keys can be agreed on")
        sealed = encrypt(self._key, 0, self._hash, payload)
        self._mix(sealed)
        return ephemeral + sealed

    def read(self, message: bytes) -> bytes | None:
        """The payload of the other end's message; None if the other end did not make it for us."""
        if len(message) < KEY_SIZE + TAG_SIZE:
            return None
        self._others, sealed = message[:KEY_SIZE], message[KEY_SIZE:]
        self._mix(self._others)
        payload = decrypt(self._key, 0, self._hash, sealed) if self._agree() else None
        self._mix(sealed)
        return payload

    def split(self) -> tuple[bytes, bytes]:
        """The keys of the session: of what the initiator sends, of what the responder sends."""
        return _two_keys(self._chaining, b"")

    @property
    def hash(self) -> bytes:
        """What names this handshake: the same at both ends, another each time."""
        return self._hash

    def _mix(self, data: bytes) -> None:
        self._hash = blake2s(self._hash + data).digest()

    def _agree(self) -> bool:
        """Mix in the secrets of this message; False for a public key that gives none."""
        pairs = self._second() if self._key else self._first()
        try:
            for mine, theirs in pairs:
                self._chaining, self._key = _two_keys(self._chaining, crypto_scalarmult(mine, theirs))
        except CryptoError:
            return False
        return True

    def _first(self) -> list[Pair]:
        """Of the first message: es, ss."""
        meet = (self._ephemeral, self._other) if self._initiator else (self._secret, self._others)
        return [meet, (self._secret, self._other)]

    def _second(self) -> list[Pair]:
        """Of the second message: ee, se."""
        meet = (self._secret, self._others) if self._initiator else (self._ephemeral, self._other)
        return [(self._ephemeral, self._others), meet]
