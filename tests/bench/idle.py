"""Idle wakeups a second: a device that is up and has nothing to say, on each kind of port.

1. The device runs on a loop of its own in a thread of its own, which is not counted.
2. `loop` counts the turns of the host's event loop. `switches` counts how often the kernel put the host's threads to
   sleep: that of the loop, and for USB that of the port, which waits in a read.
3. `heartbeats` is what the link itself asks for: one every half second from either side. The host answers the device's
   in the same turn.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from drivers.ports import opener
from drivers.station import Station
from tests.drivers.ports.devices import Listener, ShoeOnRig, shoe_driver
from tests.drivers.ports.rigs import Rig, SerialRig
from tests.drivers.ports.usb_double import UsbRig

HEARTBEATS = 4.0
KINDS = ("serial", "usb")


class CountingLoop(asyncio.SelectorEventLoop):
    """An event loop that counts its turns."""

    turns = 0

    def _run_once(self) -> None:
        self.turns += 1
        super()._run_once()  # type: ignore[misc]  # the loop's own turn, which no stub lists


@dataclass(frozen=True, slots=True)
class Idle:
    """What one idle station costs, a second."""

    loop: float
    switches: float


def switches() -> int:
    """Return how often the host's threads gave up the processor."""
    total = 0
    for thread in threading.enumerate():
        if thread is threading.main_thread() or thread.name.startswith("usb:"):
            for line in Path(f"/proc/self/task/{thread.native_id}/status").read_text(encoding="ascii").splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
    return total


@contextmanager
def device(kind: str, folder: Path) -> Iterator[Rig]:
    """Keep a shoe plugged in, on a loop of its own."""
    loop = asyncio.new_event_loop()
    rig: Rig = SerialRig(folder, loop) if kind == "serial" else UsbRig(loop)
    ready = threading.Event()

    async def plug() -> None:
        ShoeOnRig(rig).plug()
        ready.set()

    def run() -> None:
        task = loop.create_task(plug())
        loop.run_forever()
        task.result()

    thread = threading.Thread(target=run, name="device")
    thread.start()
    try:
        ready.wait(10)
        yield rig
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        rig.close()
        loop.close()


async def idle(loop: CountingLoop, rig: Rig, seconds: float) -> Idle:
    """Count for `seconds` what an idle station does."""
    if isinstance(rig, UsbRig):
        open_port = opener(rig.address, loop, rig.bus)
    else:
        assert isinstance(rig, SerialRig)
        open_port = opener(f"serial:{rig.link}", loop)
    listener = Listener()
    station = Station("shoe", shoe_driver(), open_port, listener, loop)
    station.start()
    await listener.until(lambda: station.up)
    await asyncio.sleep(1)
    turns, slept = loop.turns, switches()
    await asyncio.sleep(seconds)
    measured = Idle((loop.turns - turns) / seconds, (switches() - slept) / seconds)
    station.stop()
    return measured


def measure(kind: str, seconds: float) -> Idle:
    """Return what an idle station on this kind of port costs."""
    with tempfile.TemporaryDirectory() as folder, device(kind, Path(folder)) as rig:
        loop = CountingLoop()
        try:
            return loop.run_until_complete(idle(loop, rig, seconds))
        finally:
            for thread in threading.enumerate():
                if thread.name.startswith("usb:"):
                    thread.join()
            loop.close()


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description="Idle wakeups a second of a connected station.")
    options.add_argument("--seconds", type=float, default=10.0)
    seconds = options.parse_args().seconds
    print("| port | heartbeats/s | loop turns/s | switches/s |")
    print("| --- | ---: | ---: | ---: |")
    for kind in KINDS:
        figures = measure(kind, seconds)
        print(f"| {kind} | {HEARTBEATS:.1f} | {figures.loop:.1f} | {figures.switches:.1f} |")


if __name__ == "__main__":
    main()
