"""Ports: wires to devices. `opener` returns a function that opens the port of an address, as often as it is called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from drivers.ports.address import Address, AddressError, SerialAddress, UsbAddress, parse
from drivers.ports.port import Port, PortError
from drivers.ports.serial_port import open_serial
from drivers.ports.usb_port import UsbBackend, UsbOpener

__all__ = [
    "Address",
    "AddressError",
    "Port",
    "PortError",
    "SerialAddress",
    "UsbAddress",
    "UsbBackend",
    "opener",
    "parse",
]


def opener(address: str, loop: asyncio.AbstractEventLoop, usb_backend: UsbBackend | None = None) -> Callable[[], Port]:
    """Return the function that opens this address afresh at each call; raise AddressError if the text is no address."""
    match parse(address):
        case SerialAddress() as line:
            return partial(open_serial, line, loop)
        case UsbAddress() as device:
            return UsbOpener(device, loop, usb_backend)
