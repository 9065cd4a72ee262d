"""Receipts: what the centre of a floor has verified and committed of a journal, signed, as an anchor of that journal.

1. A receipt names the journal, the number of a head that was verified there, its last event and digest, and how far
   the journal lies in a backup. It speaks of what a head covers, and of nothing behind it: an honest table may lose an
   unsigned tail. It is signed by the key of one ingester.
2. Which keys of ingesters count a list says, which the key of the floor signs; the highest version counts, so that one
   machine can be struck off. A table has the floor's public key from its enrolment.
3. A file ``centre.json`` holds one receipt and the list. Its writer keeps the highest receipt: one that is lower
   comes from a centre that was restored from a backup, and is normal.
4. Whatever a file holds, `read_file` gives what is proved, or None.
"""

from __future__ import annotations

import json
from pathlib import Path
from struct import Struct, error
from typing import Any, NamedTuple

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from firmware_bridge.anchors.register import Register
from firmware_bridge.journal.foreign_file import read_bytes

_RECEIPT = Struct("<20s16sQQ32sQ16s32s")
_MAGIC, _LIST = b"truedeal receipt 1\0", b"truedeal centre keys 1\0"
_LONGEST = 64 * 1024
_KEY, _SIGNATURE = 32, 64
_LENGTHS = (16, 32, 16, _KEY, _SIGNATURE)


class ReceiptError(ValueError):
    """What is no receipt, or no list of keys."""


class Receipt(NamedTuple):
    """What the centre has of a journal: up to which head, in which epoch of its archive; who signs it."""

    journal: bytes
    head: int
    n: int
    chain: bytes
    backed: int
    epoch: str
    key: bytes = b""
    signature: bytes = b""

    def signed(self, key: SigningKey) -> Receipt:
        """The same, signed by an ingester."""
        made = self._replace(key=bytes(key.verify_key))
        return made._replace(signature=key.sign(made.covered()).signature)

    def covered(self) -> bytes:
        """What the signature covers."""
        what = (self.journal, self.head, self.n, self.chain, self.backed)
        return _RECEIPT.pack(_MAGIC, *what, self.epoch.encode("ascii"), self.key)

    def sized(self) -> tuple[bytes | str, ...]:
        """The parts that have one length each."""
        return self.journal, self.chain, self.epoch, self.key, self.signature

    @property
    def register(self) -> Register:
        """What it says of the journal, as any anchor does."""
        return Register(self.head, self.n, self.chain)

    def plain(self) -> dict[str, object]:
        """As plain data."""
        return {name: part.hex() if isinstance(part, bytes) else part for name, part in self._asdict().items()}


class CentreKeys(NamedTuple):
    """Which keys of ingesters count."""

    version: int
    keys: tuple[bytes, ...]
    signature: bytes = b""

    def signed(self, key: SigningKey) -> CentreKeys:
        """The same, signed by the floor."""
        return self._replace(signature=key.sign(self.covered()).signature)

    def covered(self) -> bytes:
        """What the signature covers."""
        return _LIST + self.version.to_bytes(8, "little") + b"".join(self.keys)

    def plain(self) -> dict[str, object]:
        """As plain data."""
        return {"version": self.version, "keys": [key.hex() for key in self.keys], "signature": self.signature.hex()}


def receipt_of(said: Any) -> Receipt:
    """The receipt that plain data holds; nothing of it is proved yet.

    Raises:
        ReceiptError: it holds none.
    """
    match said:
        case {"journal": str(journal), "head": int(head), "n": int(n), "chain": str(chain), "backed": int(backed)}:
            try:
                key, signature = bytes.fromhex(said["key"]), bytes.fromhex(said["signature"])
                made = Receipt(
                    bytes.fromhex(journal), head, n, bytes.fromhex(chain), backed, said["epoch"], key, signature
                )
                if any(len(part) != size for part, size in zip(made.sized(), _LENGTHS, strict=True)):
                    raise ReceiptError("no receipt")
                made.covered()
            except (LookupError, TypeError, ValueError, AttributeError, error) as wrong:
                raise ReceiptError("no receipt") from wrong
            return made
        case _:
            raise ReceiptError("no receipt")


def keys_of(said: Any) -> CentreKeys:
    """The list of keys that plain data holds; nothing of it is proved yet.

    Raises:
        ReceiptError: it holds none.
    """
    match said:
        case {"version": int(version), "keys": list(listed), "signature": str(signature)} if 0 <= version < 2**63:
            try:
                return CentreKeys(version, tuple(map(bytes.fromhex, listed)), bytes.fromhex(signature))
            except (TypeError, ValueError) as wrong:
                raise ReceiptError("no list of keys") from wrong
        case _:
            raise ReceiptError("no list of keys")


def is_proved(receipt: Receipt, keys: CentreKeys, floor: bytes) -> bool:
    """Whether the floor vouches for the list, and an ingester of the list for the receipt."""
    if not _verify(floor, keys.covered(), keys.signature) or any(len(key) != _KEY for key in keys.keys):
        return False
    return receipt.key in keys.keys and _verify(receipt.key, receipt.covered(), receipt.signature)


def written(receipt: Receipt, keys: CentreKeys) -> bytes:
    """What ``centre.json`` holds."""
    return json.dumps({"receipt": receipt.plain(), "keys": keys.plain()}).encode() + b"\n"


def read_file(path: Path, floor: bytes) -> tuple[Receipt, CentreKeys] | None:
    """The receipt and the list that a file holds, if they are proved; None if not.

    Raises:
        OSError: it cannot be read.
    """
    data = read_bytes(path, _LONGEST)
    try:
        said = json.loads(data)
        receipt, keys = receipt_of(said["receipt"]), keys_of(said["keys"])
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    return (receipt, keys) if is_proved(receipt, keys, floor) else None


def _verify(key: bytes, covered: bytes, signature: bytes) -> bool:
    if len(key) != _KEY or len(signature) != _SIGNATURE:
        return False
    try:
        VerifyKey(key).verify(covered, signature)
    except (BadSignatureError, ValueError):
        return False
    return True
