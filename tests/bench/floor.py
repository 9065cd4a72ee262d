"""The floor under load: simulated tables at one event a second, from the journal to the committed row.

1. ``python -m tests.bench.floor --tables 500 --seconds 60``: each table has a journal by the real writer, on a memory
   file system; all shippers are in this process, one ingester, a broker with TLS and the database are their own. An
   event counts from before it is written until the table has the answer that it is committed.
2. Then the bare pair in the same run: the same bytes as one NATS request each, and one INSERT for what has come
   together, answered after the commit, with the same time for gathering and the same largest group.
3. It prints p50 and p99 of both, the factor between them, processor time an event of each process, and the bytes that
   an event takes in the archive's files and in its log. ``--backlog N`` adds one table with N events that is a week
   behind, and how long it takes to catch up.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg

from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.broker import Broker, BrokerMessage
from firmware_bridge.floor.centre.archivist import GATHER, GROUP
from firmware_bridge.floor.shipping.shipper import Shipper, Table
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.shipping.table_watch import TableWatch
from firmware_bridge.floor.wire import nkeys, subjects
from firmware_bridge.floor.wire.answers import Answer
from firmware_bridge.floor.wire.batch import pack
from firmware_bridge.floor.wire.marks import Mark
from firmware_bridge.floor.wire.nkeys import Nkey, load
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.writer import Entry, Journal
from tests.firmware_bridge.floor.nats_rig import CASINO, Floor, floor
from tests.firmware_bridge.floor.postgres_rig import Cluster
from tests.patience import eventually

MEMORY = Path("/dev/shm")  # noqa: S108  500 syncs a second on one disk would measure the disk
SIGNED = 50
"""Events of a round: then a head is signed."""
BODY = '{"is":"CardLaid","card":"KD","place":"3/1"}'
_TICK = os.sysconf("SC_CLK_TCK")


class Measured(Shipper):
    """A shipper that knows when each of its events was written and answered."""

    def __init__(self, table: Table, watch: TableWatch) -> None:
        """Ship the journal of a table; the writer wakes it."""
        super().__init__(table)
        self._watch = watch
        self.written: dict[int, float] = {}
        self.took: list[float] = []
        self.has = 0

    def _take_answer(self, answer: Answer) -> float:
        now = time.monotonic()
        for n in range(self.has + 1, answer.have.n + 1):
            if n in self.written:
                self.took.append(now - self.written.pop(n))
        self.has = max(self.has, answer.have.n)
        return super()._take_answer(answer)


class Figures(NamedTuple):
    """Seconds of all events, and processor seconds by process."""

    took: list[float]
    cpu: dict[str, float]

    def cut(self, place: int) -> float:
        """One of the ninety-nine cuts between hundredths."""
        return quantiles(self.took, n=100)[place]

    def line(self, name: str) -> str:
        """For people."""
        cpu = ", ".join(f"{who} {1e6 * seconds / len(self.took):.0f}" for who, seconds in self.cpu.items())
        return (
            f"{name}: {len(self.took)} events, p50 {1000 * self.cut(49):.1f} ms, p99 {1000 * self.cut(98):.1f} ms; "
            f"µs of processor an event: {cpu}"
        )


def used(pid: int) -> float:
    """The processor seconds of a process and of the children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICK


def of_database(cluster: Cluster) -> float:
    """The processor seconds of the database, of every process that it has now."""
    main = int((cluster.data / "postmaster.pid").read_text(encoding="ascii").splitlines()[0])
    children = Path(f"/proc/{main}/task/{main}/children").read_text(encoding="ascii").split()
    return used(main) + sum(used(int(child)) for child in children)


class Stored(NamedTuple):
    """Bytes of a database in its files, and those that its log has had so far."""

    files: int
    log: int

    @classmethod
    def of(cls, url: str) -> Stored:
        """What a database has now."""
        with psycopg.connect(url, autocommit=True) as connection:
            chosen = "SELECT pg_database_size(current_database()), (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint"
            (found,) = connection.execute(chosen).fetchall()
        return cls(*found)


async def write_events(journal: Journal, shipper: Measured, watch: TableWatch, seconds: int, apart: float) -> None:
    """Write one event a second, beginning `apart` seconds from now."""
    begin = time.monotonic() + apart
    for turn in range(seconds):
        await asyncio.sleep(max(0.0, begin + turn - time.monotonic()))
        at = time.monotonic()
        journal.append([Entry(wall_clock(), "hub", "event", BODY, turn + 1, 1000 * turn, b"frame", how="sensed")])
        shipper.written[journal.n] = at
        if turn % SIGNED == SIGNED - 1:
            journal.sign()
        watch.rows.set()


async def ship(centre: Floor, folder: Path, tables: int, seconds: int) -> list[float]:
    """Let all tables write and ship; the seconds of each event."""
    ended, watches, journals, shippers, tasks = asyncio.Event(), [], [], [], []
    for number in range(tables):
        name = f"t-{number}"
        watch = TableWatch(folder / "none")
        watch.there = True
        nkey = load(centre.folder / f"{name}.key")
        table = Table(CASINO, name, folder / name, centre.servers, centre.folder / "ca.pem", nkey)
        watches.append(watch)
        shippers.append(Measured(table, watch))
        journals.append(Journal(folder / name, wall_clock()))
        tasks.append(asyncio.create_task(shippers[-1].run(ended)))
    while any(one.has < journal.n for one, journal in zip(shippers, journals, strict=True)):  # noqa: ASYNC110
        await asyncio.sleep(0.1)  # all are connected and caught up before anything is measured
    for number, told in enumerate(zip(journals, shippers, watches, strict=True)):
        tasks.append(asyncio.create_task(write_events(*told, seconds, number / tables)))
    await asyncio.sleep(seconds)
    until = time.monotonic() + 30
    while any(one.written for one in shippers) and time.monotonic() < until:  # noqa: ASYNC110  answers tell nobody
        await asyncio.sleep(0.1)
    ended.set()
    await asyncio.wait(tasks)
    for journal in journals:
        journal.close()
    missing = sum(len(one.written) for one in shippers)
    if missing:
        sys.exit(f"{missing} events were not answered")
    return [took for one in shippers for took in one.took]


# --- the bare pair ----------------------------------------------------------------------------------------------------


async def answer_bare(servers: list[str], ca: Path, key: Path, url: str) -> None:
    """Answer requests after one INSERT of what has come together; until killed."""
    broker = await Broker.connect(servers, load(key), ca, f"r.{CASINO}.bare", "bare")
    waiting: asyncio.Queue[BrokerMessage] = asyncio.Queue()
    await broker.subscribe(f"t.{CASINO}.*.{subjects.SHIP}", "", waiting.put)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    with psycopg.connect(url, autocommit=True) as connection:
        while True:
            group = [await waiting.get()]
            await asyncio.sleep(GATHER)
            while len(group) < GROUP and not waiting.empty():
                group.append(waiting.get_nowait())
            with connection.transaction(), connection.cursor() as cursor:
                cursor.executemany("INSERT INTO bare VALUES (%s, %s)", [(one.subject, one.body) for one in group])
            for one in group:
                await broker.answer(one.reply, b"ok")


async def ask_bare(centre: Floor, bodies: dict[str, bytes], seconds: int) -> list[float]:
    """One request a second from each table; the seconds of each."""
    took: list[float] = []
    connected: list[Broker] = []

    async def one(name: str, nkey: Nkey, apart: float) -> None:
        inbox = subjects.subjects_for_table(CASINO, name)
        broker = await Broker.connect(centre.servers, nkey, centre.folder / "ca.pem", inbox, name)
        connected.append(broker)
        while len(connected) < len(bodies):  # noqa: ASYNC110  connections tell nobody
            await asyncio.sleep(0.1)
        begin = time.monotonic() + apart
        for turn in range(seconds):
            await asyncio.sleep(max(0.0, begin + turn - time.monotonic()))
            at = time.monotonic()
            await broker.request(subjects.spoken(CASINO, name, subjects.SHIP), bodies[name], 10)
            took.append(time.monotonic() - at)
        await broker.close()

    many = len(bodies)
    keys = {name: load(centre.folder / f"{name}.key") for name in bodies}
    tables = enumerate(bodies)
    await asyncio.gather(*(one(name, keys[name], number / many) for number, name in tables))
    return took


# --- all of it --------------------------------------------------------------------------------------------------------


def prepared(centre: Floor, folder: Path, names: list[str], events: int = 1) -> dict[str, bytes]:
    """Make journals and enrol their tables; what one event of each is as a batch."""
    bodies = {}
    with Archive.open(centre.url) as archive:
        for name in names:
            (folder / name).mkdir()
            journal = Journal(folder / name, wall_clock())
            for turn in range(0, events, SIGNED):
                many = min(SIGNED, events - turn)
                row = Entry(wall_clock(), "hub", "event", BODY, turn + 1, 1000, b"frame", how="sensed")
                journal.append([row] * many)
                journal.sign()
            journal.close()
            source = Source(folder / name)
            archive.add_table(Enrolled(CASINO, name, nkeys.make(centre.folder / f"{name}.key").public))
            archive.add_journal(CASINO, name, source.root())
            centre.tables[name] = folder / name
            whole = source.batch_after(Mark())
            bodies[name] = b"" if whole is None else pack(whole._replace(items=whole.items[1:2]))
    centre.write_users()
    return bodies


def catch_up(centre: Floor, events: int) -> str:
    """How long a table that is far behind takes to catch up, between rounds, with the shipper as a process."""
    begun = time.monotonic()
    shipper = centre.start_shipper("behind")
    end = Source(centre.tables["behind"]).end().n
    eventually(lambda: end == centre.has("behind"), within=3600)
    took = time.monotonic() - begun
    shipper.terminate()
    shipper.wait()
    return f"a backlog of {events} events: {took:.1f} s, {events / took:.0f} a second"


def run(centre: Floor, cluster: Cluster, folder: Path, args: argparse.Namespace) -> None:
    """Measure the floor, then the bare pair, and print both."""
    bodies = prepared(centre, folder, [f"t-{number}" for number in range(args.tables)])
    if args.backlog:
        prepared(centre, folder, ["behind"], args.backlog)
    broker, ingester = centre.start_broker(), centre.start_ingester()
    eventually(lambda: "ready" in centre.log("ingest"))
    processes = {"ingester": ingester.pid, "broker": broker.pid, "shippers and writers": os.getpid()}
    before, stored = {who: used(pid) for who, pid in processes.items()}, of_database(cluster)
    begun = Stored.of(centre.url)
    took = asyncio.run(ship(centre, folder, args.tables, args.seconds))
    cpu = {who: used(pid) - before[who] for who, pid in processes.items()}
    ours = Figures(took, cpu | {"database": of_database(cluster) - stored})
    print(f"load {os.getloadavg()[0]:.1f}; {ours.line('floor')}")
    ended = Stored.of(centre.url)
    files, logged = ((now - then) / len(took) for now, then in zip(ended, begun, strict=True))
    print(f"bytes an event: {files:.0f} in the archive's files, {logged:.0f} in its log")
    if args.backlog:
        print(catch_up(centre, args.backlog))
    ingester.terminate()
    ingester.wait()
    with psycopg.connect(centre.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE bare (subject TEXT NOT NULL, data BYTEA NOT NULL)")
    words = [sys.executable, "-m", "tests.bench.floor", "--bare", centre.url]
    words += ["--key", str(centre.folder / "ingester.key"), "--ca", str(centre.folder / "ca.pem")]
    log = centre.folder / "bare.log"
    bare = centre.start_process([*words, "--nats", *centre.servers], log)
    eventually(lambda: "ready" in log.read_text(encoding="utf-8"))
    processes = {"responder": bare.pid, "broker": broker.pid, "clients": os.getpid()}
    before, stored = {who: used(pid) for who, pid in processes.items()}, of_database(cluster)
    took = asyncio.run(ask_bare(centre, bodies, args.seconds))
    cpu = {who: used(pid) - before[who] for who, pid in processes.items()}
    pair = Figures(took, cpu | {"database": of_database(cluster) - stored})
    print(pair.line("bare pair"))
    factors = [ours.cut(place) / pair.cut(place) for place in (49, 98)]
    print(f"floor beside the bare pair: p50 {factors[0]:.2f} times, p99 {factors[1]:.2f} times")


def main() -> None:
    """Read the options, start everything, measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--backlog", type=int, default=0, metavar="EVENTS")
    parser.add_argument("--bare", metavar="ADDRESS", help=argparse.SUPPRESS)
    parser.add_argument("--nats", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--key", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--ca", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.bare is not None:
        asyncio.run(answer_bare(args.nats, args.ca, args.key, args.bare))
        return
    cluster = Cluster(sync=True)
    try:
        with TemporaryDirectory(prefix="td-bench-", dir=MEMORY if MEMORY.is_dir() else None) as name:
            folder = Path(name)
            with floor(folder / "floor", cluster.url(cluster.migrated())) as centre:
                run(centre, cluster, folder, args)
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
