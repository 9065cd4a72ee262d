"""The driver of every device that speaks our own link: the host's end of the link and a catalogue of messages.

1. The link gives numbered payloads in order, each once; the catalogue says what they mean.
2. A payload of the wrong shape is the fault `bad-message`, a number that is not in the catalogue `unknown-message`.
   After the fault the event itself is given too, as `Unknown` with all its bytes: it has a number and is recorded and
   acknowledged like any other.
3. The edition of the link is the one that the settings name; the other is never tried. A device of edition 2 whose key
   is not known yet gets the driver `Unpaired`, which takes nothing from it.
4. The device must say the kind of the catalogue. The driver may have another name: a vendor's shoe is still a shoe.
"""

from __future__ import annotations

from drivers.driver import Driver, DriverError, Settings
from drivers.faults import BAD_MESSAGE, UNKNOWN_MESSAGE, UNPAIRED, Fault
from drivers.happenings import Arrived, Happening, LinkHappening, LinkStats, Received
from drivers.link.editions.edition import HostShake
from drivers.link.editions.sealed import SealedHost
from drivers.link.editions.tagged import TaggedHost
from drivers.link.host import HostLink
from drivers.messages import Catalogue, Message, Unknown


def _shake(kind: str, settings: Settings) -> HostShake:
    """The handshake of the edition that the settings name; DriverError if they lack what it needs."""
    if settings.edition == 1:
        if settings.authenticated and settings.key is None:
            raise DriverError("an authenticated link of edition 1 needs a key")
        return TaggedHost(settings.key if settings.authenticated else None)
    if settings.secret is None or settings.public is None or settings.serial is None or not settings.authenticated:
        raise DriverError("a link of edition 2 needs the table's secret key, the device's public key and its serial")
    return SealedHost(settings.secret, settings.public, kind=kind, serial=settings.serial)


def framed(catalogue: Catalogue, settings: Settings) -> Driver:
    """Return the driver of a device on our own link."""
    if settings.edition == 2 and settings.authenticated and settings.public is None:
        return Unpaired(settings.kind)
    return FramedDriver(catalogue, settings)


class Unpaired:
    """A device that must be paired first: its port is opened, so that a missing one is told, and closed again."""

    __slots__ = ("_now", "kind")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._now: float | None = None

    def opened(self, now: float) -> None:
        """Note that the port is there."""
        self._now = now

    def received(self, data: bytes, now: float) -> list[Happening]:  # noqa: ARG002  a driver's
        """Ignore the bytes."""
        return []

    def tick(self, now: float) -> list[Happening]:  # noqa: ARG002  a driver's
        """Say that it must be paired."""
        return [Fault(UNPAIRED, f"no key of this {self.kind} is known")]

    def due(self) -> float | None:
        """Return the moment of opening: `tick` is due at once."""
        return self._now

    def outgoing(self) -> bytes:
        """Say nothing."""
        return b""

    def send(self, command: Message, now: float) -> bool:  # noqa: ARG002  a driver's
        """Take no command."""
        return False

    def acknowledge(self, number: int, now: float) -> None:
        """Do nothing: there are no events."""

    def ask(self, now: float) -> int | None:  # noqa: ARG002  a driver's
        """Return None: there is nobody to ask."""
        return None

    def closed(self) -> None:
        """Note that the port is closed."""
        self._now = None


class FramedDriver:
    """A device on our own link, seen from the host."""

    __slots__ = ("_decode", "_link", "catalogue", "kind")

    def __init__(self, catalogue: Catalogue, settings: Settings) -> None:
        self.kind = settings.kind
        self.catalogue = catalogue
        self._decode = catalogue.decode_event
        self._link = HostLink(
            kind=catalogue.kind,
            serial=settings.serial,
            shake=_shake(catalogue.kind, settings),
            expected=settings.expected,
            numbering=settings.numbering,
            patience=settings.patience,
        )

    @property
    def stats(self) -> LinkStats:
        """What went over the link."""
        return self._link.stats

    def opened(self, now: float) -> None:
        """Start afresh: the port is open."""
        self._link.opened(now)

    def received(self, data: bytes, now: float) -> list[Happening]:
        """Take bytes that came, in pieces of any size."""
        return self._understood(self._link.received(data, now))

    def tick(self, now: float) -> list[Happening]:
        """Do what is due."""
        return self._understood(self._link.tick(now))

    def due(self) -> float | None:
        """Return when `tick` wants to be called next."""
        return self._link.due()

    def outgoing(self) -> bytes:
        """Return what is to be written now."""
        return self._link.outgoing()

    def send(self, command: Message, now: float) -> bool:
        """Take a command to the device; False if not up or not a command of this device.

        Raises:
            MessageError: a field of the command cannot hold its value.
        """
        if type(command) not in self.catalogue.commands:
            return False
        ident, payload = self.catalogue.encode(command)
        return self._link.send(ident, payload, now)

    def acknowledge(self, number: int, now: float) -> None:
        """Note that all events up to this number are durable."""
        self._link.acknowledge(number, now)

    def ask(self, now: float) -> int | None:
        """Ask how far the device has come; None if it is not up or cannot tell."""
        return self._link.ask(now)

    def closed(self) -> None:
        """Forget the session; what was learnt of the device's numbers is kept."""
        self._link.closed()

    def _understood(self, happenings: list[LinkHappening]) -> list[Happening]:
        """Return the same with messages instead of numbers and payloads."""
        understood: list[Happening] = []
        for happening in happenings:
            if isinstance(happening, Arrived):
                number, time, ident, payload, raw = happening
                message = self._decode(ident, payload)
                if message is None:
                    understood.append(self._not_understood(ident, payload))
                    message = Unknown(ident, payload)
                understood.append(Received(number, time, message, raw))
            else:
                understood.append(happening)
        return understood

    def _not_understood(self, ident: int, payload: bytes) -> Fault:
        """Return why a numbered message has no meaning."""
        seen = f"ident 0x{ident:02X}, payload {payload.hex(' ') or 'empty'}"
        if self.catalogue.knows_event(ident):
            return Fault(BAD_MESSAGE, f"not the shape of this {self.catalogue.kind} event: {seen}")
        return Fault(UNKNOWN_MESSAGE, f"no event of the {self.catalogue.kind}: {seen}")
