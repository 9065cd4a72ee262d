"""A console that others reach: its certificate, its names, and that everything but the login needs a login."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from firmware_bridge.console.login.sessions import LOGGED_OUT
from firmware_bridge.console.login.statements import NO_ROLES
from firmware_bridge.console.settings import Extra, Tls
from firmware_bridge.console.web.errors import ConsoleError
from firmware_bridge.console.web.tls import names
from tests.firmware_bridge.console.certificate import made
from tests.firmware_bridge.console.rig import Console, at_console

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")


def test_the_names_are_those_of_the_certificate(tmp_path: Path) -> None:
    """As they stand in a Host header, addresses of the sixth version in brackets."""
    assert {"localhost", "*.pit.example", "127.0.0.1", "[::1]"} == names(made(tmp_path))


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    """Certificate and key must belong together."""
    first, second = made(tmp_path, "one"), made(tmp_path, "two")
    with pytest.raises(ConsoleError, match="--tls-cert"):
        names(Tls(first.certificate, second.key))


def test_everything_but_the_login_needs_a_login(tmp_path: Path) -> None:
    """The page and its files come, and the session says that a login is due; all else is 401 until there is one."""
    closed = ["/api/stream", "/api/health", "/api/nothing", "/api/rounds", "/api/games", "/extra/bench/main.js"]
    (tmp_path / "main.js").write_text("", encoding="ascii")

    async def scene(console: Console) -> None:
        assert console.url.startswith("https://")
        browser = await console.browser()
        assert (True, []) == (browser.session["must_login"], browser.session["extras"])
        assert [200, 200] == [(await browser.get(path)).status_code for path in ("/", "/static/app.js")]
        assert [401] * len(closed) == [(await browser.get(path)).status_code for path in closed]
        assert 401 == (await browser.say("place-bets")).status_code
        assert 200 == (await browser.login("surveillance")).status_code
        assert (False, 1) == (browser.session["must_login"], len(browser.session["extras"]))
        assert [200] * 3 == [(await browser.get(path)).status_code for path in closed[3:]]
        async with browser.stream() as events:
            await events.next("scene")
            await browser.logout()
            assert str(LOGGED_OUT) == (await events.next("session")).data["ended"]
            assert await events.ended()
        assert [401] * len(closed) == [(await browser.get(path)).status_code for path in closed]

    at_console(tmp_path, scene, tls=made(tmp_path), extra=[Extra("bench", (), tmp_path, "main.js")])


def test_a_table_without_roles_stays_closed(tmp_path: Path) -> None:
    """Nobody can log in, and anyone who tries is told what to do about it."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        answer = await browser.login("dealer")
        assert (403, str(NO_ROLES)) == (answer.status_code, answer.json()["refused"])
        assert 401 == (await browser.get("/api/stream")).status_code

    at_console(tmp_path, scene, people=(), tls=made(tmp_path))


def test_the_cookie_is_for_tls_alone(tmp_path: Path) -> None:
    """A browser never sends it in the clear."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        cookie = (await browser.get("/api/session")).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/", "Secure"} == set(cookie.split("; ")[1:])

    at_console(tmp_path, scene, tls=made(tmp_path))


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("Table7.pit.example:8790", 200), ("pit.example", 421), ("a.b.pit.example", 421), ("x", 421)],
)
def test_it_is_called_by_the_names_of_the_certificate(tmp_path: Path, host: str, status: int) -> None:
    """A star stands for one part of a name."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        assert status == (await browser.get("/", Host=host)).status_code

    at_console(tmp_path, scene, tls=made(tmp_path))


def test_commands_come_from_its_own_origin(tmp_path: Path) -> None:
    """The origin of a page under TLS begins with https."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        for origin, status in ((console.url.replace("https", "http"), 403), (console.url, 200)):
            browser.headers["Origin"] = origin
            assert status == (await browser.say("place-bets")).status_code

    at_console(tmp_path, scene, tls=made(tmp_path))
