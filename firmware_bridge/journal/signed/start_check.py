"""What is wrong with the newest segment, before anything more is written to it and signed.

1. Every row is compared with the digest of the one before it, from the first, which says itself what it follows; every
   head with its row, its number and its signature by the segment's key; the records with the digests that the heads
   cover; the key with its certificate by the key before it, where that segment is at hand.
2. A segment without a certificate is no damage: it is the first, or the key before it was lost, which was told when the
   segment began.
3. Snapshots are not looked at: one that no head names is not used (`covered`).
4. Older segments are not read here, so that a start does not take longer as the journal grows: `truedeal verify` does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from firmware_bridge.journal import segments
from firmware_bridge.journal.signed import covered, signing
from firmware_bridge.journal.signed.keys import Keys
from firmware_bridge.journal.signed.signing import Head


def wrong_with(state: Path, path: Path, connection: sqlite3.Connection) -> str:
    """What is wrong with a segment of this edition; empty if it is as it was written.

    Raises:
        sqlite3.Error: it cannot be read now, and is not damaged.
    """
    try:
        return next(_problems(state, path, connection), "")
    except (LookupError, TypeError, ValueError, MemoryError) as error:  # of what no row can hold; of a mad size
        return f"it cannot be read: {error}"
    except sqlite3.DatabaseError as error:
        if not segments.is_damage(error, path):
            raise
        return f"it cannot be read: {error}"


def _problems(state: Path, path: Path, connection: sqlite3.Connection) -> Iterator[str]:
    said = segments.beginning(connection)
    n, digest, link = int(str(said["follows"])), bytes.fromhex(str(said["chain"])), segments.linked_by(connection)
    heads = covered.heads(connection)
    chains = dict.fromkeys((head.n for head in heads), b"")
    for row, chain in segments.rows(connection):
        n, digest = n + 1, link(digest, row)
        if (row.n, chain) != (n, digest):
            yield f"event {n} is not as it was written"
            return
        if row.n in chains:
            chains[row.n] = chain
    yield from (f"event {head.n} is not the one that its head covers" for head in heads if chains[head.n] != head.chain)
    yield from _heads(connection, heads, bytes.fromhex(str(said["key"])))
    if said.get("certificate") is not None and certified(state, path, said) is False:
        yield "the key before it has not certified its key"


def _heads(connection: sqlite3.Connection, heads: list[Head], key: bytes) -> Iterator[str]:
    """What is wrong with the heads, and with the records that they cover."""
    digests, place = covered.record_digests(connection), 0
    (count,) = connection.execute("SELECT count(*) FROM heads").fetchone()
    if count != len(heads) or not heads:
        yield "a signed head is none"
        return
    for number, head in enumerate(heads, heads[0].number):
        if head.number != number:
            yield f"head {number} is gone"
        if head.key != key or not signing.verify(head):
            yield f"the signature of the head after event {head.n} is wrong"
        if head.records not in digests[place:]:
            yield f"the records are not those that the head after event {head.n} covers"
            return
        place = digests.index(head.records, place)
    if place != len(digests) - 1:
        yield "there are records that no head covers"


def certified(state: Path, path: Path, said: dict[str, object]) -> bool | None:
    """Whether the key before it has certified the one that a segment names; None if nobody here knows that key.

    It is the key of the segment before, if that is at hand, or of a seed that was not erased yet.
    """
    keys = Keys(state)
    known = keys.present()
    before = segments.segment_path(state, segments.number_of(path) - 1)
    if any(signing.certified(said, key) for key in known):
        return True
    if not before.exists():
        return None
    try:
        with closing(segments.open_for_reading(before)) as connection:
            first = segments.edition(connection) == 1
            key = keys.root() if first else bytes.fromhex(str(segments.beginning(connection).get("key")))
    except (sqlite3.Error, OSError, ValueError):
        return None
    return signing.certified(said, key)
