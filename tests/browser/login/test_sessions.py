"""Logging in and out at the page: by keys on the screen, wrongly, too often, for too long."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from firmware_bridge.console.login.sessions import IDLE
from firmware_bridge.console.settings import Address, Settings
from firmware_bridge.console.web.app import make
from firmware_bridge.console.web.server import bind, serve, url
from tests.browser.browsing import TOUCH, Chromium, Watched
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import CLUMSY, PIN, Console, House
from tests.firmware_bridge.console import certificate
from tests.patience import PATIENCE

READY = "game: mbs-blackjack-v6\nfresh: no\n\n"


@pytest.fixture(autouse=True)
def _a_table_that_waits(house: House) -> None:
    """Put a table in place at which nothing is wrong."""
    house.play(READY)


def test_a_login_by_keys_on_the_screen(visit: Visit) -> None:
    """At a touch screen a name is typed letter by letter and a PIN by the number pad; then commands can be pressed."""
    user = visit(size=TOUCH)
    user.test("login-first").click()
    form = user.test("login-form")
    form.get_by_role("button", name="Capital letters").click()
    form.get_by_role("button", name="D", exact=True).click()
    form.get_by_role("button", name="Capital letters").click()
    for letter in "ealer":
        form.get_by_role("button", name=letter, exact=True).click()
    form.locator("[name=pin]").click()
    for digit in PIN:
        form.get_by_role("button", name=digit, exact=True).click()
    form.locator("[data-test=login-enter]").click()
    expect(user.test("logout")).to_contain_text("Dealer")
    user.say("place-bets")
    user.stands("betting")
    user.logout()
    expect(user.page.locator("main [data-statement]")).to_have_count(0)


def test_a_wrong_pin_and_the_lock_out(visit: Visit) -> None:
    """The daemon's refusal stands under the fields; after too many the right PIN does not help either."""
    user = visit()
    user.watched.allow("status of 403")
    user.test("login").click()
    said = user.page.locator(".login-said")
    user.fill_login(CLUMSY, "0000")
    expect(said).to_contain_text("name or PIN is wrong")
    expect(user.test("login-enter")).to_be_enabled()
    user.fill_login(CLUMSY, PIN)
    expect(said).to_contain_text("wait")
    assert "" == user.test("login-form").locator("[name=pin]").input_value()
    expect(user.test("logout")).to_have_count(0)


class Ticking:
    """A console in a thread of this process, whose clock the test turns."""

    def __init__(self, house: House) -> None:
        self.now = 0.0
        table = house.table
        self._app = make(Settings(table.control_path, table.state_path, clock=lambda: self.now))
        self._ready = threading.Event()
        address = Address(port=0)
        self._bound = bind(address)
        self.address = url(address, self._bound, tls=False).rstrip("/")
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        await serve(self._app, self._bound, self._ended, ready=self._ready.set)

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(PATIENCE)


@pytest.fixture
def ticking(house: House) -> Iterator[Ticking]:
    """A console whose clock the test turns."""
    console = Ticking(house)
    yield console
    console.close()


def test_a_session_expires(ticking: Ticking, visit: Visit) -> None:
    """After a quarter of an hour without use people are logged out on the page too; the table is seen as before."""
    user = visit(role="dealer", at=ticking.address)
    user.stands("idle")
    user.watched.allow("status of 401")
    ticking.now = IDLE - 1.0
    user.say("place-bets")
    ticking.now = 2 * IDLE - 2.0
    expect(user.test("logout")).to_be_visible()
    ticking.now = 3 * IDLE
    expect(user.test("login")).to_be_visible()
    expect(user.page.locator("main [data-statement]")).to_have_count(0)
    user.stands("betting")
    user.login("dealer")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_with_tls_nothing_is_seen_before_the_login(tmp_path: Path, house: House, chromium: Chromium) -> None:
    """The page is a login and no more; after it the table is there, and the cookie travels encrypted only."""
    tls = certificate.made(tmp_path)
    options = ("--listen", "127.0.0.1:0", "--tls-cert", str(tls.certificate), "--tls-key", str(tls.key))
    console = Console(house.table.config_path, *options)
    try:
        watched = Watched(chromium.browser, console.address, ignore_https_errors=True)
        user = PageUser(watched)
        user.page.goto(f"{console.address}/#/games")
        expect(user.page.locator("#page[data-route=login]")).to_be_attached()
        expect(user.page.locator("nav a")).to_have_count(0)
        watched.allow("status of 401")
        assert 401 == user.page.evaluate("async () => (await fetch('/api/health')).status")
        assert 401 == user.page.evaluate("async () => (await fetch('/api/stream')).status")
        user.fill_login("surveillance")
        expect(user.page.locator("#page[data-route=games]")).to_be_attached()
        assert [(True, True, "Strict")] == [
            (one["secure"], one["httpOnly"], one["sameSite"]) for one in watched.context.cookies()
        ]
        user.go("table")
        user.stands("idle")
        assert [] == watched.close()
    finally:
        console.close()
