"""What browsers hear over the stream: everything that happens, at once, no matter who else watches."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from drivers.shoe import CardOut
from firmware_bridge.console.live.feed import Feed
from firmware_bridge.console.web import stream
from tests.firmware_bridge.console.rig import Console, at_console
from tests.firmware_bridge.pump_rig import turn
from tests.firmware_bridge.table_with_roles import Post


def test_whoever_begins_sees_the_table_at_once(tmp_path: Path) -> None:
    """The first event is the scene, with all that S makes of the table, as nobody sees it."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            assert "text/event-stream; charset=utf-8" == events.response.headers["content-type"]
            first = await events.next()
            assert ("scene", "mbs-blackjack-v6", "idle") == (first.kind, first.data["game"], first.data["state"])
            assert (True, None) == (first.data["roles"], first.data["role"])

    at_console(tmp_path, scene)


def test_every_browser_hears_what_happens(tmp_path: Path) -> None:
    """What one says all hear: first what was seen, with its row of the journal, then how the table lies after it."""

    async def scene(console: Console) -> None:
        browser, other = await console.browser(), await console.browser()
        async with browser.stream() as mine, other.stream() as theirs:
            for events in (mine, theirs):
                await events.next("scene")
            await browser.say("place-bets")
            for events in (mine, theirs):
                seen = await events.next()
                assert ("seen", "place-bets") == (seen.kind, seen.data["event"])
                assert str(seen.data["n"]) == seen.id
                shown = await events.next("scene")
                assert "betting" == shown.data["state"]
                assert seen.data["n"] <= shown.data["n"]

    at_console(tmp_path, scene, people=())


def test_no_card_is_named(tmp_path: Path) -> None:
    """A card is hidden in what was seen, on a table without roles too: it may lie face down."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            await console.post.says("shoe", CardOut("KD", 0, face_up=False))
            seen = await events.next("seen")
            assert "KD" not in str(seen.data)
            assert "??" in seen.data["event"]

    at_console(tmp_path, scene, people=())


def test_who_comes_back_has_missed_nothing(tmp_path: Path) -> None:
    """With the number of the last event it has, a browser gets every one since."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            await browser.say("place-bets")
            last = (await events.next("seen")).id
        said = ["seat 1/1 2", "seat 2/1 1", "seat 3/1 1"]
        for statement in said:
            await browser.say(statement)
        async with browser.stream(**{"Last-Event-ID": last}) as events:
            assert said == [(await events.next("seen")).data["event"] for _ in said]
            assert "scene" == (await events.next()).kind

    at_console(tmp_path, scene, people=())


def test_a_quiet_stream_beats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing happens the page hears that the line is alive."""
    monkeypatch.setattr(stream, "BEAT", 0.02)

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            assert ["beat", "beat"] == [(await events.next()).kind for _ in range(2)]

    at_console(tmp_path, scene)


def test_the_daemon_goes_and_comes_back(tmp_path: Path) -> None:
    """Gone is said with a reason, commands are 503 with a remedy, and back comes with a fresh scene."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            await browser.say("place-bets")
            await console.post.close()
            gone = await events.next("gone")
            assert ["reason", "remedy"] == list(gone.data)
            answer = await browser.say("no-more-bets")
            assert (503, ["error", "remedy"]) == (answer.status_code, list(answer.json()))
            async with browser.stream() as late:
                assert ["scene", "gone"] == [(await late.next()).kind for _ in range(2)]
            again = Post(tmp_path, ())
            await again.control.listen(again.path)
            assert ["back", "scene"] == [(await events.next()).kind for _ in range(2)]
            assert "betting" == events.heard[-1].data["state"]
            assert {"ok": True} == (await browser.say("seat 1 2")).json()
            await again.close()

    at_console(tmp_path, scene, people=())


def test_a_console_without_a_daemon_serves_and_says_so(tmp_path: Path) -> None:
    """The page comes up before the daemon does."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            await console.post.close()
            await events.next("gone")
        async with browser.stream() as events:
            await events.next("gone")
        assert 200 == (await browser.get("/")).status_code
        assert 503 == (await browser.login("dealer")).status_code

    at_console(tmp_path, scene)


def test_a_slow_browser_is_cut_and_holds_up_nobody(tmp_path: Path) -> None:
    """One that stops reading loses its connection when too much waits; another hears all of it meanwhile."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        feed: Feed = console.app.state.parts.feed
        host, _, port = console.url.removeprefix("http://").partition(":")
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(slow, (host, int(port)))
            await loop.sock_sendall(slow, f"GET /api/stream HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            async with browser.stream() as events:
                await events.next("scene")
                while len(feed) < 2:
                    await turn()
                for first in range(1, 3001, 100):
                    numbers = list(range(first, first + 100))
                    for number in numbers:
                        feed.news({"seen": {"n": number, "event": "x" * 4000}})
                    assert numbers == [(await events.next("seen")).data["n"] for _ in numbers]
                    if len(feed) == 1:
                        break
                assert 1 == len(feed)
                with pytest.raises(ConnectionResetError):
                    await read_all(slow)

    at_console(tmp_path, scene)


async def read_all(connection: socket.socket) -> None:
    """Read to the end."""
    while await asyncio.get_running_loop().sock_recv(connection, 65536):
        pass


def test_a_browser_that_leaves_is_forgotten(tmp_path: Path) -> None:
    """Its queue goes with it, and so do those of all when the console ends."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        feed: Feed = console.app.state.parts.feed
        async with browser.stream() as events:
            await events.next("scene")
            assert 1 == len(feed)
        while len(feed):
            await turn()

    at_console(tmp_path, scene)


def test_so_many_browsers_watch_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one too many is told so."""
    monkeypatch.setattr(stream, "MOST", 1)

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            answer = await browser.get("/api/stream")
            assert (503, stream.FULL) == (answer.status_code, answer.json()["error"])

    at_console(tmp_path, scene)


def test_the_head_of_a_stream_is_no_stream(tmp_path: Path) -> None:
    """A client that only asks for the head gets it, and no more."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        answer = await browser.client.head("/api/stream")
        assert (200, b"") == (answer.status_code, answer.content)

    at_console(tmp_path, scene)
