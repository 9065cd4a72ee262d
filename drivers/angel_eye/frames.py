"""Frames of the Angel Eye style link: bytes in, frames and faults out.

Experimental: written from public descriptions, never tried on a device.

1. 4800 baud, 8 data bits, no parity, one stop bit. A frame is::

       ENQ 05 | sequence, 1 byte | data, 1 to 32 bytes | ETX 03 | check, 2 characters

2. The first byte of the data is a letter, the bytes after it have bit 7 set or are ASCII: neither ENQ nor ETX stands in
   the data. An ENQ therefore always begins a frame, whatever was before it.
3. The check is two upper-case hexadecimal characters. It is not certain which bytes it covers. The public description
   says the exclusive or of all bytes from the sequence to ETX. Its own worked example, a command to the device, comes
   out right only if the first byte of the frame is included. So the check is chosen by name; if a frame fails it and
   another check would fit, the fault says which.
4. What is thrown away is a `bad-frame`: bytes outside a frame, and a frame that begins again, does not end, has no
   data or fails its check.
5. Eight bits of exclusive or let through one wrong frame in 256 if the damage is arbitrary. If the two check characters
   are arbitrary bytes too, they let through one in 65,536; if exactly two of the covered bits are flipped, about one in
   ten. An odd number of flipped bits is always seen. Three copies of each message make up for it: see `repeats`.
6. At most 36 bytes of a frame and 64 bytes outside one are held.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import xor
from typing import NamedTuple

from drivers.faults import BAD_FRAME, Fault

ENQ = 0x05
ETX = 0x03
LONGEST_DATA = 32
MOST_NOISE = 64
UNCHECKED = "none"

_LONGEST = 1 + 1 + LONGEST_DATA


def _xor(data: bytes) -> bytes:
    """Return the exclusive or of all bytes as two characters."""
    return b"%02X" % reduce(xor, data, 0)


def _sum(data: bytes) -> bytes:
    """Return the low byte of the sum as two characters."""
    return b"%02X" % (sum(data) & 0xFF)


CHECKS: dict[str, Callable[[bytes], bytes] | None] = {
    "xor-hex": lambda frame: _xor(frame[1:]),
    "xor-hex-from-enq": _xor,
    "sum-hex": lambda frame: _sum(frame[1:]),
    "sum-hex-from-enq": _sum,
    UNCHECKED: None,
}
"""The checks by name; each is given the frame from ENQ to ETX."""


class Frame(NamedTuple):
    """One copy of a message."""

    sequence: int
    data: bytes
    raw: bytes


class Spoilt(NamedTuple):
    """Bytes that were thrown away, and why."""

    size: int
    why: str

    @property
    def fault(self) -> Fault:
        """The fault that says so."""
        return Fault(BAD_FRAME, self.why)


def encode(sequence: int, data: bytes, check: str) -> bytes:
    """Return one copy of a message as bytes; with no check the two characters are 00."""
    covered = bytes((ENQ, sequence)) + data + bytes((ETX,))
    compute = CHECKS[check]
    return covered + (b"00" if compute is None else compute(covered))


class Framer:
    """Cuts a stream of bytes into frames."""

    __slots__ = ("_check", "_end", "_held", "_noise")

    def __init__(self, check: str) -> None:
        self._check = check
        self._held = bytearray()
        self._end = 0
        self._noise = bytearray()

    @property
    def held(self) -> bool:
        """Whether bytes are held that are no frame yet."""
        return bool(self._held or self._noise)

    def feed(self, data: bytes) -> list[Frame | Spoilt]:
        """Take bytes; return the frames that they complete, and what was thrown away."""
        found: list[Frame | Spoilt] = []
        for byte in data:
            if byte == ENQ:
                found += self.rest()
                self._held.append(byte)
            elif not self._held:
                self._noise.append(byte)
                if len(self._noise) >= MOST_NOISE:
                    found += self.rest()
            else:
                found += self._inside(byte)
        return found

    def rest(self) -> list[Spoilt]:
        """Give up what is held, and say so."""
        found: list[Spoilt] = []
        if self._noise:
            found.append(Spoilt(len(self._noise), f"{len(self._noise)} bytes outside a frame: {_shown(self._noise)}"))
        if self._held:
            found.append(Spoilt(len(self._held), f"a frame that does not end: {_shown(self._held)}"))
        self._noise.clear()
        self._held.clear()
        self._end = 0
        return found

    def _inside(self, byte: int) -> list[Frame | Spoilt]:
        """Take a byte of a frame that has begun."""
        held = self._held
        held.append(byte)
        if self._end:
            if len(held) < self._end + 2:
                return []
            judged = self._frame_or_fault(bytes(held), self._end)
            held.clear()
            self._end = 0
            return [judged]
        if byte == ETX and len(held) > 2:
            self._end = len(held)
        elif len(held) > _LONGEST:
            return [*self.rest()]
        return []

    def _frame_or_fault(self, raw: bytes, end: int) -> Frame | Spoilt:
        """Return the frame, or what is wrong with it."""
        covered, said = raw[:end], raw[end:]
        if end < 4:
            return Spoilt(len(raw), f"a frame without data: {_shown(raw)}")
        compute = CHECKS[self._check]
        if compute is not None and (due := compute(covered)) != said:
            fits = [name for name, other in CHECKS.items() if other is not None and other(covered) == said]
            hint = f"; it would be right by the check {' or '.join(fits)}" if fits else ""
            return Spoilt(len(raw), f"check {_shown(said)} instead of {_shown(due)}: {_shown(raw)}{hint}")
        return Frame(raw[1], raw[2 : end - 1], raw)


def _shown(data: bytes | bytearray) -> str:
    """Return bytes for a person."""
    return data.hex(" ")
