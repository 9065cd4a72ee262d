"""Simulated lines with a virtual clock: perfect, byte at a time, lossy, slow.

1. A line has two directions. Each takes bytes at a time and gives pieces at the times at which they arrive.
2. All chance is seeded: the same seed drops, flips and inserts the same bytes.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nature:
    """What a line does to the bytes: `rate` in bytes a second, the rest as chances a byte."""

    name: str
    piece: int = 4096
    rate: float = 0.0
    latency: float = 0.0
    dropped: float = 0.0
    flipped: float = 0.0
    inserted: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether every byte arrives as it was sent."""
        return not (self.dropped or self.flipped or self.inserted)


PERFECT = Nature("perfect")
BYTEWISE = Nature("byte-at-a-time", piece=1)
LOSSY = Nature("lossy", piece=7, latency=0.002, dropped=0.002, flipped=0.001, inserted=0.001)
SLOW = Nature("slow", piece=16, rate=3840.0, latency=0.02)
NATURES = (PERFECT, BYTEWISE, LOSSY, SLOW)


class Direction:
    """One direction of a line."""

    def __init__(self, nature: Nature, chance: random.Random) -> None:
        self._nature = nature
        self._chance = chance
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._free_at = 0.0
        self.cut = False

    def put(self, data: bytes, now: float) -> None:
        """Send bytes."""
        if self.cut:
            return
        nature = self._nature
        sent = self._spoilt(data)
        for start in range(0, len(sent), nature.piece):
            piece = sent[start : start + nature.piece]
            self._free_at = max(self._free_at, now) + (len(piece) / nature.rate if nature.rate else 0.0)
            self._under_way.append((self._free_at + nature.latency, piece))

    def take_piece(self, now: float) -> bytes | None:
        """Return the next piece that has arrived, None if there is none."""
        if self._under_way and self._under_way[0][0] <= now:
            return self._under_way.popleft()[1]
        return None

    def due(self) -> float | None:
        """Return when the next piece arrives."""
        return self._under_way[0][0] if self._under_way else None

    def hang_up(self) -> None:
        """Lose what is under way."""
        self._under_way.clear()
        self._free_at = 0.0

    def _spoilt(self, data: bytes) -> bytes:
        """Return the bytes as the line leaves them."""
        nature, chance = self._nature, self._chance
        if nature.exact:
            return data
        spoilt = bytearray()
        for byte in data:
            if chance.random() < nature.inserted:
                spoilt.append(chance.randrange(256))
            if chance.random() < nature.dropped:
                continue
            spoilt.append(byte ^ 1 << chance.randrange(8) if chance.random() < nature.flipped else byte)
        return bytes(spoilt)
