"""Batches for the tests of the intake: the journal of a folder, cut as a test wants it."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.floor.intake.intake import take_batch
from firmware_bridge.floor.intake.known import Known, TakenBatch
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire.batch import Batch


class Centre:
    """A centre in memory: what it knows of one journal, and the digests that it has."""

    def __init__(self, root: bytes) -> None:
        """Nothing has come."""
        self.known = Known.begin(root)
        self.chains: dict[int, bytes] = {}
        self.rows: list[tuple[int, int, bytes]] = []

    def give(self, batch: Batch) -> object:
        """Give it a batch; what becomes of it. What is taken counts."""
        outcome = take_batch(self.known, batch, self.chains.get)
        if isinstance(outcome, TakenBatch):
            self.known = outcome.known
            self.chains.update({event.row.n: event.chain for event in outcome.events})
            self.rows += [(event.line, event.row.n, event.data) for event in outcome.events]
        return outcome

    def take_all(self, state: Path) -> list[object]:
        """Take what a folder has; what became of each batch."""
        source = Source(state)
        found: list[object] = []
        while (batch := source.batch_after(self.known.mark)) is not None:
            found.append(self.give(batch))
            if not isinstance(found[-1], TakenBatch):
                break
        source.close()
        return found


def centre_of(state: Path) -> Centre:
    """A centre that knows the key of a folder's journal."""
    return Centre(Source(state).root())


def batches(state: Path) -> list[Batch]:
    """The whole journal of a folder in batches."""
    centre, source, found = centre_of(state), Source(state), []
    while (batch := source.batch_after(centre.known.mark)) is not None:
        found.append(batch)
        if not isinstance(centre.give(batch), TakenBatch):
            break
    source.close()
    return found
