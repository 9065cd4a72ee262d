"""The signed head: who holds the public key can tell that the journal up to here is the one that this table wrote.

1. The key (Ed25519) is made at the first start and kept in the state folder, readable by the daemon alone. The public
   key lies beside it; the casino copies it to where the table cannot reach.
2. A signature is over ``truedeal head``, the number of the last event and its digest.
3. The last head is published in ``head.json``, replaced as a whole: a journal that is shorter than its published head
   has been cut.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from firmware_bridge.journal.segments import put_in_place

KEY, PUBLIC, HEAD = "signing.key", "signing.pub", "head.json"
_PREFIX = b"truedeal head"
SEED = 32
"""Bytes of the key."""


class Head(NamedTuple):
    """The end of the journal as it was signed."""

    n: int
    chain: bytes
    signature: bytes
    key: bytes


class Signer:
    """Signs heads with the table's key."""

    def __init__(self, state: Path) -> None:
        """Load the key of a state folder, or make it."""
        path = state / KEY
        seed = path.read_bytes() if path.exists() else b""
        if len(seed) != SEED:
            if seed:
                path.rename(path.with_name(f"{KEY}.damaged"))
            seed = bytes(SigningKey.generate())
            replace(path, seed)
        self._key = SigningKey(seed)
        self.public = bytes(self._key.verify_key)
        if _text(state / PUBLIC) != self.public.hex() + "\n":
            replace(state / PUBLIC, (self.public.hex() + "\n").encode())

    def sign(self, n: int, chain: bytes) -> Head:
        """Sign the end of the journal."""
        return Head(n, chain, self._key.sign(_signed(n, chain)).signature, self.public)


def verify(head: Head) -> bool:
    """Whether a head was signed by the key that it names."""
    try:
        VerifyKey(head.key).verify(_signed(head.n, head.chain), head.signature)
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def publish(state: Path, head: Head) -> None:
    """Write the head where others can read it."""
    said = {"n": head.n, "chain": head.chain.hex(), "signature": head.signature.hex(), "key": head.key.hex()}
    replace(state / HEAD, (json.dumps(said) + "\n").encode())


def published(path: Path) -> Head | None:
    """The head that was published last; None if none was, or it cannot be read."""
    try:
        said = json.loads(path.read_text(encoding="ascii"))
        return Head(int(said["n"]), *(bytes.fromhex(said[part]) for part in ("chain", "signature", "key")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def replace(path: Path, data: bytes) -> None:
    """Replace a file as a whole, on the disk: a reader sees the old one or the new one, and so does a loss of power."""
    new = path.with_name(path.name + ".new")
    mode = 0o600 if path.name == KEY else 0o644
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    put_in_place(new, path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def _signed(n: int, chain: bytes) -> bytes:
    return _PREFIX + n.to_bytes(8, "little") + chain
