"""The daemon beside what it is made of: a card's way, its start, its recovery, its memory, its idle hours.

1. A card: from its last byte on the wire to the ruling given out, its event durable. The daemon runs as it does under a
   table, in a process of its own; the ruling is what a watcher at the control socket reads. Beside it, card by card in
   turn, bare programs that read the same frame from a pseudo-terminal and only make it durable (`wire`).
2. The start: from the process's beginning to the word `ready`, beside a Python that only imports the same modules.
3. The recovery: starts with a journal of 10,000 events and with one of 1,000,000, in segments as the daemon makes them,
   and in a single one, as with continuous shuffling, which never begins a new shoe.
4. Memory is what the process holds after those cards; the idle processor time is that of a table of five devices, whose
   heartbeats are not in step: each was plugged in at another moment.
5. Everything that is compared takes turns, so that a busy moment of the machine affects all of it.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from drivers.link.editions.noise import public
from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal import event_codec, schema, snapshot, writer
from firmware_bridge.journal.recovery import set_up
from firmware_bridge.journal.rounds.round_records import Recorder
from firmware_bridge.journal.writer import Entry, Journal
from firmware_bridge.people.alarms import Alarms
from firmware_bridge.program.accepted import Programs
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from hal_sim.table.sim_table import SimTable
from tests.bench.beside.wire import HOST_KEY, KEY, SERIAL, Bare, WireShoe

AT = "2025-01-01T00:00:00.000000+00:00"
HEADER = "game: mbs-blackjack-v6\nfresh: no\nburn: no\nsensors: shoe\n\n"
BEFORE = ("place-bets", "bet 1 main 50", "no-more-bets")
BETWEEN = {3: ("offer surrender", "close surrender", "stand 1")}
CARDS = ("KD", "9C", "QH", "8S")
ROUNDS = 8
"""Rounds after which the table is set up again: no shoe has more of one card."""
DAEMON, COMMIT, APPEND = "daemon, ruling given out", "bare SQLite commit", "bare append and fsync"


class Daemon:
    """A daemon in a process of its own."""

    def __init__(self, folder: Path, *, devices: bool = True) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        lines = [
            "[table]",
            "open = true",
            'game = "mbs-blackjack-v6"',
            "fresh = false",
            "burn = false",
            'sensors = "shoe"',
        ]
        lines += [
            f'state = "{folder / "state"}"',
            f'control = "{folder / "control.sock"}"',
            f'boot = "{folder / "boot"}"',
        ]
        if devices:
            lines += ["[devices.shoe]", 'driver = "shoe"', f'port = "serial:{folder / "shoe"}"']
            lines += [f'serial = "{SERIAL}"', f'public = "{public(KEY).hex()}"']
            lines += ["[link]", f'secret = "{HOST_KEY.hex()}"']
        else:
            lines += ["[devices]"]
        (folder / "boot").write_text("boot-1\n", encoding="ascii")
        self.config = folder / "table.toml"
        self.config.write_text("\n".join(lines) + "\n", encoding="ascii")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def command(self) -> list[str]:
        """What starts it."""
        return ["-m", "firmware_bridge.cli", "run", "--config", str(self.config)]

    def start(self, *options: str) -> float:
        """Start it; return the seconds until it is ready."""
        began = time.perf_counter()
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *options, *self.command], stdout=subprocess.PIPE, stderr=log
            )
        assert self.process.stdout is not None
        if b"ready" not in self.process.stdout.readline():
            raise RuntimeError((self.folder / "log").read_text(encoding="utf-8"))
        return time.perf_counter() - began

    def stop(self) -> None:
        """End it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    @property
    def memory(self) -> float:
        """Megabytes that it holds."""
        assert self.process is not None
        return resident(self.process.pid)


def resident(pid: int) -> float:
    """Megabytes of memory that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def processor(pid: int) -> float:
    """Seconds of processor time that the threads of a process have used, to the microsecond."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


# --- a card ----------------------------------------------------------------------------------------------------------


class AtTable:
    """A daemon that plays rounds of one box, and how long it takes for each card."""

    def __init__(self, folder: Path) -> None:
        self.daemon = Daemon(folder)
        self._shoe = WireShoe(folder / "shoe")
        self.daemon.start()
        self._watch = ControlClient(folder / "control.sock")
        self._console = ControlClient(folder / "control.sock")
        self._watch.ask(do="watch")
        self._at = 0
        while not self._shoe.up:
            self._shoe.serve(0.05)

    def _say(self, statements: Sequence[str]) -> None:
        for statement in statements:
            answer = self._console.ask(do="say", statement=statement)
            if not answer.get("ok"):
                raise RuntimeError(f"{statement}: {answer}")

    def card(self) -> float:
        """Draw the next card; return the seconds from its last byte to the ruling."""
        if self._at % (ROUNDS * len(CARDS)) == 0:
            self._console.ask(do="table", header=HEADER, abandon=True)
        place = self._at % len(CARDS)
        self._say(BEFORE if place == 0 else BETWEEN.get(place, ()))
        self._shoe.serve(0.0)
        number, sent = self._shoe.draw(CARDS[place])
        while True:
            news = self._watch.read().get("seen", {})
            if (news.get("device"), news.get("number")) == ("shoe", number):
                break
        taken = time.perf_counter() - sent
        if news["refused"] is not None or news.get("findings"):
            raise RuntimeError(f"the card was not taken: {news}")
        self._at += 1
        if self._at % len(CARDS) == 0:
            self._say(("settle",))
        self._shoe.serve(0.0)
        return taken

    def close(self) -> None:
        """End it."""
        self._watch.close()
        self._console.close()
        self.daemon.stop()
        self._shoe.close()


def cards(folder: Path, count: int) -> tuple[dict[str, list[float]], float]:
    """Seconds of each card of each candidate, taken in turn, and the daemon's memory after them."""
    with ExitStack() as stack:
        table = AtTable(folder / "daemon")
        stack.callback(table.close)
        bare = {name: Bare(kind, folder / kind) for name, kind in ((COMMIT, "commit"), (APPEND, "append"))}
        for each in bare.values():
            stack.callback(each.close)
        turns: dict[str, Callable[[], float]] = {DAEMON: table.card, **{name: each.card for name, each in bare.items()}}
        taken: dict[str, list[float]] = {name: [] for name in turns}
        for number in range(count + 100):
            for name, turn in turns.items():
                seconds = turn()
                if number >= 100:
                    taken[name].append(seconds)
        return taken, table.daemon.memory


def quantile(values: list[float], share: float) -> float:
    """Return the value below which this share lies."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


# --- the start and the recovery --------------------------------------------------------------------------------------


def imported(daemon: Daemon) -> list[str]:
    """The modules that the daemon imports until it is ready."""
    daemon.start("-X", "importtime")
    daemon.stop()
    found = re.findall(r"import time:[^|]+\|[^|]+\|\s*(\S+)", (daemon.folder / "log").read_text(encoding="utf-8"))
    return [name for name in found if not name.startswith(("_", "encodings", "zipimport", "site", "sitecustom"))]


def bare_start(modules: list[str]) -> float:
    """Seconds of a Python that imports these modules and does nothing."""
    program = "\n".join(f"try: import {name}\nexcept ImportError: pass" for name in modules)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - began


class Size(NamedTuple):
    """A journal: how many events it has, and how many a segment."""

    name: str
    events: int
    segment: int


SIZES = (
    Size("10,000 events", 10_000, 10_000),
    Size("1,000,000 events in segments", 1_000_000, 10_000),
    Size("1,000,000 events in one segment", 1_000_000, 1_000_000),
)


def fill(state: Path, size: Size, scale: float) -> None:
    """Write a journal of rounds as the daemon leaves it: a snapshot at a round's end, and a round after it."""
    state.mkdir(parents=True)
    header = parse(HEADER, GAMES).header
    now = set_up(header)
    places = (Place(1), Place(0), Place(1), Place(0))
    drawn = [ev.CardDrawn(card(text), place) for text, place in zip(CARDS, places, strict=True)]
    said = (ev.PlaceBets(), ev.WagerPlaced(Place(1, 0, 1), "main", 50_00), ev.NoMoreBets())
    events: list[ev.Event] = [*said, *drawn[:3], ev.Stand(Place(1)), drawn[3], ev.Settle()]
    rows = [Entry(AT, "console", schema.EVENT, event_codec.encode(event), raw=bytes(38)) for event in events]
    for event in events:
        now.table.apply(event)
    journal = Journal(state, AT)
    start = json.dumps({"boot": "boot-1", "version": "", "table": write_header(header)})
    journal.append([Entry(AT, "daemon", schema.START, start)])
    text, taken = write_header(header), now.table.snapshot()
    kept = snapshot.Kept(text, taken, now.translator, {}, "boot-1", text, Recorder(), Programs(), Alarms(), {})
    whole = (snapshot.FORMAT, snapshot.dump(kept))
    wanted = int(size.events * scale)
    while journal.n < wanted:
        journal.append(rows * min(100, max((wanted - journal.n) // len(rows), 1)))
        if journal.n - journal.first >= size.segment and journal.n + writer.LONG < wanted:
            journal.rotate(AT, whole)
    journal.sign(whole)
    journal.append(rows[:5])
    journal.close()


def starts(folder: Path, repetitions: int, scale: float) -> dict[str, list[float]]:
    """Seconds of each start, taken in turn."""
    folder.mkdir()
    fresh = Daemon(folder / "fresh", devices=False)
    modules = imported(fresh)
    daemons = {"with an empty journal": fresh}
    for number, size in enumerate(SIZES):
        daemons[f"with {size.name}"] = Daemon(folder / str(number), devices=False)
        fill(folder / str(number) / "state", size, scale)
    taken: dict[str, list[float]] = {"bare imports": [], **{name: [] for name in daemons}}
    for _ in range(repetitions):
        taken["bare imports"].append(bare_start(modules))
        for name, daemon in daemons.items():
            taken[name].append(daemon.start())
            daemon.stop()
    return taken


def idle(seconds: float) -> tuple[float, float]:
    """The share of a processor that an idle table of five devices takes, and its memory."""
    with SimTable(seed=1) as table:
        pid = table.pid("daemon")
        for name in table.names:
            table.device(name).unplug()
            select.select([], [], [], 0.117)
            table.device(name).plug()
            table.wait_up()
        select.select([], [], [], 2.0)
        before = processor(pid)
        select.select([], [], [], seconds)
        return (processor(pid) - before) / seconds, resident(pid)


# --- figures ---------------------------------------------------------------------------------------------------------


def card_lines(taken: dict[str, list[float]]) -> list[str]:
    """The figures of a card's way."""
    base = {share: quantile(taken[COMMIT], share) for share in (0.5, 0.99)}
    lines = [f"{'':26}  {'p50 µs':>8}  {'p99 µs':>8}  {'x commit p50':>12}  {'p99':>5}"]
    for name, values in taken.items():
        half, most = quantile(values, 0.5), quantile(values, 0.99)
        ratios = f"{half / base[0.5]:12.2f}  {most / base[0.99]:5.2f}"
        lines.append(f"{name:26}  {half * 1e6:8.0f}  {most * 1e6:8.0f}  {ratios}")
    return lines


def start_lines(taken: dict[str, list[float]]) -> list[str]:
    """The figures of the starts."""
    bare, small = taken["bare imports"], taken[f"with {SIZES[0].name}"]

    def ratio(values: list[float], base: list[float]) -> float:
        return statistics.median(mine / its for mine, its in zip(values, base, strict=True))

    lines = [f"{'':42}  {'ms':>6}  {'x bare':>6}  {'x 10,000':>8}"]
    for name, values in taken.items():
        median = statistics.median(values) * 1000
        lines.append(f"{name:42}  {median:6.0f}  {ratio(values, bare):6.2f}  {ratio(values, small):8.2f}")
    return lines


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.daemon", description="The daemon and its parts.")
    parser.add_argument("--cards", type=int, default=2000, help="cards of each candidate (default 2000)")
    parser.add_argument("--repetitions", type=int, default=9, help="starts of each kind (default 9)")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the events of the long journals (default 1)")
    parser.add_argument("--idle", type=float, default=30.0, help="idle seconds (default 30)")
    args = parser.parse_args(argv)
    print(f"Python {platform.python_version()}, {platform.machine()}, {args.cards} cards in turn")
    with tempfile.TemporaryDirectory(prefix="td-") as folder:
        taken, memory = cards(Path(folder), args.cards)
        print("\n".join(card_lines(taken)))
        print(f"\nmemory of the daemon after these cards: {memory:.1f} MB\n")
        print("\n".join(start_lines(starts(Path(folder) / "starts", args.repetitions, args.scale))))
    share, held = idle(args.idle)
    print(f"\nidle table of five devices: {100 * share:.2f} percent of a processor, {held:.1f} MB")


if __name__ == "__main__":
    main()
