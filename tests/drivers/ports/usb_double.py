"""A USB panel inside the test, behind the real pyusb: `usb.backend.IBackend` is what pyusb itself talks to.

1. The double behaves as libusb does. A claim is EBUSY while the kernel's driver or another handle holds the interface.
   A read waits at most its time-out; ENODEV ends a read that waits, and so does a release, with nothing read. A handle
   to a device that was pulled out stays useless when another is plugged in.
2. Open handles and calls are noted, so that a test can ask whether everything was let go.
3. `troubles` are raised once each, in order, by the named call.
"""

from __future__ import annotations

import array
import asyncio
import errno
import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import usb.backend
from usb.core import USBError, USBTimeoutError

from drivers.ports import Port, opener
from tests.drivers.ports.rigs import ignore

VENDOR, PRODUCT, SERIAL = 0x1209, 0xCA5E, "T0001"
PACKET = 64
LIBUSB = {errno.ENODEV: -4, errno.EPIPE: -9, errno.EBUSY: -6, errno.EACCES: -3, errno.EIO: -1}


def error(number: int) -> USBError:
    """Return the error as pyusb would raise it."""
    return USBError(errno.errorcode[number], LIBUSB[number], number)


class Panel:
    """One device on the bus, from plug to unplug."""

    def __init__(self, address: int, serial: str = SERIAL) -> None:
        self.serial = serial
        self.changed = threading.Condition()
        self.plugged = True
        self.stuck = False
        self.kernel_driver = True
        self.configuration = 0
        self.holder: object | None = None
        self.packets: deque[bytes] = deque()
        self.descriptor = SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x0200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=VENDOR,
            idProduct=PRODUCT,
            bcdDevice=0x0100,
            iManufacturer=1,
            iProduct=2,
            iSerialNumber=3,
            bNumConfigurations=1,
            bus=1,
            address=address,
            port_number=1,
            port_numbers=(1,),
            speed=2,
        )

    def ends_a_read(self, handle: object) -> bool:
        """Whether there is something to read, or nothing will come."""
        return bool(self.packets) or not self.plugged or self.holder is not handle


class Handle:
    """An open device."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel


class Bus(usb.backend.IBackend):  # type: ignore[misc]
    """The bus with whatever is plugged in, as pyusb sees it."""

    def __init__(self) -> None:
        self.listed: list[Panel] = []
        self.handles: set[Handle] = set()
        self.troubles: list[tuple[str, USBError]] = []
        self.calls: list[str] = []
        self.taken: Callable[[Panel, bytes], None] | None = None
        self.tried = self.written = 0

    def _check(self, name: str, panel: Panel) -> None:
        """Note the call; raise what is to be raised."""
        if not name.endswith(("read", "write")):
            self.calls.append(name)
        if self.troubles and self.troubles[0][0] == name:
            raise self.troubles.pop(0)[1]
        if not panel.plugged:
            raise error(errno.ENODEV)

    def enumerate_devices(self) -> Iterator[Panel]:
        """List what is on the bus."""
        return iter(list(self.listed))

    def get_device_descriptor(self, dev: Panel) -> object:
        """Return the descriptor of the device."""
        return dev.descriptor

    def get_configuration_descriptor(self, _dev: Panel, config: int) -> object:
        """Return the only configuration."""
        if config:
            raise IndexError(config)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=32,
            bNumInterfaces=1,
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=50,
            extra_descriptors=array.array("B"),
        )

    def get_interface_descriptor(self, _dev: Panel, intf: int, alt: int, _config: int) -> object:
        """Return the only interface."""
        if intf or alt:
            raise IndexError(intf)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=0,
            bAlternateSetting=0,
            bNumEndpoints=2,
            bInterfaceClass=0xFF,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=array.array("B"),
        )

    def get_endpoint_descriptor(self, _dev: Panel, ep: int, _intf: int, _alt: int, _config: int) -> object:
        """Return one of the two endpoints."""
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=(0x81, 0x01)[ep],
            bmAttributes=3,
            wMaxPacketSize=PACKET,
            bInterval=1,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=array.array("B"),
        )

    def open_device(self, dev: Panel) -> Handle:
        """Open."""
        self._check("open", dev)
        handle = Handle(dev)
        self.handles.add(handle)
        return handle

    def close_device(self, handle: Handle) -> None:
        """Close."""
        self.calls.append("close")
        self.handles.remove(handle)

    def get_configuration(self, handle: Handle) -> int:
        """Return the configuration, 0 for none."""
        self._check("get_configuration", handle.panel)
        return handle.panel.configuration

    def set_configuration(self, handle: Handle, value: int) -> None:
        """Configure."""
        self._check("set_configuration", handle.panel)
        handle.panel.configuration = value

    def claim_interface(self, handle: Handle, _intf: int) -> None:
        """Claim, if nobody holds it."""
        self._check("claim", handle.panel)
        if handle.panel.kernel_driver or handle.panel.holder is not None:
            raise error(errno.EBUSY)
        handle.panel.holder = handle

    def release_interface(self, handle: Handle, _intf: int) -> None:
        """Let go."""
        self.calls.append("release")
        with handle.panel.changed:
            handle.panel.holder = None
            handle.panel.changed.notify_all()

    def is_kernel_driver_active(self, handle: Handle, _intf: int) -> bool:
        """Return whether the kernel's driver holds it."""
        self._check("is_kernel_driver_active", handle.panel)
        return handle.panel.kernel_driver

    def detach_kernel_driver(self, handle: Handle, _intf: int) -> None:
        """Take it from the kernel."""
        self._check("detach", handle.panel)
        handle.panel.kernel_driver = False

    def clear_halt(self, handle: Handle, ep: int) -> None:
        """Let a halted endpoint run again."""
        self._check(f"clear_halt {ep:#04x}", handle.panel)

    def intr_read(self, handle: Handle, _ep: int, _intf: int, buff: array.array[int], timeout: int) -> int:
        """Read one packet, at most so long."""
        panel = handle.panel
        self._check("read", panel)
        with panel.changed:
            if not panel.changed.wait_for(lambda: panel.ends_a_read(handle), timeout / 1000):
                raise USBTimeoutError("time-out", -7, errno.ETIMEDOUT)
            if not panel.plugged:
                raise error(errno.ENODEV)
            if panel.holder is not handle:
                return 0
            packet = panel.packets.popleft()
            panel.changed.notify_all()
        buff[: len(packet)] = array.array("B", packet)
        return len(packet)

    def intr_write(self, handle: Handle, _ep: int, _intf: int, data: array.array[int], timeout: int) -> int:
        """Write one packet, at most so long."""
        panel = handle.panel
        self.tried += 1
        self._check("write", panel)
        assert len(data) <= PACKET
        with panel.changed:
            if not panel.changed.wait_for(lambda: not (panel.stuck and panel.plugged), timeout / 1000):
                raise USBTimeoutError("time-out", -7, errno.ETIMEDOUT)
        self._check("write", panel)
        self.written += 1
        if self.taken is not None:
            self.taken(panel, data.tobytes())
        return len(data)

    def ctrl_transfer(
        self, handle: Handle, kind: int, request: int, value: int, _index: int, data: array.array[int], _timeout: int
    ) -> int:
        """Give the strings of the device."""
        self._check("control", handle.panel)
        if (kind, request, value >> 8) != (0x80, 6, 3):
            raise error(errno.EPIPE)
        text = {1: "Truedeal", 2: "Panel", 3: handle.panel.serial}.get(value & 0xFF)
        body = b"\x09\x04" if text is None else text.encode("utf-16-le")
        answer = bytes((len(body) + 2, 3)) + body
        count = min(len(answer), len(data))
        data[:count] = array.array("B", answer[:count])
        return count


class UsbRig:
    """A panel on the bus of the test."""

    bulk = 200_000

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str = f"usb:1209:ca5e:{SERIAL}") -> None:
        self.bus = Bus()
        self.bus.taken = self._taken
        self.address = address
        self.taken: Callable[[bytes], None] = ignore
        self.panel: Panel | None = None
        self._loop = loop
        self._numbers = itertools.count(5)

    def opener(self) -> Callable[[], Port]:
        """Return what opens the panel."""
        return opener(self.address, self._loop, self.bus)

    def plug(self) -> None:
        """Put a panel with another address on the bus."""
        self.panel = Panel(next(self._numbers))
        self.bus.listed.append(self.panel)

    def unplug(self) -> None:
        """Pull it out."""
        panel, self.panel = self.panel, None
        if panel is not None:
            with panel.changed:
                panel.plugged = False
                panel.changed.notify_all()
            self.bus.listed.remove(panel)

    def send(self, data: bytes) -> None:
        """Send in packets."""
        if self.panel is not None:
            with self.panel.changed:
                self.panel.packets.extend(data[at : at + PACKET] for at in range(0, len(data), PACKET))
                self.panel.changed.notify_all()

    def stick(self, stuck: bool) -> None:
        """Take nothing, or take again."""
        assert self.panel is not None
        with self.panel.changed:
            self.panel.stuck = stuck
            self.panel.changed.notify_all()

    def close(self) -> None:
        """Pull it out."""
        self.unplug()

    def _taken(self, panel: Panel, data: bytes) -> None:
        """Tell the test, on its loop, unless the panel is out by then."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: self.taken(data) if panel is self.panel else None)
