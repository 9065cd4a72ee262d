"""Journals for the tests of the audit, made by the real pump and the real books, in process."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from firmware_bridge.daemon.startup import open_books
from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.pump.device_reports import DeviceReports
from firmware_bridge.pump.items import Item, NewTable
from firmware_bridge.pump.pump import Pump
from firmware_bridge.setup.centre_config import CentreConfig
from firmware_bridge.setup.config import Config
from firmware_bridge.texts.denials import Why
from gamecore.model.cards import Card
from gamecore.model.events.events import Event
from gamecore.model.places import Place
from gamecore.notation.expect.checks import check
from gamecore.notation.parser import parse
from gamecore.notation.playing.links import Arrival, Links, carrier
from gamecore.notation.playing.player import Player
from gamecore.notation.syntax import Claim, Header, Noise, NotationError
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from tests.firmware_bridge.pump_rig import why_in_words

NAME = "T7"
"""What people call the table."""
DEVICES = ("shoe", "hub", "panel", "shuffler", "meter")
ROUND = """
place-bets
bet 1 main 100
bet 2 main 50
no-more-bets
draw 1; draw 2; draw dealer; draw 1; draw 2
stand 1
stand 2
draw dealer
settle
"""
"""A round from a shoe of `CARDS`: 19 at box 1 wins, 17 at box 2 loses, the Dealer has 18."""
CARDS = "9H 8D TS KC 9C 8H"
LOAD = f"shuffle machine\nload {CARDS}\n"
HEAD = f"game: mbs-blackjack-v6\nburn: no\nfresh: no\nshoe: {CARDS}\n\n"


class Station:
    """A device that takes everything."""

    up = True

    def send(self, command: object) -> bool:
        """Take a command."""
        del command
        return True

    def acknowledge(self, number: int) -> None:
        """Take an acknowledgement."""

    def ask(self) -> int | None:
        """Return nothing: the device cannot tell how far it has come."""


class House:
    """A daemon in process, without devices: what happens is submitted to its pump."""

    def __init__(
        self,
        state: Path,
        header: Header,
        boot: str = "one",
        *,
        is_open: bool = False,
        centre: CentreConfig | None = None,
    ) -> None:
        """Start it on a state folder; needs a running loop."""
        state.mkdir(parents=True, exist_ok=True)
        told = state.with_name(f"{state.name}-boot")
        told.write_text(boot, encoding="ascii")
        config = Config(replace(header, shoe=()), state, state / "control", (), boot=told, open=is_open, name=NAME)
        config = replace(config, centre=centre)
        opened = open_books(config, wall_clock())
        self.books = opened.books
        self.numbers = dict.fromkeys(DEVICES, 0)
        stations = {name: Station() for name in DEVICES}
        self.pump = Pump(opened.recovered, opened.books, stations)
        self.reports = DeviceReports(self.pump, stations)
        for item in opened.first:
            self.pump.enqueue(item)
        self.pump.process_queue()

    def happens(self, event: Event | NewTable) -> str | None:
        """Let something happen; why it was refused."""
        why: list[Why | None] = []
        device = "console" if isinstance(event, NewTable) else carrier(event, self.pump.header.sensors)
        if device in self.numbers:
            self.numbers[device] += 1
            number = self.numbers[device]
            item = Item(device, event, number, 1000 + number, b"frame %d of %s" % (number, device.encode()), why.append)
        else:
            item = Item(device, event, reply=why.append)
        self.pump.enqueue(item)
        self.pump.process_queue()
        return why_in_words(why[0])

    def plays(self, text: str, *, new_table: bool = False) -> None:
        """Play a file in deal notation; its header is another table, or that of the table as it is."""
        scenario = parse(text, GAMES)
        if new_table:
            self.happens(NewTable(scenario.header, write_header(scenario.header)))
        venue = Journaled(self, scenario.header)
        player = Player(scenario.header, GAMES[scenario.header.game], venue)
        error = player.run(scenario)
        if error is not None:
            raise error
        assert [] == player.failures

    def leaves(self) -> None:
        """End as if killed: nothing is signed."""
        self.books.journal.close()


class Journaled:
    """A venue of the notation whose table is that of a house."""

    def __init__(self, house: House, header: Header) -> None:
        self._house = house
        self._links = Links(header.sensors, house.pump.table.on_its_way)
        self._events: list[Event] = []

    def happen(self, line: int, event: Event) -> None:
        """Submit an event."""
        for arrival in self._links.send(Arrival(line, event)):
            refused = self._house.happens(arrival.event)
            if refused is not None:
                raise NotationError(arrival.line, refused)
            self._events.append(arrival.event)

    def check(self, claim: Claim, text: str) -> str | None:
        """Whether a claim holds."""
        del text
        return check(claim, self._house.pump.table)

    def noise(self, noise: Noise) -> None:
        """There is no wire."""

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs."""
        return self._house.pump.table.next_place

    @property
    def on_table(self) -> list[Card]:
        """The cards of the round that is on."""
        view = self._house.pump.table.view()
        return [drawn.card for drawn in view.round.dealt] if view.round_is_on else []

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened."""
        return tuple(self._events)

    def report(self) -> dict[str, object]:
        """The report of the table."""
        return self._house.pump.table.report()


Scene = Callable[[House], None]


def made(state: Path, scene: Scene, text: str = HEAD, boot: str = "one", *, killed: bool = False) -> House:
    """Run a scene in a house, and close its journal."""

    async def run() -> House:
        house = House(state, parse(text, GAMES).header, boot)
        scene(house)
        await asyncio.sleep(0)
        if killed:
            house.leaves()
        else:
            house.pump.close()
        return house

    return asyncio.run(run())


def rounds(count: int) -> Scene:
    """So many rounds, each from a shoe of its own."""

    def scene(house: House) -> None:
        house.plays(HEAD + "\n".join([LOAD + ROUND] * count))

    return scene


def long_journal(state: Path, count: int = 9, length: int = 40) -> None:
    """A journal of several segments, of which the oldest is archived."""
    usual, writer.LONG = writer.LONG, length
    try:
        made(state, rounds(count))
        made(state, rounds(1))
    finally:
        writer.LONG = usual
    compressed_segments.pack(state, segments.segments(state)[0])


def copied(source: Path, target: Path) -> Path:
    """A copy of a state folder, without the secret key."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("keys"))
    return target
