"""What stands around a round in the journal: the rounds beside it, and what proves its rows.

1. Beside a round are the one before and the one after it, and the nearest ones in which something was found. They are
   looked for in its own segment, then in at most `FAR` segments on either side.
2. Its proof is the digest of its last row, and the first signed head of its segment that covers that row. Anyone who
   has the row's digest and the head can show with ``truedeal verify`` that this is what the table wrote.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from firmware_bridge.audit.exports.csv_cells import key
from firmware_bridge.audit.journal_reader import Part, Reader, UnreadableError, opened
from firmware_bridge.console.answers import RoundProof

FAR = 8
_FOUND = "AND EXISTS (SELECT 1 FROM findings WHERE round = rounds.id)"
_BESIDE = {
    "older": "SELECT began, first FROM rounds WHERE first < ? ORDER BY first DESC LIMIT 1",
    "newer": "SELECT began, first FROM rounds WHERE first > ? ORDER BY first LIMIT 1",
    "older_found": f"SELECT began, first FROM rounds WHERE first < ? {_FOUND} ORDER BY first DESC LIMIT 1",  # noqa: S608
    "newer_found": f"SELECT began, first FROM rounds WHERE first > ? {_FOUND} ORDER BY first LIMIT 1",  # noqa: S608  ours
}
_HEAD = "SELECT number, n, chain, key, signature FROM heads WHERE n >= ? ORDER BY n LIMIT 1"


def rounds_beside(found: list[Part], at: int, first: int) -> dict[str, str | None]:
    """The keys of the rounds beside the one that begins with `first` in `found[at]`; None if there is none."""
    told: dict[str, str | None] = dict.fromkeys(_BESIDE)
    for names, further in (
        ({"older", "older_found"}, found[max(0, at - FAR) : at + 1][::-1]),
        ({"newer", "newer_found"}, found[at : at + FAR + 1]),
    ):
        for part in further:
            left = [name for name in names if told[name] is None]
            if not left:
                break
            with suppress(sqlite3.Error, UnreadableError, UnicodeDecodeError), opened(part) as reader:
                told |= {name: _key(reader, _BESIDE[name], first) for name in left}
    return told


def _key(reader: Reader, chosen: str, first: int) -> str | None:
    row = reader.connection.execute(chosen, (first,)).fetchone()
    return None if row is None else key(row[0], row[1])


def round_proof(reader: Reader, last: int) -> RoundProof | None:
    """What proves a round with this last row; None if the row is not there, or was written in edition 1."""
    try:
        row = reader.connection.execute("SELECT chain FROM events WHERE n = ?", (last,)).fetchone()
        head = reader.connection.execute(_HEAD, (last,)).fetchone()
    except sqlite3.OperationalError:
        return None
    if row is None:
        return None
    told: RoundProof = {"n": last, "chain": bytes(row[0]).hex(), "head": None}
    if head is not None:
        number, n, chain, public, signature = head
        said = {"chain": bytes(chain).hex(), "key": bytes(public).hex(), "signature": bytes(signature).hex()}
        told["head"] = {"number": number, "n": n, **said}  # type: ignore[typeddict-item]  # its parts are all there
    return told
