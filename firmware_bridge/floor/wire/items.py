"""The items of a journal as they are sent: the very bytes that were hashed.

1. A journal is one stream of items: each event; after it the records that were written with a head, row by row; then
   that head. Snapshots are not sent.
2. The bytes of an event are those that its chain hashes (`journal.chain`), so that the centre chains what it got and
   nothing that it made of it. Those of a record are what the digest of the records hashes (`journal.signed.covered`).
   Those of a head are its columns.
3. `columns_of` reads such bytes. They may come from anyone: bytes that hold no columns are an `ItemError`, never
   another error.
4. An item is at most `LONGEST` bytes: the longest body that the journal's writer promises, and the other columns.
"""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from firmware_bridge.journal.chain import Row, column_bytes, row_bytes
from firmware_bridge.journal.signed.signing import AnyHead, Head, Head1

EVENT, RECORD, HEAD = b"e", b"r", b"h"
"""The kinds of items."""
KINDS = frozenset({EVENT, RECORD, HEAD})
LONGEST = 160 * 1024
_PREFIX = b"td2"
_INTEGER, _SIZE = Struct("<q"), Struct("<I")
_COLUMNS = {1: 8, 2: 12}  # of a row, by its edition

Column = int | str | bytes | None


class ItemError(ValueError):
    """Bytes that are no item of a journal."""


class Item(NamedTuple):
    """One item: its kind and its bytes."""

    kind: bytes
    data: bytes


def event_item(row: Row, edition: int) -> Item:
    """A row of a journal as it is sent."""
    return Item(EVENT, column_bytes(row[: _COLUMNS[1]]) if edition == 1 else row_bytes(row))


def record_item(table: str, columns: tuple[object, ...]) -> Item:
    """A row of the tables of rounds, findings and rulings as it is sent."""
    return Item(RECORD, column_bytes((table, *columns)))


def head_item(columns: tuple[object, ...]) -> Item:
    """A row of the heads as it is sent."""
    return Item(HEAD, column_bytes(columns))


def row_of(data: bytes) -> tuple[Row, int]:
    """The row that an event's bytes hold, and its edition.

    Raises:
        ItemError: they hold none.
    """
    edition = 2 if data.startswith(_PREFIX) else 1
    columns = columns_of(data[len(_PREFIX) :] if edition == 2 else data)
    match columns:
        case (int(), str(), str(), _, _, str(), *_) if len(columns) == _COLUMNS[edition]:
            row = Row(*columns)  # type: ignore[arg-type]  # what else stands in it the next line says
        case _:
            raise ItemError("no row of a journal")
    texts, numbers = (row.body, row.person, row.role, row.how), (row.number, row.clock, row.mono)
    if not all(isinstance(text, str | None) for text in texts) or not isinstance(row.raw, bytes | None):
        raise ItemError("a column of a row holds what it cannot")
    if not all(isinstance(number, int | None) for number in numbers):
        raise ItemError("a column of a row holds what it cannot")
    return row, edition


def head_of(data: bytes, journal: bytes, segment: int) -> AnyHead:
    """The head that bytes hold, of a journal and the segment that is being sent.

    Raises:
        ItemError: they hold none.
    """
    match columns_of(data):
        case (int(number), int(n), bytes(chain), bytes(records), bytes(snapshot), bytes(signature), bytes(key)):
            return Head(journal, segment, number, n, chain, records, snapshot, key, signature)
        case (int(n), str(), bytes(chain), bytes(signature), bytes(key)):
            return Head1(n, chain, signature, key)
        case _:
            raise ItemError("no signed head")


def columns_of(data: bytes) -> tuple[Column, ...]:
    """The columns that bytes hold.

    Raises:
        ItemError: they hold none.
    """
    found: list[Column] = []
    place, end = 0, len(data)
    while place < end:
        kind = data[place]
        place += 1
        if kind == 0:
            found.append(None)
        elif kind == 1:
            if place + 8 > end:
                raise ItemError("a number is cut")
            found.append(_INTEGER.unpack_from(data, place)[0])
            place += 8
        else:
            value, place = _sized(data, place, kind)
            found.append(value)
    return tuple(found)


def _sized(data: bytes, place: int, kind: int) -> tuple[Column, int]:
    """A text or bytes at a place, and the place after them."""
    if kind not in {2, 3} or place + 4 > len(data):
        raise ItemError("a column of no kind")
    (size,) = _SIZE.unpack_from(data, place)
    value = data[place + 4 : place + 4 + size]
    if len(value) != size:
        raise ItemError("a column is cut")
    if kind == 3:
        return value, place + 4 + size
    try:
        return value.decode("utf-8", "surrogatepass"), place + 4 + size
    except UnicodeDecodeError as error:
        raise ItemError("a text is none") from error
