"""Keeps the centre's receipt at the table, as an anchor of its journal: ``centre.json`` in the shipper's own folder.

1. A receipt counts if the floor vouches for the ingester that signed it (`anchors.receipts`); ``floor.pub`` has the
   floor's public key, as the enrolment has brought it. What is not proved is left out.
2. The highest receipt of a journal is kept, by its head, then by what is backed up. A lower one comes from a centre
   that was restored. A list of keys of an earlier version than the one kept counts no more.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from firmware_bridge.anchors.receipts import CentreKeys, Receipt, is_proved, read_file, written
from firmware_bridge.journal.signed.signing import replace

FILE, FLOOR = "centre.json", "floor.pub"


class KeptReceipt:
    """The receipt that a table keeps."""

    def __init__(self, folder: Path) -> None:
        """Keep it in this folder."""
        self._path = folder / FILE
        self._floor = b""
        self._kept: tuple[Receipt, CentreKeys] | None = None
        with suppress(OSError, ValueError):
            self._floor = bytes.fromhex((folder / FLOOR).read_text(encoding="ascii"))
            self._kept = read_file(self._path, self._floor)

    @property
    def floor(self) -> bytes:
        """The floor's public key; empty where there is none."""
        return self._floor

    def keep_highest(self, receipt: Receipt, keys: CentreKeys) -> bool:
        """Keep a receipt if it is proved, and higher than what is kept; returns whether it is kept."""
        if not is_proved(receipt, keys, self._floor):
            return False
        if self._kept is not None:
            before, listed = self._kept
            older = (receipt.head, receipt.backed) <= (before.head, before.backed) and receipt.journal == before.journal
            if older or keys.version < listed.version:
                return False
        with suppress(OSError):  # a full disk stops nothing here
            replace(self._path, written(receipt, keys))
            self._kept = receipt, keys
            return True
        return False
