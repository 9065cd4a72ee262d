"""What faults of a link say about its cable: how they stand in the journal, and which are put before the house.

1. A fault is a note of its device: its code and what was seen, and how often where it stands for several.
2. A device may hold events from before a session. The note of the session says how many numbers it held, and the row
   of each such event says `backlog`. The row does not say how old the event is: the row before it, of the lost link or
   of the start, shows since when nobody listened. Such events are known by their numbers and are not counted, because a
   long event has several numbers.
3. Events that are gone (`events-lost`), and numbers that a device started again (`forgot`), leave cards on the table
   without a record: the table is held, as in 4. When several devices report this within `TOGETHER` seconds, the devices
   have not forgotten: the journal was put back, and that is an alarm of its own.
4. Somebody may be at the cable when events were held back on the way (`late`), when noise floods the link (`flooded`),
   and when frames were withheld on the same link `OFTEN` times within `WITHIN` seconds. Then a call of `uncovered` that
   names the device holds the table. Nobody at the table has erred, and the alarm stays until it is cleared. One
   withheld frame does not hold the table: it ends the session, and the lost link is recorded.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Final

from drivers.faults import EVENTS_LOST, FLOODED, FORGOT, LATE, WITHHELD, Fault
from drivers.happenings import Identity
from drivers.link.numbers import behind
from firmware_bridge.journal.chain import BACKLOG
from firmware_bridge.people.permissions import PUT_BACK
from firmware_bridge.pump.items import Note
from gamecore.model.events import events as ev

OFTEN: Final = 3
WITHIN: Final = 600.0
TOGETHER: Final = 60.0
_GONE: Final = frozenset({EVENTS_LOST, FORGOT})


def met(device: str, identity: Identity) -> str:
    """The note of a session that begins: the device held the next `held` numbers from before it."""
    said = {"device": device, "serial": identity.serial, "firmware": identity.firmware}
    return json.dumps({**said, "numbering": identity.numbering, "held": identity.held})


def fault_text(fault: Fault) -> str:
    """A fault as the journal has it."""
    often = f" ({fault.times} in a minute)" if fault.times > 1 else ""
    return f"fault {fault.code}{often}: {fault.detail}"


class Cables:
    """The links of a table."""

    __slots__ = ("_backlog", "_following", "_gone", "_withheld")

    def __init__(self) -> None:
        self._withheld: dict[str, deque[float]] = {}
        self._gone: dict[str, float] = {}
        self._following: dict[str, int] = {}  # the first number that is not of what a device held, until that has come
        self._backlog: set[tuple[str, int]] = set()  # what a device held, has come and waits for its turn

    def begins(self, device: str, identity: Identity) -> None:
        """A session began: the next events that come are those that the device held."""
        self._following.pop(device, None)
        if identity.held:
            self._following[device] = identity.following

    def came(self, device: str, number: int) -> None:
        """Note whether an event that has come is one that the device held."""
        following = self._following.get(device)
        if following is None:
            return
        if behind(number, following):
            self._backlog.add((device, number))
        if not behind(number + 1, following):
            del self._following[device]

    def known(self, device: str, number: int) -> str | None:
        """How an event became known; None if it was heard when it happened. An event can be asked about once."""
        if (device, number) not in self._backlog:
            return None
        self._backlog.remove((device, number))
        return BACKLOG

    def follows(self, device: str, fault: Fault, now: float) -> list[Note | ev.Call]:
        """What follows from a fault: an alarm, a call that holds the table."""
        together, held = self._together(device, fault, now), self._suspicious(device, fault, now)
        said = {"alarm": PUT_BACK, "devices": together, "why": "events are missing on several devices at once"}
        put_back: list[Note | ev.Call] = [Note(json.dumps(said), alarm=PUT_BACK)] if together else []
        return [*put_back, ev.Call("uncovered", device=device)] if held else put_back

    def _suspicious(self, device: str, fault: Fault, now: float) -> bool:
        """Whether somebody should look at the cable before the next card."""
        if fault.code != WITHHELD:
            return fault.code in {LATE, FLOODED, *_GONE}
        times = self._withheld.setdefault(device, deque(maxlen=OFTEN))
        times.append(now)
        if len(times) < OFTEN or now - times[0] > WITHIN:
            return False
        times.clear()
        return True

    def _together(self, device: str, fault: Fault, now: float) -> list[str]:
        """The devices that miss events at once, if this fault makes them several; they are told once."""
        if fault.code not in _GONE:
            return []
        before = self._gone.get(device, -TOGETHER)
        self._gone[device] = now
        together = sorted(name for name, at in self._gone.items() if now - at < TOGETHER)
        return together if len(together) > 1 and now - before >= TOGETHER else []
