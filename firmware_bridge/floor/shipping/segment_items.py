"""The items of one segment from a mark on, in the order in which they were written.

1. For each head come the events up to its own; then the records that it covers and no earlier head did, as their digest
   shows; then the head. After the last head come the remaining events.
2. In edition 1 no head covers records, and they were changed in place: they come when the segment is done, after
   everything else.
3. A batch ends before an item that no longer fits. The next batch goes on there, even in the middle of a round's
   record.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain as one_after_another

from firmware_bridge.floor.wire.batch import fits
from firmware_bridge.floor.wire.items import Item, event_item, head_item, record_item
from firmware_bridge.floor.wire.marks import Mark
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import SIZE, Row

_HEADS = {
    1: "SELECT n, at, chain, signature, key FROM heads WHERE n > ? ORDER BY n",
    2: "SELECT number, n, chain, records, snapshot, signature, key FROM heads WHERE number > ? ORDER BY number",
}
_EVENTS = {
    1: f"SELECT {schema.COLUMNS_1} FROM events WHERE n > ? AND n <= ? ORDER BY n LIMIT ?",  # noqa: S608  ours
    2: f"SELECT {schema.COLUMNS} FROM events WHERE n > ? AND n <= ? ORDER BY n LIMIT ?",  # noqa: S608  ours
}
_TABLES = ("rounds", "findings", "rulings")
_SOME = 501  # events that are looked at for one batch
_LAST = 2**62


@dataclass(slots=True)
class ItemsRead:
    """Items, the mark after the last of them, and whether the digests that lie here do not fit them."""

    last: Mark
    items: list[Item] = field(default_factory=list)
    torn: bool = False


class _Full(Exception):  # noqa: N818  no error: it ends a batch
    """No more fits."""


class _Collecting:
    """A batch that grows."""

    def __init__(self, begin: Mark) -> None:
        self.found = ItemsRead(begin)
        self._size = 0
        self._made = begin.chain  # as the rows make it

    def add(self, item: Item, last: Mark) -> None:
        """One item more, and the mark after it."""
        if not fits(len(self.found.items), self._size, item):
            raise _Full
        self.found.items.append(item)
        self.found.last = last
        self._size += len(item.data)

    def add_event(self, row: Row, chain: object, edition: int) -> None:
        """A row, with the digest that lies beside it."""
        item = event_item(row, edition)
        stored = chain if isinstance(chain, bytes) and len(chain) == SIZE else bytes(SIZE)
        self.add(item, self.found.last._replace(n=row.n, chain=stored))
        self._made = blake2b(self._made + item.data, digest_size=SIZE).digest()
        self.found.torn = self.found.torn or self._made != stored

    def add_record(self, table: str, columns: tuple[object, ...]) -> None:
        """A row of a record."""
        item, last = record_item(table, columns), self.found.last
        digest = blake2b(last.digest + item.data, digest_size=SIZE).digest()
        self.add(item, last._replace(records=last.records + 1, digest=digest))

    def add_head(self, columns: tuple[object, ...]) -> None:
        """A head, known by its number, in edition 1 by its event."""
        number = columns[0]
        self.add(head_item(columns), self.found.last._replace(head=number if isinstance(number, int) else 0))


def items_after(connection: sqlite3.Connection, begin: Mark, limit: int | None, *, done: bool) -> ItemsRead:
    """What follows a mark in a segment, up to the event `limit` if there is one; `done` says that it is complete.

    Raises:
        sqlite3.Error, TypeError, OverflowError: nothing can be read, and there is no limit. Otherwise what could be
            read is given.
    """
    batch, edition = _Collecting(begin), segments.edition(connection)
    edition = edition if edition in _HEADS else schema.EDITION
    most = _LAST if limit is None else limit
    try:
        _collect(connection, batch, edition, most)
        if edition == 1 and done:
            for table, columns in _records(connection, begin.records):
                batch.add_record(table, columns)
    except _Full:
        pass
    except (sqlite3.Error, TypeError, OverflowError):
        if not batch.found.items and limit is None:
            raise
    return batch.found


def _collect(connection: sqlite3.Connection, batch: _Collecting, edition: int, most: int) -> None:
    records = iter(_records(connection, batch.found.last.records)) if edition > 1 else iter(())
    for head in connection.execute(_HEADS[edition], (batch.found.last.head,)):
        n, covers = (head[0], b"") if edition == 1 else (head[1], head[3])
        if not isinstance(n, int) or n > most:
            break
        _add_events(connection, batch, edition, n)
        while edition > 1 and batch.found.last.digest != covers:
            record = next(records, None)
            if record is None:
                break
            batch.add_record(*record)
        batch.add_head(head)
    _add_events(connection, batch, edition, most)


def _add_events(connection: sqlite3.Connection, batch: _Collecting, edition: int, most: int) -> None:
    while True:
        rows = connection.execute(_EVENTS[edition], (batch.found.last.n, most, _SOME)).fetchall()
        for row in rows:
            batch.add_event(Row(*row[:-1]), row[-1], edition)
        if len(rows) < _SOME:
            return


def _records(connection: sqlite3.Connection, skip: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    """The rows of records in the order of writing, without the first `skip`."""
    counts: dict[int, int] = {}
    for table in _TABLES:
        which = "id" if table == "rounds" else "round"
        for round_, count in connection.execute(f"SELECT {which}, count(*) FROM {table} GROUP BY {which}"):  # noqa: S608
            counts[round_] = counts.get(round_, 0) + count
    for round_ in sorted(counts):
        if skip >= counts[round_]:
            skip -= counts[round_]
            continue
        rows = one_after_another.from_iterable(_rows(connection, table, round_) for table in _TABLES)
        for place, row in enumerate(rows):
            if place >= skip:
                yield row
        skip = 0


def _rows(connection: sqlite3.Connection, table: str, round_: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    which = "id" if table == "rounds" else "round"
    for columns in connection.execute(f"SELECT * FROM {table} WHERE {which} = ? ORDER BY id", (round_,)):  # noqa: S608
        yield table, columns
