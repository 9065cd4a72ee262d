"""``truedeal anchor``: takes each signed head to where the table cannot reach it.

1. It is a process of its own: the daemon has no network. It looks at ``head.json`` every `LOOK` seconds and brings each
   new head to every target. It does not judge the head.
2. Each target has a thread of its own, so that one that is slow or away keeps no other waiting. The thread keeps the
   newest head and no queue: a head covers all before it. What went wrong is tried again after `AGAIN` seconds, then
   less and less often, but at least every `SELDOM` seconds.
3. The state of each target stands in a file (`status`). A problem that comes or goes is a line of the log too.
4. TERM and INT end it: a target that has not got the newest head yet has `LAST` seconds for it.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path

from firmware_bridge.anchors import status
from firmware_bridge.anchors.senders import Sender, sender
from firmware_bridge.anchors.targets import Anchors
from firmware_bridge.journal.clock import since_boot
from firmware_bridge.journal.signed.signing import HEAD, Head, published

LOOK, AGAIN, SELDOM, LAST = 0.25, 1.0, 60.0, 3.0
_BEAT = 20.0  # seconds after which the status is written again, so that it is seen to run


class Courier(threading.Thread):
    """Brings heads to one target."""

    def __init__(self, name: str, to: Sender) -> None:
        """Nothing is sent yet."""
        super().__init__(name=name, daemon=True)
        self._to = to
        self._wakes = threading.Condition()
        self._newest: Head | None = None
        self._sent: Head | None = None
        self._ends = False
        self._problem, self._since, self._pause = "", 0, AGAIN

    def target_state(self) -> dict[str, object]:
        """The state of the target: its last event, its problem, and since when."""
        with self._wakes:
            n = None if self._sent is None else self._sent.n
            return {"n": n, "problem": self._problem, "since": self._since}

    def bring(self, head: Head) -> None:
        """Give it a new head to bring."""
        with self._wakes:
            self._newest = head
            self._wakes.notify()

    def end(self) -> None:
        """Let it try the newest head once more, and end."""
        with self._wakes:
            self._ends = True
            self._wakes.notify()

    def run(self) -> None:
        """Bring heads until it ends."""
        while True:
            with self._wakes:
                while not (self._ends or self._due()):
                    self._wakes.wait(AGAIN)
                    if self._sent is not None and self._to.lost():
                        self._sent = None  # it may not have arrived
                head, ends = self._newest, self._ends
                due = self._due()
            if due and head is not None:
                self._try(head)
            if ends:
                self._to.close()
                return

    def _due(self) -> bool:
        return self._newest is not None and self._newest != self._sent

    def _try(self, head: Head) -> None:
        try:
            self._to.send(head)
        except OSError as error:
            with self._wakes:
                self._since = self._since if self._problem else since_boot()
                self._problem = str(error) or type(error).__name__
                if not self._ends:
                    self._wakes.wait(self._pause)
                self._pause = min(self._pause * 2, SELDOM)
            return
        with self._wakes:
            self._sent, self._problem, self._since, self._pause = head, "", since_boot(), AGAIN


def run(state: Path, anchors: Anchors) -> int:
    """Bring heads until a signal ends it; return the exit status."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    couriers = [Courier(str(target), sender(target, anchors.ca)) for target in anchors.targets]
    for courier in couriers:
        courier.start()
    known: dict[str, dict[str, object]] = {}
    seen: tuple[int, int] | None = None
    written = 0.0
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while not ended.wait(LOOK):
        seen = _give_new_head(state / HEAD, seen, couriers)
        told = {courier.name: courier.target_state() for courier in couriers}
        if told != known or time.monotonic() - written > _BEAT:
            _print_changes(known, told)
            status.write(anchors.status, told)
            known, written = told, time.monotonic()
    for courier in couriers:
        courier.end()
    until = time.monotonic() + LAST
    for courier in couriers:
        courier.join(max(0.0, until - time.monotonic()))
    return 0


def _give_new_head(path: Path, seen: tuple[int, int] | None, couriers: list[Courier]) -> tuple[int, int] | None:
    """Give a head that is new to the couriers; what was seen of the file."""
    try:
        found = path.stat()
    except OSError:
        return seen
    now = found.st_ino, found.st_mtime_ns
    if now == seen:
        return seen
    head = published(path)
    if isinstance(head, Head):
        for courier in couriers:
            courier.bring(head)
    return now


def _print_changes(before: dict[str, dict[str, object]], now: dict[str, dict[str, object]]) -> None:
    """Say what is wrong now, and what is right again."""
    for name, said in now.items():
        problem = said["problem"]
        if problem != before.get(name, {}).get("problem", ""):
            sys.stderr.write(f"truedeal anchor: {name}: {problem or 'is right again'}\n")
            sys.stderr.flush()
