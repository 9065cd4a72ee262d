"""The eye on the pages sees what it is there for; and nothing that the console serves leaves the machine."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Error, expect

from tests.browser.browsing import Chromium, Watched
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House

ROUTES = ("table", "history", "health", "games")


def test_what_a_page_must_not_do_is_noticed(house: House, chromium: Chromium) -> None:
    """A request to another address, an inline script, an error, a text that is missing: each is told."""
    watched = Watched(chromium.browser, house.address)
    user = PageUser(watched)
    user.open("table")
    user.page.evaluate("fetch('http://127.0.0.1:9/elsewhere').catch(() => null)")
    other = watched.page()
    with pytest.raises(Error, match="ERR_"):
        other.goto("http://127.0.0.1:9/elsewhere")
    other.close()  # the browser still puts its own page of the error there, and nothing can be asked of that
    user.page.evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))")
    user.page.evaluate("document.body.setAttribute('style', 'color: red')")
    user.page.evaluate("console.error('something is wrong')")
    user.page.evaluate("async () => (await import('/static/texts.js')).t('no.such.text')")
    told = "\n".join(watched.close())
    assert "leaves the console: http://127.0.0.1:9/elsewhere" in told
    assert "against the content policy: connect-src http://127.0.0.1:9/elsewhere" in told
    assert "against the content policy: script-src-elem inline" in told
    assert "something is wrong" in told
    assert "no text: no.such.text" in told


def test_no_request_leaves_the_console(house: House, visit: Visit) -> None:
    """Every page, with all that it loads, asks this console alone; no file of it names an address elsewhere."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    user = visit(role="surveillance")
    for route in ROUTES:
        user.go(route)
        expect(user.page.locator("#page > *").first).to_be_attached()
        user.page.wait_for_load_state("networkidle")
    asked = set(user.watched.requests)
    assert {f"{house.address}/api/stream", f"{house.address}/static/app.js"} <= asked
    assert set() == {url for url in asked if not url.startswith(f"{house.address}/")}
    served = {url for url in asked if "/static/" in url}
    texts = {url: user.watched.context.request.get(url).text() for url in served}
    named = {url: re.findall(r"https?://(?!www\.w3\.org/)[^\s\"']+", text) for url, text in texts.items()}
    assert {} == {url: found for url, found in named.items() if found}
