"""The benches by kind of driver: ours, and those that other makers' packages name.

1. A bench of another maker's driver is found by an entry point of the group `GROUP` with the driver's name: something
   that is called without arguments and returns the bench. A driver that the registry finds and that has no bench fails
   the contract suite by name.
2. The devices on our own link all have the same bench: the device's end of the link with the production catalogue.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import cast

from drivers.anchors import Anchored
from drivers.driver import Settings
from drivers.hub import CATALOGUE as HUB
from drivers.link.device import DeviceLink
from drivers.link.editions.noise import public
from drivers.link.editions.sealed import SealedDevice
from drivers.messages import Catalogue, Message
from drivers.meter import CATALOGUE as METER
from drivers.panel import CATALOGUE as PANEL
from drivers.shoe import CATALOGUE as SHOE
from drivers.shuffler import CATALOGUE as SHUFFLER
from tests.drivers.bench import Bench
from tests.drivers.values import a_message

GROUP = "truedeal.benches"
SECRET = bytes(range(32))
"""The host's own secret key."""
DEVICE_SECRET = bytes(range(32, 64))
SERIAL = "BENCH-1"


class FramedBench:
    """Any device on our own link."""

    keeps = True
    patience: float | None = 2.0

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.chance = random.Random(catalogue.kind)
        self.settings = Settings(catalogue.kind, SERIAL, expected=1, secret=SECRET, public=public(DEVICE_SECRET))
        self.commands: Sequence[Message] = [
            a_message(command, self.chance) for _ in range(3) for command in catalogue.commands
        ]
        self.commanded: list[Message] = []
        self.happened = 0
        self.link = DeviceLink(
            kind=catalogue.kind,
            serial=SERIAL,
            firmware="bench 1",
            capabilities=0,
            shake=SealedDevice(DEVICE_SECRET, public(SECRET), kind=catalogue.kind, serial=SERIAL),
            boot=1,
        )

    @property
    def acknowledged(self) -> int:
        """Return the highest number that the host has acknowledged."""
        return self.link.acknowledged

    def happen(self, now: float) -> Message:
        """Tell the events of the catalogue in turn, each with other values."""
        short = [event for event in self.catalogue.events if event is not Anchored]  # of one frame each
        event = short[self.happened % len(short)]
        self.happened += 1
        message = a_message(event, self.chance)
        ident, payload = self.catalogue.encode(message)
        self.link.event(ident, payload, int(now * 1000) % 2**32, now)
        return message

    def essence(self, message: Message) -> Message:
        """Return the message: the device decides all of it."""
        return message

    def opened(self, now: float) -> None:
        """The cable is plugged in."""
        self.link.opened(now)

    def received(self, data: bytes, now: float) -> None:
        """Take bytes from the host."""
        for command in self.link.received(data, now):
            message = self.catalogue.decode_command(command.ident, command.payload)
            assert message is not None
            self.commanded.append(message)

    def tick(self, now: float) -> None:
        """Do what time asks for."""
        self.link.tick(now)

    def due(self) -> float | None:
        """Return when `tick` wants to be called next."""
        return self.link.due()

    def outgoing(self) -> bytes:
        """Return what is to be written to the host now."""
        return self.link.outgoing()

    def closed(self) -> None:
        """The cable is pulled."""
        self.link.closed()


def angel_eye() -> Bench:
    """Return the bench of the Angel Eye style shoe."""
    return cast("Bench", importlib.import_module("tests.drivers.angel_eye.bench").make())


BENCHES: dict[str, Callable[[], Bench]] = {point.name: point.load() for point in entry_points(group=GROUP)} | {
    catalogue.kind: partial(FramedBench, catalogue) for catalogue in (SHOE, SHUFFLER, HUB, PANEL, METER)
}
BENCHES["angel-eye"] = angel_eye
