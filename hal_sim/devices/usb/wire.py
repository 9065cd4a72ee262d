"""What the simulated USB cable and the pyusb backend say to each other over their Unix socket.

1. The socket keeps message boundaries (SOCK_SEQPACKET). The host asks, the device answers each request but CANCEL
   once, in any order::

       request   operation u8, sequence u32, body
       answer    sequence u32, error u16 (0, or an errno that libusb would give), body

2. A handle is two connections, so that a read may wait while something else is asked: the first asks OPEN and gets a
   token, the second asks JOIN with it and then only IN.
3. Bodies: ENUMERATE nothing, answer bus u8, address u8 and the descriptors; OPEN address u8, answer token u32; JOIN
   token u32; CLAIM, RELEASE, DETACH, ATTACH, ACTIVE (answer u8) nothing; CONFIGURE value u8, CONFIGURATION answer u8;
   CONTROL the eight bytes of a setup packet, answer the data; OUT the data; IN the size wanted u32, answer the data;
   CANCEL the sequence of a held request that is given up, which is then answered with ETIMEDOUT; CLEAR endpoint
   u8; RESET nothing.
4. The descriptors are the bytes that a device sends: 18 of the device, then 32 of its only configuration with one
   vendor interface, interrupt IN 0x81 and interrupt OUT 0x01, 64 bytes a packet.
"""

import struct
from enum import IntEnum

VENDOR = 0x1209
PRODUCT = 0xCA5E
ENDPOINT_IN = 0x81
ENDPOINT_OUT = 0x01
PACKET = 64
BUS = 1
# The longest message, and the longest transfer of either direction.
LONGEST = 16384

REQUEST = struct.Struct("<BI")
ANSWER = struct.Struct("<IH")
SETUP = struct.Struct("<BBHHH")

DEVICE_DESCRIPTOR = struct.Struct("<BBHBBBBHHHBBBB")
CONFIGURATION_DESCRIPTOR = struct.Struct("<BBHBBBBB")
INTERFACE_DESCRIPTOR = struct.Struct("<BBBBBBBBB")
ENDPOINT_DESCRIPTOR = struct.Struct("<BBBBHB")


class Operation(IntEnum):
    """What a host asks of the cable."""

    ENUMERATE = 1
    OPEN = 2
    JOIN = 3
    CLAIM = 4
    RELEASE = 5
    ACTIVE = 6
    DETACH = 7
    ATTACH = 8
    CONFIGURE = 9
    CONFIGURATION = 10
    CONTROL = 11
    OUT = 12
    IN = 13
    CANCEL = 14
    CLEAR = 15
    RESET = 16


def descriptors() -> bytes:
    """Return the descriptors of the simulated device."""
    interrupt = 3
    endpoints = b"".join(
        ENDPOINT_DESCRIPTOR.pack(7, 5, address, interrupt, PACKET, 1) for address in (ENDPOINT_IN, ENDPOINT_OUT)
    )
    interface = INTERFACE_DESCRIPTOR.pack(9, 4, 0, 0, 2, 0xFF, 0, 0, 0)
    total = 9 + len(interface) + len(endpoints)
    configuration = CONFIGURATION_DESCRIPTOR.pack(9, 2, total, 1, 1, 0, 0x80, 50)
    device = DEVICE_DESCRIPTOR.pack(18, 1, 0x0200, 0, 0, 0, 64, VENDOR, PRODUCT, 0x0100, 1, 2, 3, 1)
    return device + configuration + interface + endpoints
