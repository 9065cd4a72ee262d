"""A daemon for tests that begins again from its journal: books and pump as `run` opens them, between fake devices."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from drivers.happenings import Identity, Received
from firmware_bridge.daemon.startup import open_books
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.event_codec import decode
from firmware_bridge.program.running import DEVELOPMENT
from firmware_bridge.pump.device_reports import DeviceReports
from firmware_bridge.pump.items import CONSOLE, Item
from firmware_bridge.pump.pump import Pump
from firmware_bridge.setup.config import Config
from gamecore.model.events.events import Event
from gamecore.notation.syntax import Header
from tests.firmware_bridge.pump_rig import DEVICES, HEADER, Station, turn, why_in_words

T = TypeVar("T")


class Started:
    """A daemon that runs in the test's own loop."""

    def __init__(
        self,
        folder: Path,
        boot: str = "boot-1",
        header: Header = HEADER,
        program: str = DEVELOPMENT,
        *,
        is_open: bool = False,
    ) -> None:
        self.log: list[tuple[str, object]] = []
        self.stations = {name: Station(name, self.log) for name in DEVICES}
        folder.mkdir(exist_ok=True)
        (folder / "boot_id").write_text(f"{boot}\n", encoding="ascii")
        self.state = folder / "state"
        config = Config(header, self.state, folder / "control.sock", (), folder / "boot_id", open=is_open)
        opened = open_books(config, wall_clock(), program)
        self.books, self.first = opened.books, [item.what for item in opened.first]
        self.pump = Pump(opened.recovered, opened.books, self.stations)
        self.reports = DeviceReports(self.pump, self.stations)
        for item in opened.first:
            self.pump.enqueue(item)
        self.pump.process_queue()

    def happen(self, *events: object) -> list[str | None]:
        """Say things at the console, one after the other; the answer of each."""
        answers: list[str | None] = []
        for event in events:
            self.pump.enqueue(Item(CONSOLE, event, reply=lambda why: answers.append(why_in_words(why))))
            self.pump.process_queue()
        return answers

    def says(self, device: str, number: int, message: object) -> None:
        """Let a device report."""
        self.reports.received(device, Received(number, 0, message, b""))
        self.pump.process_queue()

    def up(self, device: str, numbering: int, held: int = 0, following: int = 1) -> None:
        """Let a device prove who it is; it already holds this many numbers before this one."""
        self.reports.up(device, Identity(device, "S-1", "1.2", (1, 0), 0, True, 1, numbering, held, following))
        self.pump.process_queue()

    def killed(self) -> None:
        """End at once: nothing is signed and nothing more is written."""
        self.books.journal.close()

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """What plain SQL says of the newest segment."""
        return self.books.journal.connection.execute(sql).fetchall()


def scene(act: Callable[[], T | Awaitable[T]]) -> T:
    """Run something that needs a loop; what it returns."""

    async def main() -> T:
        made = act()
        result: T = await made if isinstance(made, Awaitable) else made
        await turn()
        return result

    return asyncio.run(main())


def all_rows(state: Path) -> Iterator[Row]:
    """The rows of all segments at hand, whose chain is checked on the way."""
    previous: bytes | None = None
    for path in segments.segments(state):
        with closing(segments.open_for_reading(path)) as connection:
            linked = segments.linked_by(connection)
            for row, chain in segments.rows(connection):
                assert previous is None or linked(previous, row) == chain, f"the chain is broken at {row}"
                previous = chain
                yield row


def kept(state: Path) -> list[Event]:
    """The events of all segments at hand."""
    return [decode(row.body or "") for row in all_rows(state) if row.kind == schema.EVENT]


def fill(folder: Path) -> Path:
    """Fill a disk to the last byte; the file that takes the room."""
    ballast = folder / "ballast"
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return ballast
