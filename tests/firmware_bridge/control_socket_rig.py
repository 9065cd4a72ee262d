"""A control socket for tests: a real Unix socket, a real server in the test's own loop, clients inside it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from drivers.happenings import Received
from firmware_bridge.control.client import read_path
from firmware_bridge.control.requests import Requests
from firmware_bridge.control.server import Control
from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.recovery import recover
from firmware_bridge.journal.writer import Journal
from firmware_bridge.pump.device_reports import DeviceReports
from firmware_bridge.pump.pump import Pump
from firmware_bridge.pump.record_writer import RecordWriter
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.patience import PATIENCE

HEADER = parse("game: mbs-blackjack-v6\nfresh: no\n\n", GAMES).header
DEVICES = ("shoe", "hub", "panel")
AT = "2025-01-01T00:00:00.000000+00:00"


class Device:
    """A device that takes everything."""

    up = True

    def send(self, command: object) -> bool:
        """Take a command."""
        return command is not None

    def acknowledge(self, number: int) -> None:
        """Take an acknowledgement."""

    def ask(self) -> int | None:
        """Return nothing: the device cannot tell how far it has come."""


class Client:
    """One connection, inside the loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def line(self, line: bytes) -> dict[str, Any]:
        """Send a line as it is; the next line that comes back."""
        self.writer.write(line + b"\n")
        return await self.read()

    async def ask(self, do: object, **request: object) -> dict[str, Any]:
        """Send a request; its answer without its number."""
        answer = await self.line(json.dumps({"id": "x", "do": do, **request}).encode())
        assert "x" == answer.pop("id")
        return answer

    async def read(self) -> dict[str, Any]:
        """The next line."""
        line = await self._reader.readline()
        assert line.endswith(b"\n"), "the connection was closed"
        read: dict[str, Any] = json.loads(line)
        return read

    async def ended(self) -> bool:
        """Whether the server has closed the connection, once all that was sent is read."""
        with suppress(ConnectionError):
            while await self._reader.readline():
                pass
        return self._reader.at_eof() or self._reader.exception() is not None


class SocketRig:
    """A pump with its control socket, and clients that connect to it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "control.sock"
        (folder / "state").mkdir(exist_ok=True)
        self.journal = Journal(folder / "state", AT)
        self.links = dict.fromkeys(DEVICES, True)
        recovered = recover(self.journal, HEADER)
        devices = {name: Device() for name in DEVICES}
        self.pump = Pump(recovered, RecordWriter(self.journal, recovered), devices)
        self.reports = DeviceReports(self.pump, devices)
        self.control = Control(Requests(self.pump, lambda: dict(self.links)))
        self._writers: list[asyncio.StreamWriter] = []

    async def client(self) -> Client:
        """Connect."""
        reader, writer = await asyncio.open_unix_connection(str(self.path), limit=8 * 1024 * 1024)
        self._writers.append(writer)
        return Client(reader, writer)

    async def reader(self) -> Client:
        """Connect to the socket that only reads."""
        reader, writer = await asyncio.open_unix_connection(str(read_path(self.path)), limit=8 * 1024 * 1024)
        self._writers.append(writer)
        return Client(reader, writer)

    def says(self, device: str, number: int, message: object) -> None:
        """Let a device report."""
        self.reports.received(device, Received(number, 0, message, b""))

    def rows(self) -> list[Row]:
        """What the journal holds, without what it says of its own files."""
        return [row for row, _ in self.journal.rows() if row.kind != schema.SEGMENT]

    async def close(self) -> None:
        """End everything."""
        await end_everything(self._writers, self.control, self.journal)


async def end_everything(writers: Iterable[asyncio.StreamWriter], control: Control, journal: Journal) -> None:
    """Close the connections of clients, then the socket, then the journal."""
    for writer in writers:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    await control.close()
    journal.close()


Scene = Callable[[SocketRig], Awaitable[None]]


def serve(folder: Path, scene: Scene) -> list[object]:
    """Run a scene at a rig of its own; what went wrong behind its back."""
    behind: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: behind.append(context))
        rig = SocketRig(folder)
        await rig.control.listen(rig.path)
        try:
            await asyncio.wait_for(scene(rig), PATIENCE)
        finally:
            await rig.close()

    asyncio.run(main())
    return behind


AtSocket = Callable[[Scene], None]
