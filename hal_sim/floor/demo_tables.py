"""The simulated tables of a demonstration, each with a robot dealer and a shipper.

1. A table is one process with its five devices and one with its daemon, as at real hardware. Its robot is a thread of
   this process, its shipper a task of one loop in another thread. At most `AT_ONCE` tables start at the same time.
2. A robot that hangs, or whose table has parted from it, begins again with another seed: the demonstration goes on.
3. At the end robots stop at their next statement, then shippers end, then the processes of every table.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.control.client import read_path
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.shipping.shipper import Shipper, Table
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire.nkeys import Nkey
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import Errors
from hal_sim.dealer.robot_sitting import Pace, Sitting, Tally
from hal_sim.devices.remote import SimError
from hal_sim.table.sim_table import SimTable
from hal_sim.table.terminal_view import Scene

AT_ONCE = 2
AT_A_TABLE = 50
"""Rounds after which a table is set up again, with the next game."""
ERRORS = 0.05
"""The chance of an error in a round."""
END = 20.0


class Place(NamedTuple):
    """Where a table of the demonstration belongs."""

    casino: str
    name: str
    number: int
    folder: Path
    nkey: Nkey


class _EndedError(Exception):
    """The demonstration is over."""


class _Unseen:
    """The view of a robot that nobody looks at; it ends the robot when the demonstration is over."""

    def __init__(self, ended: threading.Event) -> None:
        self._ended = ended

    def refresh(self, scene: Callable[[], Scene], *, now: bool = False) -> None:
        """Look whether it is over."""
        del scene, now
        if self._ended.is_set():
            raise _EndedError

    def show_line(self, text: str) -> None:
        """Say nothing."""


class DemoTables:
    """All tables of a demonstration."""

    def __init__(self, url: str, server: str, seed: int, speed: float) -> None:
        """Nothing is started yet."""
        self._url, self._server, self._seed, self._speed = url, server, seed, speed
        self._ended = threading.Event()
        self._starting = threading.Semaphore(AT_ONCE)
        self._threads: list[threading.Thread] = []
        self._loop = asyncio.new_event_loop()
        self._shipping = threading.Thread(target=self._loop.run_forever, name="shippers")
        self._shippers: list[tuple[asyncio.Event, asyncio.Task[None]]] = []
        self.tally = Tally(time.monotonic())
        self.playing = 0
        self.pids: list[int] = []
        """The processes of the tables that play."""

    def start(self, places: list[Place], ready: Callable[[Place], None]) -> None:
        """Start every table, two at a time; `ready` is called for each that plays."""
        self._shipping.start()
        for place in places:
            thread = threading.Thread(target=self._run_table, args=(place, ready), name=place.name)
            thread.start()
            self._threads.append(thread)

    def end(self) -> None:
        """End every table."""
        self._ended.set()
        for thread in self._threads:
            thread.join(END)
        asyncio.run_coroutine_threadsafe(self._end_shippers(), self._loop).result(END)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._shipping.join(END)
        self._loop.close()

    def _run_table(self, place: Place, ready: Callable[[Place], None]) -> None:
        """Start a table and play there until the end."""
        table = SimTable(place.folder, seed=self._seed + place.number)
        table.together = True
        try:
            with self._starting:
                if self._ended.is_set():
                    return
                table.__enter__()
                self._enrol(place, table)
            self.playing += 1
            self.pids += [table.pid("devices"), table.pid("daemon")]
            ready(place)
            self._play(place, table)
        except (SimError, OSError, ArchiveError) as error:
            if not self._ended.is_set():
                sys.stderr.write(f"truedeal floor: {place.name}: {error}\n")
        finally:
            table.close()

    def _enrol(self, place: Place, table: SimTable) -> None:
        """Let the archive know the table's journal, and ship it."""
        with Archive.open(self._url) as archive:
            archive.add_journal(place.casino, place.name, Source(table.state_path).root())
        watch = read_path(table.control_path)
        shipped = Table(
            place.casino,
            place.name,
            table.state_path,
            [self._server],
            None,
            place.nkey,
            place.folder / "ship.json",
            watch,
        )
        asyncio.run_coroutine_threadsafe(self._ship(Shipper(shipped)), self._loop)

    async def _ship(self, shipper: Shipper) -> None:
        ended = asyncio.Event()
        self._shippers.append((ended, asyncio.create_task(shipper.run(ended))))

    async def _end_shippers(self) -> None:
        for ended, _ in self._shippers:
            ended.set()
        tasks = [task for _, task in self._shippers]
        if tasks:
            await asyncio.wait(tasks, timeout=END / 2)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _play(self, place: Place, table: SimTable) -> None:
        games = list(GAMES)
        view, pace = _Unseen(self._ended), Pace(self._speed)
        with suppress(_EndedError):
            for turn in count():
                seed = self._seed + 1000 * turn + place.number
                sitting = Sitting(games[(place.number + turn) % len(games)], seed, Errors({}, ERRORS), table)
                sitting.play(AT_A_TABLE, self.tally, pace, view)
