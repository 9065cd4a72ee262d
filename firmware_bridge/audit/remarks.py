"""What somebody was allowed to say, and would not be allowed to say by today's permissions.

1. Whether something may be said was decided when it was said, and the kind of its row is the decision. Nothing is
   judged again, because permissions change with the software and the configuration. What would be refused now is a
   remark, which changes no verdict.
2. Roles, reports that only a device may make, and the two names of a matter are checked as the gate of the daemon does
   (`pump.gate`), against the table as it stood before. Two names are demanded where the last start demanded them.
3. A table without roles has no permissions, and edition 1 has no role in the row: there are no remarks on either. The
   walk passes only rows with a role to `Remarks.said`.
"""

from __future__ import annotations

import json
from collections.abc import Collection

from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.people import permissions, two_names
from firmware_bridge.people.two_names import Rows
from firmware_bridge.texts.denials import Denial
from gamecore.model.events.events import Event
from gamecore.notation.writer import write_event
from gamecore.table import Table


class Remarks:
    """Collects the remarks on one journal."""

    def __init__(self) -> None:
        """Nothing was said."""
        self.found: list[str] = []
        self.sensors: Collection[str] = ()
        self._two = True

    def passed(self, row: Row) -> None:
        """Read from the row of a start whether two names are demanded."""
        if row.kind == schema.START:
            try:
                self._two = json.loads(row.body or "").get("two_persons") is not False
            except (AttributeError, ValueError, RecursionError):  # it is not as it was written, which the chain says
                self._two = True

    def before_statement(self, row: Row, event: Event, table: Table, rows: Rows) -> None:
        """Remark on what somebody was allowed to say, if it would be refused now."""
        words = write_event(event)
        why = self._refused(words, row, event, table, rows)
        if why is not None:
            self.found.append(f"event {row.n}, '{words}' by {row.person}: would be refused now: {why}")

    def _refused(self, words: str, row: Row, event: Event, table: Table, rows: Rows) -> Denial | None:
        roles = permissions.needed(event, table)
        if not permissions.allows(row.role or "", roles):
            return permissions.lacks_role(words, roles, row.role or "")
        return permissions.reported(words, event, table, self.sensors) or two_names.refuses(
            row.person or "", event, table, rows, two=self._two
        )
