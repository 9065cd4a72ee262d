"""The signed head: with the first public key anyone can tell that this table wrote the journal up to here.

1. What is signed (Ed25519) has a fixed length, so that a device can check it without a parser. It is ``truedeal head
   2`` and a zero byte; the journal's id (16 bytes); the segment (4), the number of the head (8) and that of the last
   event (8), all little-endian; then, 32 bytes each, the digests of that event, of the records and of the snapshot (or
   zeros), and the public key. The number rises by one with each head; a journal's id is a digest of its first public
   key.
2. The digest of the records is a running one over every row of `rounds`, `findings` and `rulings` of the segment, in
   the order of writing: one that is changed, added or removed does not fit.
3. Every segment has a key of its own (`keys`). The first row of a segment holds its public key and a certificate: the
   key before it has signed ``truedeal next key 2`` with a zero byte, the journal's id, the segment and the new key. The
   first segment has no certificate, nor has one that follows a lost key.
4. The last head is published in ``head.json``, replaced as a whole: a journal that is shorter than its published head
   has been cut.
5. In edition 1 one key signed ``truedeal head``, the number of the last event and its digest: `Head1`, which is checked
   for ever, and signed once more at the end of the last segment of that edition.
"""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from pathlib import Path
from struct import Struct, error
from typing import Any, NamedTuple

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from firmware_bridge.journal.segments import put_in_place

PUBLIC, HEAD = "signing.pub", "head.json"
NOTHING = bytes(32)
"""The digest of no snapshot, and of no records."""
_HEAD = Struct("<16s16sIQQ32s32s32s32s")
_NEXT = Struct("<20s16sI32s")
_HEAD_PREFIX, _NEXT_PREFIX, _PREFIX_1 = b"truedeal head 2\0", b"truedeal next key 2\0", b"truedeal head"
_PARTS = ("journal", "chain", "records", "snapshot", "key", "signature")
_PARTS_1 = ("chain", "signature", "key")
_ID = 16


class Head(NamedTuple):
    """The end of the journal as it was signed."""

    journal: bytes
    segment: int
    number: int
    n: int
    chain: bytes
    records: bytes
    snapshot: bytes
    key: bytes
    signature: bytes = b""

    def signed(self) -> bytes:
        """The bytes that are signed."""
        return _HEAD.pack(_HEAD_PREFIX, *self[:-1])


class Head1(NamedTuple):
    """The same in edition 1."""

    n: int
    chain: bytes
    signature: bytes
    key: bytes

    def signed(self) -> bytes:
        """The bytes that are signed."""
        return _PREFIX_1 + self.n.to_bytes(8, "little") + self.chain


AnyHead = Head | Head1


class Signer:
    """Signs with the key of one segment."""

    def __init__(self, seed: bytes) -> None:
        """Take a key's seed."""
        self._key = SigningKey(seed)
        self.public = bytes(self._key.verify_key)

    def sign(self, head: Head) -> Head:
        """Sign a head, which names this key then."""
        named = head._replace(key=self.public)
        return named._replace(signature=self._key.sign(named.signed()).signature)

    def sign_1(self, n: int, chain: bytes) -> Head1:
        """Sign the end of a segment of edition 1."""
        head = Head1(n, chain, b"", self.public)
        return head._replace(signature=self._key.sign(head.signed()).signature)

    def certify(self, journal: bytes, segment: int, key: bytes) -> bytes:
        """Sign the key of the next segment."""
        return self._key.sign(_NEXT.pack(_NEXT_PREFIX, journal, segment, key)).signature


def journal_id(first: bytes) -> bytes:
    """The id of a journal, whose first public key of all this is."""
    return blake2b(first, digest_size=_ID).digest()


def verify(head: AnyHead) -> bool:
    """Whether a head was signed by the key that it names."""
    try:
        VerifyKey(head.key).verify(head.signed(), head.signature)
    except (BadSignatureError, ValueError, TypeError, OverflowError, error):
        return False
    return True


def certified(said: dict[str, Any], by: bytes) -> bool:
    """Whether a key has certified the one that the first row of a segment names."""
    try:
        parts = bytes.fromhex(said["journal"]), said["segment"], bytes.fromhex(said["key"])
        VerifyKey(by).verify(_NEXT.pack(_NEXT_PREFIX, *parts), bytes.fromhex(said["certificate"]))
    except (BadSignatureError, LookupError, ValueError, TypeError, error):
        return False
    return True


# --- the published head -----------------------------------------------------------------------------------------------


def written(head: Head) -> str:
    """A head as a line of JSON."""
    return json.dumps(
        {name: value.hex() if isinstance(value, bytes) else value for name, value in head._asdict().items()}
    )


def publish(state: Path, head: Head) -> None:
    """Write the head where others can read it."""
    replace(state / HEAD, (written(head) + "\n").encode())


def published(path: Path) -> AnyHead | None:
    """The head that was published last; None if none was, or it cannot be read. Nothing is believed of it yet."""
    try:
        return read(json.loads(path.read_text(encoding="ascii")))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def read(said: Any) -> AnyHead:
    """The head that plain data holds.

    Raises:
        LookupError, TypeError, ValueError: it holds none.
    """
    if "journal" not in said:
        return Head1(int(said["n"]), *(bytes.fromhex(said[part]) for part in _PARTS_1))
    told = {part: bytes.fromhex(said[part]) for part in _PARTS}
    return Head(segment=int(said["segment"]), number=int(said["number"]), n=int(said["n"]), **told)


def replace(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace a file as a whole, on the disk: a reader sees the old one or the new one, and so does a loss of power."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    put_in_place(new, path)
