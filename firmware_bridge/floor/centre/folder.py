"""A state folder into the archive, without a network: ``truedeal ingest --from FOLDER``.

1. It goes the way of a batch over the wire: read from the mark on, packed, unpacked, verified, committed.
2. What is wrong quarantines the journal, as it would over the broker.
3. A journal that the archive does not know is added to the table that is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.intake.intake import judge_end, take_batch
from firmware_bridge.floor.intake.known import OPEN, Behind, Known, TakenBatch, Wrong
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire.batch import pack, unpack

Outcome = TakenBatch | Behind | Wrong


def take_folder(archive: Archive, state: Path, casino: str, name: str) -> Iterator[Outcome]:
    """Take what a folder has and the archive does not; yields what became of each batch.

    Raises:
        SourceError: the folder cannot be read.
        ArchiveError: the archive cannot take it now.
        LookupError: the journal belongs to another table.
    """
    source = Source(state)
    try:
        archive.add_journal(casino, name, source.root())
        known = _known(archive, source.journal(), casino, name)
        if known.state == OPEN and (wrong := judge_end(known, source.end())) is not None:
            archive.quarantine(known.journal, wrong, b"")
            yield wrong
            return
        while known.state == OPEN and (batch := source.batch_after(known.mark)) is not None:
            outcome = take_body(archive, known, pack(batch))
            yield outcome
            known = _known(archive, source.journal(), casino, name)
            if isinstance(outcome, Behind):
                return
    finally:
        source.close()


def take_body(archive: Archive, known: Known, body: bytes) -> Outcome:
    """Take the body of a batch, or quarantine its journal."""
    outcome = take_batch(known, unpack(body), lambda n: archive.chain_at(known.journal, n), house=archive.is_house())
    if isinstance(outcome, Wrong):
        archive.quarantine(known.journal, outcome, body)
    elif isinstance(outcome, TakenBatch) and archive.commit([outcome]) == [None]:
        return Behind(known)
    return outcome


def _known(archive: Archive, journal: bytes, casino: str, name: str) -> Known:
    known = archive.known(journal, casino, name)
    if known is None:
        raise LookupError(f"{casino}/{name} has no such journal")
    return known
