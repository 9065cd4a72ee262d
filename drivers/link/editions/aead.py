"""ChaCha20-Poly1305 (RFC 8439) by libsodium, through the compiled part of PyNaCl.

1. The functions of `nacl.bindings` check every argument and build the text of every error beforehand. That costs three
   times as much as the cipher itself, for every frame. Here one comparison checks the sizes.
2. A nonce is used once with a key: the caller counts.
3. Buffers are made once and used again; each direction of a link has its own.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from nacl._sodium import ffi, lib

KEY_SIZE: Final = 32
TAG_SIZE: Final = 16
_NONCE: Final = Struct("<4xQ")
_encrypt = lib.crypto_aead_chacha20poly1305_ietf_encrypt
_decrypt = lib.crypto_aead_chacha20poly1305_ietf_decrypt


class Aead:
    """Seals and opens texts of limited size."""

    __slots__ = ("_made", "_room", "_size", "_view")

    def __init__(self, most: int) -> None:
        """Make room for texts of at most `most` bytes."""
        self._made = ffi.new("unsigned char[]", most + TAG_SIZE)
        self._view = ffi.buffer(self._made)
        self._size = ffi.new("unsigned long long *")
        self._room = most + TAG_SIZE

    def seal(self, key: bytes, count: int, said: bytes, text: bytes) -> bytes:
        """Seal a text under a key and the count that is used once with it, bound to what is said in clear."""
        size = len(text)
        if len(key) != KEY_SIZE or size + TAG_SIZE > self._room:
            raise ValueError(f"a key of {len(key)} bytes, a text of {size}")
        nonce = _NONCE.pack(count)
        _encrypt(self._made, self._size, text, size, said, len(said), ffi.NULL, nonce, key)
        made: bytes = self._view[: size + TAG_SIZE]
        return made

    def open(self, key: bytes, count: int, said: bytes, sealed: bytes) -> bytes | None:
        """Return the text; None if it was not sealed with this key and count, or bound to something else."""
        size = len(sealed)
        if len(key) != KEY_SIZE or not TAG_SIZE <= size <= self._room:
            return None
        nonce = _NONCE.pack(count)
        if _decrypt(self._made, self._size, ffi.NULL, sealed, size, said, len(said), nonce, key):
            return None
        text: bytes = self._view[: size - TAG_SIZE]
        return text
