"""A host for simulated devices: production stations on a loop of their own, in a thread; the test plays the devices."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from drivers.driver import Settings, make
from drivers.faults import Fault
from drivers.happenings import Identity, Received
from drivers.link.editions import noise
from drivers.messages import Message
from drivers.ports import opener
from drivers.station import Station
from hal_sim.devices.device import TALKER
from hal_sim.devices.usb.backend import SocketBackend
from hal_sim.table.sim_table import SimTable
from tests.patience import PATIENCE


class Host:
    """Listens to devices of a table until it is left; what came is kept by device."""

    def __init__(self, table: SimTable, *names: str, key: bytes | None = None, expected: int | None = None) -> None:
        self._table = table
        self._names = names
        self._key = key
        self._expected = expected
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._stations: dict[str, Station] = {}
        self.events: dict[str, list[Received]] = {name: [] for name in names}
        self.identities: dict[str, list[Identity]] = {name: [] for name in names}
        self.downs: dict[str, list[Fault]] = {name: [] for name in names}
        self.faults: Counter[str] = Counter()

    def __enter__(self) -> Self:
        """Start the stations."""
        self._thread.start()
        self._run_on_loop(self._start)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the stations and wait for their threads."""
        self._run_on_loop(self._stop)
        for thread in threading.enumerate():
            if thread.name.startswith("usb:"):
                thread.join(PATIENCE)
        # The closed connections are noticed within the next turns of the loop.
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    def send(self, name: str, command: Message) -> bool:
        """Give a device a command."""
        return bool(self._run_on_loop(lambda: self._stations[name].send(command)))

    def until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        with self._changed:
            assert self._changed.wait_for(so, PATIENCE), (self.faults, self.downs)

    def until_received(self, name: str, number: int) -> None:
        """Wait until an event has come."""
        self.until(lambda: bool(self.events[name]) and self.events[name][-1].number >= number)

    def numbers(self, name: str) -> list[int]:
        """Return the numbers of what came."""
        return [event.number for event in self.events[name]]

    # What a sink hears, on the loop.

    def up(self, name: str, identity: Identity) -> None:
        """Note that a device is up."""
        self._note(lambda: self.identities[name].append(identity))

    def down(self, name: str, fault: Fault) -> None:
        """Note that it is lost."""
        self._note(lambda: self.downs[name].append(fault))

    def received(self, name: str, event: Received) -> None:
        """Note an event and make it durable."""
        self._note(lambda: self.events[name].append(event))
        self._stations[name].acknowledge(event.number)

    def caught_up(self, _name: str, question: int) -> None:
        """Nobody asks here."""

    def fault(self, _name: str, fault: Fault) -> None:
        """Note a fault."""
        self._note(lambda: self.faults.update([fault.code]))

    # Inside.

    def _start(self) -> None:
        """Start a station for each device."""
        for name in self._names:
            secret, public = self._table.secret if self._key is None else self._key, noise.public(self._table.key(name))
            settings = Settings(name, self._table.serial(name), expected=self._expected, secret=secret, public=public)
            if self._table.kinds[name] == TALKER:
                settings = Settings(TALKER, authenticated=False)
            driver = make(settings)
            backend = SocketBackend(str(self._table.directory / f"{name}.usb"))
            port = opener(self._table.port(name), self._loop, backend)
            self._stations[name] = Station(name, driver, port, self, self._loop)
            self._stations[name].start()

    def _stop(self) -> None:
        """Stop all stations."""
        for station in self._stations.values():
            station.stop()

    def _note(self, what: Callable[[], object]) -> None:
        """Keep something and wake the task that waits for it."""
        with self._changed:
            what()
            self._changed.notify_all()

    def _run_on_loop(self, function: Callable[[], Any]) -> Any:
        """Do something on the loop and wait for it."""

        async def done() -> Any:
            return function()

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(PATIENCE)
