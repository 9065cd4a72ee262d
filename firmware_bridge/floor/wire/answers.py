"""What the centre answers: how far it has come with a journal, and what the table does next.

1. ``ok`` and ``behind``: go on from the mark. ``busy``: ask again after a while. ``quarantined``: two people at the
   centre must decide first. ``unknown``: this table has no such journal, or sent no batch. ``too-new``: the centre must
   be upgraded first.
2. A batch is answered ``ok`` after its commit, never before. No answer means nothing: the table asks.
3. Where the seal has risen, and after an ask, the centre's receipt comes with it, and the list of the keys that may
   sign one (`anchors.receipts`).
4. An ask is a batch without items, whose marks are where the table's own journal ends.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from firmware_bridge.anchors.receipts import CentreKeys, Receipt, keys_of, receipt_of
from firmware_bridge.floor.wire.marks import Mark, Seal, mark_of, seal_of, written

OK, BEHIND, BUSY = "ok", "behind", "busy"
QUARANTINED, UNKNOWN, TOO_NEW = "quarantined", "unknown", "too-new"
_SAID = frozenset({OK, BEHIND, BUSY, QUARANTINED, UNKNOWN, TOO_NEW})


class AnswerError(ValueError):
    """Bytes that are no answer."""


class Answer(NamedTuple):
    """What the centre says."""

    said: str
    have: Mark = Mark()
    sealed: Seal = Seal()
    backed: int = 0
    epoch: str = ""
    wait_ms: int = 0
    receipt: Receipt | None = None
    keys: CentreKeys | None = None


def pack_answer(answer: Answer) -> bytes:
    """An answer as it goes over the wire."""
    said = answer._asdict() | {"v": 1, "have": written(answer.have), "sealed": written(answer.sealed)}
    said["receipt"] = None if answer.receipt is None else answer.receipt.plain()
    said["keys"] = None if answer.keys is None else answer.keys.plain()
    return json.dumps(said, separators=(",", ":")).encode()


def read_answer(body: bytes) -> Answer:
    """The answer that came.

    Raises:
        AnswerError: the body is no answer.
    """
    try:
        said = json.loads(body)
        answer = Answer(
            str(said["said"]),
            mark_of(said["have"]),
            seal_of(said["sealed"]),
            int(said["backed"]),
            str(said["epoch"]),
            int(said["wait_ms"]),
            receipt_of(said["receipt"]) if said.get("receipt") is not None else None,
            keys_of(said["keys"]) if said.get("keys") is not None else None,
        )
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise AnswerError("no answer of the centre") from error
    if answer.said not in _SAID:
        raise AnswerError("an answer that nobody here knows")
    return answer
