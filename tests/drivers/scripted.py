"""A station's surroundings, scripted: a clock that a test moves, a port and a driver that do what it says, a sink.

Everything that happens is noted in one log, in order, so that a test can read it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from drivers.faults import Fault
from drivers.happenings import Happening, Identity, Received
from drivers.messages import Message
from drivers.ports import Port, PortError
from drivers.station import Station


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still until a test moves it."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def time(self) -> float:
        """Return the time that the test has set."""
        return self.now

    def turn(self) -> None:
        """Run what is due now."""
        self.run_until_complete(asyncio.sleep(0))
        self.run_until_complete(asyncio.sleep(0))

    def forward(self, seconds: float) -> None:
        """Move the clock and run what is due."""
        self.now += seconds
        self.turn()

    def waits(self) -> list[float]:
        """Return in how many seconds each timer is due."""
        timers = getattr(self, "_scheduled")  # noqa: B009  (asyncio has no public way to ask)
        return sorted(round(timer.when() - self.now, 6) for timer in timers if not timer.cancelled())


class ScriptedPort:
    """A port that does what the test says."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.written = bytearray()
        self.open = True
        self.received: Callable[[bytes], None]
        self.lost: Callable[[Fault], None]

    def start(self, received: Callable[[bytes], None], lost: Callable[[Fault], None]) -> None:
        """Note who listens."""
        self.received, self.lost = received, lost
        self.log.append("start")

    def write(self, data: bytes) -> None:
        """Note what is written."""
        self.written += data
        self.log.append(f"write {data.decode()}")

    def close(self) -> None:
        """Note the close."""
        if self.open:
            self.log.append("close")
        self.open = False


class ScriptedDriver:
    """A driver that says what the test gives it, and notes what it is told."""

    kind = "shoe"

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.says: list[Happening] = []
        self.ticks: list[Happening] = []
        self.wanted: float | None = None
        self.out = bytearray()

    def opened(self, now: float) -> None:
        """Want to write a challenge."""
        self.log.append(f"opened {now:g}")
        self.out += b"hello"

    def received(self, data: bytes, now: float) -> list[Happening]:
        """Say what is to be said."""
        self.log.append(f"received {data.decode()} {now:g}")
        said, self.says = self.says, []
        return said

    def tick(self, now: float) -> list[Happening]:
        """Say what is to be said at a tick."""
        self.log.append(f"tick {now:g}")
        self.wanted = None
        said, self.ticks = self.ticks, []
        return said

    def due(self) -> float | None:
        """Return what the test has set."""
        return self.wanted

    def outgoing(self) -> bytes:
        """Give what is to be written."""
        data = bytes(self.out)
        self.out.clear()
        return data

    def send(self, _command: Message, now: float) -> bool:
        """Take any command."""
        self.log.append(f"send {now:g}")
        self.out += b"!"
        return True

    def acknowledge(self, number: int, _now: float) -> None:
        """Want to write an acknowledgement."""
        self.out += b"a%d" % number

    def ask(self, now: float) -> int | None:
        """Want to write a question."""
        self.log.append(f"ask {now:g}")
        self.out += b"?"
        return 7

    def closed(self) -> None:
        """Forget what was to be written."""
        self.log.append("closed")
        self.out.clear()


class Bench:
    """A station with everything around it; it is its sink too."""

    def __init__(self) -> None:
        self.loop = Clock()
        self.log: list[str] = []
        self.ports: list[ScriptedPort] = []
        self.refuses: Fault | None = None
        self.driver = ScriptedDriver(self.log)
        self.station = Station("shoe", self.driver, self.open, self, self.loop)
        self.heard: Callable[[Received], None] = lambda _: None

    def open(self) -> Port:
        """Open, or refuse to."""
        if self.refuses is not None:
            self.log.append("refused")
            raise PortError(self.refuses)
        self.ports.append(ScriptedPort(self.log))
        return self.ports[-1]

    def bytes_come(self, *says: Happening) -> None:
        """Let bytes come, of which the driver says this."""
        self.driver.says = list(says)
        self.ports[-1].received(b"bytes")

    def up(self, _name: str, _identity: Identity) -> None:
        """Note it."""
        self.log.append("up")

    def down(self, _name: str, fault: Fault) -> None:
        """Note it."""
        self.log.append(f"down {fault.code}")

    def received(self, _name: str, event: Received) -> None:
        """Note it, and do what the test wants done."""
        self.log.append(f"event {event.number}")
        self.heard(event)

    def caught_up(self, _name: str, question: int) -> None:
        """Note it."""
        self.log.append(f"caught up {question}")

    def fault(self, _name: str, fault: Fault) -> None:
        """Note it."""
        self.log.append(f"fault {fault.code}" + (f" {fault.times}" if fault.times > 1 else ""))

    def news(self) -> list[str]:
        """Return what was noted since the last time."""
        noted = list(self.log)
        self.log.clear()
        return noted
