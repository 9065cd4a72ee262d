"""A shoe on a rig and the station that listens to it: everything between a drawn card and the sink is the real thing.

1. `ShoeOnRig` is the device's end of the link on whatever the rig is. It keeps its events while it is unplugged.
2. `Listener` is a sink that makes every event durable at once, and notes its number, its card and every fault.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from drivers.driver import Driver, Settings, make
from drivers.faults import Fault
from drivers.happenings import Commanded, Identity, Received
from drivers.link.device import DeviceLink
from drivers.link.editions.noise import public
from drivers.link.editions.sealed import SealedDevice
from drivers.link.freshness import milliseconds
from drivers.shoe import CATALOGUE, CardOut
from drivers.station import Station
from tests.drivers.ports.rigs import Rig, Waiter

KEY = bytes(range(32))
"""The shoe's own."""
HOST_KEY = bytes(range(32, 64))
SERIAL = "T0001"
CARDS = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")


def card(number: int) -> str:
    """Return the card of an event, so that a wrong one would be seen."""
    return CARDS[number * 7 % len(CARDS)]


def shoe_driver(key: bytes = KEY, serial: str = SERIAL) -> Driver:
    """Return the host's driver of the shoe with this secret key."""
    return make(Settings("shoe", serial, expected=1, secret=HOST_KEY, public=public(key)))


class ShoeOnRig:
    """A shoe that speaks through a rig."""

    def __init__(self, rig: Rig, *, key: bytes = KEY, keep: int = 65_536) -> None:
        shake = SealedDevice(key, public(HOST_KEY), kind="shoe", serial=SERIAL)
        self.link = DeviceLink(
            kind="shoe", serial=SERIAL, firmware="1.0", capabilities=0, shake=shake, boot=1, keep=keep
        )
        self.commands: list[Commanded] = []
        self.drawn = 0
        self._rig = rig
        self._loop = asyncio.get_running_loop()
        self._plugged = False
        self._timer: asyncio.TimerHandle | None = None
        rig.taken = self._taken

    def draw(self, count: int = 1) -> None:
        """Draw this many cards."""
        now = self._loop.time()
        for _ in range(count):
            self.drawn += 1
            ident, payload = CATALOGUE.encode(CardOut(card(self.drawn), self.drawn & 0xFFFF, False))
            assert self.drawn == self.link.event(ident, payload, milliseconds(now), now)
        self._pump()

    def plug(self) -> None:
        """Plug in."""
        self._rig.plug()
        self._plugged = True
        self.link.opened(self._loop.time())
        self._pump()

    def unplug(self) -> None:
        """Pull out, at whatever was just being sent."""
        self._rig.unplug()
        self._plugged = False
        self.link.closed()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _taken(self, data: bytes) -> None:
        if self._plugged:
            self.commands += self.link.received(data, self._loop.time())
            self._pump()

    def _tick(self) -> None:
        self._timer = None
        self.link.tick(self._loop.time())
        self._pump()

    def _pump(self) -> None:
        if not self._plugged:
            return
        data = self.link.outgoing()
        if data:
            self._rig.send(data)
        if self._timer is not None:
            self._timer.cancel()
        due = self.link.due()
        self._timer = None if due is None else self._loop.call_at(due, self._tick)


class Listener(Waiter):
    """A sink that remembers."""

    def __init__(self, *, acknowledges: bool = True) -> None:
        super().__init__()
        self.station: Station | None = None
        self.numbers: list[int] = []
        self.wrong: list[Received] = []
        self.identities: list[Identity] = []
        self.downs: list[Fault] = []
        self.faults: Counter[str] = Counter()
        self.last: Fault | None = None
        self._acknowledges = acknowledges

    def up(self, _name: str, identity: Identity) -> None:
        """Note that the device is up."""
        self.identities.append(identity)
        self.changed()

    def down(self, _name: str, fault: Fault) -> None:
        """Note that it is lost."""
        self.downs.append(fault)
        self.changed()

    def received(self, _name: str, event: Received) -> None:
        """Note an event and make it durable."""
        self.numbers.append(event.number)
        match event.message:
            case CardOut(card=shown) if shown == card(event.number):
                pass
            case _:
                self.wrong.append(event)
        if self._acknowledges and self.station is not None:
            self.station.acknowledge(event.number)
        self.changed()

    def caught_up(self, _name: str, question: int) -> None:
        """Nobody asks here."""

    def fault(self, _name: str, fault: Fault) -> None:
        """Note a fault."""
        self.faults[fault.code] += 1
        self.last = fault
        self.changed()


def station_on(rig: Rig, listener: Listener, driver: Driver | None = None) -> Station:
    """Return the station that listens to the rig's device."""
    loop = asyncio.get_running_loop()
    listener.station = Station("shoe", driver or shoe_driver(), rig.opener(), listener, loop)
    return listener.station
