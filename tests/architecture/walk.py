"""Walks one card through the real daemon and writes down its way: ``python -m tests.architecture.walk [--write]``.

1. The daemon runs in this process, on the loop of the main thread. Shoe, hub and panel are simulated devices, each a
   process of its own, on real pseudo-terminals and the USB backend. One client watches the news.
2. A card is two messages: the shoe tells that it left, the hub where it lies. Of each, two callbacks of the loop count:
   the port that has bytes to read, and the queue of the pump. Heartbeats and acknowledgements of devices come in
   callbacks of their own and are left out.
3. Every function of `drivers`, `firmware_bridge` and `gamecore` that is called counts; comprehensions and lambdas do
   not: some editions of Python call them and some do not.
4. The spine is what a reader must step through: all functions on the stack when a step is reached (`STEPS`). What a
   function asks others on the way is not in it.
5. Each card is dealt at a new table, so all have the same way. The first is left out, because it fills the caches. A
   walk counts when the next one is the same: if a busy machine joins or parts two reads, it is walked again.
6. ``--write`` puts the walk into ARCHITECTURE.md, between its marks.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

from firmware_bridge.control.client import ControlClient
from firmware_bridge.daemon import run as daemon
from firmware_bridge.setup.config import load
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from hal_sim.table.hardware_venue import Hardware, acts
from hal_sim.table.sim_table import SimTable
from tests.patience import PATIENCE
from tests.places import ROOT

PAGE = ROOT / "ARCHITECTURE.md"
BETWEEN = re.compile(r"(?<=<!-- walk -->\n).*?(?=<!-- /walk -->)", re.DOTALL)
PACKAGES = frozenset({"drivers", "firmware_bridge", "gamecore"})
HEADER = parse("game: mbs-blackjack-v6\nfresh: no\nburn: no\nsensors: shoe positions bets panel\n\n", GAMES).header
BEFORE = (ev.PlaceBets(), ev.WagerPlaced(Place(1, 0, 1), "main", 50_00), ev.NoMoreBets())
CARD = (("shoe", ev.CardDrawn(card("KD"))), ("hub", ev.CardLaid(card("KD"), Place(1, 1))))
MOST_CARDS = 12
"""Cards after which two that went the same way are no longer hoped for."""


class Function(NamedTuple):
    """A function of the product."""

    module: str
    name: str

    @property
    def package(self) -> str:
        """The package that it is in."""
        return self.module.partition(".")[0]


class Call(NamedTuple):
    """A call of a function, and all that had been called and not left when it was."""

    function: Function
    stack: tuple[Function, ...]


Way = tuple[Call, ...]

ENQUEUED = Function("firmware_bridge.pump.pump", "Pump.enqueue")
PROCESSED = Function("firmware_bridge.pump.pump", "Pump.process_queue")
STEPS = (
    ("The bytes are a frame", Function("drivers.link.frames", "decode")),
    ("The frame is genuine", Function("drivers.link.editions.aead", "Aead.open")),
    ("The frame is a message", Function("drivers.messages", "Catalogue.decode_event")),
    ("The message is queued", ENQUEUED),
    ("The message means an event", Function("firmware_bridge.inputs.device_messages", "Translator.event")),
    ("The event is durable", Function("firmware_bridge.journal.writer", "Journal.append")),
    ("The card counts for a hand", Function("gamecore.model.hands", "Hand.add")),
    ("The round remembers the row", Function("firmware_bridge.journal.rounds.round_records", "Recorder.after")),
    ("Those who watch are told", Function("firmware_bridge.control.connection", "Visitor._send")),
    ("The device may forget it", Function("drivers.link.channel", "Channel.acknowledge")),
    ("The acknowledgement is written", Function("drivers.ports.serial_port", "SerialPort.write")),
    ("The table is looked at", Function("gamecore.view.view", "view_of")),
    ("The lamps follow", Function("firmware_bridge.shown.panel_picture", "_lamps")),
    ("The panel is sent a command", Function("drivers.link.channel", "Channel.send")),
    ("The command is written", Function("drivers.ports.usb_port", "UsbPort.write")),
)
"""What happens on the way of the hub's message, each with the function that does it."""


class Tracer:
    """Hears every call in the thread of the daemon, and keeps those of one message while it is asked to."""

    def __init__(self) -> None:
        self._known: dict[CodeType, Function | None] = {}
        self._stack: list[Function | None] = []
        self._callback: list[Call] = []
        self._kept: list[Call] = []
        self._keeps = False
        self._whole = threading.Event()

    def begin(self) -> None:
        """Keep what the next message causes."""
        self._kept = []
        self._whole.clear()
        self._keeps = True

    def way(self) -> Way:
        """What a message has caused, once its queue is processed."""
        if not self._whole.wait(PATIENCE):
            raise TimeoutError("the message did not arrive")
        return tuple(self._kept)

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Hear what the interpreter tells a profiler."""
        if event == "call":
            function = self._function(frame.f_code)
            self._stack.append(function)
            if function is not None:
                self._callback.append(Call(function, tuple(one for one in self._stack if one is not None)))
        elif event == "return" and self._stack and self._stack.pop() is not None and not any(self._stack):
            callback, self._callback = self._callback, []
            self._ended(callback)

    def _function(self, code: CodeType) -> Function | None:
        """The function of a code object; None if it is not one of the product."""
        if code not in self._known:
            path = Path(code.co_filename)
            ours = path.is_relative_to(ROOT) and not code.co_name.startswith("<")
            parts = path.relative_to(ROOT).with_suffix("").parts if ours else ("",)
            self._known[code] = Function(".".join(parts), code.co_qualname) if parts[0] in PACKAGES else None
        return self._known[code]

    def _ended(self, callback: list[Call]) -> None:
        """A callback of the loop is over: keep it if it carries the message."""
        processed = callback[0].function == PROCESSED
        if not self._keeps or not (processed or any(call.function == ENQUEUED for call in callback)):
            return
        self._kept += callback
        if processed:
            self._keeps = False
            self._whole.set()


def walk() -> list[Way]:
    """Deal cards until two in a row go the same way; the ways of the two messages."""
    tracer = Tracer()
    found: list[list[Way]] = []
    with SimTable(daemon=False, names=("shoe", "hub", "panel")) as table:
        dealer = threading.Thread(target=_deal, args=(table, tracer, found))
        config = load(table.config_path)
        with contextlib.redirect_stdout(_Ready(dealer)), contextlib.redirect_stderr(io.StringIO()):
            sys.setprofile(tracer)
            try:
                asyncio.run(daemon._serve(config, tied=False))
            finally:
                sys.setprofile(None)
        dealer.join()
    if not found:
        raise RuntimeError(f"no two of {MOST_CARDS} cards went the same way")
    return found[0]


class _Ready(io.StringIO):
    """Where the daemon says that it is ready, upon which the dealer starts."""

    def __init__(self, dealer: threading.Thread) -> None:
        super().__init__()
        self._dealer = dealer

    def write(self, text: str) -> int:
        """Start the dealer at the first word."""
        if self._dealer.ident is None:
            self._dealer.start()
        return super().write(text)


def _deal(table: SimTable, tracer: Tracer, found: list[list[Way]]) -> None:
    """Deal the cards; when the way is found, or cannot be, the daemon is ended."""
    try:
        table.wait_up()
        with ControlClient(table.control_path) as watcher:
            watcher.ask(do="watch")
            cards = [_dealt(table, tracer)]
            while not found and len(cards) < MOST_CARDS:
                cards.append(_dealt(table, tracer))
                if len(cards) > 2 and cards[-1] == cards[-2]:
                    found.append(cards[-1])
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def _dealt(table: SimTable, tracer: Tracer) -> list[Way]:
    """Deal one card at a new table; the ways of its messages."""
    venue = Hardware(table, HEADER)
    for said in BEFORE:
        venue.happen(0, said)
    ways = []
    for device, event in CARD:
        (act,) = acts(event)
        tracer.begin()
        number = table.device(device).event(act.name, **act.fields)
        ways.append(tracer.way())
        table.device(device).wait_acknowledged(number)
    return ways


# --- the page --------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One step of the spine."""

    what: str
    functions: tuple[Function, ...]


def spine(way: Way, steps: Iterable[tuple[str, Function]] = STEPS) -> list[Step]:
    """The functions that lead to each step, each where it is first met."""
    met: set[Function] = set()
    found = []
    rest = iter(way)
    for what, goal in steps:
        call = next((call for call in rest if call.function == goal), None)
        if call is None:
            raise LookupError(f"{what}: {goal.module}.{goal.name} is not called here")
        found.append(Step(what, tuple(one for one in call.stack if one not in met)))
        met.update(call.stack)
    return found


def figures(calls: Sequence[Call]) -> tuple[int, int, int, int, int]:
    """Calls, functions, modules, changes of the module and of the package from one call to the next."""
    functions = [call.function for call in calls]
    modules = sum(one.module != other.module for one, other in pairwise(functions))
    packages = sum(one.package != other.package for one, other in pairwise(functions))
    return len(calls), len(set(functions)), len({one.module for one in functions}), modules, packages


def page(ways: Sequence[Way]) -> str:
    """The walk as ARCHITECTURE.md has it."""
    shoe, hub = ways
    lines = ["| step | function | file |", "| --- | --- | --- |"]
    for step in spine(hub):
        for place, function in enumerate(step.functions):
            file = f"{function.module.replace('.', '/')}.py"
            lines.append(f"| {'' if place else step.what} | `{function.name}` | `{file}` |")
    lines += ["", "| message | calls | functions | modules | changes of module | changes of package |"]
    lines.append(f"| --- |{' ---: |' * 5}")
    for what, calls in (("shoe: the card is out", shoe), ("hub: the card lies", hub), ("one card", (*shoe, *hub))):
        lines.append(f"| {what} | {' | '.join(map(str, figures(calls)))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the walk, or write it into the page."""
    parser = argparse.ArgumentParser(description="Walks one card through the daemon.")
    parser.add_argument("--write", action="store_true", help="put the walk into ARCHITECTURE.md")
    write = parser.parse_args().write
    text = page(walk())
    if write:
        PAGE.write_text(BETWEEN.sub(lambda _: text, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
