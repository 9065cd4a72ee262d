"""Which key may have signed what in a journal, and what its heads cover beside the events.

1. The first key of all is the one that is given. In edition 1 it signed everything; in edition 2 every segment names
   its key in its first row, with a certificate by the key before it. If nothing certifies a key, a key was lost or the
   segment is somebody else's; two people may accept it (`journal.signed.lost_keys`).
   Nothing of edition 1 follows edition 2, which it promised less than.
2. After a segment that cannot be read nobody knows which key it had: the key of the next one is taken as it stands
   there. The segment that cannot be read is named in any case.
3. Heads are numbered without a gap; after a segment that was set aside or cannot be read, the next number is taken as
   it stands. Each head covers the records that were there when it was signed, the last one all of them. A head names
   every snapshot, and the first snapshot of a segment and the newest must be there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware_bridge.audit.journal_reader import Where
from firmware_bridge.journal.signed import covered, lost_keys, signing
from firmware_bridge.journal.signed.lost_keys import Acceptance
from firmware_bridge.journal.signed.signing import NOTHING, AnyHead, Head, Head1
from firmware_bridge.journal.writer import SNAPSHOTS

KEY = 32
"""Bytes of a public key."""


class KeyChain:
    """The keys of a journal, segment by segment."""

    def __init__(self, root: bytes) -> None:
        """Begin with the first public key of all; without one any is taken."""
        self._root = root
        self._journal = signing.journal_id(root) if root else b""
        self._now: bytes | None = root or None
        self._keys: dict[int, bytes] = {}
        self._number: int | None = 0  # of the last head, if that is known
        self._heads: dict[int, Head] = {}  # those of the journal, by their numbers
        self._lost: dict[int, str] = {}  # segments whose key nothing certifies
        self._accepted: list[Acceptance] = []

    def begins(self, number: int, said: dict[str, Any], *, edition: int, after_aside: bool) -> str:
        """Take the key that the first row of a segment names; returns what is wrong with it, empty if nothing is."""
        self._number = None if after_aside else self._number
        if edition == 1:
            return "its rows are of an earlier edition than those before it" if self._keys else ""
        try:
            key, journal = bytes.fromhex(said["key"]), bytes.fromhex(said["journal"])
        except (LookupError, TypeError, ValueError):
            self.lose()
            return "its first row names no key"
        before, self._now = self._now, key
        self._keys[number] = key
        self._journal = self._journal or journal
        if (journal, said.get("segment")) != (self._journal, number):
            return "its first row is that of another journal or segment"
        if said.get("certificate") is None:
            first = said.get("reason") == "first" and key == (self._root or key)
            if not first:
                self._lost[number] = said["key"]
            return ""
        if before is None or signing.certified(said, before):
            return ""
        return "the key before it has not certified the key of this segment"

    def noted(self, body: str | None) -> None:
        """Read from the body of a note whether somebody accepts a key."""
        found = lost_keys.read(body)
        if found is not None:
            self._accepted.append(found)

    def lost(self) -> Iterator[tuple[int, list[str]]]:
        """The segments whose key nothing certifies, each with the people who have accepted it, if they are enough."""
        for number, key in self._lost.items():
            by = [one for one in self._accepted if (one.segment, one.key) == (number, key)]
            yield number, [one.person for one in by] if lost_keys.is_accepted(by) else []

    def lose(self) -> None:
        """Forget the key and the count of heads: a segment cannot be read."""
        self._now = self._number = None

    def refuses(self, head: AnyHead, which: str) -> str:
        """What is wrong with a head by itself; empty if nothing is."""
        if not signing.verify(head):
            return f"the signature of the {which} head after it is wrong"
        if isinstance(head, Head1):
            known = self._root or head.key
        else:  # of a segment that is not here its events say so
            known = self._keys.get(head.segment, head.key) if head.journal == self._journal else b""
            if self._heads.get(head.number, head) != head:
                return f"the {which} head {head.number} is another one than the journal has"
        return "" if head.key == known else f"the {which} head after it was signed with another key, {head.key.hex()}"

    def misses(self, head: AnyHead) -> bool:
        """Whether the segment of a head is here, and the head is not."""
        return isinstance(head, Head) and head.segment in self._keys and head.number not in self._heads

    def numbered(self, heads: list[AnyHead]) -> str:
        """Take the numbers of a segment's heads; returns what is wrong with them, empty if nothing is."""
        for head in heads:
            if isinstance(head, Head1):
                continue
            self._heads[head.number] = head
            if self._number is not None and head.number != self._number + 1:
                wrong = f"head {self._number + 1} is gone, {head.number} follows"
                self._number = head.number
                return wrong
            self._number = head.number
        return ""


def head_beside(state: Where) -> AnyHead | None:
    """The last head that was published or, for a journal elsewhere, that came."""
    return signing.published(state / signing.HEAD) if isinstance(state, Path) else state.head()


def own_key(state: Where, notes: list[str]) -> bytes | None:
    """The public key that lies in the folder; empty if there is none, None if what lies there is no key."""
    if not isinstance(state, Path):
        notes.append("the key is the one with which the table was enrolled; --key takes the one that you keep")
        return state.root()
    path = state / signing.PUBLIC
    if not path.exists():
        notes.append("no key is given and none lies in the folder: any key is taken")
        return b""
    notes.append("the key is the one in the folder; --key takes the one that you keep elsewhere")
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return key if len(key) == KEY else None


def uncovered(connection: sqlite3.Connection, heads: list[AnyHead], *, rebuilt: bool) -> Iterator[tuple[int, str]]:
    """What the heads of a segment do not cover as they should, and at which event; heads of edition 1 are not judged.

    A segment that was rebuilt has no snapshots.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    signed = [head for head in heads if isinstance(head, Head)]
    if not signed:
        return  # of edition 1: its heads cover the events alone
    head = signed[-1]
    try:
        digests, place = covered.record_digests(connection), 0
        for head in signed:
            place = digests.index(head.records, place)
        if place != len(digests) - 1:
            yield head.n, "there are records that no head covers"
    except (TypeError, ValueError):
        yield head.n, "the records are not those that the heads cover"
    if rebuilt:
        return
    yield from _snapshots(connection, {(head.n, head.snapshot) for head in signed if head.snapshot != NOTHING})


def _snapshots(connection: sqlite3.Connection, named: set[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
    """Snapshots that no head names, and those that should be there: the first of a segment and the newest."""
    taken = sorted({n for n, _ in named})
    present = set()
    for n, format_, state in connection.execute("SELECT n, format, state FROM snapshots ORDER BY n"):
        present.add(n)
        if not isinstance(state, bytes) or (n, covered.snapshot_digest(format_, state)) not in named:
            yield (
                n if isinstance(n, int) else 0,
                f"what was kept of the table after event {n} is not what a head covers",
            )
    for n in sorted({*taken[:1], *taken[-SNAPSHOTS:]} - present):
        yield n, f"what was kept of the table after event {n} is gone"
