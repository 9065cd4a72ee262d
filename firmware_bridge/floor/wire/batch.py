"""A batch: items of one journal in their order, as they go over the wire.

1. The first byte of the body says whether the rest is packed (zlib). Then come the journal's id, the mark that the
   items follow as the *table* has it, and the mark after the last of them. Then comes each item: its kind, its length,
   its bytes.
2. A table puts at most `ITEMS` items, with `BYTES` bytes of data, into a batch. The centre takes no more items, and
   unpacks at most an item's length more than `BYTES`: nobody fills its memory with a few bytes.
3. A body that is no batch is a `BatchError`, whatever it holds.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from struct import Struct, error
from typing import NamedTuple

from firmware_bridge.floor.wire.items import KINDS, LONGEST, Item
from firmware_bridge.floor.wire.marks import Mark

FORMAT = "1"
"""The edition of batches and answers; it stands in the header ``Td`` of a message."""
ITEMS, BYTES = 500, 256 * 1024
PLAIN, PACKED = b"p", b"z"
_MOST = BYTES + LONGEST  # one item more than fits is taken, so that every item can be sent
_JOURNAL = 16
_MARK = Struct("<IIQ32sI32sQ")
_ITEM = Struct("<cI")


class BatchError(ValueError):
    """A body that is no batch."""


class Batch(NamedTuple):
    """Items of a journal that follow a mark, and the mark after them, both as the table has them."""

    journal: bytes
    after: Mark
    last: Mark
    items: tuple[Item, ...]


def fits(count: int, size: int, item: Item) -> bool:
    """Whether one item more fits into a batch that has `count` items with `size` bytes of data."""
    return count == 0 or (count < ITEMS and size + len(item.data) <= BYTES)


def pack(batch: Batch) -> bytes:
    """The body of a batch."""
    parts = [batch.journal, _MARK.pack(*batch.after), _MARK.pack(*batch.last)]
    for item in batch.items:
        parts += (_ITEM.pack(item.kind, len(item.data)), item.data)
    plain = b"".join(parts)
    packed = zlib.compress(plain, 1)
    return PACKED + packed if len(packed) < len(plain) else PLAIN + plain


def unpack(body: bytes) -> Batch:
    """The batch that a body holds.

    Raises:
        BatchError: it holds none.
    """
    data = _plain(body)
    begin = _JOURNAL + 2 * _MARK.size
    try:
        after = Mark(*_MARK.unpack_from(data, _JOURNAL))
        last = Mark(*_MARK.unpack_from(data, _JOURNAL + _MARK.size))
    except error as cut:
        raise BatchError("a batch is cut") from cut
    return Batch(data[:_JOURNAL], after, last, tuple(_items(data, begin)))


def _plain(body: bytes) -> bytes:
    if body[:1] == PLAIN and len(body) <= _MOST:
        return body[1:]
    if body[:1] != PACKED:
        raise BatchError("a body of no kind, or too long")
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(body[1:], _MOST)
    except zlib.error as wrong:
        raise BatchError("a body that cannot be unpacked") from wrong
    if not unpacking.eof or unpacking.unused_data:
        raise BatchError("a body that is too long, or cut")
    return data


def _items(data: bytes, place: int) -> Iterable[Item]:
    count = 0
    while place < len(data):
        try:
            kind, size = _ITEM.unpack_from(data, place)
        except error as cut:
            raise BatchError("an item is cut") from cut
        place += _ITEM.size
        item = Item(kind, data[place : place + size])
        count += 1
        if kind not in KINDS or len(item.data) != size or size > LONGEST or count > ITEMS:
            raise BatchError("an item of no kind, one that is cut, or too many")
        yield item
        place += size
