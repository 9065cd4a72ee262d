"""The key of one ingester, with which it signs receipts, and what it remembers of the archive.

1. The key lies in a file for its owner alone, as 64 hexadecimal digits. It is apart from the nkey, with which the
   ingester signs whatever the broker gives it.
2. Beside it lies how many commits of its own the ingester knows of, in which epoch. An archive of the same epoch that
   has fewer was restored from a backup: the ingester does not work with it until somebody says so, which begins another
   epoch (``truedeal floor restored``). Otherwise a table would be held to what the centre has forgotten.
3. What it knows may lag behind the archive, never run ahead: it is written after the commit, at most once a second.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from contextlib import suppress
from pathlib import Path

from nacl.signing import SigningKey

from firmware_bridge.floor.archive.archive import Archive, Signer
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.archive.receipts import add_ingester
from firmware_bridge.journal.signed.signing import replace

RESTORED = "it has less than this ingester has written: 'truedeal floor restored' says that it was restored"
_SEED = 32
_APART = 1.0  # seconds between two notes of what is known


def make_key(path: Path) -> SigningKey:
    """Return the key that lies in a file, after making one if there is none.

    Raises:
        OSError: it cannot be read or made.
        ValueError: what lies there is no key.
    """
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_bytes(_SEED).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
    seed = bytes.fromhex(path.read_text(encoding="ascii"))
    if len(seed) != _SEED:
        message = f"{path}: expected {_SEED * 2} hexadecimal digits"
        raise ValueError(message)
    return SigningKey(seed)


class IngesterKey:
    """The key and the memory of one ingester."""

    def __init__(self, path: Path) -> None:
        """Load or make the key.

        Raises:
            OSError, ValueError: there is none, and none can be made.
        """
        self._key = make_key(path)
        self._seen = path.with_name(f"{path.name}.seen")
        self._epoch, self._commits = "", 0
        self._noted = 0.0

    def sign_in(self, archive: Archive) -> Signer:
        """Add the ingester to an archive, and remember where it stands; returns what signs there.

        Raises:
            ArchiveError: the archive was restored, and nobody has said so.
        """
        epoch = archive.epoch()
        commits = add_ingester(archive, bytes(self._key.verify_key), socket.gethostname())
        before, known = self._read()
        if before == epoch and (commits or 0) < known:
            raise ArchiveError(RESTORED)
        self._epoch, self._commits, self._noted = epoch, commits or 0, 0.0
        return Signer(self._key, epoch)

    def committed(self) -> None:
        """Count a commit, and note it if the last note is old."""
        self._commits += 1
        now = time.monotonic()
        if now - self._noted >= _APART:
            self._noted = now
            self.note()

    def note(self) -> None:
        """Write down what is known."""
        if self._epoch:
            with suppress(OSError):  # a full disk stops nothing here
                replace(self._seen, json.dumps({"epoch": self._epoch, "commits": self._commits}).encode())

    def _read(self) -> tuple[str, int]:
        try:
            said = json.loads(self._seen.read_bytes())
            return str(said["epoch"]), int(said["commits"])
        except (OSError, LookupError, TypeError, ValueError, RecursionError):
            return "", 0
