"""Addresses of ports: what they say, and what is refused."""

from __future__ import annotations

import pytest

from drivers.ports import Address, AddressError, SerialAddress, UsbAddress, parse

GOOD: dict[str, Address] = {
    "serial:/dev/serial/by-id/shoe": SerialAddress("/dev/serial/by-id/shoe", 115_200),
    "serial:/dev/ttyS0?baud=4800": SerialAddress("/dev/ttyS0", 4800),
    "pty:/run/shoe": SerialAddress("/run/shoe", 115_200, pseudo=True),
    "usb:1209:ca5e": UsbAddress(0x1209, 0xCA5E, None),
    "usb:1209:ca5e:SIM-PANEL": UsbAddress(0x1209, 0xCA5E, "SIM-PANEL"),
    "usb:1209:ca5e:A:B": UsbAddress(0x1209, 0xCA5E, "A:B"),
}
BAD = {
    "": "begins with serial:, pty: or usb:",
    "tcp:host:1": "begins with serial:, pty: or usb:",
    "serial:": "begins with /",
    "serial:ttyS0": "begins with /",
    "serial:/dev/tty\0S0": "begins with /",
    "serial:/dev/ttyS0?": "only option is",
    "serial:/dev/ttyS0?parity=E": "only option is",
    "serial:/dev/ttyS0?baud=fast": "only option is",
    "serial:/dev/ttyS0?baud=-9600": "only option is",
    "serial:/dev/ttyS0?baud=9600&baud=4800": "only option is",
    "serial:/dev/ttyS0?baud=115201": "speed is one of",
    "pty:shoe": "begins with /",
    "pty:/tmp/shoe?baud=4800": "begins with serial:, pty: or usb:",
    "usb:": "four hexadecimal digits",
    "usb:1209": "four hexadecimal digits",
    "usb:12:ca5e": "four hexadecimal digits",
    "usb:1209:ca5g": "four hexadecimal digits",
    "usb:1209:ca5e:": "four hexadecimal digits",
    "usb:1209:ca5e:two words": "four hexadecimal digits",
}


@pytest.mark.parametrize("text", GOOD)
def test_read(text: str) -> None:
    """An address is read, and written the same way again."""
    assert GOOD[text] == parse(text)
    assert text == str(parse(text))


@pytest.mark.parametrize("text", BAD)
def test_refused(text: str) -> None:
    """A text that is no address is refused with what is wrong."""
    with pytest.raises(AddressError, match=BAD[text]):
        parse(text)
