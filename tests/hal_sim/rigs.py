"""The cables of the simulated devices as rigs of the port contract: the device's end runs on the loop of the test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from drivers.ports import Port, opener
from hal_sim.cable import Cable, PtyCable
from hal_sim.usb_backend import SocketBackend
from hal_sim.usb_cable import UsbCable
from tests.drivers.ports.rigs import Waiter, ignore

SERIAL = "SIM-PANEL"


class CableRig(Waiter):
    """A bare cable: what the host sends goes to `taken`."""

    def __init__(self, kind: str, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self.taken: Callable[[bytes], None] = ignore
        self.calls: list[str] = []
        self._loop = loop
        self._path = folder / "panel.usb"
        self.cable: Cable
        if kind == "serial":
            self.bulk = 1_000_000
            self.cable = PtyCable(folder / "shoe", loop)
            self._address = f"serial:{folder / 'shoe'}"
        else:
            self.bulk = 100_000
            self.cable = UsbCable(self._path, ("truedeal", "panel", SERIAL), loop)
            self._address = f"usb:1209:ca5e:{SERIAL}"
        self.cable.listen(self)

    # What a rig does.

    def opener(self) -> Callable[[], Port]:
        """Return what opens the host's end."""
        return opener(self._address, self._loop, SocketBackend(str(self._path)))

    def plug(self) -> None:
        """Plug the cable in."""
        self.cable.plug()

    def unplug(self) -> None:
        """Pull it."""
        self.cable.unplug()

    def send(self, data: bytes) -> None:
        """Send to the host."""
        self.cable.write(data)

    def stick(self, stuck: bool) -> None:
        """Take nothing, or take again."""
        if stuck:
            self.cable.pause()
        else:
            self.cable.resume()

    def close(self) -> None:
        """Pull the cable."""
        self.cable.unplug()

    # What a listener hears.

    def opened(self) -> None:
        """Note a host."""
        self.calls.append("opened")
        self.changed()

    def received(self, data: bytes) -> None:
        """Take bytes."""
        self.taken(data)

    def closed(self) -> None:
        """Note that the host has gone."""
        self.calls.append("closed")
        self.changed()

    def drained(self) -> None:
        """Note that there is room again."""
        self.calls.append("drained")
        self.changed()
