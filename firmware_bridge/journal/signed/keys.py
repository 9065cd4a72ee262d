"""The keys that sign: one a segment, each certified by the one before it, and erased when it is done.

1. The seed of segment 7's key is ``keys/000007.seed``, for the daemon alone. ``signing.pub`` is the first public key of
   all; it is written once and never again, and the casino copies it to where the table cannot reach.
2. The seed of the next segment is on the disk before that segment is: one that is there and unused is taken at the next
   try. The seed before it is overwritten and removed when the new segment has its name. So somebody who takes the disk
   can sign what comes, and cannot write another past; flash may keep what was overwritten, see the threat model.
3. In edition 1 one key, ``signing.key``, signed everything. It certifies the first key of edition 2 and is then erased.
4. A seed that is gone, damaged or another segment's signs nothing: `of` gives None, and a segment without a certificate
   follows, with an alarm. A damaged file in the place of a new seed is kept as ``.damaged``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from nacl.signing import SigningKey

from firmware_bridge.journal import segments
from firmware_bridge.journal.signed.signing import PUBLIC, Signer, replace

FOLDER, FIRST = "keys", "signing.key"
SEED = 32
"""Bytes of a seed."""


class Keys:
    """The seeds of one state folder."""

    def __init__(self, state: Path) -> None:
        """Look into this state folder; nothing is made yet."""
        self._state = state
        self._folder = state / FOLDER

    def _path(self, segment: int) -> Path:
        return self._folder / f"{segment:06d}.seed"

    def of(self, segment: int, public: bytes) -> Signer | None:
        """The key of a segment, if it is here and is the one that the segment names."""
        found = self.seed(segment)
        return found if found is not None and found.public == public else None

    def seed(self, segment: int) -> Signer | None:
        """The key that lies here for a segment, whether it is the right one or not."""
        return _signer(self._path(segment))

    def first(self) -> Signer | None:
        """The key of edition 1, if it is here."""
        return _signer(self._state / FIRST)

    def make(self, segment: int) -> Signer:
        """The key of a segment that is about to begin: one that an earlier try has left, or a new one, on the disk."""
        path, found = self._path(segment), self.seed(segment)
        if found is not None:
            return found
        if not self._folder.exists():
            self._folder.mkdir(mode=0o700)
            segments.sync(self._state)
        if path.exists():
            path.rename(path.with_name(f"{path.name}.damaged"))
        seed = bytes(SigningKey.generate())
        replace(path, seed, 0o600)
        return Signer(seed)

    def publish_first(self, public: bytes) -> None:
        """Write the first public key of all, where none is."""
        if not (self._state / PUBLIC).exists():
            replace(self._state / PUBLIC, (public.hex() + "\n").encode())

    def root(self) -> bytes:
        """The first public key of all; empty if it cannot be read."""
        try:
            return bytes.fromhex((self._state / PUBLIC).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return b""

    def present(self) -> set[bytes]:
        """The public keys of all seeds that are here."""
        paths = [*self._folder.glob("??????.seed"), self._state / FIRST]
        return {signer.public for signer in map(_signer, paths) if signer is not None}

    def numbers(self) -> list[int]:
        """The segments of this edition for which a seed is here."""
        return [int(path.name[:6]) for path in self._folder.glob("??????.seed") if path.name[:6].isdecimal()]

    def erase_before(self, segment: int) -> None:
        """Erase the seeds of the segments before one; what cannot be erased now is erased at the next start."""
        older = [path for path in self._folder.glob("??????.seed") if path.name < self._path(segment).name]
        with suppress(OSError):
            for path in [*older, *([self._state / FIRST] if (self._state / FIRST).exists() else [])]:
                _erase(path)


def _signer(path: Path) -> Signer | None:
    try:
        seed = path.read_bytes()
    except OSError:
        return None
    return Signer(seed) if len(seed) == SEED else None


def _erase(path: Path) -> None:
    """Overwrite a seed and remove it, on the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.write(handle, bytes(SEED))
        os.fsync(handle)
    finally:
        os.close(handle)
    path.unlink()
    segments.sync(path.parent)
