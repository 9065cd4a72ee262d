"""How long a session lasts, and what its browsers hear when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_bridge.console.live.feed import Reader
from firmware_bridge.console.login import sessions as module
from firmware_bridge.console.login.sessions import DAEMON_ENDED, EXPIRED, IDLE, LOGGED_OUT, LONGEST, TOO_LONG, Sessions
from firmware_bridge.people.accounts.roles import LEAST, Person, make_pin
from tests.firmware_bridge.console.rig import Console, at_console
from tests.firmware_bridge.table_with_roles import PEOPLE


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
            assert str(EXPIRED) == (await events.next("session")).data["ended"]
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
    """However busy somebody is, they log in again after twelve hours."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        async with browser.stream() as events:
            await events.next("scene")
            for _ in range(int(LONGEST // 600) - 1):
                console.later(600)
                assert 200 == (await browser.say("hit 1")).status_code
            console.later(600)
            assert str(TOO_LONG) == (await events.next("session")).data["ended"]

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
            assert str(LOGGED_OUT) == (await events.next("session")).data["ended"]
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
            assert str(DAEMON_ENDED) == (await events.next("session")).data["ended"]
        assert 401 == (await browser.say("place-bets")).status_code

    at_console(tmp_path, scene)


# --- without a server ------------------------------------------------------------------------------------------------


class FakeConnection:
    """A connection that is up, and answers."""

    up = True
    ended: Callable[[], None] | None = None

    async def ask(self, _: str) -> dict[str, object]:
        """Answer."""
        return {"ok": True}

    async def close(self) -> None:
        """End."""


def in_loop(scene: Callable[[Sessions, list[float]], Awaitable[None]]) -> None:
    """Run a scene with sessions and their clock."""

    async def main() -> None:
        now = [0.0]
        sessions = Sessions(lambda: now[0])
        await scene(sessions, now)
        await sessions.close()

    asyncio.run(main())


def test_nothing_is_kept_of_a_session_of_nobody() -> None:
    """It is known by its tag alone, has the same token each time, and a forged one is none."""

    async def scene(sessions: Sessions, now: list[float]) -> None:
        made = [sessions.begin() for _ in range(1000)]
        now[0] = 10 * IDLE
        found = [sessions.find(one.id) for one in made]
        assert [one.token for one in made] == [one.token for one in found if one is not None]
        assert 0 == len(sessions)
        word, _, tag = made[0].id.partition(".")
        forged = (f"{word}.{made[1].id.partition('.')[2]}", f"{word}x.{tag}", word, f"{word}.", ".", "", "é.\udcff")
        assert [None] * len(forged) == [sessions.find(one) for one in forged]
        assert Sessions(lambda: 0.0).find(made[0].id) is None

    in_loop(scene)


def test_who_reads_as_nobody_is_known_while_it_reads() -> None:
    """So that a login in one window is told in the other; afterwards nothing is left of it."""

    async def scene(sessions: Sessions, _: list[float]) -> None:
        session, reader = sessions.begin(), Reader()
        sessions.reads(session, reader)
        again = sessions.find(session.id)
        assert again is not None
        assert {reader} == again.readers
        sessions.left(reader)
        again = sessions.find(session.id)
        assert again is not None
        assert set() == again.readers

    in_loop(scene)


def test_what_nobody_said_is_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay is known; the id of another session is its own."""
    monkeypatch.setattr(module, "REMEMBERED", 3)

    async def scene(sessions: Sessions, _: list[float]) -> None:
        session = sessions.begin()
        said = [sessions.replayed(session, one) for one in ("a", "b", "a", "c", "d", "a")]
        assert not sessions.replayed(sessions.begin(), "a")
        assert [False, False, True, False, False, False] == said

    in_loop(scene)


def test_a_session_takes_so_many_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has to remember against replays is bounded: it ends instead of forgetting."""
    monkeypatch.setattr(module, "COMMANDS", 3)

    async def scene(sessions: Sessions, _: list[float]) -> None:
        session = sessions.begin()
        sessions.login(session, "ann", "dealer", FakeConnection())  # type: ignore[arg-type]  # as much as it needs
        assert [False, False, True, False] == [sessions.replayed(session, one) for one in ("a", "b", "a", "c")]
        assert sessions.find(session.id) is None

    in_loop(scene)


def test_ids_and_tokens_are_long_and_never_the_same() -> None:
    """256 bits each, from the system's own chance; neither is in the text of a session."""

    async def scene(sessions: Sessions, _: list[float]) -> None:
        made = [sessions.begin() for _ in range(100)]
        words = {session.id for session in made} | {session.token for session in made}
        assert 200 == len(words)
        assert {43 + 1 + 64, 64} == {len(word) for word in words}
        assert not any(session.id in repr(session) or session.token in repr(session) for session in made)

    in_loop(scene)


def test_a_login_elsewhere_ends_the_one_before_whose_browser_is_told(tmp_path: Path) -> None:
    """One person sits at one browser."""

    async def scene(console: Console) -> None:
        first, second = await console.browser(), await console.browser()
        await first.login("pit-manager")
        async with first.stream() as events:
            await events.next("scene")
            assert 200 == (await second.login("pit-manager")).status_code
            assert "logged in elsewhere" in (await events.next("session")).data["ended"]
            assert await events.ended()
        assert 401 == (await first.say("place-bets")).status_code
        assert {"ok": True} == (await second.say("place-bets")).json()

    at_console(tmp_path, scene)


def test_a_new_pin_is_chosen_with_the_login(tmp_path: Path) -> None:
    """The page is told that one is asked for, and the next login takes it."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        asked = {"name": "1042", "pin": "482913"}
        answer = await browser.post("/api/login", **asked)
        assert (403, True) == (answer.status_code, answer.json()["renew"])
        answer = await browser.post("/api/login", **asked, new="123456")
        assert (403, True) == (answer.status_code, "count up" in answer.json()["refused"])
        answer = await browser.post("/api/login", **asked, new="730582")
        assert (200, "Ann Lee (1042)") == (answer.status_code, answer.json()["name"])

    ann = Person("Ann Lee", "dealer", make_pin("482913", LEAST), "1042", given=True)
    at_console(tmp_path, scene, people=(*PEOPLE, ann))
