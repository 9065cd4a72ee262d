"""A served floor: a real broker, an archive in a file, the real console in a process of its own, and made live news.

1. No table runs: `Feed` publishes what tables would, typed as the shipper does it. `TABLES` are enrolled.
2. The past is written into the tables for questions, as the ingester would: some rounds and findings of some tables.
3. The console is started as the service does, and ends with this process.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import connect
from firmware_bridge.floor.broker import Broker, BrokerError
from firmware_bridge.floor.centre import nats_config
from firmware_bridge.floor.wire import nkeys, subjects
from firmware_bridge.floor.wire.live import Alarms, Limits, Live, LiveAlarm, Stamp, State, pack_live
from tests.browser.served_table import ANY_PORT, Console
from tests.firmware_bridge.anchors.servers import free_port
from tests.firmware_bridge.floor.made_past import write_past
from tests.firmware_bridge.floor.nats_rig import CASINO, SERVER
from tests.patience import PATIENCE

TABLES = [f"bj-{number}" for number in range(1, 201)]
GAMES = ("mbs-blackjack-v6", "mbs-free-bet-v3", "mbs-pontoon-v5")
STATES = ("betting", "initial-deal", "player-turn", "dealer-turn", "settlement")


class PitConsole(Console):
    """`truedeal floor` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Start it."""
        self._log = folder / "floor.log"
        self._command = [sys.executable, "-m", "firmware_bridge.cli", "floor", "--tied", *options]
        self._command += () if "--listen" in options else ("--listen", ANY_PORT)
        self.address = ""
        self._process = None
        self.start()


class Feed:
    """Says what tables would say."""

    def __init__(self, server: str, key: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._seq = 0
        self._broker = self._run(_connected(server, nkeys.load(key)))

    def _run(self, what: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def stamp(self, table: str, sent: float | None = None) -> Stamp:
        """The stamp of the next message."""
        self._seq += 1
        now = time.time() if sent is None else sent
        return Stamp(f"{table:0<32}", "boot", self._seq, self._seq, _text(now), now)

    def say_of(self, table: str, what: str, message: Live) -> None:
        """Say something of a table."""
        self._run(self._broker.publish(subjects.spoken(CASINO, table, what), pack_live(message)))

    def state(self, table: str, **changes: Any) -> None:
        """Say how a table stands; as usual unless something is changed."""
        number = int(table.rpartition("-")[2])
        usual = State(
            self.stamp(table),
            daemon=True,
            name=f"BJ {number}",
            game=GAMES[number % len(GAMES)],
            title="",
            state=STATES[number % len(STATES)],
            round=number,
            outcome="open",
            dealer=str(1000 + number),
            limits=(Limits("main", "25.00", "5000.00"),),
            boxes=tuple(range(1, 2 + number % 6)),
            card=_text(time.time() - number % 40),
            rounds=40 + number % 30,
            alarms=0,
            stalled="",
            picture=None,
        )
        self.say_of(table, subjects.STATE, usual._replace(**changes))

    def alarms(self, table: str, *codes: str, ago: float = 0.0) -> None:
        """Say which alarms of a table are open, and since how many seconds."""
        at = _text(time.time() - ago)
        listed = tuple(
            LiveAlarm(100 + place, at, code, "5.23", "hold", ("1",), 1, noted=False, held=True, device="", roles=())
            for place, code in enumerate(codes)
        )
        self.say_of(table, subjects.ALARM, Alarms(self.stamp(table), listed, 0))

    def close(self) -> None:
        """Say nothing more."""
        self._run(self._broker.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()


async def _connected(server: str, nkey: nkeys.Nkey) -> Broker:
    """Connect as soon as the broker lets us in."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await Broker.connect([server], nkey, None, "f.mbs", "feed")
            except BrokerError:
                await asyncio.sleep(0.05)


class ServedFloor:
    """A floor of `TABLES`, and its console."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Nothing is started yet; `options` are more of the console's."""
        self.folder, self._options = folder, options
        self.url = f"sqlite:{folder / 'archive.db'}"

    def __enter__(self) -> Self:
        """Start everything."""
        _make_archive(self.url)
        port = free_port()
        self.server = f"nats://127.0.0.1:{port}"
        keys = {name: nkeys.make(self.folder / f"{name}.key") for name in ("console", "feed")}
        speaks = nats_config._user(keys["feed"].public, [f"t.{CASINO}.>", f"c.{CASINO}.>"], [])
        said = nats_config.users(CASINO, [], [], [keys["console"].public]).replace("users = [", f"users = [\n{speaks}")
        config = self.folder / "nats.conf"
        config.write_text(f"host: 127.0.0.1\nport: {port}\n{said}", encoding="ascii")
        with (self.folder / "nats.log").open("ab") as log:
            self._nats = subprocess.Popen([str(SERVER), "-c", str(config)], stdout=log, stderr=log)
        try:
            self.feed = Feed(self.server, self.folder / "feed.key")
            where = ("--casino", CASINO, "--archive", self.url, "--nats", self.server)
            key = ("--key", str(self.folder / "console.key"))
            self.console = PitConsole(self.folder, *where, *key, *self._options)
        except BaseException:
            self._end_broker()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything."""
        self.feed.close()
        self.console.close()
        self._end_broker()

    def _end_broker(self) -> None:
        self._nats.kill()
        self._nats.wait(PATIENCE)

    @property
    def address(self) -> str:
        """Where the page is."""
        return self.console.address

    def say_all(self, tables: Iterable[str] = TABLES) -> None:
        """Say how each table stands, without an alarm."""
        for table in tables:
            self.feed.state(table)
            self.feed.alarms(table)


def _text(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds")


def _make_archive(url: str) -> None:
    dialect = connect(url)
    migrations.migrate(dialect, migrations.DEMO)
    dialect.close()
    with Archive.open(url) as archive, archive.dialect.transaction():
        for table in TABLES:
            archive.dialect.execute("INSERT INTO floor_tables VALUES (?, ?, ?, ?)", (CASINO, table, "", "2026"))
        write_past(archive, TABLES[:12], 30)


def enrol(url: str, name: str) -> None:
    """One table more."""
    with Archive.open(url) as archive:
        archive.add_table(Enrolled(CASINO, name, ""))
