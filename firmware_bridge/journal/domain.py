"""To which domain a journal belongs: a table's, or training's.

1. A folder is training's if it or one above it holds the file `MARK`, or if its journal says so.
2. A table's journal names no domain and begins its chain with 32 zero bytes. One of training names `TRAINING` in the
   first row of each segment and in a column of every row, and its chain begins with the digest of that name: no row of
   it, and none of its heads, fits the chain of a table.
3. A journal begins in the domain of its folder, and stays in it. The daemon goes on with a journal of training only if
   it is told to, and then with no other (`unfit`). Commands that prove a table's past, or take it out of the table,
   refuse such a journal (`refusal`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path

from firmware_bridge.journal import segments
from firmware_bridge.journal.chain import GENESIS, SIZE
from firmware_bridge.journal.schema import TRAINING

TABLE = ""
MARK = "truedeal-training"


def genesis(domain: str) -> bytes:
    """What the first row of a journal follows."""
    return GENESIS if domain == TABLE else blake2b(domain.encode(), digest_size=SIZE).digest()


def domain_of(state: Path) -> str:
    """The domain of a folder and of the journal in it; that of a table where nothing says otherwise."""
    if any((folder / MARK).exists() for folder in (state, *state.resolve().parents)):
        return TRAINING
    for path in reversed(segments.segments(state)):
        with suppress(sqlite3.Error, OSError, ValueError), closing(segments.open_for_reading(path)) as connection:
            return TRAINING if segments.beginning(connection).get("domain") else TABLE
    return TABLE


def refusal(state: Path) -> str:
    """Why a folder is no table's; empty if it is one."""
    return f"{state}: it is training's, which is kept apart from tables" if domain_of(state) != TABLE else ""


def unfit(state: Path, *, training: bool) -> list[str]:
    """Why the daemon does not go on with the journal in a folder."""
    if not training:
        return [wrong] if (wrong := refusal(state)) else []
    return [] if domain_of(state) == TRAINING else [f"{state}: it is not training's"]
