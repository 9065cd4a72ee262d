"""Answers those who want to know what came of a device's event.

1. A device's events are applied in the order of their numbers. A question about one is answered at once if it has been
   applied, else when it is: why it was refused, or None.
2. The last `REMEMBERED` refusals of a device are kept, for those who ask late.
3. An event that waits for a shoe that is away is applied when somebody has plugged the shoe in. Those who ask about it
   can be told so at once, and ask again when the shoe is back.
4. At most `WAITING` questions about a device wait. One more, and the oldest gets the answer that too many wait. The
   questions of a connection that has ended are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.pump.items import Reply
from firmware_bridge.texts.denials import Ground, Why, deny

REMEMBERED = 1024
"""How many refusals of a device are remembered."""
WAITING = 1024
"""How many may wait for the events of a device."""
Waits = Callable[[], None]


class _WaitingReply(NamedTuple):
    number: int
    reply: Reply
    waits: Waits | None
    who: object


@dataclass(slots=True)
class _Device:
    number: int = 0
    behind_shoe: bool = False
    refused: dict[int, Why] = field(default_factory=dict)
    waiting: list[_WaitingReply] = field(default_factory=list)


class EventResults:
    """How far each device's events have been applied."""

    def __init__(self) -> None:
        """Nothing has been applied."""
        self._devices: dict[str, _Device] = {}

    def when(self, device: str, number: int, reply: Reply, waits: Waits | None = None, who: object = None) -> None:
        """Answer once a device's event has been applied; or, if that is asked for, say that it waits for the shoe."""
        known = self._devices.setdefault(device, _Device())
        if number <= known.number:
            reply(known.refused.get(number))
        elif waits is not None and known.behind_shoe:
            waits()
        else:
            known.waiting.append(_WaitingReply(number, reply, waits, who))
            if len(known.waiting) > WAITING:
                known.waiting.pop(0).reply(deny(Ground.TOO_MANY_WAIT))

    def begins_at(self, device: str, number: int) -> None:
        """Take a device's events up to this number as applied: at a start, and when a session of the device begins."""
        self._devices.setdefault(device, _Device()).number = number

    def done(self, device: str, number: int, refused: Why | None) -> None:
        """Note that a device's event has been applied, and answer those who waited for it."""
        known = self._devices.setdefault(device, _Device())
        known.number = number
        if refused is not None:
            known.refused[number] = refused
            while len(known.refused) > REMEMBERED:
                del known.refused[next(iter(known.refused))]
        if known.waiting:
            due = [one for one in known.waiting if one.number <= number]
            known.waiting = [one for one in known.waiting if one.number > number]
            for one in due:
                one.reply(known.refused.get(one.number))

    def forget(self, who: object) -> None:
        """Drop the questions of somebody who has gone."""
        for known in self._devices.values():
            known.waiting = [one for one in known.waiting if one.who is not who]

    def wait_for_shoe(self, device: str) -> None:
        """Say that a device's events from here on wait for the shoe, which is away, heard or not."""
        known = self._devices.setdefault(device, _Device())
        known.behind_shoe = True
        told = [one for one in known.waiting if one.waits is not None]
        known.waiting = [one for one in known.waiting if one.waits is None]
        for one in told:
            if one.waits is not None:
                one.waits()

    def shoe_is_back(self) -> None:
        """Take new questions again: what waits for the shoe now waits only until the shoe is heard."""
        for known in self._devices.values():
            known.behind_shoe = False
