"""A station keeps one device connected: a port and a driver on an event loop.

1. Bytes go from the port to the driver, what the driver says goes to the sink, what the driver wants written goes to
   the port. A station decides nothing about messages.
2. While the port is open the station's timer is the driver's `due()`; while it is closed it is the back-off. A second
   timer runs while faults are counted. The station wakes the loop for nothing else.
3. A fatal fault of the driver, or any fault with which the port is lost, ends the session: the port is closed first,
   then the driver is told, then the sink, and the port is opened again after the back-off.
4. The back-off is 20 ms, doubled at each try to at most one second, and starts again when a device is up. A device that
   was refused (foreign, wrong, of another version) is tried every `REFUSED` seconds: it will be refused until somebody
   changes it, and anyone who plugs in the right one still has it back within two seconds. One that is not paired is
   tried every `RESTING` seconds.
5. The sink is told of every fault: the first of a code at once, those that follow once a minute, as one with their
   number (`tally`). Of faults that end a session it is told each while the device is up, and each code once while it
   is not, however often the port is tried. `down` comes once for each loss of a device that was up. A session that
   begins again in the same port gives another `up` without a `down`; `stop` gives no `down`.
6. A flood of faults ends the session with `flooded`, and the port rests for `RESTING` seconds.
7. The sink may call `send`, `acknowledge`, `ask`, `stop` and `start` from inside its functions: what is to be written
   is collected, and written once the driver's happenings are through.
8. `drive` exchanges the driver, for a pairing and after it: the session ends, and the next one is the other driver's.
9. What a port says after it was closed is ignored.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from drivers.driver import Driver
from drivers.faults import FLOODED, FOREIGN_DEVICE, UNPAIRED, VERSION_MISMATCH, WRONG_DEVICE, Fault
from drivers.happenings import CaughtUp, Happening, Identity, Received, Up
from drivers.messages import Message
from drivers.ports.port import Port, PortError
from drivers.tally import FLOOD, Tally

FIRST = 0.020
LONGEST = 1.0
REFUSED = 1.5
RESTING = 30.0
WAITS = {
    FOREIGN_DEVICE: REFUSED,
    WRONG_DEVICE: REFUSED,
    VERSION_MISMATCH: REFUSED,
    FLOODED: RESTING,
    UNPAIRED: RESTING,
}
"""How long a port rests after some faults, whatever the back-off."""


class Sink(Protocol):
    """What is told of what the devices say: the daemon."""

    def up(self, name: str, identity: Identity) -> None:
        """Take note that the device is there and is what it should be; again when a session begins again."""
        ...

    def down(self, name: str, fault: Fault) -> None:
        """Take note that a device that was up is lost; once for each loss."""
        ...

    def received(self, name: str, event: Received) -> None:
        """Take an event that the device reports."""
        ...

    def caught_up(self, name: str, question: int) -> None:
        """Take note that all is received that had happened at the device when it was asked this or anything before."""
        ...

    def fault(self, name: str, fault: Fault) -> None:
        """Take a fault, fatal or not."""
        ...


@dataclass(slots=True)
class StationStats:
    """What a station has done since it was made, for `doctor`."""

    tries: int = 0
    """How often the station tried to open the port."""
    ups: int = 0
    """How often the device came up."""
    downs: int = 0
    """How often a device that was up was lost."""
    events: int = 0
    """Events given to the sink."""
    faults: int = 0
    """Faults of all kinds, those that were not told again too."""
    bytes_in: int = 0
    """Bytes that came from the port."""
    bytes_out: int = 0
    """Bytes that were given to the port."""
    fault: str = ""
    """Why the last session ended, while the device is away: a code of `drivers.faults`."""


class Station:
    """Keeps one device connected."""

    def __init__(
        self,
        name: str,
        driver: Driver,
        open_port: Callable[[], Port],
        sink: Sink,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.name = name
        self.up = False
        self.stats = StationStats()
        self._driver = driver
        self._open_port = open_port
        self._sink = sink
        self._loop = loop
        self._running = False
        self._port: Port | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._busy = False
        self._wait = FIRST
        self._told: set[str] = set()
        self._tally = Tally()
        self._minute: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Open the port, and open it again whenever it is lost."""
        if not self._running:
            self._running = True
            self._wait = FIRST
            self._told.clear()
            self._open()

    def stop(self) -> None:
        """Close the port and leave it closed."""
        self._running = False
        self._shut()
        if self._minute is not None:
            self._minute.cancel()
            self._minute = None
        for fault in self._tally.sums(math.inf):
            self._sink.fault(self.name, fault)
        self._tally = Tally()

    def drive(self, driver: Driver, fault: Fault) -> None:
        """Continue with another driver; a device that is up is lost with this fault."""
        was_up = self.up
        self.stop()
        self._driver = driver
        self.stats.fault = fault.code
        if was_up:
            self.stats.downs += 1
            self._sink.down(self.name, fault)
        self.start()

    def send(self, command: Message) -> bool:
        """Give the device a command; False if it is not up or does not know it."""
        if not self.up:
            return False
        sent = self._driver.send(command, self._loop.time())
        self._after()
        return sent

    def acknowledge(self, number: int) -> None:
        """Let the device forget all events up to this number: they are durable."""
        self._driver.acknowledge(number, self._loop.time())
        self._after()

    def ask(self) -> int | None:
        """Ask how far the device has come; return the number of the question, None if it is not up or cannot tell."""
        if not self.up:
            return None
        question = self._driver.ask(self._loop.time())
        self._after()
        return question

    def _open(self) -> None:
        """Try the port."""
        self._timer = None
        self.stats.tries += 1
        try:
            port = self._open_port()
        except PortError as problem:
            self._fail(problem.fault)
            return
        self._port = port
        self._driver.opened(self._loop.time())
        port.start(partial(self._received, port), partial(self._lost, port))
        self._after()

    def _received(self, port: Port, data: bytes) -> None:
        """Bytes came from the port."""
        if port is self._port:
            self.stats.bytes_in += len(data)
            self._pass_on(self._driver.received(data, self._loop.time()))

    def _lost(self, port: Port, fault: Fault) -> None:
        """The port is gone."""
        if port is self._port:
            self._fail(fault)

    def _tick(self, due: float) -> None:
        """It is time for what the driver waits for; the loop's clock may be a tick early."""
        self._timer = None
        self._pass_on(self._driver.tick(max(due, self._loop.time())))

    def _pass_on(self, happenings: Sequence[Happening]) -> None:
        """Pass on what the driver says, then write what it wants written."""
        if not happenings:  # a heartbeat
            self._after()
            return
        port = self._port
        ended: Fault | None = None
        self._busy = True
        try:
            for happening in happenings:
                match happening:
                    case Received():
                        self.stats.events += 1
                        self._sink.received(self.name, happening)
                    case CaughtUp(question):
                        self._sink.caught_up(self.name, question)
                    case Up(identity):
                        self._came_up(identity)
                    case Fault() if happening.fatal:
                        ended = ended or happening
                    case Fault():
                        ended = ended or self._count(happening)
                if self._port is not port:
                    break
        finally:
            self._busy = False
            if ended is not None and self._port is port:
                self._fail(ended)
            else:
                self._after()

    def _came_up(self, identity: Identity) -> None:
        """The handshake is done."""
        self.up = True
        self.stats.ups += 1
        self.stats.fault = ""
        self._wait = FIRST
        self._told.clear()
        self._sink.up(self.name, identity)

    def _after(self) -> None:
        """Write what the driver wants written and set its timer again."""
        if self._busy or self._port is None:
            return
        data = self._driver.outgoing()
        if data:
            self.stats.bytes_out += len(data)
            self._port.write(data)
        due = self._driver.due()
        if self._timer is not None:
            if self._timer.when() == due:
                return
            self._timer.cancel()
        self._timer = None if due is None else self._loop.call_at(due, self._tick, due)

    def _fail(self, fault: Fault) -> None:
        """End the session, tell the sink, try again later."""
        was_up = self.up
        self._shut()
        self.stats.fault = fault.code
        wait = WAITS.get(fault.code)
        if wait is None:
            wait, self._wait = self._wait, min(2 * self._wait, LONGEST)
        self._timer = self._loop.call_later(wait, self._open)
        if was_up:
            self.stats.downs += 1
            self._sink.down(self.name, fault)
        self.stats.faults += 1
        if was_up or fault.code not in self._told:
            self._told.add(fault.code)
            self._sink.fault(self.name, fault)

    def _shut(self) -> None:
        """Close the port, then tell the driver."""
        self.up = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        port, self._port = self._port, None
        if port is not None:
            port.close()
            self._driver.closed()

    def _count(self, fault: Fault) -> Fault | None:
        """Tell the sink of a fault now or with others; the fault that ends the session if there are too many."""
        self.stats.faults += 1
        now = self._loop.time()
        told = self._tally.count_fault(fault, now)
        if told is not None:
            self._sink.fault(self.name, told)
        self._await_minute()
        if not self._tally.flooded(fault, self.stats.bytes_in, now):
            return None
        return Fault(FLOODED, f"more than {FLOOD} faults within a minute, the last: {fault.code}")

    def _await_minute(self) -> None:
        """Set the timer for what was counted."""
        due = self._tally.due()
        if self._minute is None and due is not None:
            self._minute = self._loop.call_at(due, self._sum_up, due)

    def _sum_up(self, due: float) -> None:
        """Tell the sink what was counted."""
        self._minute = None
        for fault in self._tally.sums(max(due, self._loop.time())):
            self._sink.fault(self.name, fault)
        self._await_minute()
