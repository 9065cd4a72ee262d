"""What the centre knows of a journal, and what becomes of a batch: the values between intake and archive."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from firmware_bridge.floor.wire.marks import Mark, Seal
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.signed.signing import AnyHead, journal_id

OPEN, QUARANTINED, ENDED = "open", "quarantined", "ended"
"""The states of a journal: it is taken; nothing is taken until two people decide; it ends, and another follows."""

FORK, ROLL_BACK, SIGNATURE, KEY, CHAIN, BODY, DOMAIN, GAP = (
    "fork",
    "roll-back",
    "signature",
    "key-lost",
    "chain",
    "body",
    "open-table",
    "gap",
)
"""Why a journal is quarantined: another past; shorter than what was sealed; a head or certificate that is wrong; a key
that nothing certifies; rows that do not hang together; bytes that are none of a journal; training, or in the archive of
a house a table without people; the same gap again and again (`centre.archivist`)."""


@dataclass(frozen=True, slots=True)
class Known:
    """A journal, up to where it has come."""

    journal: bytes
    root: bytes  # the first public key of all
    mark: Mark = field(default_factory=Mark)
    seal: Seal = field(default_factory=Seal)
    key: bytes = b""  # of the segment that is being taken
    edition: int = 0  # of its rows; 0 before the first
    loose: bool = False  # the numbers of heads may skip here: what was damaged had some
    state: str = OPEN

    @classmethod
    def begin(cls, root: bytes) -> Known:
        """A journal of which nothing has come."""
        return cls(journal_id(root), root, key=root)

    def moved(self, **changes: object) -> Known:
        """The same with parts of its mark changed."""
        return replace(self, mark=self.mark._replace(**changes))  # type: ignore[arg-type]  # the names are ours


class Event(NamedTuple):
    """An event that was taken: where it stands, its digest, its bytes, and what they say."""

    line: int
    segment: int
    chain: bytes
    data: bytes
    row: Row


class Record(NamedTuple):
    """A row of a record that was taken: where it stands in its segment, its bytes, its table and columns."""

    line: int
    segment: int
    number: int
    data: bytes
    table: str
    columns: tuple[object, ...]


class Sealed(NamedTuple):
    """A head that was taken: where it stands, its bytes, and what they say."""

    line: int
    segment: int
    data: bytes
    head: AnyHead


class Begun(NamedTuple):
    """A segment that has begun: its line, number, first row, edition, key and first row's text."""

    line: int
    segment: int
    first: int
    edition: int
    key: bytes
    said: str


@dataclass(frozen=True, slots=True)
class TakenBatch:
    """A batch that was taken: the journal after it, and what is to be written. `replaced` rows lie on an old line."""

    before: Known
    known: Known
    events: list[Event] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    heads: list[Sealed] = field(default_factory=list)
    segments: list[Begun] = field(default_factory=list)
    replaced: int = 0


class Behind(NamedTuple):
    """The batch does not follow what the centre has; nothing is written, and the table is told the mark."""

    known: Known


class Wrong(NamedTuple):
    """The journal is quarantined: why, where, and in words."""

    reason: str
    n: int
    detail: str
