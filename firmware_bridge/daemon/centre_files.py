"""What comes from the centre of a floor, in files that the shipper keeps: its receipt, and the people of the table.

1. Both are looked at when the head of a round is on the disk, by one call of the system each, and read only if they
   have changed; a roster also at the start. Nothing of this is on a card's way, and the daemon waits for nobody: a
   table that has not heard from the centre goes on with what it has.
2. The receipt is compared with the journal and reported (`anchors.anchoring`). At a start a child reads it
   (`anchors.asking`).
3. A roster is taken between rounds (`people.accounts.central_roster`): first its list is written beside the one in
   force, then its rows, and when the last of them is durable it is in force. While another change of the list is being
   written, it waits for the end of the next round.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware_bridge.anchors import receipts
from firmware_bridge.anchors.anchoring import Anchoring
from firmware_bridge.journal.foreign_file import Seen, sight
from firmware_bridge.journal.schema import ROSTER
from firmware_bridge.people.accounts.central_roster import CentralRoster, refusal_row
from firmware_bridge.people.guard import Guard
from firmware_bridge.pump.items import DAEMON, Item, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.texts.denials import Why


class ReceiptFile:
    """The centre's receipt of one journal."""

    def __init__(self, path: Path, key: bytes, journal: bytes, anchoring: Anchoring) -> None:
        """The child has looked at it already, or will; what comes from now on is looked at here."""
        self._path, self._key, self._journal, self._anchoring = path, key, journal, anchoring
        self._seen: Seen | None = sight(path)

    def compare_receipt(self) -> None:
        """Report how the journal stands to a receipt that has come."""
        now = sight(self._path)
        if now == self._seen:
            return
        self._seen = now
        with suppress(OSError):
            found = receipts.read_file(self._path, self._key)
            if found is not None and found[0].journal == self._journal:
                self._anchoring.report_centre(found[0].register)


class CentreFiles:
    """The files of one table."""

    def __init__(
        self,
        pump: Pump,
        later: Callable[[Callable[[], None]], object],
        receipt: ReceiptFile | None,
        roster: CentralRoster | None,
    ) -> None:
        """Look after every round from now on; `later` calls back at the next turn of the loop."""
        self._pump, self._receipt, self._roster = pump, receipt, roster
        before = pump.books.signed

        def signed() -> None:
            before()
            later(self.look_at_files)

        pump.books.signed = signed
        if roster is not None and pump.guard is not None:
            pump.guard.register.kept_at_centre = roster.rules

    def look_at_files(self) -> None:
        """Look whether something has come."""
        pump = self._pump
        if pump.broken or pump.stalled:
            return
        if self._receipt is not None:
            self._receipt.compare_receipt()
        if self._roster is not None and pump.guard is not None and not pump.table.round_is_on:
            self._look_for_roster(self._roster, pump.guard)

    def _look_for_roster(self, central: CentralRoster, guard: Guard) -> None:
        register = guard.register
        if register.writing or not central.changed_file():
            return
        roster, why = central.read_next()
        if why:
            self._note(refusal_row(why))
        if roster is None:
            return
        people = central.people_after(roster)
        try:
            digest = register.write_next(people)
        except OSError:  # there is no room: the end of the next round tries again
            central.forget_look()
            return
        register.writing = True

        def kept(refused: Why | None) -> None:
            register.writing = False
            if refused is not None:
                central.forget_look()
                return
            central.version = roster.version
            self._pump.books.documents[ROSTER] = roster.version
            guard.take_list(people, digest)

        *changed, last = central.rows(roster, people, digest)
        for said in changed:
            self._note(json.dumps(said, ensure_ascii=False))
        self._pump.enqueue(Item(DAEMON, Note(json.dumps(last, ensure_ascii=False)), reply=kept))

    def _note(self, text: str) -> None:
        self._pump.enqueue(Item(DAEMON, Note(text)))
