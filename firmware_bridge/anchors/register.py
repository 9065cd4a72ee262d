"""What an anchor holds, compared with the journal.

1. A register is the number of a head, the last event that it covers, and the digest of that event. A device keeps one
   for each journal; a file has it in its last good line about the journal.
2. The journal `AGREES` if it has the event with that digest, and a head of that number or a later one. It is `BEHIND`
   if it does not reach that far: it was cut or put back. It is `BESIDE` if another event stands there: somebody has
   rewritten it.
3. An event in a segment that is not at hand any more is looked for in the archive. An event that cannot be found or
   read counts as `BESIDE`.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from enum import Enum
from typing import NamedTuple

from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.writer import Journal


class Standing(Enum):
    """How the journal stands to what an anchor holds."""

    AGREES = "agrees"
    BEHIND = "the journal ends before it"
    BESIDE = "the journal has another event there"


class Register(NamedTuple):
    """The head that an anchor holds."""

    number: int
    n: int
    chain: bytes


def compare(journal: Journal, held: Register) -> Standing:
    """How the journal stands to what an anchor holds."""
    if held.number > journal.head_number or held.n > journal.n:
        return Standing.BEHIND
    return Standing.AGREES if _chain(journal, held.n) == held.chain else Standing.BESIDE


def _chain(journal: Journal, n: int) -> bytes | None:
    """The digest of an event, wherever it lies."""
    chosen = "SELECT chain FROM events WHERE n = ?"
    if n >= journal.first:
        found = journal.connection.execute(chosen, (n,)).fetchone()
        return None if found is None else bytes(found[0])
    for path in reversed(journal.all_before()):
        with suppress(sqlite3.Error, OSError), compressed_segments.opened(path) as connection:
            first = connection.execute("SELECT min(n) FROM events").fetchone()[0]
            if first is None or first > n:
                continue
            found = connection.execute(chosen, (n,)).fetchone()
            return None if found is None else bytes(found[0])
    return None
