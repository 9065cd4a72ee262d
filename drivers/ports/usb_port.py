"""A USB device: the one file of the drivers that knows pyusb, and the only one that starts threads.

1. The device is found by vendor, product and serial number, never by bus or number. Interrupt (or bulk) endpoint 0x81
   comes in, 0x01 goes out; packets are pieces of one stream of bytes, and a frame may span several.
2. pyusb waits in its calls. Each open port has a thread that finds, claims and reads the device; it tells the loop by
   `call_soon_threadsafe`. The loop writes: libusb carries transfers of two endpoints at once, and pyusb holds no lock
   meanwhile. So a read can wait for `READ_MS`, and an idle panel wakes the thread no more often, while what is to be
   written goes at once.
3. The loop writes in a turn of its own, at most `PACKETS` packets, and goes on in the next turn. A packet takes the
   device a millisecond. A device that does not take one within `WRITE_MS` is left alone for `LEAST` seconds, then twice
   as long, to at most `MOST`; it is given up when it has taken nothing for `WRITE_TIMEOUT`.
4. One packet a read: a longer read would only end with a short packet. libusb returns the bytes that came in the moment
   of a time-out, so none are lost.
5. Unplugged is ENODEV and what kernels say on the way there. EPIPE is a halted endpoint: the halt is cleared and the
   packet sent or read again, at most `HALTS` times in a row. EBUSY is another program: the kernel's own driver is
   detached first, and stays so. EACCES is a missing udev rule.
6. Right after an unplug the system may still list the device that has gone. A listed device that cannot be opened is
   passed over, and the next one of the same name is tried.
7. `close` releases the interface, with which the kernel ends the read that waits, and the thread lets go of the device;
   where that does not end the read, its time-out does. The next port of the same opener waits for the thread in its
   own: the device is let go before it is claimed again, and the loop never waits.
8. Bytes that the loop has not taken wait in a bounded buffer; while it is full the thread reads no more, and the device
   keeps them.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import errno
import threading
import time
from collections.abc import Callable
from typing import TypeAlias

import usb.backend
import usb.core
import usb.util

from drivers.faults import OVERFLOW, PORT_BUSY, PORT_ERROR, PORT_MISSING, UNPLUGGED, Fault
from drivers.ports.address import UsbAddress
from drivers.ports.port import BACKLOG, WRITE_TIMEOUT

UsbBackend: TypeAlias = usb.backend.IBackend
IN, OUT = 0x81, 0x01
CONTROL_MS = 500
READ_MS = 1000
WRITE_MS = 4
LEAST, MOST = 0.02, 0.16
"""Seconds for which a device that takes nothing is left alone."""
HALTS = 3
PACKETS = 4
"""How many packets are written in one turn of the loop."""
GONE = (errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ESHUTDOWN, errno.EPROTO, errno.EIO)


class UsbOpener:
    """Opens one device, again and again, each time after the last port has let go of it."""

    def __init__(self, address: UsbAddress, loop: asyncio.AbstractEventLoop, backend: UsbBackend | None) -> None:
        self._address = address
        self._loop = loop
        self._backend = backend
        self._last: UsbPort | None = None

    def __call__(self) -> UsbPort:
        """Return a port that finds and claims the device once it is started."""
        after = self._last.ends_with if self._last is not None else None
        self._last = UsbPort(self._address, self._loop, self._backend, after)
        return self._last


class _EndedError(Exception):
    """The thread's work ends with this fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


class UsbPort:
    """A USB device with its thread."""

    def __init__(
        self,
        address: UsbAddress,
        loop: asyncio.AbstractEventLoop,
        backend: UsbBackend | None,
        after: threading.Thread | None,
    ) -> None:
        self._address = address
        self._loop = loop
        self._backend = backend
        self._after = after
        self._thread = threading.Thread(target=self._run, name=str(address))
        # Shared with the thread, under the lock.
        self._changed = threading.Condition()
        self._incoming = bytearray()
        self._ending = False
        self._why: Fault | None = None
        # The device while it is claimed, under a lock of its own: who has that uses the device, or lets go of it.
        self._using = threading.Lock()
        self._device: usb.core.Device | None = None
        self._interface: usb.core.Interface | None = None
        self._sizes: dict[int, int] = {}
        # The loop's own.
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[Fault], None] | None = None
        self._open = True
        self._outgoing = bytearray()
        self._pushing: asyncio.Handle | None = None
        self._blocked: float | None = None
        self._wait = LEAST
        # Each endpoint's own: how often in a row it was halted.
        self._halts = {IN: 0, OUT: 0}

    def start(self, received: Callable[[bytes], None], lost: Callable[[Fault], None]) -> None:
        """Find the device and begin to read; called once."""
        if self._open:
            self._received, self._lost = received, lost
            self._thread.start()

    def write(self, data: bytes) -> None:
        """Send these bytes in the next turn of the loop."""
        if self._ending:
            return
        waiting = len(self._outgoing)
        if waiting + len(data) > BACKLOG:
            self._finish(self._fault(OVERFLOW, f"{waiting} bytes wait for the device, {len(data)} more find no room"))
            return
        self._outgoing += data
        if self._pushing is None and self._device is not None:
            self._pushing = self._loop.call_soon(self._push)

    def close(self) -> None:
        """Let go of the device: the thread does it, when its read has ended."""
        self._open = False
        self._received = self._lost = None
        self._finish(None)

    @property
    def ends_with(self) -> threading.Thread | None:
        """The thread that still has the device, this port's or, if this one was never started, the one before."""
        return self._after if self._thread.ident is None else self._thread

    # On the loop.

    def _push(self) -> None:
        """Write what waits, and come again while something does."""
        self._pushing = None
        with self._using:
            for _ in range(PACKETS):
                if not self._outgoing or self._device is None or self._ending:
                    return
                if not self._put(self._device):
                    break
        if self._ending:
            return
        if self._blocked is None:
            self._pushing = self._loop.call_soon(self._push) if self._outgoing else None
        else:
            self._pushing = self._loop.call_later(self._wait, self._push)
            self._wait = min(2 * self._wait, MOST)

    def _put(self, device: usb.core.Device) -> bool:
        """Write one packet; False if the device did not take it, or the port ends."""
        try:
            taken = device.write(OUT, bytes(self._outgoing[: self._sizes[OUT]]), WRITE_MS)
        except usb.core.USBTimeoutError:
            taken = 0
        except usb.core.USBError as problem:
            fault = self._mend(device, OUT, problem)
            if fault is not None:
                self._finish(fault)
            return fault is None
        if taken:
            self._blocked, self._wait, self._halts[OUT] = None, LEAST, 0
            del self._outgoing[:taken]
            return True
        now = time.monotonic()
        self._blocked = now if self._blocked is None else self._blocked
        if now - self._blocked >= WRITE_TIMEOUT:
            self._finish(self._fault(PORT_ERROR, f"the device has taken nothing for {WRITE_TIMEOUT:g} s"))
        return False

    def _finish(self, why: Fault | None) -> None:
        """Have the thread end, and say why when it has."""
        with self._changed:
            if why is not None and not self._ending:
                self._why = why
            self._ending = True
            self._changed.notify_all()
        if self._pushing is not None:
            self._pushing.cancel()
        if self._device is not None and not self._loop.is_closed():
            self._pushing = self._loop.call_soon(self._release)

    def _release(self) -> None:
        """Let the kernel end the read that waits; the thread does the rest."""
        with self._using, contextlib.suppress(usb.core.USBError):
            if self._device is not None:
                usb.util.release_interface(self._device, self._interface)

    def _hand_over(self) -> None:
        """Give the owner what has come."""
        with self._changed:
            data = bytes(self._incoming)
            self._incoming.clear()
            self._changed.notify_all()
        if data and self._received is not None:
            self._received(data)

    def _end(self, fault: Fault) -> None:
        """The thread has let go of the device: tell the owner why."""
        self._hand_over()
        lost = self._lost
        self.close()
        if lost is not None:
            lost(fault)

    # In the thread.

    def _run(self) -> None:
        """Wait for the last port, serve this one, say how it ended."""
        if self._after is not None:
            self._after.join()
            self._after = None
        fault: Fault | None = None
        try:
            self._serve()
        except _EndedError as end:
            fault = end.fault
        fault = self._why or fault
        if fault is not None:
            self._call_in_loop(self._end, fault)

    def _call_in_loop(self, function: Callable[..., None], *arguments: object) -> None:
        """Have the loop call this; a loop that was closed without closing the port ends the port."""
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            self._ending = True

    def _serve(self) -> None:
        """Find the device, carry bytes until it is gone or the port is closed, let go of it."""
        device = self._find()
        packet = array.array("B", bytes(self._sizes[IN]))
        with self._using:
            self._device = device
        self._call_in_loop(self._push)
        try:
            while not self._ending and not self._loop.is_closed():
                self._read(device, packet)
        finally:
            with self._using:
                self._device = None
            usb.util.dispose_resources(device)

    def _find(self) -> usb.core.Device:
        """Return the claimed device, or end with the reason of the nearest one that was there."""
        problem: Exception | None = None
        named = {"idVendor": self._address.vendor, "idProduct": self._address.product}
        try:
            for device in usb.core.find(find_all=True, backend=self._backend, **named):
                try:
                    if self._claim(device):
                        return device
                except (usb.core.USBError, ValueError) as refused:
                    problem = refused
                except BaseException:
                    usb.util.dispose_resources(device)
                    raise
                usb.util.dispose_resources(device)
        except usb.core.NoBackendError as missing:
            raise _EndedError(self._fault(PORT_ERROR, "libusb is not installed")) from missing
        except usb.core.USBError as refused:
            problem = refused
        raise _EndedError(self._reason(problem, PORT_MISSING)) from problem

    def _claim(self, device: usb.core.Device) -> bool:
        """Claim the interface that has our two endpoints; False if it is another device of the same name."""
        device.default_timeout = CONTROL_MS
        try:
            configuration = device.get_active_configuration()
        except usb.core.USBError as problem:
            # pyusb has no number for a device that is not configured yet.
            if problem.errno is not None:
                raise
            configuration = None
        if self._address.serial is not None and device.serial_number != self._address.serial:
            return False
        if configuration is None:
            device.set_configuration()
            configuration = device.get_active_configuration()
        for interface in configuration:
            if {IN, OUT} <= {endpoint.bEndpointAddress for endpoint in interface}:
                break
        else:
            raise _EndedError(self._fault(PORT_ERROR, "no interface has the endpoints 0x81 and 0x01"))
        self._sizes = {endpoint.bEndpointAddress: endpoint.wMaxPacketSize & 0x7FF for endpoint in interface}
        self._interface = interface
        self._detach(device, interface.bInterfaceNumber)
        usb.util.claim_interface(device, interface)
        return True

    def _detach(self, device: usb.core.Device, interface: int) -> None:
        """Take the device from the kernel's driver, where there is one and the system can."""
        try:
            if device.is_kernel_driver_active(interface):
                device.detach_kernel_driver(interface)
        except NotImplementedError:  # libusb says so where the system has no kernel drivers to detach
            return
        except usb.core.USBError as problem:
            if problem.errno not in (errno.ENOSYS, errno.ENOTSUP, errno.ENODATA):
                raise

    def _read(self, device: usb.core.Device, packet: array.array[int]) -> None:
        """Read one packet, or nothing."""
        try:
            count = device.read(IN, packet, READ_MS)
        except usb.core.USBTimeoutError:
            return
        except usb.core.USBError as problem:
            fault = self._mend(device, IN, problem)
            if fault is not None:
                raise _EndedError(fault) from problem
            return
        self._halts[IN] = 0
        if count:
            self._deliver(packet[:count].tobytes())

    def _deliver(self, data: bytes) -> None:
        """Hand bytes to the loop; while it does not take them, wait."""
        with self._changed:
            while len(self._incoming) >= BACKLOG and not self._ending and not self._loop.is_closed():
                self._changed.wait(READ_MS / 1000)
            first = not self._incoming
            self._incoming += data
        if first:
            self._call_in_loop(self._hand_over)

    def _mend(self, device: usb.core.Device, endpoint: int, problem: usb.core.USBError) -> Fault | None:
        """Clear a halted endpoint; any other problem is a fault that ends the port."""
        self._halts[endpoint] += 1
        if problem.errno != errno.EPIPE or self._halts[endpoint] > HALTS:
            return self._reason(problem, UNPLUGGED)
        try:
            device.clear_halt(endpoint)
        except usb.core.USBError as worse:
            return self._reason(worse, UNPLUGGED)
        return None

    def _reason(self, problem: Exception | None, gone: str) -> Fault:
        """What a problem means; `gone` is the code of a device that is not there."""
        number = getattr(problem, "errno", None)
        if problem is None or number in GONE:
            return self._fault(gone, str(problem or "no such device is plugged in"))
        if number == errno.EBUSY:
            return self._fault(PORT_BUSY, "another program holds the device")
        if number in (errno.EACCES, errno.EPERM):
            return self._fault(PORT_ERROR, "no right to open the device: a udev rule must give it")
        return self._fault(PORT_ERROR, str(problem))

    def _fault(self, code: str, detail: str) -> Fault:
        """Return a fault that names the device."""
        return Fault(code, f"{self._address}: {detail}")
