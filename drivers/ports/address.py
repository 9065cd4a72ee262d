"""Addresses of ports, as they stand in the configuration.

1. `serial:/dev/serial/by-id/NAME`, with `?baud=4800` where it is not 115200. The path is kept as it is written: a
   link that the system points elsewhere after a replug is followed again at each opening.
2. `pty:/PATH` is a pseudo-terminal, behind which a simulated device is. A real line is not opened by this name, so
   that what only simulated devices may have is never given to a real one.
3. `usb:VVVV:PPPP` or `usb:VVVV:PPPP:SERIAL`: vendor and product in four hexadecimal digits, then the serial number of
   the device itself, whatever bus and number the kernel gives it.
4. Any other text raises `AddressError`, which says what is wrong with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

BAUD = 115_200
BAUDS = (1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600)
USB = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::([!-~]+))?", re.ASCII)


class AddressError(ValueError):
    """A text that is no address of a port."""


@dataclass(frozen=True, slots=True)
class SerialAddress:
    """A serial line: its stable path and its speed, and whether it is a pseudo-terminal."""

    path: str
    baud: int = BAUD
    pseudo: bool = False

    def __str__(self) -> str:
        return f"{'pty' if self.pseudo else 'serial'}:{self.path}" + ("" if self.baud == BAUD else f"?baud={self.baud}")


@dataclass(frozen=True, slots=True)
class UsbAddress:
    """A USB device: vendor, product and, where several may be plugged in, its serial number."""

    vendor: int
    product: int
    serial: str | None = None

    def __str__(self) -> str:
        return f"usb:{self.vendor:04x}:{self.product:04x}" + ("" if self.serial is None else f":{self.serial}")


Address = SerialAddress | UsbAddress


def parse(text: str) -> Address:
    """Read an address, or raise AddressError."""
    scheme, _, rest = text.partition(":")
    match scheme:
        case "serial":
            return _serial(text, rest)
        case "pty" if "?" not in rest:
            return replace(_serial(text, rest), pseudo=True)
        case "usb":
            return _usb(text, rest)
        case _:
            raise AddressError(f"{text!r}: an address begins with serial:, pty: or usb:")


def _serial(text: str, rest: str) -> SerialAddress:
    path, mark, option = rest.partition("?")
    if not path.startswith("/") or "\0" in path:
        raise AddressError(f"{text!r}: the path of a serial line begins with /")
    if not mark:
        return SerialAddress(path)
    name, _, value = option.partition("=")
    if name != "baud" or not (value.isascii() and value.isdigit()):
        raise AddressError(f"{text!r}: the only option is ?baud=NUMBER")
    if int(value) not in BAUDS:
        raise AddressError(f"{text!r}: the speed is one of {', '.join(map(str, BAUDS))}")
    return SerialAddress(path, int(value))


def _usb(text: str, rest: str) -> UsbAddress:
    found = USB.fullmatch(rest)
    if found is None:
        raise AddressError(
            f"{text!r}: it reads usb:VVVV:PPPP or usb:VVVV:PPPP:SERIAL, with four hexadecimal digits each"
        )
    vendor, product, serial = found.groups()
    return UsbAddress(int(vendor, 16), int(product, 16), serial)
