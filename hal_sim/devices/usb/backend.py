"""A pyusb backend that reaches a simulated USB device over its Unix socket, and behaves as libusb does.

1. `SocketBackend(path)` goes where a `usb.backend.IBackend` goes: `usb.core.find(backend=SocketBackend(path), ...)`.
   All above it is the real pyusb and the production port. The other end is `UsbCable` in the device's process.
2. A device is found while it is plugged. An opened handle has two connections, one for requests and OUT transfers,
   one for IN transfers, so that a thread may read while another writes. Closing the handle closes both.
3. Errors are those of libusb with its codes and errno values: ENODEV where the cable was pulled, also in the middle
   of a waiting read; EBUSY while a kernel driver or another handle holds the interface; ENOENT where there is nothing
   to detach or release, or the interface was not claimed; EPIPE for a stall; `USBTimeoutError` after the time
   allowed. A timeout of 0 waits for ever, as it does for libusb.
4. An IN transfer that timed out stays asked: its bytes come to the next read and are never lost between two reads. An
   OUT transfer that timed out is given up: the device does not get it.

Not modelled: see `cable`.
"""

import array
import contextlib
import errno
import os
import socket
import threading
import time
from types import SimpleNamespace
from typing import Any

import usb.backend
from usb.core import USBError, USBTimeoutError

from hal_sim.devices.usb.wire import (
    ANSWER,
    CONFIGURATION_DESCRIPTOR,
    DEVICE_DESCRIPTOR,
    ENDPOINT_DESCRIPTOR,
    INTERFACE_DESCRIPTOR,
    LONGEST,
    REQUEST,
    SETUP,
    Operation,
)

# The codes of libusb by errno.
_LIBUSB = {
    errno.EIO: -1,
    errno.EINVAL: -2,
    errno.EACCES: -3,
    errno.ENODEV: -4,
    errno.ENOENT: -5,
    errno.EBUSY: -6,
    errno.ETIMEDOUT: -7,
    errno.EPIPE: -9,
}
# How long the simulated kernel may take to answer what a kernel answers at once, in milliseconds.
_AT_ONCE = 5000
_CONFIGURATION_AT = DEVICE_DESCRIPTOR.size
_INTERFACE_AT = _CONFIGURATION_AT + CONFIGURATION_DESCRIPTOR.size
_ENDPOINTS_AT = _INTERFACE_AT + INTERFACE_DESCRIPTOR.size


def _usb_error(number: int) -> Exception:
    """Return the exception that pyusb raises over libusb for an errno."""
    code = _LIBUSB.get(number, -99)
    error: type[Exception] = USBTimeoutError if number == errno.ETIMEDOUT else USBError
    return error(os.strerror(number), code, number)


class _Line:
    """One connection to the device."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._sequence = 0
        self._sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._sock.connect(path)
        except OSError as error:
            self._sock.close()
            raise _usb_error(errno.ENODEV) from error

    def close(self) -> None:
        """Close the connection and wake the thread that waits on it."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()

    def ask(self, operation: Operation, body: bytes = b"", timeout: int = _AT_ONCE) -> bytes:
        """Ask and wait for the answer; what is not answered in time is given up, unless it was done meanwhile."""
        with self._lock:
            sequence = self.send(operation, body)
            try:
                return self.answer(sequence, timeout)
            except USBTimeoutError:
                self.send(Operation.CANCEL, sequence.to_bytes(4, "little"))
                return self.answer(sequence, _AT_ONCE)

    def send(self, operation: Operation, body: bytes) -> int:
        """Ask, and return the sequence number of the question."""
        self._sequence = (self._sequence + 1) % 2**32
        try:
            self._sock.settimeout(None)
            self._sock.send(REQUEST.pack(operation, self._sequence) + body)
        except OSError as error:
            raise _usb_error(errno.ENODEV) from error
        return self._sequence

    def answer(self, sequence: int, timeout: int) -> bytes:
        """Wait for the answer to one question."""
        until = time.monotonic() + timeout / 1000 if timeout else None
        while True:
            try:
                self._sock.settimeout(None if until is None else max(until - time.monotonic(), 1e-6))
                message = self._sock.recv(LONGEST)
            except TimeoutError as error:
                raise _usb_error(errno.ETIMEDOUT) from error
            except OSError as error:
                raise _usb_error(errno.ENODEV) from error
            if len(message) < ANSWER.size:
                raise _usb_error(errno.ENODEV)
            answered, number = ANSWER.unpack_from(message)
            if answered == sequence:
                if number:
                    raise _usb_error(number)
                return message[ANSWER.size :]


class _Handle:
    """An opened device."""

    def __init__(self, path: str, address: int) -> None:
        self.requests = _Line(path)
        try:
            token = self.requests.ask(Operation.OPEN, bytes((address,)))
            self._stream = _Line(path)
        except BaseException:
            self.requests.close()
            raise
        self._lock = threading.Lock()
        self._asked: int | None = None
        self._kept = b""
        try:
            self._stream.ask(Operation.JOIN, token)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close both connections."""
        self.requests.close()
        self._stream.close()

    def read(self, size: int, timeout: int) -> bytes:
        """Wait for bytes of the IN endpoint."""
        with self._lock:
            if not self._kept:
                if self._asked is None:
                    self._asked = self._stream.send(Operation.IN, size.to_bytes(4, "little"))
                try:
                    self._kept = self._stream.answer(self._asked, timeout)
                    self._asked = None
                except USBTimeoutError:
                    raise
                except USBError:
                    self._asked = None
                    raise
            data, self._kept = self._kept[:size], self._kept[size:]
            return data


class _FoundDevice:
    """A device as it was found: where it is, its address then, its descriptors."""

    def __init__(self, path: str, answer: bytes) -> None:
        self.path = path
        self.bus, self.address = answer[0], answer[1]
        self.descriptors = answer[2:]


class SocketBackend(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """What pyusb asks of libusb, answered by the simulated device behind one socket."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def enumerate_devices(self) -> list[_FoundDevice]:
        """Return the device, if it is plugged."""
        try:
            line = _Line(self._path)
        except USBError:
            return []
        try:
            return [_FoundDevice(self._path, line.ask(Operation.ENUMERATE))]
        except USBError:
            return []
        finally:
            line.close()

    def get_parent(self, _dev: _FoundDevice) -> None:
        """Return no parent: hubs are not modelled."""
        return

    def get_device_descriptor(self, dev: _FoundDevice) -> SimpleNamespace:
        """Return the device descriptor, with bus and address."""
        names = (
            "bLength bDescriptorType bcdUSB bDeviceClass bDeviceSubClass bDeviceProtocol bMaxPacketSize0 idVendor "
            "idProduct bcdDevice iManufacturer iProduct iSerialNumber bNumConfigurations"
        )
        values = DEVICE_DESCRIPTOR.unpack_from(dev.descriptors)
        full_speed = 2
        return SimpleNamespace(
            **dict(zip(names.split(), values, strict=True)),
            bus=dev.bus,
            address=dev.address,
            port_number=1,
            port_numbers=(1,),
            speed=full_speed,
        )

    def get_configuration_descriptor(self, dev: _FoundDevice, config: int) -> SimpleNamespace:
        """Return the only configuration."""
        names = (
            "bLength bDescriptorType wTotalLength bNumInterfaces bConfigurationValue iConfiguration bmAttributes "
            "bMaxPower"
        )
        return _descriptor(CONFIGURATION_DESCRIPTOR.unpack_from(dev.descriptors, _CONFIGURATION_AT), names, config)

    def get_interface_descriptor(self, dev: _FoundDevice, intf: int, alt: int, config: int) -> SimpleNamespace:
        """Return the only interface."""
        names = (
            "bLength bDescriptorType bInterfaceNumber bAlternateSetting bNumEndpoints bInterfaceClass "
            "bInterfaceSubClass bInterfaceProtocol iInterface"
        )
        return _descriptor(INTERFACE_DESCRIPTOR.unpack_from(dev.descriptors, _INTERFACE_AT), names, intf, alt, config)

    def get_endpoint_descriptor(self, dev: _FoundDevice, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        """Return the descriptor of IN or OUT."""
        names = "bLength bDescriptorType bEndpointAddress bmAttributes wMaxPacketSize bInterval"
        at = _ENDPOINTS_AT + min(ep, 1) * ENDPOINT_DESCRIPTOR.size
        values = ENDPOINT_DESCRIPTOR.unpack_from(dev.descriptors, at)
        found = _descriptor(values, names, max(ep - 1, 0), intf, alt, config)
        found.bRefresh = found.bSynchAddress = 0
        return found

    def open_device(self, dev: _FoundDevice) -> _Handle:
        """Open the device, if it is still the one that was found."""
        return _Handle(dev.path, dev.address)

    def close_device(self, dev_handle: _Handle) -> None:
        """Close the handle."""
        dev_handle.close()

    def set_configuration(self, dev_handle: _Handle, config_value: int) -> None:
        """Choose a configuration."""
        dev_handle.requests.ask(Operation.CONFIGURE, bytes((config_value,)))

    def get_configuration(self, dev_handle: _Handle) -> int:
        """Return the configuration in use."""
        return dev_handle.requests.ask(Operation.CONFIGURATION)[0]

    def set_interface_altsetting(self, dev_handle: _Handle, _intf: int, _altsetting: int) -> None:
        """Do nothing, if the device is there: there is one setting."""
        dev_handle.requests.ask(Operation.CONFIGURATION)

    def claim_interface(self, dev_handle: _Handle, _intf: int) -> None:
        """Claim the interface."""
        dev_handle.requests.ask(Operation.CLAIM)

    def release_interface(self, dev_handle: _Handle, _intf: int) -> None:
        """Release the interface."""
        dev_handle.requests.ask(Operation.RELEASE)

    def is_kernel_driver_active(self, dev_handle: _Handle, _intf: int) -> bool:
        """Tell whether a kernel driver holds the interface."""
        return bool(dev_handle.requests.ask(Operation.ACTIVE)[0])

    def detach_kernel_driver(self, dev_handle: _Handle, _intf: int) -> None:
        """Take the interface from the kernel driver."""
        dev_handle.requests.ask(Operation.DETACH)

    def attach_kernel_driver(self, dev_handle: _Handle, _intf: int) -> None:
        """Give the interface back to the kernel driver."""
        dev_handle.requests.ask(Operation.ATTACH)

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        """End a stall."""
        dev_handle.requests.ask(Operation.CLEAR, bytes((ep,)))

    def reset_device(self, dev_handle: _Handle) -> None:
        """Reset the device."""
        dev_handle.requests.ask(Operation.RESET)

    def intr_read(self, dev_handle: _Handle, _ep: int, _intf: int, buff: "array.array[int]", timeout: int) -> int:
        """Read from the IN endpoint into the buffer."""
        data = dev_handle.read(len(buff) * buff.itemsize, timeout)
        buff[: len(data)] = array.array("B", data)
        return len(data)

    def intr_write(self, dev_handle: _Handle, _ep: int, _intf: int, data: "array.array[int]", timeout: int) -> int:
        """Write to the OUT endpoint."""
        raw = data.tobytes()
        for start in range(0, len(raw), LONGEST // 2):
            dev_handle.requests.ask(Operation.OUT, raw[start : start + LONGEST // 2], timeout)
        return len(raw)

    bulk_read = intr_read
    bulk_write = intr_write

    def ctrl_transfer(
        self,
        dev_handle: _Handle,
        bmRequestType: int,  # noqa: N803  pyusb's name
        bRequest: int,  # noqa: N803  pyusb's name
        wValue: int,  # noqa: N803  pyusb's name
        wIndex: int,  # noqa: N803  pyusb's name
        data: "array.array[int]",
        timeout: int,
    ) -> int:
        """Ask endpoint 0."""
        setup = SETUP.pack(bmRequestType, bRequest, wValue, wIndex, len(data) * data.itemsize)
        answer = dev_handle.requests.ask(Operation.CONTROL, setup, timeout)
        data[: len(answer)] = array.array("B", answer)
        return len(answer)


def _descriptor(values: tuple[Any, ...], names: str, *indexes: int) -> SimpleNamespace:
    """Return the fields of a descriptor by name; there is one of each, so an index other than 0 is none."""
    if any(indexes):
        problem = "no such descriptor"
        raise IndexError(problem)
    fields: dict[str, Any] = dict(zip(names.split(), values, strict=True))
    return SimpleNamespace(**fields, extra_descriptors=array.array("B"))
