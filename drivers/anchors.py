"""Registers: a device keeps how far a journal had come, so that nobody puts that journal back without being noticed.

1. A shoe or a panel with the bit `ANCHORS` in its capabilities keeps a register for each of `JOURNALS` journals: the
   journal's id, the number of its last signed head, the last event that this head covers, and its digest.
2. `Anchor` sets a register. A register only rises: a lower or equal head number changes nothing. The device judges
   nothing else. It never lowers a register, and gives one up only for a pairing (rule 4).
3. `Anchored` tells a register. After the START of each session the device tells all of them, in any order, or an
   empty one if it has none. After each `Anchor` it tells the register of that journal as it is now. These are events
   like any others: numbered, kept and sent again until they are durable at the host.
4. A journal that is new to a device whose registers are all in use is not kept: `Anchored` tells number 0. If all
   are in use when the device is paired, the register that was set longest ago goes.
5. `Registers` is the model for firmware. Memory wears out, so registers are written in turn to the slots of a ring of
   `SLOTS` or more: ``sequence u32 | register 64 | crc32 u32``. A slot that counts for another journal is passed over.
   After a start the slot with the highest sequence counts for each journal; one whose write was cut short does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import Annotated, ClassVar, Final, NamedTuple
from zlib import crc32

from drivers.messages import Message
from drivers.wire import U8, U64, fixed_bytes

ANCHORS: Final = 2
"""Bit 1 of the capabilities: the device keeps registers."""
JOURNALS: Final = 4
SLOTS: Final = 32
ID_SIZE: Final = 16
CHAIN_SIZE: Final = 32
_SLOT: Final = Struct("<I16sQQ32sI")
_CHECKED: Final = _SLOT.size - 4


@dataclass(frozen=True, slots=True)
class Anchored(Message):
    """What a register holds; only from a device with bit 1 in its capabilities."""

    IDENT: ClassVar[int] = 0x70
    index: Annotated[int, U8, "which of those that are told, from 0 on"]
    many: Annotated[int, U8, "how many there are; 0 with all else 0 if there is none"]
    journal: Annotated[bytes, fixed_bytes(ID_SIZE), "the journal's id"]
    number: Annotated[int, U64, "the number of the head, 0 if this journal has no register"]
    n: Annotated[int, U64, "the number of the last event that the head covers"]
    chain: Annotated[bytes, fixed_bytes(CHAIN_SIZE), "the digest of that event"]


@dataclass(frozen=True, slots=True)
class Anchor(Message):
    """Keep this, unless the register of the journal is as high; only to a device with bit 1 in its capabilities."""

    IDENT: ClassVar[int] = 0xF0
    journal: Annotated[bytes, fixed_bytes(ID_SIZE), "the journal's id"]
    number: Annotated[int, U64, "the number of the head"]
    n: Annotated[int, U64, "the number of the last event that the head covers"]
    chain: Annotated[bytes, fixed_bytes(CHAIN_SIZE), "the digest of that event"]


class _Kept(NamedTuple):
    """A register, where it lies and since which write."""

    sequence: int
    slot: int
    anchor: Anchor


class Registers:
    """The registers of one device, in a ring of slots that outlives a restart."""

    def __init__(self, slots: list[bytes] | None = None) -> None:
        """Read the slots of a memory, or begin with an empty one."""
        self.slots = [b""] * SLOTS if slots is None else slots
        self._kept: dict[bytes, _Kept] = {}
        for slot, data in enumerate(self.slots):
            found = _read(slot, data)
            if found is not None:
                before = self._kept.get(found.anchor.journal)
                if before is None or found.sequence > before.sequence:
                    self._kept[found.anchor.journal] = found

    def set(self, anchor: Anchor) -> Anchored:
        """Raise a register, unless it is as high already; return it as it is now."""
        before = self._kept.get(anchor.journal)
        known = before is not None or len(self._kept) < JOURNALS
        if known and anchor.number > (0 if before is None else before.anchor.number):
            self._write(anchor)
        return self._anchored(anchor.journal)

    def all(self) -> list[Anchored]:
        """Return every register, or an empty one if there is none."""
        return [self._anchored(journal) for journal in self._order()] or [
            Anchored(0, 0, bytes(ID_SIZE), 0, 0, bytes(CHAIN_SIZE))
        ]

    def make_room(self) -> None:
        """Make room after a pairing: if all registers are in use, drop the one that was set longest ago."""
        if len(self._kept) < JOURNALS:
            return
        oldest = self._order()[0]
        del self._kept[oldest]
        for slot, data in enumerate(self.slots):
            found = _read(slot, data)
            if found is not None and found.anchor.journal == oldest:
                self.slots[slot] = b""

    def _order(self) -> list[bytes]:
        """The journals, the one that was set longest ago first."""
        return sorted(self._kept, key=lambda journal: self._kept[journal].sequence)

    def _anchored(self, journal: bytes) -> Anchored:
        order, kept = self._order(), self._kept.get(journal)
        if kept is None:
            return Anchored(0, len(order), journal, 0, 0, bytes(CHAIN_SIZE))
        found = kept.anchor
        return Anchored(order.index(journal), len(order), journal, found.number, found.n, found.chain)

    def _write(self, anchor: Anchor) -> None:
        """Write to the slot after the last one that was written, unless it holds what counts for another journal."""
        last = max(self._kept.values(), default=None)
        slot = 0 if last is None else last.slot + 1
        in_use = {kept.slot for journal, kept in self._kept.items() if journal != anchor.journal}
        while slot % len(self.slots) in in_use:
            slot += 1
        slot %= len(self.slots)
        sequence = 1 if last is None else last.sequence + 1
        data = _SLOT.pack(sequence, anchor.journal, anchor.number, anchor.n, anchor.chain, 0)[:_CHECKED]
        self.slots[slot] = data + crc32(data).to_bytes(4, "little")
        self._kept[anchor.journal] = _Kept(sequence, slot, anchor)


def _read(slot: int, data: bytes) -> _Kept | None:
    """What a slot holds; None if nothing, or its write was cut short."""
    if len(data) != _SLOT.size or crc32(data[:_CHECKED]) != int.from_bytes(data[_CHECKED:], "little"):
        return None
    sequence, journal, number, n, chain, _ = _SLOT.unpack(data)
    return _Kept(sequence, slot, Anchor(journal, number, n, chain))
