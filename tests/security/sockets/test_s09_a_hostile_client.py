"""S09: somebody who does nothing but disturb, at each socket, at a table with people, in real processes.

1. A flood comes over as many connections as one user has, without a pause, made again when it is sent away. No device
   is lost, and the daemon lives.
2. What an event needs from the device to the acknowledgement and back is measured before and during it, and printed;
   so is a card's way to its ruling, with `tests.bench.hostile`. Other work on the machine moves such figures, so they
   are no test.
3. A few seconds in the suite, a minute each with ``--soak``.
"""

from __future__ import annotations

import socket
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.control.client import ControlClient, read_path
from hal_sim.harness.sample_people import staff
from hal_sim.table.sim_table import SimTable
from tests.bench.beside.attackers import READS, TRIES
from tests.bench.hostile import lines, measure
from tests.patience import eventually

ANSWERS = 65536


@pytest.fixture(scope="module")
def table(seed: int) -> Iterator[SimTable]:
    """Return a table with people, whose links bear no more than those of real devices."""
    table = SimTable(seed=seed)
    table.patience = 1
    with table:
        table.staff(*staff())
        yield table


class Flood:
    """Somebody who asks without a pause, over as many connections as there are places for them."""

    def __init__(self, path: Path, lines: bytes, many: int) -> None:
        self._path = path
        self._lines = lines
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._run, name=f"flood {number}") for number in range(many)]
        self.answered = 0

    def __enter__(self) -> Flood:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(str(self._path))
                    connection.settimeout(0.05)
                    self._ask(connection)
            except OSError:
                self._over.wait(0.01)

    def _ask(self, connection: socket.socket) -> None:
        """Send as fast as it is taken, and read what comes back."""
        while not self._over.is_set():
            with suppress(TimeoutError):
                connection.sendall(self._lines)
            try:
                got = connection.recv(ANSWERS)
            except TimeoutError:
                continue
            if not got:
                return
            self.answered += got.count(b"\n")


def times(table: SimTable, seconds: float) -> list[float]:
    """Let the panel report again and again; how long each took until it was acknowledged, in milliseconds."""
    panel, found, end = table.device("panel"), [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        panel.wait_acknowledged(panel.event("Press", press=9, button="settle", option=0, place=[0, 0, 0], amount=0))
        found.append(1000 * (time.monotonic() - began))
        time.sleep(0.02)
    return found


def health_of(table: SimTable) -> dict[str, Any]:
    """Return what the table says of itself, as soon as a place is free at its socket."""
    found: list[dict[str, Any]] = []

    def told() -> bool:
        with suppress(OSError), ControlClient(read_path(table.control_path)) as client:
            found.append(client.ask(do="health")["health"])
        return bool(found)

    eventually(told)
    return found[0]


def disturbed(table: SimTable, path: Path, lines: bytes, many: int, seconds: float) -> None:
    """Disturb a table for so long, and look whether it was."""
    calm = times(table, min(seconds, 5.0))
    with Flood(path, lines, many) as flood:
        during = times(table, seconds)
    assert flood.answered
    health = health_of(table)
    assert [0] * len(health["links"]) == [link["station"]["downs"] for link in health["links"].values()]
    assert [] == [alarm["code"] for alarm in health["table"]["alarms"] if alarm["code"] == "link-lost"]
    told = [f"median {statistics.median(some):.1f}, longest {max(some):.1f} ms" for some in (calm, during)]
    memory = f"{health['memory'] / 1e6:.0f} MB"
    print(f"\n{path.name}: {flood.answered} answers; calm: {told[0]}; disturbed: {told[1]}; {memory}")  # noqa: T201


@pytest.mark.parametrize("seconds", [3.0, pytest.param(60.0, marks=pytest.mark.soak)])
def test_a_flood_at_the_reading_socket_loses_no_device(table: SimTable, seconds: float) -> None:
    """Everything that may be asked there, without a pause."""
    disturbed(table, read_path(table.control_path), READS, 4, seconds)


@pytest.mark.parametrize("seconds", [3.0, pytest.param(60.0, marks=pytest.mark.soak)])
def test_a_flood_at_the_control_socket_loses_no_device(table: SimTable, seconds: float) -> None:
    """PINs under many names and from many places, and what nobody understands."""
    disturbed(table, table.control_path, TRIES, 8, seconds)


@pytest.mark.parametrize("seconds", [3.0, pytest.param(60.0, marks=pytest.mark.soak)])
def test_a_card_comes_through_beside_attackers_at_both_sockets(tmp_path: Path, seconds: float) -> None:
    """Questions, PINs, half lines, lines without an end, answers nobody reads, connections without end, all at once."""
    found = measure(tmp_path, seconds)
    print("", *lines(found), sep="\n")  # noqa: T201
    assert found.answered
    assert [0] == [link["station"]["downs"] for link in found.health["links"].values()]
    assert {alarm["code"] for alarm in found.health["table"]["alarms"]} <= {"wrong-pins"}
