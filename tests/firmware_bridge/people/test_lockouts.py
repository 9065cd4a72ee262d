"""Wrong PINs: what the journal says of them, how long the next try waits, and the alarm."""

from __future__ import annotations

import json
import os
from pathlib import Path

from drivers.panel import Alarm
from firmware_bridge.journal import schema
from firmware_bridge.people.login.lockouts import ALARMING, KEPT, LONGEST, Lockouts, Origin
from firmware_bridge.pump.items import DAEMON, Item, Note
from tests.firmware_bridge.table_with_roles import PIN, Post, at_post

ORIGIN = f"uid {os.getuid()}"


def test_a_wrong_pin_is_noted_with_its_origin_and_delays_the_next_try(tmp_path: Path) -> None:
    """The right PIN does not help until the time is over; other names are not touched. The fifth is an alarm."""

    async def scene(post: Post) -> None:
        client = await post.client()
        for number in range(ALARMING):
            assert "name or PIN is wrong" == (await client.ask("login", name="the dealer", pin="0000"))["refused"]
            wait = f"wait {2**number} seconds after wrong tries"
            assert wait == (await client.ask("login", name="the dealer", pin=PIN))["refused"]
            post.now += 2**number
        await post.client("engineer")
        assert {"ok": True, "role": "dealer"} == await client.ask("login", name="the dealer", pin=PIN)
        post.pump.process_queue()
        failed = {"login-failed": "the dealer", "origin": ORIGIN}
        assert [
            *[failed] * (ALARMING - 1),
            failed | {"alarm": "wrong-pins"},
            {"login": "the engineer", "role": "engineer", "origin": ORIGIN},
            {"login": "the dealer", "role": "dealer", "origin": ORIGIN},
        ] == post.notes()
        assert Alarm(on=True) == post.devices["panel"].told["Alarm"]

    at_post(tmp_path, scene)


def test_the_alarm_of_wrong_pins_is_cleared_by_a_pit_manager(tmp_path: Path) -> None:
    """It is there after a restart: it follows from the rows."""

    async def scene(post: Post) -> None:
        started = {"boot": "b", "table": "game: mbs-blackjack-v6", "roles": {"the dealer": "dealer"}}
        post.pump.enqueue(Item(DAEMON, Note(json.dumps(started), schema.START)))
        client = await post.client()
        for _ in range(ALARMING):
            await client.ask("login", name="the dealer", pin="0000")
            post.now += LONGEST
        post.pump.process_queue()

    async def after(post: Post) -> None:
        supervisor, manager = await post.client("pit-supervisor"), await post.client("pit-manager")
        assert "needs pit-manager" in (await supervisor.ask("clear", reason="I know them"))["refused"]
        assert ["wrong-pins"] == [one["code"] for one in (await manager.ask("status"))["alarms"]]
        assert (await manager.ask("clear", reason="asked them"))["ok"]

    async def last(post: Post) -> None:
        assert [] == (await (await post.client("pit-manager")).ask("status"))["alarms"]

    at_post(tmp_path, scene)
    at_post(tmp_path, after)
    at_post(tmp_path, last)


def test_a_name_that_nobody_has_is_not_noted(tmp_path: Path) -> None:
    """It may be a PIN that was typed in the wrong place; it waits like any other."""

    async def scene(post: Post) -> None:
        client = await post.client()
        assert "name or PIN is wrong" == (await client.ask("login", name=f"{PIN}1", pin="the dealer"))["refused"]
        assert "wait 1 seconds" in (await client.ask("login", name=f"{PIN}1", pin=PIN))["refused"]
        post.pump.process_queue()
        assert [{"login-failed": "unknown name", "origin": ORIGIN}] == post.notes()
        assert PIN not in "".join(str(row) for row, _ in post.journal.rows())

    at_post(tmp_path, scene)


def test_tries_on_many_connections_at_once_are_no_more_than_one_after_the_other(tmp_path: Path) -> None:
    """A second question before the first answer is not looked at."""

    async def scene(post: Post) -> None:
        clients = [await post.client() for _ in range(8)]
        for client in clients:
            client.writer.write(b'{"id":"x","do":"login","name":"the dealer","pin":"0000"}\n')
        answers = [(await client.read())["refused"] for client in clients]
        assert 1 == answers.count("name or PIN is wrong")

    at_post(tmp_path, scene)


def test_what_is_kept_is_bounded() -> None:
    """The oldest counts go first, however many names and origins there are."""
    lockouts = Lockouts(lambda: 0.0)
    for number in range(2 * KEPT):
        origin = Origin(number)
        lockouts.begins(f"name {number}", origin)
        lockouts.wrong(f"name {number}", origin, known=False)
    assert (KEPT, KEPT) == (len(lockouts._counts), len(lockouts._origins))
    assert lockouts.refuses(f"name {2 * KEPT - 1}", Origin(2 * KEPT - 1), known=False, key=False)


def test_a_delay_doubles_and_has_an_end() -> None:
    """1, 2, 4 … 60 seconds; every fifth wrong try is told."""
    now = [0.0]
    lockouts, origin, waits, told = Lockouts(lambda: now[0]), Origin(7), [], []
    for _ in range(10):
        lockouts.begins("ann", origin)
        told.append(lockouts.wrong("ann", origin, known=True))
        waits.append(str(lockouts.refuses("ann", origin, known=True, key=False)).split()[1])
        now[0] += LONGEST
    assert ["1", "2", "4", "8", "16", "32", "60", "60", "60", "60"] == waits
    assert ([False] * 4 + [True]) * 2 == told
