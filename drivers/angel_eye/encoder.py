"""The device's end of the Angel Eye style link, for simulated devices and tests.

Experimental: written from public descriptions, never tried on a device.

1. A message takes the next sequence number and goes out as three equal frames, one after the other, unasked.
2. Nothing is kept: what is not heard is gone. `start` begins the sequence again, as a device does when switched on.
"""

from __future__ import annotations

from drivers.angel_eye.frames import encode
from drivers.angel_eye.messages import MODES, card_byte
from drivers.angel_eye.repeats import COPIES, START
from drivers.angel_eye.sequence import alphabet

_HIGH = 0x80


class Encoder:
    """Turns what happens in the shoe into bytes."""

    def __init__(self, *, check: str = "xor-hex", sequence: str = "digits") -> None:
        self._check = check
        self._alphabet = alphabet(sequence)
        self._next = 0

    def copies(self, data: bytes) -> list[bytes]:
        """Return the three copies of the next message."""
        frame = encode(self._alphabet[self._next], data, self._check)
        self._next = (self._next + 1) % len(self._alphabet)
        return [frame] * COPIES

    def message(self, data: bytes) -> bytes:
        """Return the next message as it goes out."""
        return b"".join(self.copies(data))

    def card(self, card: str) -> bytes:
        """Return a card dealt."""
        return self.message(bytes((ord("D"), _HIGH, card_byte(card))))

    def outside(self, card: str, mode: str = "locked") -> bytes:
        """Return a card dealt outside the game flow."""
        return self.message(bytes((ord("d"), _HIGH | MODES.index(mode) << 4, card_byte(card))))

    def again(self, card: str) -> bytes:
        """Return a card told again."""
        return self.message(bytes((ord("R"), _HIGH, card_byte(card))))

    def cutting_card(self) -> bytes:
        """Return the cutting card."""
        return self.message(b"C")

    def start(self) -> bytes:
        """Return the start of a device that was switched on."""
        self._next = 0
        return self.message(START)

    def trouble(self, code: int, *, present: bool = True, stopped: bool = True) -> bytes:
        """Return an error, or that it is over."""
        if present:
            return self.message(bytes((ord("E"), _HIGH | stopped << 6 | code)))
        return self.message(bytes((ord("e"), _HIGH | code)))

    def key_lock(self, *, locked: bool) -> bytes:
        """Return that the key was turned."""
        return self.message(bytes((ord("L"), _HIGH | locked)))
