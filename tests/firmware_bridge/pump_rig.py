"""A pump for tests, between fake devices and a real journal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

from drivers import hub
from drivers.happenings import Received
from drivers.panel import Press
from drivers.wire import Spot
from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.event_codec import decode
from firmware_bridge.journal.recovery import recover
from firmware_bridge.journal.writer import Entry, Journal
from firmware_bridge.pump.device_reports import DeviceReports
from firmware_bridge.pump.items import CONSOLE, Item
from firmware_bridge.pump.pump import Pump
from firmware_bridge.pump.record_writer import RecordWriter
from firmware_bridge.texts.denials import Why
from gamecore.model.events.events import Event
from gamecore.notation.parser import parse
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES

HEADER = parse("game: mbs-blackjack-v6\n\n", GAMES).header
TOLD = parse("game: mbs-blackjack-v6\nfresh: no\nsensors: shoe panel\n\n", GAMES).header
DEVICES = ("shoe", "hub", "panel", "shuffler", "meter")
AT = "2025-01-01T00:00:00.000000+00:00"
_NO_LIMIT = 2**31 - 2


Scene = Callable[["PumpRig"], Awaitable[None] | None]


def why_in_words(why: Why | None) -> str | None:
    """Why something was refused, in English; None if it was not."""
    return None if why is None else str(why)


class Station:
    """A device as the pump sees it; it writes into the log of the rig."""

    def __init__(self, name: str, log: list[tuple[str, object]]) -> None:
        self.up = True
        self.answers = False
        self.questions = 0
        self._name = name
        self._log = log

    def send(self, command: object) -> bool:
        """Note a command."""
        self._log.append((f"{self._name} told", command))
        return True

    def acknowledge(self, number: int) -> None:
        """Note an acknowledgement."""
        self._log.append((f"{self._name} acknowledged", number))

    def ask(self) -> int | None:
        """Ask nothing: it is not known how far this device has come, unless a test says so."""
        self.questions += 1
        return self.questions if self.answers else None


class WatchedJournal(Journal):
    """A real journal that notes each commit of events, and whose disk is full when it is told so."""

    def __init__(self, state: Path, log: list[tuple[str, object]]) -> None:
        self._log = log
        self._full = False
        super().__init__(state, AT)
        log.clear()

    def append(self, entries: Sequence[Entry]) -> int:
        """Write; a full disk has no room for what is in the way."""
        if self._full:
            entries = [*entries, *[Entry("", "", "", raw=bytes(100_000))] * 10]
        first = super().append(entries)
        self._log.append(("committed", len(entries)))
        return first

    def full(self, full: bool) -> None:
        """Let the disk be full, or have room again."""
        self._full = full
        self._connection.execute(f"PRAGMA max_page_count = {1 if full else _NO_LIMIT}")


class PumpRig:
    """A pump between fake devices and a real journal."""

    def __init__(self, path: Path, header: Header = HEADER) -> None:
        self.log: list[tuple[str, object]] = []
        self.journal = WatchedJournal(path, self.log)
        self.stations = {name: Station(name, self.log) for name in DEVICES}
        self.numbers = dict.fromkeys(DEVICES, 0)
        self.stops = 0
        recovered = recover(self.journal, header)
        self.books = RecordWriter(self.journal, recovered)
        self.pump = Pump(recovered, self.books, self.stations, self.stop)
        self.reports = DeviceReports(self.pump, self.stations)

    def stop(self) -> None:
        """Count how often the pump says that it has stopped."""
        self.stops += 1

    def says(self, device: str, *messages: object) -> None:
        """Let a device report."""
        for message in messages:
            self.numbers[device] += 1
            number = self.numbers[device]
            self.reports.received(device, Received(number, 1000 + number, message, bytes([number % 256])))

    def told(self, what: object) -> asyncio.Future[str | None]:
        """Say something at the console; its answer."""
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.pump.enqueue(Item(CONSOLE, what, reply=lambda why: answer.set_result(why_in_words(why))))
        return answer

    def commits(self) -> list[object]:
        """How many rows each commit had."""
        return [said for what, said in self.log if what == "committed"]

    def rows(self) -> list[Row]:
        """What the journal holds, without what it says of its own files."""
        return [row for row, _ in self.journal.rows() if row.kind != schema.SEGMENT]

    def kept(self) -> list[Event]:
        """The events in the journal."""
        return [decode(row.body or "") for row in self.rows() if row.kind == schema.EVENT]


class Run(Protocol):
    """What runs a scene in a rig of its own."""

    def __call__(self, scene: Scene, header: Header = HEADER) -> PumpRig:
        """Run the scene, and then the loop until it is idle."""


async def played(folder: Path, scene: Scene, header: Header = HEADER) -> PumpRig:
    """Return a rig after a scene, when its loop is idle; its journal is still open."""
    rig = PumpRig(folder, header)
    waits = scene(rig)
    if waits is not None:
        await waits
    await turn()
    return rig


async def turn() -> None:
    """Let the loop go round: what was scheduled by now is done after this."""
    await asyncio.sleep(0)


def press(button: str, number: int = 1) -> Press:
    """One press of a button."""
    return Press(number, button, 0, Spot(0), 0)


BET = hub.Chips(Spot(1, 0, 1), "main", 50_00, emptied=False)
