"""A second, independent shoe driver: the Angel Eye style link.

Experimental: written from public descriptions, never tried on a device.

1. The device only speaks. It takes no handshake, no acknowledgement and no command here, has no heartbeat and no
   memory: a card that leaves while the port is closed is never told, and every return of the port says so
   (`events-lost`).
2. It cannot prove a key. With `authenticated` it is refused with `foreign-device` and never up.
3. `Up` comes as soon as the port is open: nothing in this link could tell more. Until somebody has tried the check on
   the device and set the option `confirmed`, each session says that the link is `unverified`; with no check it always
   does.
4. Numbers are given here, from `expected` on, or from 1. Times are the host's, of the first copy of a message. The
   gap between two cards is always 0.
5. A card is told once, when its copies agree or no further copy comes (`repeats`). A card that may be a copy of
   another is told as `CardDoubtful`, with a fault. A card outside the game flow is told as `OutsideFlow`. No card is
   dropped; a copy that is outvoted is a fault.
6. A start of the device after its first message is `forgot`: what it dealt while it was off was not told.
7. Options, all text:

       check            xor-hex, xor-hex-from-enq, sum-hex, sum-hex-from-enq, none; see `frames`. xor-hex unless set
       confirmed        yes if the check was tried on the device; no unless set
       agree            equal copies before a message is believed, 1 or 2; 2 unless set
       repeat_seconds   how long after one copy another may come, and after one byte the rest of a frame; 0.5 unless set
       sequence         learn, digits, hex or a range such as 30-7F; see `sequence`. learn unless set
       idle_seconds     how long without a whole frame is `silent`; 0 for never, which it is unless set
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.angel_eye.frames import CHECKS, UNCHECKED, Frame, Framer, Spoilt
from drivers.angel_eye.messages import CardDoubtful, OutsideFlow, Started, decode
from drivers.angel_eye.repeats import Doubt, Once, Repeats
from drivers.angel_eye.sequence import LEARN, Sequence
from drivers.driver import DriverError, Settings
from drivers.faults import EVENTS_LOST, FOREIGN_DEVICE, FORGOT, SILENT, UNVERIFIED, Fault
from drivers.happenings import Happening, Identity, LinkStats, Received, Up
from drivers.messages import Message
from drivers.shoe.messages import CardOut, CuttingCard

EXPERIMENTAL = True
FIRST = 1

_ROUND = 2**32
_DEFAULTS = {
    "check": "xor-hex",
    "confirmed": "no",
    "agree": "2",
    "repeat_seconds": "0.5",
    "sequence": LEARN,
    "idle_seconds": "0",
}
_DOUBTS = {
    Doubt.REPEAT: "is a copy too many, or a real card of a device that restarted its sequence",
    Doubt.DIFFER: "has the sequence number of a copy that says something else",
    Doubt.ALONE: "came once where three copies were due, and nothing shows that the others were damaged",
}


class AngelEye:
    """The driver of one shoe."""

    def __init__(self, settings: Settings) -> None:
        options = _read(settings.options)
        self.kind = settings.kind
        self.stats = LinkStats()
        self._settings = settings
        self._check = options["check"]
        self._confirmed = options["confirmed"] == "yes" and self._check != UNCHECKED
        self._pause = float(options["repeat_seconds"])
        self._idle = float(options["idle_seconds"])
        self._framer = Framer(self._check)
        self._repeats = Repeats(window=self._pause, agree=int(options["agree"]), checked=self._check != UNCHECKED)
        self._sequence = Sequence(options["sequence"])
        self._number = FIRST if settings.expected is None else settings.expected
        self._open = False
        self._greeted = False
        self._sessions = 0
        self._heard = self._byte_at = 0.0
        self._left: list[Happening] = []

    def opened(self, now: float) -> None:
        """Start afresh: the port is open."""
        self._open = True
        self._greeted = False
        self._heard = self._byte_at = now

    def received(self, data: bytes, now: float) -> list[Happening]:
        """Take bytes that came, in pieces of any size."""
        happenings = self._hello()
        if not self._listening:
            return happenings
        self.stats.bytes += len(data)
        self._byte_at = now
        for found in self._framer.feed(data):
            if isinstance(found, Frame):
                self.stats.frames += 1
                self._heard = now
                happenings += self._understood(self._repeats.add(found, now))
            else:
                happenings.append(self._spoilt(found))
        return happenings

    def tick(self, now: float) -> list[Happening]:
        """Tell what waited long enough, and that the device has been silent too long."""
        happenings = self._hello()
        if not self._listening:
            return happenings
        if self._framer.held and now - self._byte_at >= self._pause:
            happenings += self._gave_up()
        happenings += self._understood(self._repeats.tick(now))
        if self._idle and now - self._heard >= self._idle:
            happenings.append(Fault(SILENT, f"no whole frame for {self._idle:g} seconds"))
            self._heard = now
        return happenings

    def due(self) -> float | None:
        """Return when `tick` wants to be called next."""
        if not self._open:
            return None
        if not self._greeted:
            return self._byte_at
        if not self._listening:
            return None
        times = [self._repeats.due()]
        if self._framer.held:
            times.append(self._byte_at + self._pause)
        if self._idle:
            times.append(self._heard + self._idle)
        return min((time for time in times if time is not None), default=None)

    def outgoing(self) -> bytes:
        """Return nothing: the device is not spoken to."""
        return b""

    def send(self, command: Message, now: float) -> bool:  # noqa: ARG002  as every driver
        """Refuse: the device is not spoken to."""
        return False

    def acknowledge(self, number: int, now: float) -> None:
        """Do nothing: the device keeps nothing that it could forget."""

    def ask(self, now: float) -> int | None:
        """Return None: the device takes no questions."""

    def closed(self) -> None:
        """Keep what waits for another copy, for the next session to tell."""
        if self._listening:
            self._left += self._gave_up()
            self._left += self._understood(self._repeats.flush())
        self._open = False

    @property
    def _listening(self) -> bool:
        """Whether the device may be heard."""
        return self._open and not self._settings.authenticated

    def _hello(self) -> list[Happening]:
        """Return what a session begins with, once."""
        if self._greeted or not self._open:
            return []
        self._greeted = True
        if self._settings.authenticated:
            return [Fault(FOREIGN_DEVICE, "this shoe cannot prove a key: it runs only with authenticated = false")]
        self._sessions += 1
        identity = Identity(
            kind=self.kind,
            serial=self._settings.serial or "",
            firmware="",
            protocol=(0, 0),
            capabilities=0,
            authenticated=False,
            boot=0,
            numbering=0,
        )
        said: list[Happening] = [Up(identity)]
        if not self._confirmed:
            how = "nothing is checked" if self._check == UNCHECKED else f"the check {self._check} is not confirmed"
            said.append(Fault(UNVERIFIED, f"{how} on this device; no key proves which device it is"))
        said += self._left
        self._left = []
        if self._sessions > 1:
            said.append(
                Fault(EVENTS_LOST, "this shoe keeps nothing: what left it while the port was closed is unknown")
            )
        return said

    def _gave_up(self) -> list[Happening]:
        """Return the faults for bytes that became no frame."""
        return [self._spoilt(found) for found in self._framer.rest()]

    def _spoilt(self, found: Spoilt) -> Fault:
        """Return the fault for bytes that were thrown away."""
        self.stats.bad += 1
        self._repeats.damaged(found.size)
        return found.fault

    def _understood(self, told: list[Once | Fault]) -> list[Happening]:
        """Return messages, numbered, for frames."""
        happenings: list[Happening] = []
        for item in told:
            if isinstance(item, Fault):
                happenings.append(item)
            else:
                happenings += self._happenings_of(item)
        return happenings

    def _happenings_of(self, once: Once) -> list[Happening]:
        """Return what one message says."""
        message, fault = decode(once.frame.data)
        faults = [] if fault is None else [fault]
        if once.doubt is not None:
            message, doubted = _doubtful(message, once.doubt)
            faults += doubted
        elif isinstance(message, Started):
            if self._sequence.known:
                faults.append(Fault(FORGOT, "the shoe restarted: what left it while it was off is unknown"))
            self._sequence.restart(once.frame.sequence)
        elif missing := self._sequence.follow(once.frame.sequence):
            faults.append(missing)
            self.stats.gaps += 1
        number = self._number
        self._number = (number + 1) % _ROUND
        return [*faults, Received(number, int(once.first * 1000) % _ROUND, message, once.frame.raw)]


def make(settings: Settings) -> AngelEye:
    """Return a new driver.

    Raises:
        DriverError: an option is unknown or has no such value.
    """
    return AngelEye(settings)


def _doubtful(message: Message, doubt: Doubt) -> tuple[Message, list[Fault]]:
    """Return a message in doubt, and the fault where a card hangs on it."""
    why = _DOUBTS[doubt]
    match message:
        case CardOut(card):
            return CardDoubtful(card, outside=False, why=doubt.value), [Fault(FORGOT, f"{card} {why}")]
        case OutsideFlow(card):
            return CardDoubtful(card, outside=True, why=doubt.value), [Fault(FORGOT, f"{card} {why}")]
        case CuttingCard():
            return message, [Fault(FORGOT, f"the cutting card {why}")]
        case _:
            return message, []


def _read(given: Mapping[str, str]) -> dict[str, str]:
    """Return the options, those that are not given as they are unless set.

    Raises:
        DriverError: an option is unknown or has no such value.
    """
    options = _DEFAULTS | dict(given)
    if unknown := sorted(options.keys() - _DEFAULTS.keys()):
        problem = f"angel-eye has no option '{unknown[0]}': there are {', '.join(_DEFAULTS)}"
        raise DriverError(problem)
    allowed = {"check": tuple(CHECKS), "confirmed": ("yes", "no"), "agree": ("1", "2")}
    for name, values in allowed.items():
        if options[name] not in values:
            problem = f"angel-eye: {name} is '{options[name]}', it must be one of {', '.join(values)}"
            raise DriverError(problem)
    try:
        Sequence(options["sequence"])
        seconds = float(options["repeat_seconds"]), float(options["idle_seconds"])
    except ValueError as refusal:
        problem = f"angel-eye: {refusal}"
        raise DriverError(problem) from refusal
    if not (0 < seconds[0] < _ROUND and 0 <= seconds[1] < _ROUND):
        problem = "angel-eye: repeat_seconds must be above 0, idle_seconds 0 or above"
        raise DriverError(problem)
    return options
