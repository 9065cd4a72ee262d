"""The cables of the simulated devices as rigs of the port contract.

The end of a serial cable runs on the loop of the test. That of a USB cable runs on a loop of its own, in a thread, as
if in another process: a host that writes waits for it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from drivers.ports import Port, opener
from hal_sim.devices.serial_cable import Cable, PtyCable
from hal_sim.devices.usb.backend import SocketBackend
from hal_sim.devices.usb.cable import UsbCable
from tests.drivers.ports.rigs import Waiter, ignore
from tests.patience import PATIENCE

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


class ApartRig(CableRig):
    """A bare USB cable on a loop of its own, to be used in a `with`; `taken` is called on the test's loop."""

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._apart = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._apart.run_forever, name="cable")
        super().__init__("usb", folder, self._apart)
        self._test = loop

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the loop of the cable."""
        self._apart.call_soon_threadsafe(self._apart.stop)
        self._thread.join()
        self._apart.close()

    def opener(self) -> Callable[[], Port]:
        """Return what opens the host's end."""
        return opener(self._address, self._test, SocketBackend(str(self._path)))

    def plug(self) -> None:
        """Plug the cable in."""
        self._run_on_loop(super().plug)

    def unplug(self) -> None:
        """Pull it."""
        self._run_on_loop(super().unplug)

    def send(self, data: bytes) -> None:
        """Send to the host."""
        self._run_on_loop(lambda: self.cable.write(data))

    def stick(self, stuck: bool) -> None:
        """Take nothing, or take again."""
        self._run_on_loop(self.cable.pause if stuck else self.cable.resume)

    def close(self) -> None:
        """Pull the cable."""
        self._run_on_loop(super().close)

    def opened(self) -> None:
        """Note a host."""
        self._test.call_soon_threadsafe(super().opened)

    def received(self, data: bytes) -> None:
        """Take bytes."""
        self._test.call_soon_threadsafe(super().received, data)

    def closed(self) -> None:
        """Note that the host has gone."""
        self._test.call_soon_threadsafe(super().closed)

    def drained(self) -> None:
        """Note that there is room again."""
        self._test.call_soon_threadsafe(super().drained)

    def _run_on_loop(self, function: Callable[[], Any]) -> None:
        """Do something on the loop of the cable."""
        done: Future[Any] = Future()
        self._apart.call_soon_threadsafe(lambda: done.set_result(function()))
        done.result(PATIENCE)


def cable_rig(kind: str, folder: Path, loop: asyncio.AbstractEventLoop) -> AbstractContextManager[CableRig]:
    """Return the rig of a kind of cable."""
    return ApartRig(folder, loop) if kind == "usb" else nullcontext(CableRig(kind, folder, loop))
