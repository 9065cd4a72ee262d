"""The daemon's part in archiving: now and then it checks whether a segment may be due, and lets a child do the work.

1. Compressing takes a processor for a moment and its flushes take the disk: neither may keep a card waiting. So the
   work is a process of its own, ``truedeal archive``, which gives way; a fault in it cannot harm the table. It is a
   child of the daemon (`child_process`) rather than a timer of the service manager: it works wherever the daemon runs,
   ends with it, and is told which alarms the daemon itself holds open.
2. Looking costs a few calls of the system, `FIRST` seconds after the start and then every `EVERY` seconds: no hour of
   an idle table has more than one. A child is started only when a file is old, or all are large, and one at a time.
3. The journal gets a note of each segment that went, and the log a line. Where a segment stays because it alone names
   something that is in force, the daemon names that again (`run.archived`), and a later child lets the segment go. What
   the child could not do is `problem`, until a later child ends well; `health` shows it.
4. At the end of the daemon the child is killed, which it can be at any moment.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware_bridge.daemon.child_process import TimedChild
from firmware_bridge.journal.archive.retention import perhaps
from firmware_bridge.journal.archive.retention_limits import Retention

FIRST, EVERY = 20.0, 3600.0
"""Seconds from the start to the first look, and from one look to the next."""


class Archiver:
    """Has the old segments of one journal archived."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        state: Path,
        retention: Retention,
        at_hand: Callable[[], Iterable[int]],
        told: Callable[[dict[str, object]], None],
    ) -> None:
        """Look after a state folder; `at_hand` names events that must stay at hand, `told` hears of each segment."""
        self.problem = ""
        self._children = TimedChild(loop)
        self._state = state
        self._retention = retention
        self._at_hand = at_hand
        self._told = told

    def start(self) -> None:
        """Begin to look."""
        self._children.begin_in(FIRST, self.check_segments)

    def check_segments(self) -> None:
        """Start a child if something may be due, and set the timer for the next look."""
        self._children.begin_in(EVERY, self.check_segments)
        if not self._children.works and perhaps(self._state, self._retention, time.time()):
            self._begin()

    def close(self) -> None:
        """Stop looking, and kill the child."""
        self._children.close()

    def _begin(self) -> None:
        held = [word for n in self._at_hand() for word in ("--keep", str(n))]
        wanted = ["--days", str(self._retention.days), "--megabytes", str(self._retention.megabytes)]
        words = ["archive", str(self._state), "--tied", "--json", *wanted, *held]
        lines: list[str] = []
        try:
            self._children.start(words, lines.append, lambda status: self._ended(status, lines))
        except OSError as error:
            self.problem = f"the archive cannot be made: {error}"

    def _ended(self, status: int, lines: list[str]) -> None:
        """The child has ended: what came of it."""
        wrong = [said for line in lines if (said := self._line(line))]
        self.problem = wrong[-1] if wrong else "" if status == 0 else f"the archiving ended with status {status}"

    def _line(self, line: str) -> str:
        """One line of the child; what is wrong, if it says that something is."""
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        match said:
            case {"stays": str(name), "why": str(why), "wrong": bool(wrong)}:
                self._told(said)
                return f"{name}: {why}" if wrong else ""
            case {"archived": _}:
                self._told(said)
                return ""
            case _:
                return line.removeprefix("truedeal archive: ")
