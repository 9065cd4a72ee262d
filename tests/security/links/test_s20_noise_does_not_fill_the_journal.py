"""S20: noise at the rate of the line is a few rows a minute and an end of the link, not a row a frame."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from drivers.driver import make
from drivers.faults import Fault
from drivers.happenings import Identity, Received
from drivers.shoe import CATALOGUE
from drivers.station import Station
from tests.drivers.benches import FramedBench
from tests.drivers.scripted import Clock, ScriptedPort

RATE = 11_520
"""Bytes a second at 115,200 baud."""


class Line(ScriptedPort):
    """A port that keeps what is written, which is no text."""

    def write(self, data: bytes) -> None:
        """Keep it."""
        self.written += data


class Rows:
    """What the daemon would write."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.downs: list[str] = []

    def up(self, name: str, identity: Identity) -> None:
        """Not counted."""

    def down(self, _name: str, fault: Fault) -> None:
        """A link that is lost."""
        self.downs.append(fault.code)

    def received(self, name: str, event: Received) -> None:
        """Not counted."""

    def caught_up(self, name: str, question: int) -> None:
        """Not counted."""

    def fault(self, _name: str, fault: Fault) -> None:
        """A row."""
        self.faults.append(fault)


@pytest.fixture
def loop() -> Iterator[Clock]:
    """Return a clock that is moved by hand."""
    made = Clock()
    yield made
    made.close()


def played(loop: Clock, seconds: int, noise: int) -> tuple[Rows, Station, FramedBench]:
    """An honest shoe on its line with this many bytes of noise a second."""
    rows, bench, ports, chance = Rows(), FramedBench(CATALOGUE), list[Line](), random.Random(noise)

    def opened() -> Line:
        ports.append(Line([]))
        bench.opened(loop.now)
        return ports[-1]

    station = Station("shoe", make(bench.settings), opened, rows, loop)
    station.start()
    for _ in range(seconds * 10):
        loop.forward(0.1)
        if ports[-1].open:
            bench.received(bytes(ports[-1].written), loop.now)
            ports[-1].written.clear()
            bench.tick(loop.now)
            ports[-1].received(bench.outgoing() + bytes(chance.choices(range(8), k=noise // 10)))
    return rows, station, bench


def test_two_minutes_of_noise_are_a_few_rows(loop: Clock) -> None:
    """The link is ended for half a minute each time, with its own code, and the rest is counted."""
    rows, station, _ = played(loop, 120, RATE)
    station.stop()
    assert len(rows.faults) < 40
    assert "flooded" in {fault.code for fault in rows.faults}
    assert sum(getattr(fault, "times", 1) for fault in rows.faults) >= 600


def test_a_noisy_line_stays_up_and_is_counted(loop: Clock) -> None:
    """Eight faults a second are noise; they are told once a minute, and the shoe is heard."""
    rows, station, _ = played(loop, 130, 20)
    assert (True, []) == (station.up, rows.downs)
    assert 1 < len(rows.faults) < 12
    station.stop()
