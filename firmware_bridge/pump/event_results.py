"""Who wants to know what came of a device's event.

1. A device's events are applied in the order of their numbers. A question about one is answered at once if it has been
   applied, else when it is: why it was refused, or None.
2. The last `REMEMBERED` refusals of a device are kept, for those who ask late.
3. An event that waits for a shoe that is away is applied when somebody has plugged the shoe in. Those who ask about it
   can be told so at once, and ask again when the shoe is back.
4. At most `WAITING` questions about a device wait. With one more, the oldest is answered that too many wait. Questions
   of somebody who has gone are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.pump.items import Reply, Why

REMEMBERED = 1024
"""How many refusals of a device are remembered."""
WAITING = 1024
"""How many may wait for the events of a device."""
Waits = Callable[[], None]


class _Waiting(NamedTuple):
    number: int
    reply: Reply
    waits: Waits | None
    who: object


@dataclass(slots=True)
class _Device:
    number: int = 0
    behind_shoe: bool = False
    refused: dict[int, Why] = field(default_factory=dict)
    waiting: list[_Waiting] = field(default_factory=list)


class Applied:
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
            known.waiting.append(_Waiting(number, reply, waits, who))
            if len(known.waiting) > WAITING:
                known.waiting.pop(0).reply("too many wait for an answer")

    def begins_at(self, device: str, number: int) -> None:
        """A device's events up to this number were applied in an earlier run."""
        self._devices.setdefault(device, _Device()).number = number

    def done(self, device: str, number: int, refused: Why | None) -> None:
        """A device's event has been applied."""
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
        """Somebody has gone."""
        for known in self._devices.values():
            known.waiting = [one for one in known.waiting if one.who is not who]

    def wait_for_shoe(self, device: str) -> None:
        """A device's events from here on wait for the shoe, which is away, whether they have been heard yet or not."""
        known = self._devices.setdefault(device, _Device())
        known.behind_shoe = True
        told = [one for one in known.waiting if one.waits is not None]
        known.waiting = [one for one in known.waiting if one.waits is None]
        for one in told:
            if one.waits is not None:
                one.waits()

    def shoe_is_back(self) -> None:
        """What waits for the shoe waits no longer than it takes to hear it."""
        for known in self._devices.values():
            known.behind_shoe = False
