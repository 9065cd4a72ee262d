"""What differs between the editions of the link: who is there, and how a frame of the session is closed and opened.

1. All else is the same in both and stands once: framing, numbers, resending, questions, the states of both ends.
2. The caller who makes the link chooses the edition. The other is never tried: an end that speaks it is not
   understood.
3. The first message of a handshake is the host's (`opening`), the second the device's (`answer`). Then the host says
   START, in clear in edition 1 and in a frame of the session in edition 2.
4. A cipher opens a frame to its content, ``type u8 | counter u32 | body``, which looks alike in both editions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from drivers.faults import Fault
from drivers.link.hello import DeviceAnswer, Hello


@dataclass(frozen=True, slots=True)
class Edition:
    """The figures of one edition."""

    protocol: tuple[int, int]
    """Major and minor version."""
    room: int
    """The longest payload of one frame; what is longer goes in parts."""
    resend_most: float
    """The longest time after which something is sent again, in seconds."""
    sealed: bool
    """Whether the frames are encrypted; then START is one of them, heartbeats compare clocks, and what is withheld is
    noticed."""


ONE: Final = Edition(protocol=(1, 1), room=214, resend_most=1.0, sealed=False)
TWO: Final = Edition(protocol=(2, 0), room=37, resend_most=0.25, sealed=True)


class Cipher(Protocol):
    """One direction of one session."""

    def seal(self, kind: int, counter: int, body: bytes) -> bytes:
        """The frame without its CRC."""

    def open(self, frame: bytes) -> bytes | None:
        """The content of a frame that is given from its type to its CRC; None if the other end did not make it."""


class HostShake(Protocol):
    """The handshake as the host has it."""

    edition: Edition
    opening: int
    answer: int
    proves: bool
    """Whether the device proves what it is."""

    def begin(self) -> None:
        """Begin a new handshake, with new secrets."""

    def challenge(self) -> bytes:
        """The body of the first message, the same until the next `begin`."""

    def read(self, body: bytes) -> DeviceAnswer | Fault:
        """What the second message says, or what is wrong with it."""

    def proved(self, given: DeviceAnswer) -> bool:
        """Whether the device has proved what it says."""

    def repeats(self, body: bytes) -> bool:
        """Whether this is the second message that was read, again."""

    def start(self, given: DeviceAnswer, first: int) -> bytes:
        """The body of START: events from this number on are wanted."""

    def ciphers(self, given: DeviceAnswer) -> tuple[Cipher, Cipher]:
        """Of what the host sends, and of what it receives."""


class Opened(Enum):
    """What a device makes of the first message of a handshake."""

    NEW = "new"
    AGAIN = "again"
    FOREIGN = "foreign"
    MEANINGLESS = "meaningless"


class DeviceShake(Protocol):
    """The handshake as the device has it."""

    edition: Edition
    opening: int
    answer: int

    @property
    def begun(self) -> bool:
        """Whether START is awaited or was taken."""

    def forget(self) -> None:
        """Forget the handshake."""

    def opened(self, body: bytes) -> Opened:
        """Take the first message; return what it is."""

    def identity(self, said: Hello) -> bytes:
        """The body of the second message."""

    def started(self, body: bytes) -> int | None:
        """The number from which on the host wants events; None if this START is not of this handshake."""

    def refuses(self, body: bytes) -> int | None:
        """The reason to refuse a START of this handshake."""

    def ciphers(self) -> tuple[Cipher, Cipher]:
        """Of what the device sends, and of what it receives."""
