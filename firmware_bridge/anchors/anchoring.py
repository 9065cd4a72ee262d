"""Whether anything outside has confirmed the journal since the daemon began, and what follows if not.

1. At a start the journal may have been put back: nothing in it could tell. So at a table with a past the daemon waits
   for one of the anchors that it can ask: the files that ``anchors.toml`` names, and every device that the journal
   knows as an anchor, except on an open table. While it `waits`, rows are written and a round in play goes on; nothing
   is signed, and no round begins.
2. One that agrees (`register`) ends the wait, and is a row. If none has agreed after `PATIENCE` seconds, that is the
   alarm `UNANCHORED`. A shift manager who clears it, or `PUT_BACK`, with name and reason, ends the wait too. On an open
   table the row of the alarm is enough.
3. An anchor that holds what the journal does not have is the alarm `PUT_BACK`, whenever it comes, and the round is put
   before the shift manager. No round begins until it is cleared.
4. An anchor that holds nothing and is new to the journal is in its first use: that is a row, and ends the wait. Later
   it confirms nothing. If it held something before, it was wiped, which is an alarm of its own. Somebody may have wiped
   it to put a journal back: as in 3 the round is put before the shift manager, unless another anchor that held
   something before agrees. That is judged when all of those have spoken, at the latest after `PATIENCE` seconds.
5. The receipt of a floor's centre is compared in the same way, but it is only reported: if the journal does not agree,
   that is a row (`CENTRE`), which holds nothing and is no alarm.
6. A table without a past, and one without anchors to ask, waits for nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable

from firmware_bridge.anchors.register import Register, Standing, compare
from firmware_bridge.people.permissions import ANCHOR_WIPED, PUT_BACK, UNANCHORED
from firmware_bridge.pump.items import DAEMON, Item, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.texts.denials import Denial, Ground, Why, deny

PATIENCE = 30.0
ANCHORED = "anchored"
"""The key of the row that says which anchor has confirmed or acknowledged which head."""
CENTRE = "centre"
"""The key of the row that says how the journal stands to the receipt of the centre, where it does not agree."""
NOTHING = (0, 0)
"""The head of an anchor that has none yet."""
_PASSED = frozenset({UNANCHORED, PUT_BACK})


class Anchoring:
    """Stands between the journal of one table and its next signature."""

    def __init__(self, pump: Pump, ask: Iterable[str]) -> None:
        """Wait from now on for one of these anchors; for nothing if there are none."""
        self.pump = pump
        self._asked = set(ask)
        self._waits = bool(self._asked)
        self._alarmed = False
        self._known = {name for name, held in pump.books.anchored.items() if held != NOTHING}
        self._silent = set(self._known)
        self._agreed: set[str] = set()
        self._wiped: set[str] = set()
        self._unjudged: set[str] = set()  # of those that were wiped
        self._timer: asyncio.TimerHandle | None = None
        self._reported: Register | None = None
        pump.gate.bars.append(self._bars)
        pump.books.signs = lambda: not self.waits

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to wait, for at most `PATIENCE` seconds before an alarm."""
        if self._waits or self._silent:
            self._timer = loop.call_later(PATIENCE, self._late)

    def close(self) -> None:
        """Wait no more."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def waits(self) -> bool:
        """Whether no anchor has confirmed the journal yet, nor a person passed it."""
        if self._waits and self._alarmed and _PASSED.isdisjoint(one.code for one in self.pump.books.alarms.open):
            self._waits = False
        return self._waits

    def _bars(self) -> Denial | None:
        return deny(Ground.NOT_ANCHORED) if self.waits else None

    def is_new(self, name: str) -> bool:
        """Whether the journal does not know an anchor yet."""
        return name not in self.pump.books.anchored

    def judge_anchor(self, name: str, held: Register | None) -> None:
        """Judge what an anchor holds of this journal; None if it holds nothing of it."""
        self._silent.discard(name)
        if held is None:
            self._empty(name)
            return
        standing = compare(self.pump.books.journal, held)
        if standing is Standing.AGREES:
            self.acknowledged(name, held.number, held.n)
            return
        said = {"alarm": PUT_BACK, "anchor": name, "number": held.number, "n": held.n, "why": standing.value}
        self._alarm(said)
        self.pump.enqueue(Item.to_the_house())
        self._judge_wiped()

    def report_centre(self, held: Register) -> None:
        """Say how the journal stands to the receipt of the centre, if it does not agree; once for each receipt."""
        standing = compare(self.pump.books.journal, held)
        if standing is not Standing.AGREES and held != self._reported:
            self._reported = held
            self._note({CENTRE: standing.value, "number": held.number, "n": held.n})

    def acknowledged(self, name: str, number: int, n: int) -> None:
        """Take as confirmed that an anchor has a head which the journal has too."""
        if self.pump.books.anchored.get(name) != (number, n):
            self._note({ANCHORED: name, "number": number, "n": n})
            self.pump.books.anchored[name] = (number, n)
        self._silent.discard(name)
        if name in self._known or not self._known:  # a new one has only what it was told
            self._agreed.add(name)
        self._confirmed(name)
        self._judge_wiped()

    def began_anew(self, name: str, why: str) -> None:
        """Forget what an anchor held before, for a reason that goes into the journal."""
        if self.pump.books.anchored.get(name, NOTHING) != NOTHING:
            self._note({ANCHORED: name, "number": 0, "n": 0, "why": why})
            self.pump.books.anchored[name] = NOTHING
        for names in (self._known, self._silent, self._agreed, self._wiped, self._unjudged):
            names.discard(name)

    def _empty(self, name: str) -> None:
        if self.is_new(name):
            self._note({ANCHORED: name, "number": 0, "n": 0, "first-use": True})
            self.pump.books.anchored[name] = NOTHING
            self._confirmed(name)
        elif self.pump.books.anchored[name] != NOTHING:
            self._alarm({"alarm": ANCHOR_WIPED, "anchor": name})
            self._wiped.add(name)
            self._unjudged.add(name)
        self._judge_wiped()

    def _judge_wiped(self) -> None:
        """Hold the table for anchors that were wiped, once no other can agree any more."""
        agrees = bool(self._agreed - self._wiped)
        if self._silent and not agrees:
            return
        for name in () if agrees else sorted(self._unjudged):
            self.pump.enqueue(Item.to_the_house(name))
        self._unjudged.clear()

    def _confirmed(self, name: str) -> None:
        """One of those that were asked ends the waiting; one that nobody asked proves nothing of the past."""
        if name in self._asked and self._waits:
            self._waits = False
            self.pump.announce({"anchor": {"waits": False}})

    def _late(self) -> None:
        self._silent.clear()
        self._judge_wiped()
        if self.waits and not self._alarmed:
            self._alarm({"alarm": UNANCHORED, "asked": sorted(self._asked)})

    def _alarm(self, said: dict[str, object]) -> None:
        code = str(said["alarm"])
        note = Note(json.dumps(said), alarm=code)
        self.pump.enqueue(Item(DAEMON, note, reply=lambda why: self._raised(code, why)))

    def _raised(self, code: str, why: Why | None) -> None:
        """An alarm is durable, or could not be written: then it is tried again."""
        if why is None:
            self._alarmed = self._alarmed or code in _PASSED
        elif self._waits:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._late)

    def _note(self, said: dict[str, object]) -> None:
        self.pump.enqueue(Item(DAEMON, Note(json.dumps(said))))
