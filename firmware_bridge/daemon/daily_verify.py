"""The daemon's part in verifying: now and then a child looks through the whole journal.

1. At a start only the newest segment is checked, so that a start does not take longer as the journal grows. A process
   of its own, ``truedeal verify``, checks the whole journal and gives way to the daemon: `FIRST` seconds after the
   start, then every `EVERY` seconds.
2. What it found is a row: that the journal is whole, or what is wrong, with the alarm `NOT_WHOLE`. What the journal at
   hand already names as found is no news: it is a row without an alarm.
3. What is wrong is told only if the next look, `AGAIN` seconds later, finds the same: a segment may have gone into the
   archive meanwhile.
4. Replay is left to people: it takes as long as all rounds took, and the rules do not change while the daemon runs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from firmware_bridge.daemon.child_process import TimedChild
from firmware_bridge.daemon.known_findings import is_known
from firmware_bridge.people.permissions import NOT_WHOLE
from firmware_bridge.pump.items import Note

FIRST, EVERY, AGAIN = 900.0, 86_400.0, 60.0
SHOWN = 5
"""How many of the problems stand in the row."""
_WRONG = "NOT WHOLE: "


class Verifying:
    """Has the journal of one table verified."""

    def __init__(self, loop: asyncio.AbstractEventLoop, state: Path, told: Callable[[Note], None]) -> None:
        """Look after a state folder; `told` hears what is to be noted."""
        self._children, self._state, self._told = TimedChild(loop), state, told
        self._doubted = ""  # what was wrong when it was looked at last

    def start(self) -> None:
        """Begin to wait."""
        self._children.begin_in(FIRST, self.verify_journal)

    def verify_journal(self) -> None:
        """Start a child if none is at work, and set the timer for the next look."""
        self._children.begin_in(EVERY, self.verify_journal)
        lines: list[str] = []
        if not self._children.works:
            words = ["verify", str(self._state), "--no-replay", "--tied"]
            with suppress(OSError):  # the next time
                self._children.start(words, lines.append, lambda status: self._ended(status, lines))

    def close(self) -> None:
        """Stop looking, and kill the child."""
        self._children.close()

    def _ended(self, status: int, lines: list[str]) -> None:
        """The child has ended: what came of it."""
        wrong = [line.removeprefix(_WRONG) for line in lines if line.startswith(_WRONG)]
        if not wrong:
            said = lines[-1] if lines else ""
            self._told(Note(json.dumps({"verified": status, "said": said}, ensure_ascii=False)))
            return
        digest = blake2b("\n".join(wrong).encode(), digest_size=16).hexdigest()
        if self._doubted != digest:
            self._doubted = digest
            self._children.begin_in(AGAIN, self.verify_journal)
            return
        found = {"problems": wrong[:SHOWN], "many": len(wrong), "found": digest}
        if is_known(self._state, digest):
            self._told(Note(json.dumps({"verified": status, **found}, ensure_ascii=False)))
        else:
            self._told(Note(json.dumps({"alarm": NOT_WHOLE, **found}, ensure_ascii=False), alarm=NOT_WHOLE))
