"""The simulated USB device behind the real pyusb behaves as one behind libusb does."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import usb.core
import usb.util

from hal_sim.devices.usb.backend import SocketBackend
from hal_sim.devices.usb.cable import UsbCable
from tests.drivers.ports.rigs import descriptors
from tests.hal_sim.devices.cable_rigs import SERIAL, CableRig

VENDOR, PRODUCT = 0x1209, 0xCA5E


class Bench:
    """A cable on a loop of its own, in a thread, as if in another process."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        self.backend = SocketBackend(str(folder / "panel.usb"))
        self.rig: CableRig = self.run_on_loop(lambda: CableRig("usb", folder, self.loop))
        self.taken = bytearray()
        self.rig.taken = self.taken.extend
        assert isinstance(self.rig.cable, UsbCable)
        self.cable = self.rig.cable
        self.run_on_loop(self.cable.plug)

    def run_on_loop(self, function: Callable[[], Any]) -> Any:
        """Do something on the device's loop."""
        future: Future[Any] = Future()
        self.loop.call_soon_threadsafe(lambda: future.set_result(function()))
        return future.result(20)

    def soon(self, function: Callable[[], None]) -> None:
        """Do something on the device's loop a little later, while the test waits."""
        self.loop.call_soon_threadsafe(self.loop.call_later, 0.02, function)

    def find(self) -> Any:
        """Find the device by its numbers."""
        return usb.core.find(backend=self.backend, idVendor=VENDOR, idProduct=PRODUCT)

    def claimed(self) -> Any:
        """Find the device, take it from the kernel driver and claim it."""
        device = self.find()
        device.detach_kernel_driver(0)
        usb.util.claim_interface(device, 0)
        return device

    def close(self) -> None:
        """Pull the cable and end the loop."""
        self.run_on_loop(self.cable.unplug)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A plugged device; at the end no descriptor is left."""
    before = descriptors()
    made = Bench(tmp_path)
    yield made
    made.close()
    assert before == descriptors()


def refused(function: Callable[[], object]) -> tuple[int | None, int | None]:
    """Return errno and libusb code of the error that a call raises."""
    with pytest.raises(usb.core.USBError) as caught:
        function()
    return caught.value.errno, caught.value.backend_error_code


def test_a_device_is_found_while_it_is_plugged(bench: Bench) -> None:
    """Enumeration sees the device with its descriptors and strings, and nothing when the cable is out."""
    device = bench.find()
    assert (1, SERIAL, "panel") == (device.bNumConfigurations, device.serial_number, device.product)
    endpoints = {endpoint.bEndpointAddress: endpoint.wMaxPacketSize for endpoint in device[0][(0, 0)]}
    assert {0x81: 64, 0x01: 64} == endpoints
    usb.util.dispose_resources(device)
    bench.run_on_loop(bench.cable.unplug)
    assert bench.find() is None


def test_the_kernel_driver_holds_the_interface_until_it_is_detached(bench: Bench) -> None:
    """A claim is EBUSY while a kernel driver is active; detaching twice is ENOENT; it can be given back."""
    device = bench.find()
    assert device.is_kernel_driver_active(0)
    assert (errno.EBUSY, -6) == refused(lambda: usb.util.claim_interface(device, 0))
    device.detach_kernel_driver(0)
    assert (errno.ENOENT, -5) == refused(lambda: device.detach_kernel_driver(0))
    usb.util.claim_interface(device, 0)
    assert (errno.EBUSY, -6) == refused(lambda: device.attach_kernel_driver(0))
    usb.util.release_interface(device, 0)
    device.attach_kernel_driver(0)
    assert device.is_kernel_driver_active(0)
    usb.util.dispose_resources(device)


def test_one_handle_can_claim_the_interface(bench: Bench) -> None:
    """A second handle is EBUSY until the first is disposed of."""
    first, second = bench.claimed(), bench.find()
    assert (errno.EBUSY, -6) == refused(lambda: usb.util.claim_interface(second, 0))
    assert (errno.EBUSY, -6) == refused(lambda: second.set_configuration(1))
    usb.util.dispose_resources(first)
    usb.util.claim_interface(second, 0)
    usb.util.dispose_resources(second)
    bench.run_on_loop(lambda: None)
    assert ["opened", "closed"] * 2 == bench.rig.calls


def test_bytes_go_both_ways(bench: Bench) -> None:
    """What is written is taken, what the device sends is read, a packet at a time and as a stream."""
    device = bench.claimed()
    assert 5 == device.write(0x01, b"hello", 1000)
    bench.run_on_loop(lambda: None)
    assert b"hello" == bench.taken
    bench.run_on_loop(lambda: bench.cable.write(bytes(range(100))))
    assert bytes(range(64)) == device.read(0x81, 64, 1000).tobytes()
    assert bytes(range(64, 100)) == device.read(0x81, 64, 1000).tobytes()
    usb.util.dispose_resources(device)


def test_a_read_with_nothing_to_read_times_out_and_loses_nothing(bench: Bench) -> None:
    """A read ends with a time-out; bytes that come between two reads are there for the next."""
    device = bench.claimed()
    for turn in range(3):
        with pytest.raises(usb.core.USBTimeoutError) as caught:
            device.read(0x81, 64, 5)
        assert (errno.ETIMEDOUT, -7) == (caught.value.errno, caught.value.backend_error_code)
        bench.run_on_loop(partial(bench.cable.write, bytes([turn])))
        assert bytes([turn]) == device.read(0x81, 64, 1000).tobytes()
    usb.util.dispose_resources(device)


def test_a_waiting_read_ends_with_enodev_when_the_cable_is_pulled(bench: Bench) -> None:
    """The reader is woken at once, and every later call is ENODEV too."""
    device = bench.claimed()
    bench.soon(bench.cable.unplug)
    assert (errno.ENODEV, -4) == refused(lambda: device.read(0x81, 64, 20_000))
    assert (errno.ENODEV, -4) == refused(lambda: device.read(0x81, 64, 20_000))
    assert (errno.ENODEV, -4) == refused(lambda: device.write(0x01, b"x", 20_000))
    usb.util.dispose_resources(device)


def test_a_replugged_device_is_another(bench: Bench) -> None:
    """After a replug the address has changed, the kernel driver is back, and the old device stays dead."""
    old = bench.claimed()
    stale = bench.find()
    bench.run_on_loop(bench.cable.unplug)
    bench.run_on_loop(bench.cable.plug)
    new = bench.find()
    assert old.address != new.address
    assert new.is_kernel_driver_active(0)
    assert (errno.ENODEV, -4) == refused(lambda: old.read(0x81, 64, 1000))
    assert (errno.ENODEV, -4) == refused(lambda: stale.is_kernel_driver_active(0))
    for device in (old, stale, new):
        usb.util.dispose_resources(device)


def test_a_stalled_endpoint_is_epipe_until_it_is_cleared(bench: Bench) -> None:
    """A stall ends a waiting read; the device's bytes come after the halt is cleared."""
    device = bench.claimed()
    bench.soon(bench.cable.stall)
    assert (errno.EPIPE, -9) == refused(lambda: device.read(0x81, 64, 20_000))
    bench.run_on_loop(lambda: bench.cable.write(b"card"))
    assert (errno.EPIPE, -9) == refused(lambda: device.read(0x81, 64, 20_000))
    device.clear_halt(0x81)
    assert b"card" == device.read(0x81, 64, 1000).tobytes()
    usb.util.dispose_resources(device)


def test_a_write_to_a_stuck_device_times_out_and_is_never_taken(bench: Bench) -> None:
    """A device that takes nothing lets a write time out; what was given up does not arrive later."""
    device = bench.claimed()
    bench.run_on_loop(bench.cable.pause)
    with pytest.raises(usb.core.USBTimeoutError):
        device.write(0x01, b"given up", 10)
    bench.run_on_loop(bench.cable.resume)
    device.write(0x01, b"taken", 1000)
    bench.run_on_loop(lambda: None)
    assert b"taken" == bench.taken
    usb.util.dispose_resources(device)


def test_what_the_device_does_not_know_is_a_stall(bench: Bench) -> None:
    """A control request that the device does not know is EPIPE; transfers without a claim are ENOENT."""
    device = bench.find()
    assert (errno.EPIPE, -9) == refused(lambda: device.ctrl_transfer(0xC0, 0x55, 0, 0, 8))
    assert b"\x00\x00" == device.ctrl_transfer(0x80, 0x00, 0, 0, 2).tobytes()
    handle = bench.backend.open_device(bench.backend.enumerate_devices()[0])
    assert (errno.ENOENT, -5) == refused(lambda: handle.read(64, 1000))
    bench.backend.close_device(handle)
    usb.util.dispose_resources(device)


def test_one_thread_reads_while_another_writes(bench: Bench) -> None:
    """A waiting read does not hold up a write."""
    device = bench.claimed()
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(device.read(0x81, 64, 20_000).tobytes()))
    reader.start()
    device.write(0x01, b"hello", 1000)
    bench.run_on_loop(lambda: bench.cable.write(b"card"))
    reader.join(20)
    assert ([b"card"], b"hello") == (got, bytes(bench.taken))
    usb.util.dispose_resources(device)


def test_a_host_that_does_not_read_fills_a_bounded_buffer(bench: Bench) -> None:
    """The device is told that its buffer is full, and again when there is room."""
    device = bench.claimed()
    bench.run_on_loop(lambda: bench.cable.write(bytes(70_000)))
    full = [bench.cable.full]
    got = 0
    while got < 70_000:
        got += len(device.read(0x81, 8192, 1000))
    bench.run_on_loop(lambda: None)
    assert [True, False] == [*full, bench.cable.full]
    assert ["opened", "drained"] == bench.rig.calls
    usb.util.dispose_resources(device)
