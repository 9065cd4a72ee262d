"""Asks the file anchors what they hold, through a child process: a mount that does not answer keeps nobody waiting.

1. The child is ``truedeal anchor --read``, which prints one line for each file. While the daemon waits for an anchor,
   the next child starts `AGAIN` seconds after the last has ended: a mount may come later than the table.
2. The receipt of a floor's centre comes the same way. It is only reported.
3. A file that is not there holds nothing if it never held anything. If it did, its folder is away, which is no answer.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from firmware_bridge.anchors.anchoring import Anchoring
from firmware_bridge.anchors.register import Register
from firmware_bridge.daemon.child_process import TimedChild

AGAIN = 5.0


class Asking:
    """Asks the files of one table."""

    def __init__(self, loop: asyncio.AbstractEventLoop, state: Path, file: Path, anchoring: Anchoring) -> None:
        """Ask nothing yet; `file` names the anchors."""
        self._children, self._anchoring = TimedChild(loop), anchoring
        self._words = ["anchor", "--state", str(state), "--anchors", str(file), "--tied", "--read"]

    def start(self, journal: bytes) -> None:
        """Begin to ask about a journal."""
        self._words.append(journal.hex())
        self._ask()

    def close(self) -> None:
        """Ask no more."""
        self._children.close()

    def _ask(self) -> None:
        try:
            self._children.start(self._words, self._read_line, self._ended)
        except OSError:  # it is tried again; that nobody has answered is told in time
            self._ended(0)

    def _read_line(self, line: str) -> None:
        try:
            said = json.loads(line)
        except ValueError:
            return
        match said:
            case {"target": str(name), "held": [int(number), int(n), str(chain)]}:
                self._anchoring.judge_anchor(name, Register(number, n, bytes.fromhex(chain)))
            case {"centre": [int(number), int(n), str(chain)]}:
                self._anchoring.report_centre(Register(number, n, bytes.fromhex(chain)))
            case {"target": str(name), "held": None, "there": bool(there)} if there or self._anchoring.is_new(name):
                self._anchoring.judge_anchor(name, None)

    def _ended(self, _: int) -> None:
        if self._anchoring.waits:
            self._children.begin_in(AGAIN, self._ask)
