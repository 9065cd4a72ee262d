"""The daemon's part in judging shufflers: now and then a child judges each by all the shoes of the journal.

1. What no single shoe shows adds up over many. A process of its own, ``truedeal shuffler``, goes through the journal
   and gives way to the daemon: `FIRST` seconds after the start, then every `EVERY` seconds.
2. What it found is kept for `health`, and is a row. For a shuffler that fails another row raises the alarm
   `SHUFFLER_FAILS`, with the figures that a technician needs. What the journal at hand already names as found is no
   news. Who clears the alarm says that the shuffler was mended: its test begins again (`audit.shuffling.pooled_shoes`),
   and may fail again.
3. The alarm bars no round: the shift manager decides whether the cards are shuffled in another way.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import cast

from firmware_bridge.daemon.child_process import TimedChild
from firmware_bridge.daemon.known_findings import is_known
from firmware_bridge.people.permissions import SHUFFLER_FAILS
from firmware_bridge.pump.items import Note
from firmware_bridge.shown.health_type import ShufflerHealth

FIRST, EVERY = 1_200.0, 86_400.0
_ALARM = "alarm"
_KEPT = ("device", "method", "decks", "cards", "since", "shoes", "verdict", "evidence", "explains", "neighbours",
         "expected", "chi")  # fmt: skip
"""What stands in a row: all but the course, which follows from the journal."""


class Judging:
    """Has the shufflers of one table judged."""

    def __init__(self, loop: asyncio.AbstractEventLoop, state: Path, told: Callable[[Note], None]) -> None:
        """Look after a state folder; `told` hears what is to be noted."""
        self._children, self._state, self._told = TimedChild(loop), state, told
        self.found: list[ShufflerHealth] | None = None  # nothing before the first look

    def start(self) -> None:
        """Begin to wait."""
        self._children.begin_in(FIRST, self.judge_shufflers)

    def judge_shufflers(self) -> None:
        """Start a child if none is at work, and set the timer for the next look."""
        self._children.begin_in(EVERY, self.judge_shufflers)
        lines: list[str] = []
        if not self._children.works:
            with suppress(OSError):  # the next time
                words = ["shuffler", str(self._state), "--json", "--tied"]
                self._children.start(words, lines.append, lambda _status: self._ended(lines))

    def close(self) -> None:
        """Stop looking, and kill the child."""
        self._children.close()

    def _ended(self, lines: list[str]) -> None:
        """The child has ended: what came of it."""
        found = [cast("ShufflerHealth", json.loads(line)) for line in lines if line.startswith("{")]
        others = [line for line in lines if not line.startswith("{")]
        self.found = found
        told = [{name: value for name, value in one.items() if name in _KEPT} for one in found]
        self._told(Note(json.dumps({"shufflers": told, "said": others}, ensure_ascii=False)))
        for one, figures in zip(found, told, strict=True):
            if one["verdict"] == _ALARM:
                self._raise_alarm(one, figures)

    def _raise_alarm(self, one: ShufflerHealth, figures: dict[str, object]) -> None:
        """Raise the alarm of a shuffler, unless the journal at hand has it."""
        which = "/".join(str(one[name]) for name in ("device", "method", "decks", "cards", "since"))
        digest = blake2b(which.encode(), digest_size=16).hexdigest()
        if not is_known(self._state, digest):
            note = {"alarm": SHUFFLER_FAILS, "found": digest, **figures}
            self._told(Note(json.dumps(note, ensure_ascii=False), alarm=SHUFFLER_FAILS))
