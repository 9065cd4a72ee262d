"""How fast a shipper may send: a backlog gives way to the table.

1. While a round is on, at most `IN_ROUND` large batches go out a second, between rounds at most `BETWEEN`. The rate
   begins at `IN_ROUND` and doubles at most once a second: a week's backlog does not fall upon a centre that is just
   coming back.
2. Between two batches of any size lies at least as long as the last one took, at least `LEAST` seconds, and what the
   centre asks for. A small batch is what the table has just written: it goes without the delay of a backlog.
"""

from __future__ import annotations

from firmware_bridge.floor.wire.batch import BYTES, ITEMS, Batch

IN_ROUND, BETWEEN = 2.0, 20.0
LEAST = 0.05
_AGAIN = 1.0  # seconds between two doublings


def is_large(batch: Batch) -> bool:
    """Whether a batch is part of a backlog."""
    return len(batch.items) >= ITEMS // 2 or sum(len(item.data) for item in batch.items) >= BYTES // 2


class Pace:
    """The pace of one shipper."""

    def __init__(self) -> None:
        """Begin slowly."""
        self._rate = IN_ROUND
        self._raised = 0.0

    def pause_after(self, batch: Batch, now: float, took: float, *, in_round: bool) -> float:
        """The seconds to wait after a batch, which was answered at `now` and took so long."""
        if not is_large(batch):
            return max(took, LEAST)
        most = IN_ROUND if in_round else BETWEEN
        if now - self._raised >= _AGAIN:
            self._rate, self._raised = self._rate * 2, now
        self._rate = min(self._rate, most)
        return max(took, LEAST, 1 / self._rate - took)
