"""Receipts and the keys of ingesters in the archive.

1. An ingester is known by its public key, which it adds itself. It counts for tables once the floor has signed a list
   with it (`sign_keys`), and no longer when one without it was signed.
2. Each ingester counts its own commits. An archive that has fewer than the ingester knows of was restored from a backup
   (`centre.ingester_key`).
3. Of each journal the newest receipt of an epoch is kept: it covers those before it.
"""

from __future__ import annotations

import json

from nacl.signing import SigningKey

from firmware_bridge.anchors.receipts import CentreKeys, Receipt, ReceiptError, keys_of
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.journal.clock import wall_clock


def add_ingester(archive: Archive, public: bytes, name: str) -> int | None:
    """Add an ingester unless it is known; returns its commits if it was."""
    found = archive.dialect.execute("SELECT commits FROM ingesters WHERE public = ?", (public,))
    if found:
        return int(found[0][0])
    with archive.dialect.transaction():
        values = (public, cleaned(name), wall_clock(), 0, None)
        archive.dialect.execute("INSERT INTO ingesters VALUES (?, ?, ?, ?, ?)", values)
    return None


def strike_off(archive: Archive, public: bytes) -> bool:
    """Strike an ingester off the next list; returns whether there was such a one."""
    with archive.dialect.transaction():
        statement = "UPDATE ingesters SET struck = ? WHERE public = ? AND struck IS NULL RETURNING public"
        return bool(archive.dialect.execute(statement, (wall_clock(), public)))


def sign_keys(archive: Archive, floor: SigningKey) -> CentreKeys:
    """Sign a new list of the ingesters that count, and store it."""
    with archive.dialect.transaction():
        ((last,),) = archive.dialect.execute("SELECT coalesce(max(version), 0) FROM centre_keys")
        chosen = "SELECT public FROM ingesters WHERE struck IS NULL ORDER BY added, public"
        keys = tuple(bytes(public) for (public,) in archive.dialect.execute(chosen))
        made = CentreKeys(int(last) + 1, keys).signed(floor)
        values = (made.version, json.dumps(made.plain()), wall_clock())
        archive.dialect.execute("INSERT INTO centre_keys VALUES (?, ?, ?)", values)
    return made


def newest_keys(archive: Archive) -> CentreKeys | None:
    """The newest list; None if none was signed."""
    found = archive.dialect.execute("SELECT document FROM centre_keys ORDER BY version DESC LIMIT 1")
    try:
        return keys_of(json.loads(found[0][0])) if found else None
    except (ReceiptError, ValueError):
        return None


def newest_receipt(archive: Archive, journal: bytes, epoch: str) -> Receipt | None:
    """The newest receipt of a journal; None if there is none in this epoch."""
    chosen = "SELECT head, n, chain, backed, public, signature FROM receipts WHERE journal = ? AND epoch = ?"
    for head, n, chain, backed, public, signature in archive.dialect.execute(chosen, (journal, epoch)):
        return Receipt(journal, head, n, bytes(chain), backed, epoch, bytes(public), bytes(signature))
    return None
