"""What a signed head covers in addition to the events: the records of rounds, and the table as it stood.

1. The records of a segment have one running digest. A record is a row of `rounds`, then its rows of `findings`, then
   those of `rulings`, each with the name of its table; the digest of a row is over the one before it and its columns,
   as the chain does it. A row that belongs to no round is in it too.
2. Records are written together with a head, so the last head covers all of them, and each one before it some of them,
   up to the end of a record.
3. A snapshot is believed only if a good head of the same segment names its digest. Otherwise the events say what it
   would.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from heapq import merge
from itertools import groupby

from firmware_bridge.journal import segments
from firmware_bridge.journal.chain import SIZE, column_bytes
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.signed.signing import NOTHING, AnyHead, Head, Head1

_RECORDS = (
    ("rounds", "SELECT id, * FROM rounds ORDER BY id"),
    ("findings", "SELECT round, * FROM findings ORDER BY round, id"),
    ("rulings", "SELECT round, * FROM rulings ORDER BY round, id"),
)
_HEADS = "SELECT number, n, chain, records, snapshot, key, signature FROM heads ORDER BY number"


def add_record(digest: bytes, table: str, columns: Sequence[object]) -> bytes:
    """The running digest with one row more."""
    return blake2b(digest + column_bytes((table, *columns)), digest_size=SIZE).digest()


def record_digests(connection: sqlite3.Connection) -> list[bytes]:
    """The running digest before the first record of a segment, and after each.

    Raises:
        sqlite3.Error, TypeError: they cannot be read.
    """
    found, digest = [NOTHING], NOTHING
    rows = merge(*(_rows(connection, place) for place in range(len(_RECORDS))), key=lambda row: row[:2])
    for _, record in groupby(rows, key=lambda row: row[0]):
        for _, place, columns in record:
            digest = add_record(digest, _RECORDS[place][0], columns)
        found.append(digest)
    return found


def _rows(connection: sqlite3.Connection, place: int) -> Iterator[tuple[int, int, Sequence[object]]]:
    for round_, *columns in connection.execute(_RECORDS[place][1]):
        yield round_, place, columns


def snapshot_digest(format_: int, state: bytes) -> bytes:
    """The digest of a snapshot of a format."""
    return blake2b(format_.to_bytes(8, "little", signed=True) + state, digest_size=SIZE).digest()


def heads(connection: sqlite3.Connection) -> list[Head]:
    """The heads of a segment of this edition in their order; rows that cannot be heads are left out."""
    said = segments.beginning(connection)
    try:
        journal, segment = bytes.fromhex(str(said["journal"])), int(str(said["segment"]))
    except (LookupError, ValueError):
        return []
    found = []
    for row in connection.execute(_HEADS):
        match row:
            case (int(), int(), bytes(), bytes(), bytes(), bytes(), bytes()):
                found.append(Head(journal, segment, *row))
            case _:
                continue
    return found


def any_heads(connection: sqlite3.Connection) -> Sequence[AnyHead]:
    """The heads of a segment of any edition."""
    if segments.edition(connection) > 1:
        return heads(connection)
    chosen = "SELECT n, chain, signature, key FROM heads ORDER BY n"
    return [Head1(*row) for row in connection.execute(chosen) if _is_head_1(row)]


def _is_head_1(row: Sequence[object]) -> bool:
    return isinstance(row[0], int) and all(isinstance(part, bytes) for part in row[1:])


def good_heads(connection: sqlite3.Connection, key: bytes) -> list[Head]:
    """The heads that the segment's key has signed over a row as it is."""
    chains = dict(connection.execute("SELECT n, chain FROM events WHERE n IN (SELECT n FROM heads)"))
    return [
        head
        for head in heads(connection)
        if head.key == key and chains.get(head.n) == head.chain and signing.verify(head)
    ]


def good_heads_1(connection: sqlite3.Connection, key: bytes) -> list[AnyHead]:
    """The same of a segment of edition 1."""
    chains = dict(connection.execute("SELECT n, chain FROM events WHERE n IN (SELECT n FROM heads)"))
    return [
        head
        for head in any_heads(connection)
        if head.key == key and chains.get(head.n) == head.chain and signing.verify(head)
    ]


def good_snapshots(connection: sqlite3.Connection, key: bytes, format_: int) -> list[tuple[int, bytes]]:
    """The snapshots of a format that a good head names, newest first."""
    named = {(head.n, head.snapshot) for head in good_heads(connection, key)}
    return [
        (n, state)
        for n, state in segments.snapshots(connection, format_)
        if (n, snapshot_digest(format_, state)) in named
    ]
