"""What a port is: the wire to one device, as bytes.

1. A port is made open or about to open. `start` names the two functions that it calls, on the event loop, never from
   inside a call of its owner: `received` with bytes as they come, `lost` at most once, when the wire is gone.
2. Before `lost` is called everything that had arrived has been given to `received`, and the port has closed itself.
3. `write` takes all bytes and returns at once. What the device does not take yet waits in a queue of `BACKLOG` bytes;
   a full queue is the fault `overflow`, and a queue that does not move for `WRITE_TIMEOUT` seconds is a `port-error`.
   Both are told by `lost`. What one `write` is given is queued whole or not at all.
4. `close` may be called at any time and any number of times. After it neither function is called.
5. A device that is not there is told in one of two ways: the opener raises `PortError`, where that can be known
   without waiting, or `lost` is called. The owner treats both alike.

    Exception
    └── PortError      ours: the port cannot be opened; the cause from pyserial or the system is chained to it
    └── ValueError
        └── AddressError   ours: the text is no address of a port (address.py)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from drivers.faults import Fault

BACKLOG = 64 * 1024
"""How many bytes may wait for a device that does not take them."""
WRITE_TIMEOUT = 2.0
"""After how many seconds without progress a device that takes nothing is given up."""


class Port(Protocol):
    """The wire to one device."""

    def start(self, received: Callable[[bytes], None], lost: Callable[[Fault], None]) -> None:
        """Begin to read; called once."""
        ...

    def write(self, data: bytes) -> None:
        """Send these bytes, now or when the device takes them."""
        ...

    def close(self) -> None:
        """Let go of the device and of every descriptor."""
        ...


class PortError(Exception):
    """The port cannot be opened, and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.code}: {fault.detail}")
        self.fault = fault
