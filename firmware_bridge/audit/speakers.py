"""Who said what a row holds, if the journal knows.

1. A row names the person and the role itself. Nobody knows who pressed a button: the panel stands for them.
2. In edition 1 a note before the row names the person who said it at the console.
"""

from __future__ import annotations

import json
from collections import deque

from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.pump.items import CONSOLE


class Speakers:
    """Takes the rows of a journal one after the other."""

    def __init__(self) -> None:
        """Nobody has spoken."""
        self._waiting: deque[dict[str, str]] = deque()

    def of(self, row: Row) -> dict[str, str] | None:
        """The name and the role of the person who said what a row holds; None if the journal does not know."""
        if row.how is not None:
            return None if row.person is None else {"name": row.person, "role": row.role or ""}
        return self._of_edition_1(row)

    def _of_edition_1(self, row: Row) -> dict[str, str] | None:
        if row.device != CONSOLE:
            return None
        if row.kind != schema.NOTE:
            return self._waiting.popleft() if self._waiting else None
        if (row.body or "").startswith('{"by"'):
            said = json.loads(row.body or "")
            self._waiting.append({"name": said["by"], "role": said["role"]})
        elif (row.body or "").startswith('{"said"') and self._waiting:  # it was refused before it came to the table
            self._waiting.popleft()
        return None
