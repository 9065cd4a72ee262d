"""How long a session lasts, and what its browsers hear when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_bridge.console import sessions as module
from firmware_bridge.console.feed import Reader
from firmware_bridge.console.sessions import DAEMON_ENDED, EXPIRED, IDLE, LOGGED_OUT, LONGEST, TOO_LONG, Sessions
from tests.firmware_bridge.console.rig import Browser, Console, at_console


def test_a_login_that_nobody_uses_expires(tmp_path: Path) -> None:
    """After a quarter of an hour the stream hears it and ends, the cookie is 401, and the daemon has heard a logout."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        async with browser.stream() as events:
            await events.next("scene")
            console.later(IDLE - 1)
            assert {"ok": True} == (await browser.say("place-bets")).json()
            console.later(IDLE - 1)
            assert 1 == len(console.app.state.parts.sessions)
            console.later(1)
            assert {"ended": EXPIRED} == (await events.next("session")).data
            assert await events.ended()
        answer = await browser.say("no-more-bets")
        assert (401, "the session has ended") == (answer.status_code, answer.json()["error"])
        assert (await browser.begin())["role"] is None

    at_console(tmp_path, scene)


def test_what_the_page_asks_by_itself_keeps_no_login(tmp_path: Path) -> None:
    """The stream, the session and the health are no use of it; what a person does is."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("surveillance")
        for path, role in (("/api/rounds", "surveillance"), ("/api/session", None)):
            console.later(IDLE - 1)
            await browser.get(path)
            console.later(IDLE - 1)
            assert role == (await browser.begin())["role"]

    at_console(tmp_path, scene)


def test_no_login_lasts_longer_than_half_a_day(tmp_path: Path) -> None:
    """However busy somebody is, he logs in again after twelve hours."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        async with browser.stream() as events:
            await events.next("scene")
            for _ in range(int(LONGEST // 600) - 1):
                console.later(600)
                assert 200 == (await browser.say("hit 1")).status_code
            console.later(600)
            assert {"ended": TOO_LONG} == (await events.next("session")).data

    at_console(tmp_path, scene)


def test_a_logout_is_told_and_reading_goes_on(tmp_path: Path) -> None:
    """Every page of the browser hears who comes and goes; the stream stays, for reading is free here."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
            await browser.login("dealer")
            assert {"began": "dealer"} == (await events.next("session")).data
            await browser.logout()
            assert {"ended": LOGGED_OUT} == (await events.next("session")).data
            other = await console.browser()
            await other.login("dealer")
            await other.say("place-bets")
            await events.next("seen")

    at_console(tmp_path, scene)


def test_a_login_ends_with_the_daemon(tmp_path: Path) -> None:
    """The login holds for the connection: when the daemon has ended it, the page hears that it must log in again."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        async with browser.stream() as events:
            await events.next("scene")
            await console.post.control.close()
            assert {"ended": DAEMON_ENDED} == (await events.next("session")).data
        assert 401 == (await browser.say("place-bets")).status_code

    at_console(tmp_path, scene)


# --- without a server ------------------------------------------------------------------------------------------------


def in_loop(scene: Callable[[Sessions, list[float]], Awaitable[None]]) -> None:
    """Run a scene with sessions and their clock."""

    async def main() -> None:
        now = [0.0]
        sessions = Sessions(lambda: now[0])
        await scene(sessions, now)
        await sessions.close()

    asyncio.run(main())


def test_nobodys_session_stays_while_it_is_read() -> None:
    """It gives no right, so a screen that only shows the table is not disturbed; without a reader it goes."""

    async def scene(sessions: Sessions, now: list[float]) -> None:
        session = sessions.begin()
        assert session is not None
        session.readers.add(Reader())
        now[0] = IDLE
        assert session is sessions.find(session.id)
        session.readers.clear()
        assert sessions.find(session.id) is None

    in_loop(scene)


def test_room_is_made_for_a_new_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one of nobody that was used longest ago, and that no browser reads, goes first."""
    monkeypatch.setattr(module, "MOST", 3)

    async def scene(sessions: Sessions, now: list[float]) -> None:
        made = []
        for _ in range(3):
            now[0] += 1
            made.append(sessions.begin())
        first, second, third = (session for session in made if session is not None)
        first.readers.add(Reader())
        assert sessions.begin() is not None
        assert [True, False, True] == [sessions.find(one.id) is not None for one in (first, second, third)]
        assert 3 == len(sessions)

    in_loop(scene)


def test_a_session_takes_so_many_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has to remember against replays is bounded: it ends instead of forgetting."""
    monkeypatch.setattr(module, "COMMANDS", 3)

    async def scene(sessions: Sessions, _: list[float]) -> None:
        session = sessions.begin()
        assert session is not None
        assert [False, False, True, False] == [sessions.replayed(session, one) for one in ("a", "b", "a", "c")]
        assert sessions.find(session.id) is None

    in_loop(scene)


def test_ids_and_tokens_are_long_and_never_the_same() -> None:
    """256 bits each, from the system's own chance; neither is in the text of a session."""

    async def scene(sessions: Sessions, _: list[float]) -> None:
        made = [session for session in (sessions.begin() for _ in range(100)) if session is not None]
        words = {session.id for session in made} | {session.token for session in made}
        assert 200 == len(words)
        assert {43} == {len(word) for word in words}
        assert not any(session.id in repr(session) or session.token in repr(session) for session in made)

    in_loop(scene)


def test_no_room_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every session is logged in, a new browser is told so."""
    monkeypatch.setattr(module, "MOST", 1)

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        other: Browser = await console.browser()
        answer = await other.get("/api/session")
        assert (503, ["error", "remedy"]) == (answer.status_code, list(answer.json()))

    at_console(tmp_path, scene)
