"""A driver, its device and the line between them, on a virtual clock.

1. The rig is the driver's owner, as the station is: it carries bytes, calls `tick` when `due` says so and never
   before, and acknowledges each event as it comes unless `durable` is False.
2. After a fatal fault it closes the port and, unless `reconnect` is False, opens it again at once.
3. Time jumps to the next thing that is due. A driver that wants to be called again and again at one instant fails.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

from drivers.driver import Driver, make
from drivers.faults import Fault
from drivers.happenings import Happening, Received, Up
from drivers.messages import Message
from tests.drivers.bench import Bench
from tests.drivers.lines import Direction, Nature

MOST_AT_ONE_INSTANT = 20_000


class DriverRig:
    """All there is, for one test."""

    def __init__(self, bench: Bench, nature: Nature, seed: int) -> None:
        self.bench = bench
        self.chance = random.Random(f"{seed} {nature.name} {bench.settings.kind}")
        self.driver: Driver = make(bench.settings)
        self.to_device = Direction(nature, self.chance)
        self.to_host = Direction(nature, self.chance)
        self.now = 1000.0
        self.open = False
        self.durable = True
        self.reconnect = True
        self.wakeups = 0
        self.happened: list[Message] = []
        self.seen: list[Happening] = []

    # what happened

    @property
    def received(self) -> list[Received]:
        """Return the events that the driver gave."""
        return [happening for happening in self.seen if isinstance(happening, Received)]

    @property
    def faults(self) -> list[Fault]:
        """Return the faults that the driver gave."""
        return [happening for happening in self.seen if isinstance(happening, Fault)]

    @property
    def ups(self) -> list[Up]:
        """Return how often, and with what, the driver said that the device is there."""
        return [happening for happening in self.seen if isinstance(happening, Up)]

    @property
    def told(self) -> list[Message]:
        """Return what is compared of the messages that the driver gave."""
        return [
            essence
            for event in self.received
            if isinstance(event.message, Message) and (essence := self.bench.essence(event.message)) is not None
        ]

    @property
    def expected(self) -> list[Message]:
        """Return the same of what happened at the device."""
        return [essence for message in self.happened if (essence := self.bench.essence(message)) is not None]

    # what people do

    def plug(self) -> None:
        """Put the cable in."""
        self.open = True
        self.bench.opened(self.now)
        self.driver.opened(self.now)
        self.run_instant()

    def unplug(self) -> None:
        """Pull the cable: what is under way is lost."""
        self.open = False
        self.to_device.hang_up()
        self.to_host.hang_up()
        self.driver.closed()
        self.bench.closed()

    def happen(self, times: int = 1) -> None:
        """Let something happen at the device."""
        for _ in range(times):
            self.happened.append(self.bench.happen(self.now))
        self.run_instant()

    def happen_in_time(self, times: int) -> None:
        """Let things happen as at a table: mostly one by one, now and then several at an instant."""
        for _ in range(times):
            self.happen()
            if self.chance.random() < 0.7:
                self.run(self.chance.uniform(0.0, 0.4))

    def send(self, command: Message) -> bool:
        """Send a command to the device."""
        taken = self.driver.send(command, self.now)
        self.run_instant()
        return taken

    def catch_up(self) -> None:
        """Make durable what came so far, and what comes from now on."""
        self.durable = True
        if self.received:
            self.driver.acknowledge(self.received[-1].number, self.now)
        self.run_instant()

    def restart_host(self, expected: int | None) -> None:
        """Replace the driver by a new one that knows only what is durable."""
        if self.open:
            self.unplug()
        self.seen.clear()
        self.driver = make(replace(self.bench.settings, expected=expected))

    # time

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass until the condition holds, at most so long; return whether it holds."""
        end = self.now + seconds
        self.run_instant()
        while not until():
            following = min(self._dues(), default=math.inf)
            if following > end:
                self.now = end
                return False
            self.now = max(self.now, following)
            self.run_instant()
        return True

    def run_instant(self) -> None:
        """Do all that is to be done at this instant."""
        for _ in range(MOST_AT_ONE_INSTANT):
            if not (self.open and self._step()):
                return
        problem = f"never done at {self.now}: due is {self.driver.due()}, the device's is {self.bench.due()}"
        raise AssertionError(problem)

    def _dues(self) -> list[float]:
        """Return all times at which something is due."""
        if not self.open:
            return []
        dues = (self.to_device.due(), self.to_host.due(), self.driver.due(), self.bench.due())
        return [due for due in dues if due is not None]

    def _step(self) -> bool:
        """Do one round of what is due now; return whether there was anything."""
        busy = False
        if out := self.driver.outgoing():
            busy = True
            self.to_device.put(out, self.now)
        assert b"" == self.driver.outgoing()
        if out := self.bench.outgoing():
            busy = True
            self.to_host.put(out, self.now)
        if (piece := self.to_device.take_piece(self.now)) is not None:
            busy = True
            self.bench.received(piece, self.now)
        if (due := self.bench.due()) is not None and due <= self.now:
            busy = True
            self.bench.tick(self.now)
        if (piece := self.to_host.take_piece(self.now)) is not None:
            busy = True
            self._take_happenings(self.driver.received(piece, self.now))
        if self.open and (due := self.driver.due()) is not None and due <= self.now:
            busy = True
            self.wakeups += 1
            self._take_happenings(self.driver.tick(self.now))
        return busy

    def _take_happenings(self, happenings: list[Happening]) -> None:
        """Keep what the driver gave and answer as the owner must."""
        self.seen += happenings
        ended = False
        for happening in happenings:
            match happening:
                case Received(number=number) if self.durable:
                    self.driver.acknowledge(number, self.now)
                case Fault(fatal=True):
                    ended = True
                case _:
                    pass
        if ended:
            self.unplug()
            if self.reconnect:
                self.open = True
                self.bench.opened(self.now)
                self.driver.opened(self.now)
