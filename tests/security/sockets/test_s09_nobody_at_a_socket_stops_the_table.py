"""S09: whatever a client at a socket asks, the devices are heard and others find a place."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path

import pytest

from firmware_bridge.control.connection import Share
from firmware_bridge.daemon.worker_thread import WAITING
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.rounds import round_reader
from firmware_bridge.journal.writer import Entry, Journal
from firmware_bridge.people.accounts.roles import Person, make_pin
from tests.firmware_bridge.control_socket_rig import AT
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.firmware_bridge.table_with_roles import PIN, Post, at_post
from tests.patience import PATIENCE, eventually_on_loop
from tests.security.clients import anyone, counted


def test_between_two_requests_the_loop_has_a_turn(tmp_path: Path) -> None:
    """A hundred requests in one write are a hundred turns, in which every device can be heard."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        with counted() as turns:
            dealer.writer.write(b'{"id":"x","do":"status"}\n' * 100)
            for _ in range(100):
                await dealer.read()
        assert turns[0] >= 100

    at_post(tmp_path, scene)


def test_a_pin_is_checked_beside_the_loop(tmp_path: Path) -> None:
    """While it is checked, which takes its time by design, the loop turns."""

    async def scene(post: Post) -> None:
        client = await post.client()
        with counted() as turns:
            assert (await client.ask("login", name="ann", pin=PIN))["ok"]
        assert turns[0] > 50

    at_post(tmp_path, scene, people=[Person("ann", "dealer", make_pin(PIN))])


@pytest.mark.parametrize(
    ("do", "more"),
    [
        ("rounds", {"skip": 900}),
        ("round", {"number": 10**6}),
        ("round", {"first": 10**6}),
        ("dispute", {"number": 10**6, "reason": "what"}),
    ],
)
def test_past_rounds_are_looked_for_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str, more: dict[str, object]
) -> None:
    """Whatever is asked of them, and however many segments are at hand: the loop opens none."""
    threads: list[str] = []
    connected = round_reader._connected

    def spied(paths: Iterable[Path]) -> Iterator[sqlite3.Connection]:
        threads.append(threading.current_thread().name)
        return connected(paths)

    async def scene(post: Post) -> None:
        monkeypatch.setattr(round_reader, "_connected", spied)
        answer = await (await post.client("surveillance")).ask(do, **more)
        assert answer.get("rounds") == [] or "no such round" in str(answer)

    at_post(tmp_path, scene)
    assert ["rounds_0"] == threads


def test_who_asks_for_too_many_past_rounds_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They wait in a short queue, of which one user has half; afterwards there is room again."""
    free = threading.Event()

    def slow(*_: object) -> list[dict[str, object]]:
        free.wait(PATIENCE)
        return []

    async def scene(post: Post) -> None:
        monkeypatch.setattr(round_reader, "last_rounds", slow)
        dealer = await post.client("dealer")
        dealer.writer.write(b'{"id":"x","do":"rounds"}\n' * (WAITING // 2 + 1))
        assert "try again" in (await dealer.read())["refused"]
        free.set()
        assert [[]] * (WAITING // 2) == [(await dealer.read())["rounds"] for _ in range(WAITING // 2)]
        assert [] == (await dealer.ask("rounds"))["rounds"]

    at_post(tmp_path, scene)


def test_the_author_of_a_row_is_found_without_opening_every_segment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person who clears is compared with the one who reported, in the loop: of many segments few are opened."""
    journal = Journal(tmp_path, AT)
    for number in range(30):
        journal.append([Entry(AT, "console", "note", "x", person=f"person {number}", role="dealer")] * 2)
        journal.rotate(AT, (0, b""))
    journal.close()
    rows = [(row.n, row.person) for row in all_rows(tmp_path) if row.person]
    opened: list[Path] = []
    connected = compressed_segments.opened

    def spied(path: Path) -> AbstractContextManager[sqlite3.Connection]:
        opened.append(path)
        return connected(path)

    monkeypatch.setattr(compressed_segments, "opened", spied)
    for n, person in rows:
        opened.clear()
        assert (person, "dealer") == round_reader.author(tmp_path, n)
        assert len(opened) <= 6
    assert (None, None) == (round_reader.author(tmp_path, 0), round_reader.author(tmp_path, 10**6))


def test_a_command_behind_a_login_waits_for_it(tmp_path: Path) -> None:
    """Requests of one connection are taken in their order, also while a PIN is checked."""

    async def scene(post: Post) -> None:
        client = await post.client()
        login = json.dumps({"id": 1, "do": "login", "name": "the dealer", "pin": PIN}).encode()
        client.writer.write(login + b'\n{"id":2,"do":"say","statement":"place-bets"}\n')
        assert [1, 2] == [(await client.read())["id"], (await client.read())["id"]]
        assert "betting" == post.pump.table.state.value

    at_post(tmp_path, scene)


def test_what_a_connection_waits_for_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the number of its waiting requests nor their ids fill the memory; soon after it goes nothing waits."""
    monkeypatch.setattr("firmware_bridge.control.connection.LEAVING", 0.01, raising=False)

    async def scene(post: Post) -> None:
        client = await post.client("dealer")
        assert "at most 64" in (await client.line(json.dumps({"id": "x" * 63, "do": "status"}).encode()))["error"]
        for number in range(32):
            client.writer.write(json.dumps({"id": number, "do": "seen", "device": "hub", "number": 9}).encode() + b"\n")
        answer = await client.line(b'{"id":32,"do":"seen","device":"hub","number":9}')
        refusal = {"key": "requests-full", "clause": "", "arguments": {"most": 32}}
        assert (32, refusal) == (answer["id"], answer["refusal"])
        assert "which is the most" in answer["refused"]
        client.writer.close()
        await client.writer.wait_closed()
        await eventually_on_loop(lambda: not post.pump.applied._devices["hub"].waiting)

    at_post(tmp_path, scene)


@pytest.mark.parametrize("reads", [True, False])
def test_someone_who_only_holds_a_place_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    """After a while without a request; someone who watches or has logged in stays."""
    monkeypatch.setattr("firmware_bridge.control.connection.IDLE", 0.5)

    async def scene(post: Post) -> None:
        holds = await (post.reader() if reads else post.client())
        stays = await (post.reader() if reads else post.client("dealer"))
        if reads:
            await stays.ask("watch")
        assert "nothing was asked" in (await holds.read())["error"]
        assert await holds.ended()
        await asyncio.sleep(0.7)  # longer than that; nothing is to happen
        assert "idle" == (await stays.ask("status"))["state"]

    at_post(tmp_path, scene)


def test_one_user_does_not_take_all_places(tmp_path: Path) -> None:
    """Of the reading socket they have half, of the other eight while they have not logged in; each has its own."""

    async def scene(post: Post) -> None:
        for reads, most in ((False, 8), (True, 4)):
            held = [await (anyone(post) if reads else post.client()) for _ in range(most)]
            one_more = await (anyone(post) if reads else post.client())
            assert "of yours are open" in (await one_more.read())["error"]
            assert await one_more.ended()
            assert most == len(held)

    at_post(tmp_path, scene)


def test_a_budget_delays_and_refuses_nothing(tmp_path: Path) -> None:
    """At the reading socket the twenty-first request of a second waits; it is answered all the same."""

    async def scene(post: Post) -> None:
        client, loop = await anyone(post), asyncio.get_running_loop()
        began = loop.time()
        client.writer.write(b'{"id":"x","do":"status"}\n' * 30)
        assert ["idle"] * 30 == [(await client.read())["state"] for _ in range(30)]
        assert loop.time() - began > 0.4

    at_post(tmp_path, scene)


def test_a_share_is_paid_after_it_was_taken() -> None:
    """A twentieth of the time, of which a little may be taken at once."""
    share = Share(0.0)
    share.pay(0.25)
    assert (4.0, 0.0, 0.0) == (round(share.delay(0.0), 6), round(share.delay(4.0), 6), share.delay(100.0))


def test_coming_anew_gives_nobody_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one connection has taken the next one of the same user waits for; someone who has logged in does not."""
    spent = count()
    monkeypatch.setattr("firmware_bridge.control.connection.thread_time", lambda: next(spent) * 0.02)

    async def scene(post: Post) -> None:
        dealer, loop = await post.client("dealer"), asyncio.get_running_loop()
        began = loop.time()
        client = await anyone(post)
        client.writer.write(b'{"id":"x","do":"status"}\n' * 2)
        assert ["idle"] * 2 == [(await client.read())["state"] for _ in range(2)]
        waits = await anyone(post)
        assert "too much of yours" in (await waits.read())["error"]
        assert loop.time() - began < 1.0
        assert "idle" == (await dealer.ask("status"))["state"]

    at_post(tmp_path, scene)


@pytest.mark.parametrize("line", [b"[[[[\n", b"\xff\n", b"7\n", b'{"do":"nothing"}\n'])
def test_what_nobody_understands_has_a_budget_too(tmp_path: Path, line: bytes) -> None:
    """It is answered, and counts like a question."""

    async def scene(post: Post) -> None:
        client, loop = await anyone(post), asyncio.get_running_loop()
        began = loop.time()
        client.writer.write(line * 30)
        assert all([(await client.read())["error"] for _ in range(30)])
        assert loop.time() - began > 0.4

    at_post(tmp_path, scene)


def test_nobody_else_can_open_the_lock_of_the_journal(tmp_path: Path) -> None:
    """A shared lock on a file that a group may read would keep the daemon from starting."""

    async def scene(post: Post) -> None:
        assert 0o600 == (post.state / "lock").stat().st_mode & 0o777

    at_post(tmp_path, scene)


def test_the_reading_socket_commands_nothing(tmp_path: Path) -> None:
    """Neither is a PIN tried there, nor anything said; on an open table as little."""

    async def scene(post: Post) -> None:
        client = await post.reader()
        for do in ("say", "table", "clear", "login", "seen", "link", "expect", "report"):
            answer = await client.ask(do, statement="place-bets", name="the dealer", pin=PIN)
            assert "nothing is commanded here" in answer["refused"]

    at_post(tmp_path, scene)
    (tmp_path / "open").mkdir()
    at_post(tmp_path / "open", scene, people=())
