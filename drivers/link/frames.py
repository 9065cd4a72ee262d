"""Frames on the wire: COBS between zero bytes, CRC-32 at the end.

    wire    00 | COBS(frame) | 00
    frame   type u8 | counter u32 | body | tag 8 | crc32 u32         17 to 240 bytes, integers little-endian
            0x20 u8 | counter u32 | sealed 64 | crc32 u32            a frame of a session of edition 2

1. The CRC is that of zlib and Ethernet, over everything before it. Run over a whole frame, CRC included, it always
   gives the same residue: that is the check.
2. A frame has at most 240 bytes, so COBS never needs a block without a zero: each code byte is the distance to the next
   zero, replaces it, and is never 0xFF.
3. A zero byte stands before and after each frame. Noise between two frames spoils neither; two zeros with nothing
   between them are neither a frame nor a fault.
4. What is not a frame becomes a fault. At most 242 bytes wait for their zero: more can only be a fault, so the rest of
   it is not stored. Nothing that arrives raises.
"""

from __future__ import annotations

from struct import Struct
from typing import Final
from zlib import crc32

from drivers.faults import BAD_FRAME, Fault

CHALLENGE: Final = 0x01
IDENTITY: Final = 0x02
START: Final = 0x03
REFUSE: Final = 0x04
HELLO: Final = 0x05
ANSWER: Final = 0x06
PAIR: Final = 0x07
DATA: Final = 0x10
ACK: Final = 0x11
HEARTBEAT: Final = 0x12
SEALED: Final = 0x20
MORE: Final = 0x80
"""Bit 7 of the kind of a DATA frame: more parts of the same message follow."""

HEAD: Final = Struct("<BI")
CRC: Final = Struct("<I")
TAG_SIZE: Final = 8
TRAILER: Final = TAG_SIZE + CRC.size
"""Bytes after the body."""
SHORTEST: Final = HEAD.size + TRAILER
LONGEST: Final = 240
RESIDUE: Final = 0x2144DF1C
"""The CRC of any frame that ends in its own CRC."""

DELIMITER: Final = b"\0"
_CODES: Final = [bytes([length + 1]) for length in range(LONGEST + 1)]


def encode(content: bytes) -> bytes:
    """The bytes on the wire for a frame, given from its type to its tag."""
    frame = content + CRC.pack(crc32(content))
    codes = _CODES
    return b"\0%b\0" % b"".join([codes[len(run)] + run for run in frame.split(DELIMITER)])


def decode(chunk: bytes) -> bytes | Fault:
    """The frame, from its type to its CRC, in what stood between two zero bytes; or why it is none."""
    size = len(chunk)
    if not SHORTEST < size <= LONGEST + 1:
        return Fault(BAD_FRAME, f"{'more than ' if size > LONGEST + 1 else ''}{min(size, LONGEST + 1)} bytes")
    frame = bytearray(chunk)
    at = 0
    while at < size:
        code = frame[at]
        frame[at] = 0
        at += code
    del frame[0]
    # Bytes that are no COBS leave the end by so much as one: then the frame is not worth its CRC.
    if at != size or crc32(frame) != RESIDUE:
        return Fault(BAD_FRAME, f"{'COBS' if at != size else 'CRC'} of {size} bytes from {chunk[:8].hex()}")
    return bytes(frame)


class Framer:
    """Cuts a stream of bytes into frames."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes | Fault]:
        """The frames that end in these bytes, and a fault for all else that ends in them."""
        chunks = (self._rest + data).split(DELIMITER) if self._rest else data.split(DELIMITER)
        self._rest = chunks.pop()[: LONGEST + 2]
        return [decode(chunk) for chunk in chunks if chunk]

    @property
    def buffered(self) -> int:
        """How many bytes wait for the end of their frame."""
        return len(self._rest)
