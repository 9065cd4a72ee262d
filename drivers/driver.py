"""Drivers: what every one of them is, and where they are found.

1. A driver is sans-I/O: bytes and times go in, happenings and bytes come out. It opens no port, reads no clock, starts
   no thread and never blocks; its owner (`drivers.station`) does that. `now` is any clock in seconds that never goes
   back.
2. The life of a driver: `opened`, then any mixture of `received`, `tick`, `send`, `acknowledge`, `ask` and `outgoing`,
   then `closed`, and again from `opened`. After each call the owner writes what `outgoing` gives and asks `due`.
3. Nothing that a device sends makes a driver raise. What cannot be understood is a `Fault`. A whole numbered message of
   unknown meaning is also a `Received` with `Unknown`, so that it can be acknowledged.
4. Events are given in the order of their numbers, each once, also across `closed` and `opened`.
5. Events are acknowledged to the device only when `acknowledge` said that they are durable. What has not been
   acknowledged is asked for again in the next session, but given again only by a new driver. A device may hold
   events back while others wait for their acknowledgement.
6. A fatal fault (`Fault.fatal`) ends the session: the owner closes the port, calls `closed` and opens it again.
7. `ask` asks how far the device has come. The answer, `CaughtUp`, comes when all that had happened at the device by the
   time it was asked has been given. A question that is open when the session ends is not answered any more. A driver
   whose device cannot tell returns None.
8. `available` names the drivers: our own and those of the entry point group `truedeal.drivers`, each a callable that
   makes a driver from `Settings`. No other package can take a name of `OWN`. Nothing is imported until it is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol, cast

from drivers.happenings import Happening
from drivers.messages import Message

GROUP = "truedeal.drivers"


class Driver(Protocol):
    """One device, seen from the host."""

    kind: str

    def opened(self, now: float) -> None:
        """Start afresh: the port is open."""

    def received(self, data: bytes, now: float) -> list[Happening]:
        """Take bytes that came, in pieces of any size."""

    def tick(self, now: float) -> list[Happening]:
        """Do what is due; return the fatal fault `silent` when the device has gone quiet."""

    def due(self) -> float | None:
        """Return when `tick` wants to be called next, None for never."""

    def outgoing(self) -> bytes:
        """Return what is to be written now; a second call gives nothing."""

    def send(self, command: Message, now: float) -> bool:
        """Send a command, again until it is acknowledged; False if the device is not up or has no such command."""

    def acknowledge(self, number: int, now: float) -> None:
        """Note that all events up to this number are durable."""

    def ask(self, now: float) -> int | None:
        """Ask how far the device has come; return the number of the question, None if it is not up or cannot tell."""

    def closed(self) -> None:
        """Forget the session: the port is gone. What was learnt of the device's numbers is kept."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a driver is made from.

    `serial` None takes any device of the kind. `expected` is the number of the next event that is wanted, None takes
    what comes; `numbering` is the device's numbering that it belongs to (`Identity.numbering`), None if that is not
    known. `options` are the driver's own.

    `edition` is that of our own link: 2 has `secret`, the table's own X25519 key, and `public`, the device's; 1 has
    `key`, which both hold, or none if `authenticated` is false. Other drivers do without. `patience` is for how many
    seconds our own link bears that nothing arrives (`link.freshness`): more than one only for simulated devices.
    """

    kind: str
    serial: str | None = None
    key: bytes | None = None
    authenticated: bool = True
    expected: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    numbering: int | None = None
    edition: int = 2
    secret: bytes | None = field(default=None, repr=False)
    public: bytes | None = None
    patience: int = 1


class Maker(Protocol):
    """What an entry point names."""

    def __call__(self, settings: Settings, /) -> Driver:
        """Return a new driver."""


class DriverError(ValueError):
    """A driver cannot be made: there is none of that name, it cannot be imported, or its settings are wrong."""


OWN = {
    "shoe": "drivers.shoe.driver:make",
    "shuffler": "drivers.shuffler.driver:make",
    "hub": "drivers.hub.driver:make",
    "panel": "drivers.panel.driver:make",
    "meter": "drivers.meter.driver:make",
}


def available() -> dict[str, str]:
    """Return where to import each driver from, by kind: ours and those that are installed beside us."""
    from importlib.metadata import entry_points  # noqa: PLC0415  three megabytes, which our own drivers do without

    return {point.name: point.value for point in entry_points(group=GROUP)} | OWN


def make(settings: Settings) -> Driver:
    """Return a new driver of this kind.

    Raises:
        DriverError: there is no such driver, it cannot be imported, or its settings are wrong.
    """
    had_from = OWN.get(settings.kind) or available().get(settings.kind)
    if had_from is None:
        problem = f"no driver '{settings.kind}': there are {', '.join(sorted(available()))}"
        raise DriverError(problem)
    try:
        module, _, name = had_from.partition(":")
        maker = cast("Maker", getattr(import_module(module.strip()), name.strip()))
    except (ImportError, AttributeError) as missing:
        problem = f"driver '{settings.kind}' cannot be had from {had_from}: {missing}"
        raise DriverError(problem) from missing
    return maker(settings)
