"""A table with roles for tests: a real socket and a real journal in the test's own loop, devices that remember."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from drivers.happenings import Received
from firmware_bridge.control.client import read_path
from firmware_bridge.control.requests import Requests
from firmware_bridge.control.server import Control
from firmware_bridge.journal import schema
from firmware_bridge.journal.recovery import recover
from firmware_bridge.journal.writer import Entry, Journal
from firmware_bridge.people.accounts.people_file import Register
from firmware_bridge.people.accounts.roles import LEAST, ROLES, Person, make_pin
from firmware_bridge.people.guard import Guard
from firmware_bridge.people.login.login_attempts import tried
from firmware_bridge.pump.device_reports import DeviceReports
from firmware_bridge.pump.pump import Pump
from firmware_bridge.pump.record_writer import RecordWriter
from firmware_bridge.texts.denials import Why
from gamecore.notation.parser import parse
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from tests.firmware_bridge.control_socket_rig import AT, DEVICES, Client, end_everything
from tests.firmware_bridge.pump_rig import why_in_words
from tests.patience import PATIENCE

HEADER = parse("game: mbs-blackjack-v6\nfresh: no\nsensors: shoe panel\n\n", GAMES).header
PIN = "4711 is it"
PEOPLE = tuple(Person(f"the {role}", role, make_pin(PIN, LEAST)) for role in ROLES)


class Remembering:
    """A device that remembers what it was told last, by what the command is."""

    def __init__(self) -> None:
        self.up = True
        self.told: dict[str, object] = {}

    def send(self, command: object) -> bool:
        """Take a command."""
        self.told[type(command).__name__] = command
        return True

    def acknowledge(self, number: int) -> None:
        """Take an acknowledgement."""

    def ask(self) -> int | None:
        """Return nothing: the device cannot tell how far it has come."""


class Post:
    """A pump with a guard, its control socket, and clients that connect to it."""

    def __init__(self, folder: Path, people: Sequence[Person] = PEOPLE) -> None:
        self.path = folder / "control.sock"
        self.state = folder / "state"
        self.state.mkdir(parents=True, exist_ok=True)
        self.now = 0.0
        self.journal = Journal(self.state, AT)
        header = replace(HEADER, confirm=bool(people))
        if people and self.journal.n == 1:
            start = {"boot": "one", "table": write_header(header), "roles": {one.name: one.role for one in people}}
            self.journal.append([Entry(AT, "daemon", schema.START, json.dumps(start))])
        recovered = recover(self.journal, header)
        self.devices = {name: Remembering() for name in DEVICES}
        self.guard: Guard | None = None
        if people:
            self.guard = Guard(Register(self.state, people), recovered.alarms, lambda: self.now)
            self.guard.lockouts.remember(tried(self.state))
        self.pump = Pump(recovered, RecordWriter(self.journal, recovered), self.devices, guard=self.guard)
        self.reports = DeviceReports(self.pump, self.devices)
        self.control = Control(Requests(self.pump, lambda: dict.fromkeys(DEVICES, True)))
        self._writers: list[asyncio.StreamWriter] = []
        self._numbers = dict.fromkeys(DEVICES, 0)

    async def client(self, role: str = "") -> Client:
        """Connect, and log in where a role is named."""
        reader, writer = await asyncio.open_unix_connection(str(self.path), limit=8 * 1024 * 1024)
        self._writers.append(writer)
        client = Client(reader, writer)
        if role:
            assert {"ok": True, "role": role} == await client.ask("login", name=f"the {role}", pin=PIN)
        return client

    async def reader(self) -> Client:
        """Connect to the socket that only reads."""
        reader, writer = await asyncio.open_unix_connection(str(read_path(self.path)), limit=8 * 1024 * 1024)
        self._writers.append(writer)
        return Client(reader, writer)

    async def says(self, device: str, message: object) -> str | None:
        """Let a device report; why that was refused, once it is applied."""
        self._numbers[device] += 1
        number = self._numbers[device]
        refusals: list[Why | None] = []
        self.pump.applied.when(device, number, refusals.append)
        self.reports.received(device, Received(number, 0, message, b""))
        self.pump.process_queue()
        return why_in_words(refusals[0])

    def notes(self) -> list[dict[str, Any]]:
        """What the journal's notes say, those that are JSON."""
        found = []
        for row, _ in self.journal.rows():
            if row.kind == schema.NOTE and (row.body or "").startswith("{"):
                found.append(json.loads(row.body or ""))
        return found

    async def close(self) -> None:
        """End everything."""
        await end_everything(self._writers, self.control, self.journal)


Scene = Callable[[Post], Awaitable[None]]


def at_post(folder: Path, scene: Scene, people: Sequence[Person] = PEOPLE, within: float = PATIENCE) -> None:
    """Run a scene at a post of its own; nothing may go wrong behind its back."""
    behind: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: behind.append(context))
        post = Post(folder, people)
        await post.control.listen(post.path)
        try:
            await asyncio.wait_for(scene(post), within)
        finally:
            await post.close()

    asyncio.run(main())
    assert [] == behind
