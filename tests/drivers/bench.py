"""A bench: the device's end of the wire, for the contract suite of all drivers.

1. A bench plays one device. It has no clock and no wire: the suite gives both, as it gives them to the driver.
2. `settings` is what the suite makes the driver from; it replaces `expected` where a test restarts the host.
3. `happen` makes something happen at the device and returns the message that the driver must give for it. Events that
   follow each other differ, so that a lost, repeated or exchanged one is seen.
4. `keeps` says whether the device keeps its events until they are acknowledged. One that does not may lose events on
   a bad line or while the host is away; the suite then asks that what arrives is right, in order, and that what does
   not is reported.
5. `essence` takes away from a message what the device does not decide, such as a gap that the host measures: the suite
   compares what is left. None for a message that stands for no event of its own, such as a card in doubt.
6. `commands` are commands that the device takes, `commanded` those that arrived, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from drivers.driver import Settings
from drivers.messages import Message


class Bench(Protocol):
    """The device's end of the wire."""

    @property
    def settings(self) -> Settings:
        """What the driver of this device is made from."""

    @property
    def keeps(self) -> bool:
        """Whether the device keeps its events until they are acknowledged."""

    @property
    def patience(self) -> float | None:
        """After how many seconds without a byte the driver must say `silent`; None if the device has no heartbeat."""

    @property
    def commands(self) -> Sequence[Message]:
        """Commands that the device takes, none if it takes none."""

    @property
    def commanded(self) -> Sequence[Message]:
        """Return the commands that arrived so far, in order."""

    @property
    def acknowledged(self) -> int:
        """Return the highest number of an event that the host has acknowledged, 0 for none or if the link has none."""

    def happen(self, now: float) -> Message:
        """Make something happen and return the message that the driver must give; also while the port is closed."""

    def essence(self, message: Message) -> Message | None:
        """Return what is compared of a message that the driver gave or that `happen` returned."""

    def opened(self, now: float) -> None:
        """The cable is plugged in."""

    def received(self, data: bytes, now: float) -> None:
        """Take bytes from the host."""

    def tick(self, now: float) -> None:
        """Do what time asks for."""

    def due(self) -> float | None:
        """Return when `tick` wants to be called next, None for never."""

    def outgoing(self) -> bytes:
        """Return what is to be written to the host now; a second call gives nothing."""

    def closed(self) -> None:
        """The cable is pulled."""
