"""The key by which a client proves itself to the broker: an nkey, which is an Ed25519 key as text.

1. The broker has the public key, ``U`` and 55 letters and digits: a byte for its kind, the key, and a checksum (CRC-16
   XMODEM), in base32. The client signs what the broker gives it. No secret crosses the wire, and nothing expires.
2. The seed lies in a file for its owner alone, as 64 hexadecimal digits.
"""

from __future__ import annotations

import os
import secrets
from base64 import b32encode, b64encode
from binascii import crc_hqx
from pathlib import Path

from nacl.signing import SigningKey

_USER = bytes([20 << 3])
SEED = 32


class Nkey:
    """The key of one client."""

    def __init__(self, seed: bytes) -> None:
        """Take its seed."""
        self._key = SigningKey(seed)
        data = _USER + bytes(self._key.verify_key)
        self.public = b32encode(data + crc_hqx(data, 0).to_bytes(2, "little")).decode().rstrip("=")

    def sign(self, nonce: str) -> bytes:
        """The signature over what the broker gave, in base64."""
        return b64encode(self._key.sign(nonce.encode()).signature)


def make(path: Path) -> Nkey:
    """Return the key that lies in a file, after making one if there is none."""
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_bytes(SEED).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
    return load(path)


def load(path: Path) -> Nkey:
    """The key that lies in a file.

    Raises:
        OSError: there is none.
        ValueError: what lies there is no key.
    """
    seed = bytes.fromhex(path.read_text(encoding="ascii"))
    if len(seed) != SEED:
        message = f"{path}: expected {SEED * 2} hexadecimal digits"
        raise ValueError(message)
    return Nkey(seed)
