"""A whole floor for the tests: real brokers with TLS and nkeys, ingesters and shippers as processes."""

from __future__ import annotations

import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.centre.nats_config import users
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire import nkeys
from firmware_bridge.floor.wire.nkeys import Nkey
from tests.firmware_bridge.anchors.servers import authority, free_port
from tests.patience import PATIENCE, eventually
from tests.places import ROOT

CASINO = "mbs"
SERVER = Path(sys.executable).parent / "nats-server"
WITHIN = 2 * PATIENCE
"""Seconds in which all of a journal arrives."""
_CONFIG = """
host: 127.0.0.1
port: {port}
tls {{ cert_file: "{folder}/localhost.pem", key_file: "{folder}/localhost.key" }}
include users.conf
"""
_CLUSTER = """
cluster {{ name: floor, host: 127.0.0.1, port: {port}, routes: [{routes}] }}
"""


class Floor:
    """A centre and its tables, in one folder."""

    def __init__(self, folder: Path, url: str, nodes: int = 1) -> None:
        """Make keys and certificates; nothing is started."""
        self.folder, self.url = folder, url
        authority(folder, "localhost")
        self.ingester = nkeys.make(folder / "ingester.key")
        self.console = nkeys.make(folder / "console.key")
        self.ports = [free_port() for _ in range(nodes)]
        routes = [free_port() for _ in range(nodes)]
        for node, port in enumerate(self.ports):
            text = _CONFIG.format(port=port, folder=folder)
            if nodes > 1:
                others = ", ".join(f'"nats-route://127.0.0.1:{route}"' for route in routes)
                text += _CLUSTER.format(port=routes[node], routes=others)
            (folder / f"nats-{node}.conf").write_text(text, encoding="ascii")
        self._processes: list[subprocess.Popen[bytes]] = []
        self._brokers: dict[int, subprocess.Popen[bytes]] = {}
        self.tables: dict[str, Path] = {}
        self.ways: dict[str, int] = {}
        """The port by which a table reaches the brokers, where that is another than theirs."""

    @property
    def servers(self) -> list[str]:
        """The addresses of the brokers."""
        return [f"tls://localhost:{port}" for port in self.ports]

    def enrol(self, name: str, state: Path) -> Nkey:
        """A table: its key, its journal, its user; the broker has to be told by a reload."""
        nkey = nkeys.make(self.folder / f"{name}.key")
        with Archive.open(self.url) as archive:
            archive.add_table(Enrolled(CASINO, name, nkey.public))
            archive.add_journal(CASINO, name, Source(state).root())
        self.tables[name] = state
        self.write_users()
        return nkey

    def write_users(self, *without: str) -> None:
        """Write who may do what."""
        with Archive.open(self.url) as archive:
            tables = [table for table in archive.tables() if table.name not in without]
        told = users(CASINO, tables, [self.ingester.public], [self.console.public])
        (self.folder / "users.conf").write_text(told, encoding="ascii")

    def reload(self) -> None:
        """Let the first broker read its users again."""
        before = self.log("nats-0").count("Reloaded server configuration")
        self._brokers[0].send_signal(signal.SIGHUP)
        eventually(lambda: before < self.log("nats-0").count("Reloaded server configuration"))

    def tls(self) -> ssl.SSLContext:
        """What checks the brokers' certificates."""
        return ssl.create_default_context(cafile=str(self.folder / "ca.pem"))

    def start_broker(self, node: int = 0) -> subprocess.Popen[bytes]:
        """Start a broker."""
        log = self.folder / f"nats-{node}.log"
        self._brokers[node] = self.start_process([str(SERVER), "-c", str(self.folder / f"nats-{node}.conf")], log)
        return self._brokers[node]

    def start_ingester(self, name: str = "ingest") -> subprocess.Popen[bytes]:
        """Start an ingester."""
        words = ["ingest", "--archive", self.url, "--casino", CASINO, "--key", str(self.folder / "ingester.key")]
        return self._start_truedeal(words, name)

    def start_console(self, *more: str) -> subprocess.Popen[bytes]:
        """Start a console of the floor, with more options."""
        words = ["floor", "--archive", self.url, "--casino", CASINO, "--key", str(self.folder / "console.key")]
        return self._start_truedeal([*words, "--listen", f"127.0.0.1:{free_port()}", *more], "console")

    def start_shipper(self, name: str, watch: Path | None = None, *more: str) -> subprocess.Popen[bytes]:
        """Start the shipper of a table, which watches its daemon at a socket if one is named, with more options."""
        words = ["ship", "--state", str(self.tables[name]), "--table", f"{CASINO}/{name}"]
        words += ["--key", str(self.folder / f"{name}.key"), "--status", str(self.folder / f"{name}.json")]
        words += [*more] if watch is None else ["--watch", str(watch), *more]
        return self._start_truedeal(words, f"ship-{name}", self.ways.get(name))

    def _start_truedeal(self, words: list[str], name: str, port: int | None = None) -> subprocess.Popen[bytes]:
        servers = self.servers if port is None else [f"tls://localhost:{port}"]
        words += [word for server in servers for word in ("--nats", server)]
        words += ["--ca", str(self.folder / "ca.pem")]
        return self.start_process([sys.executable, "-m", "firmware_bridge.cli", *words], self.folder / f"{name}.log")

    def start_process(self, command: list[str], log: Path) -> subprocess.Popen[bytes]:
        """Start a program that ends with the floor, and writes into a file."""
        with log.open("ab") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, cwd=ROOT)
        self._processes.append(process)
        return process

    def log(self, name: str) -> str:
        """What a process has said."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def has(self, name: str) -> int:
        """The last event of a table's newest journal in the archive."""
        with Archive.open(self.url) as archive:
            marks = [archive.known(*place) for place in archive.places() if place.name == name]
        return 0 if not marks or marks[-1] is None else marks[-1].mark.n

    def wait_for(self, name: str, within: float = WITHIN) -> None:
        """Wait until the archive has all of a table's journal."""
        end = Source(self.tables[name]).end().n
        eventually(lambda: end == self.has(name), within)

    def end(self) -> None:
        """End everything."""
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)


@contextmanager
def floor(folder: Path, url: str, nodes: int = 1) -> Iterator[Floor]:
    """A floor that ends with the block."""
    folder.mkdir()
    made = Floor(folder, url, nodes)
    try:
        yield made
    finally:
        made.end()
