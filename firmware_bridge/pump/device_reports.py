"""What the stations report, on its way into the queue of the pump. This is the sink of every station.

1. A device's event enters the queue when it comes, unless the shoe must be heard first: then it waits (`shoe_first`).
2. Each session of a device begins with a note of which device it is. The first contact is no news to the game. A device
   that was lost is an event, and so is its return.
3. A fault is a note of its device, and nothing is made up for what is missing. What follows from it, an alarm or a call
   that holds the table, `cable_faults` decides.
4. Those who watch are told of every link that comes up or is lost, and of every fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from drivers.faults import Fault
from drivers.happenings import Identity, Received
from firmware_bridge.pump.cable_faults import Cables, fault_text, met
from firmware_bridge.pump.items import DAEMON, Item, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.pump.shoe_first import SHOE, Barrier, Shoe, fits
from gamecore.model.events import events as ev


class DeviceReports:
    """What the devices of one table report."""

    def __init__(self, pump: Pump, devices: Mapping[str, Shoe]) -> None:
        """Put it into the queue of this pump; the devices may be added to the mapping later."""
        self.pump = pump
        self.identities: dict[str, Identity] = {}
        self._lost = set(pump.table.view().away)
        self._cables = Cables()
        self._barrier = Barrier(
            lambda: devices.get(SHOE),
            lambda arrived: fits(arrived, pump.header, pump.table, pump.queued),
            self._enqueue,
        )

    def received(self, name: str, event: Received) -> None:
        """Put an event of a device into the queue, or let it wait for the shoe."""
        self._cables.came(name, event.number)
        if name == SHOE:
            self._enqueue(name, event)
            self._barrier.hand_on_waiting()
            return
        self._barrier.received(name, event)
        if self._barrier.waits(name):
            self.pump.applied.wait_for_shoe(name)

    def _enqueue(self, name: str, event: Received) -> None:
        """Put a device's event into the queue: the shoe has been heard."""
        known = self._cables.known(name, event.number)
        self.pump.enqueue(Item(name, event.message, event.number, event.time, event.raw, how=known))

    def caught_up(self, name: str, question: int) -> None:
        """Let go on what waits, if it is the shoe that has told all that had happened there when it was asked."""
        if name == SHOE:
            self._barrier.caught_up(question)

    def up(self, name: str, identity: Identity) -> None:
        """Begin the session of a device that has proved who it is; the game hears of it only if it was lost."""
        pump = self.pump
        self.identities[name] = identity
        self._cables.begins(name, identity)
        pump.books.renumbered(name, identity.numbering)
        pump.applied.begins_at(name, pump.books.numbers[name][0])
        pump.enqueue(Item(DAEMON, Note(met(name, identity))))
        if name in self._lost:
            self._lost.remove(name)
            pump.enqueue(Item(DAEMON, ev.LinkBack(name)))
        pump.show.met(name, identity.capabilities)
        pump.announce({"link": {"device": name, "up": True, "fault": None}})
        if name == SHOE:
            pump.applied.shoe_is_back()
            self._barrier.back()

    def down(self, name: str, fault: Fault) -> None:
        """Put the loss of a device that was up into the queue."""
        self._lost.add(name)
        if name == SHOE:
            self._barrier.away()
        if self.pump.guard is not None:
            self.pump.guard.lost(name)
        self.pump.enqueue(Item(DAEMON, ev.LinkLost(name)))
        self.pump.announce({"link": {"device": name, "up": False, "fault": fault.code, "remedy": fault.remedy}})

    def fault(self, name: str, fault: Fault) -> None:
        """Note a fault of a device's link, and put what follows from it into the queue."""
        self.pump.enqueue(Item(name, Note(fault_text(fault))))
        for what in self._cables.follows(name, fault, asyncio.get_running_loop().time()):
            self.pump.enqueue(Item(DAEMON, what))
        self.pump.announce(
            {"fault": {"device": name, "code": fault.code, "detail": fault.detail, "remedy": fault.remedy}}
        )
