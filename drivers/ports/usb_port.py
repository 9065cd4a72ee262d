"""A USB device: the one file of the drivers that knows pyusb, and the only thread of the daemon.

1. The device is found by vendor, product and serial number, never by bus or number. Interrupt (or bulk) endpoint 0x81
   comes in, 0x01 goes out; packets are pieces of one stream of bytes, and a frame may span several.
2. pyusb waits in its calls, so each port has one thread while it is open. The thread finds, claims, reads, writes and
   lets go; nothing else touches the device. The loop is told by `call_soon_threadsafe`.
3. Every call has a finite time-out. A read cannot be called back, so what is to be written waits until the read ends:
   4 ms after bytes have come (an answer is likely), doubling to `IDLE_MS` in a quiet hour. libusb returns the
   bytes that came in the moment of a time-out, so none are lost.
4. One packet a read: a longer read would only end with a short packet.
5. Unplugged is ENODEV and what kernels say on the way there. EPIPE is a halted endpoint: the halt is cleared and the
   packet sent or read again, at most `HALTS` times in a row. EBUSY is another program: the kernel's own driver is
   detached first, and stays so. EACCES is a missing udev rule.
6. Right after an unplug the system may still list the device that has gone. A listed device that cannot be opened is
   passed over, and the next one of the same name is tried.
7. `close` only tells the thread, which ends with its read at the latest. The next port of the same opener waits for
   that in its own thread: the device is let go before it is claimed again, and the loop never waits.
8. Bytes that the loop has not taken wait in a bounded buffer; while it is full the thread reads no more, and the device
   keeps them.
"""

from __future__ import annotations

import array
import asyncio
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
WRITE_MS = 50
BUSY_MS = 4
IDLE_MS = 100
HALTS = 3
PACKETS = 64
"""How many packets are written before the next read."""
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
        self._outgoing = bytearray()
        self._ending = False
        self._why: Fault | None = None
        # The loop's own.
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[Fault], None] | None = None
        self._open = True
        # The thread's own.
        self._sizes: dict[int, int] = {}
        self._packet = array.array("B")
        self._pace = BUSY_MS
        self._halts = 0
        self._blocked: float | None = None

    def start(self, received: Callable[[bytes], None], lost: Callable[[Fault], None]) -> None:
        """Find the device and begin to read; called once."""
        if self._open:
            self._received, self._lost = received, lost
            self._thread.start()

    def write(self, data: bytes) -> None:
        """Send these bytes when the thread comes to it."""
        with self._changed:
            if self._ending:
                return
            if len(self._outgoing) + len(data) > BACKLOG:
                waiting = len(self._outgoing)
                self._why = self._fault(OVERFLOW, f"{waiting} bytes wait for the device, {len(data)} more find no room")
                self._ending = True
            else:
                self._outgoing += data

    def close(self) -> None:
        """Let go of the device: the thread does it, within the time-out of its last call."""
        self._open = False
        self._received = self._lost = None
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    @property
    def ends_with(self) -> threading.Thread | None:
        """The thread that still has the device, this port's or, if this one was never started, the one before."""
        return self._after if self._thread.ident is None else self._thread

    # On the loop, called by the thread.

    def _take(self) -> None:
        """Give the owner what has come."""
        with self._changed:
            data = bytes(self._incoming)
            self._incoming.clear()
            self._changed.notify_all()
        if data and self._received is not None:
            self._received(data)

    def _end(self, fault: Fault) -> None:
        """The thread has let go of the device: tell the owner why."""
        self._take()
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
        try:
            self._serve()
            fault = self._why
        except _EndedError as end:
            fault = end.fault
        if fault is not None:
            self._tell(self._end, fault)

    def _tell(self, function: Callable[..., None], *arguments: object) -> None:
        """Have the loop call this; a loop that was closed without closing the port ends the port."""
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            self._ending = True

    def _serve(self) -> None:
        """Find the device, carry bytes until it is gone or the port is closed, let go of it."""
        device = self._find()
        try:
            while not self._ending and not self._loop.is_closed():
                self._send(device)
                self._read(device)
        finally:
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
        self._packet = array.array("B", bytes(self._sizes[IN]))
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

    def _read(self, device: usb.core.Device) -> None:
        """Read one packet, or nothing."""
        try:
            count = device.read(IN, self._packet, BUSY_MS if self._outgoing else self._pace)
        except usb.core.USBTimeoutError:
            self._pace = min(2 * self._pace, IDLE_MS)
            return
        except usb.core.USBError as problem:
            self._mend(device, IN, problem)
            return
        self._pace, self._halts = BUSY_MS, 0
        if count:
            self._deliver(self._packet[:count].tobytes())

    def _deliver(self, data: bytes) -> None:
        """Hand bytes to the loop; while it does not take them, wait."""
        with self._changed:
            while len(self._incoming) >= BACKLOG and not self._ending and not self._loop.is_closed():
                self._changed.wait(IDLE_MS / 1000)
            first = not self._incoming
            self._incoming += data
        if first:
            self._tell(self._take)

    def _send(self, device: usb.core.Device) -> None:
        """Write what waits, packet by packet."""
        for _ in range(PACKETS):
            with self._changed:
                packet = bytes(self._outgoing[: self._sizes[OUT]])
            if not packet or self._ending:
                return
            try:
                taken = device.write(OUT, packet, WRITE_MS)
            except usb.core.USBTimeoutError:
                taken = 0
            except usb.core.USBError as problem:
                self._mend(device, OUT, problem)
                continue
            if not taken:
                self._wait_no_longer()
                return
            self._blocked, self._halts = None, 0
            with self._changed:
                del self._outgoing[:taken]

    def _wait_no_longer(self) -> None:
        """End when the device has taken nothing for too long."""
        now = time.monotonic()
        if self._blocked is None:
            self._blocked = now
        elif now - self._blocked >= WRITE_TIMEOUT:
            raise _EndedError(self._fault(PORT_ERROR, f"the device has taken nothing for {WRITE_TIMEOUT:g} s"))

    def _mend(self, device: usb.core.Device, endpoint: int, problem: usb.core.USBError) -> None:
        """Clear a halted endpoint; any other problem ends the port."""
        self._halts += 1
        if problem.errno != errno.EPIPE or self._halts > HALTS:
            raise _EndedError(self._reason(problem, UNPLUGGED)) from problem
        try:
            device.clear_halt(endpoint)
        except usb.core.USBError as worse:
            raise _EndedError(self._reason(worse, UNPLUGGED)) from worse

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
