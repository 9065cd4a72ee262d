"""Unplug and replug, again and again, in the middle of whatever is going on.

1. The shoe draws cards while it is out, while it is being found and while it is up; it is pulled out in mid-burst, and
   now and then plugged in again before anybody noticed.
2. At the end every card has come once, in order, in one session for each plug. A computer so busy that the device's
   heartbeats or its answer stay away for two seconds has more sessions, and the faults say so.
3. Descriptors are counted whenever the device is out and known to be. In the end there are no more than there ever were
   at least, and one: on a busy computer the other end closes its own later. Memory is looked at after a fifth of the
   turns and at the end.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass

from tests.drivers.ports.contract import threads_ended
from tests.drivers.ports.devices import Listener, ShoeOnRig, station_on
from tests.drivers.ports.rigs import Rig, descriptors, memory
from tests.patience import eventually_on_loop

MAY_GROW = 4 * 1024 * 1024
"""What the memory of a process moves by for other reasons, in bytes."""

ALLOWED = frozenset({"unplugged", "port-missing", "duplicate"})
LAPSES = frozenset({"withheld", "silent"})
"""With what a session ends that waited too long for a busy computer."""
AFTER_LAPSES = LAPSES | {"replayed", "bad-frame", "port-error"}


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of it."""

    cards: int
    slowest: float
    """The longest time from a plug to its `up`, in seconds."""
    grown: int
    """Bytes of memory more than after the first fifth."""


async def replug(rig: Rig, times: int, seed: int) -> Figures:
    """Unplug and replug this many times; raises AssertionError if anything is lost, doubled or left behind."""
    chance = random.Random(f"{seed} replug")
    loop = asyncio.get_running_loop()
    shoe = ShoeOnRig(rig)
    listener = Listener()
    station = station_on(rig, listener)
    slowest, counted, settled = 0.0, set(), 0
    station.start()
    for turn in range(times):
        shoe.draw(chance.randrange(4))
        ups = len(listener.identities)
        shoe.plug()
        begun = loop.time()
        await listener.until(lambda ups=ups: len(listener.identities) > ups)  # type: ignore[misc]
        slowest = max(slowest, loop.time() - begun)
        shoe.draw(chance.randrange(4))
        await listener.until(lambda: len(listener.numbers) >= shoe.drawn)
        shoe.draw(chance.randrange(60))
        if chance.random() < 0.5:
            await asyncio.sleep(0)
        downs = len(listener.downs)
        shoe.unplug()
        if chance.random() < 0.8:
            await listener.until(lambda downs=downs: len(listener.downs) > downs)  # type: ignore[misc]
            counted.add(descriptors())
        if turn == times // 5:
            settled = memory()
    shoe.plug()
    await listener.until(lambda: len(listener.identities) > times and len(listener.numbers) >= shoe.drawn)
    grown = memory() - settled
    assert list(range(1, shoe.drawn + 1)) == listener.numbers
    assert [] == listener.wrong
    ended = Counter(fault.code for fault in listener.downs)
    more = ended["withheld"] + ended["silent"] + ended["port-error"]
    assert times + 1 + more == len(listener.identities), ended
    assert times + more == len(listener.downs), ended
    busy = bool(LAPSES & set(listener.faults))
    assert (ALLOWED | AFTER_LAPSES if busy else ALLOWED) >= set(listener.faults), listener.faults
    station.stop()
    shoe.unplug()
    await threads_ended(0)
    await eventually_on_loop(lambda: descriptors() - min(counted) <= 1)
    assert grown < MAY_GROW
    return Figures(shoe.drawn, slowest, grown)
