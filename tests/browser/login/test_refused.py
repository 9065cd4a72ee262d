"""Commands that must not be heard: a reader's, forged ones, repeated ones, those of another site."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import expect

from firmware_bridge.people.accounts.roles import ENGINEER, SURVEILLANCE
from tests.browser.browsing import Chromium
from tests.browser.conftest import Visit
from tests.browser.served_table import House

READY = "game: mbs-blackjack-v6\nfresh: no\n\n"
COMMAND = {"id": "a-fresh-id", "statement": "place-bets"}
REFUSED = ("status of 401", "status of 403", "status of 409", "status of 415")


@pytest.fixture(autouse=True)
def _a_table_that_waits(house: House) -> None:
    """Put a table in place at which bets could be opened."""
    house.play(READY)


def test_surveillance_reads_and_cannot_command(house: House, visit: Visit) -> None:
    """A reader's page has no command, and one that is sent past the page is refused by the daemon."""
    user = visit(role=SURVEILLANCE)
    user.stands("idle")
    expect(user.page.locator("main [data-statement]")).to_have_count(0)
    user.watched.allow(*REFUSED)
    _, answer = user.post("/api/say", COMMAND, user.token)
    assert "'place-bets' needs dealer: logged in as surveillance" == answer["refused"]
    assert "idle" == house.scene()["state"]


@pytest.mark.parametrize("role", ["", ENGINEER])
def test_nobody_commands_without_the_role(role: str, house: House, visit: Visit) -> None:
    """Somebody who has not logged in, or does not deal, cannot command either."""
    user = visit(role=role)
    user.stands("idle")
    user.watched.allow(*REFUSED)
    _, answer = user.post("/api/say", COMMAND, user.token)
    assert "ok" not in answer
    assert "idle" == house.scene()["state"]


def test_a_command_without_the_token_is_forged(house: House, visit: Visit) -> None:
    """The cookie alone says nothing: no token, a wrong one, that of the session before the login."""
    user = visit()
    before = user.token
    user.login("dealer")
    user.watched.allow(*REFUSED)
    for token in (None, "", "wrong", before):
        assert 403 == user.post("/api/say", COMMAND, token)[0]
    assert 415 == user.post("/api/say", COMMAND, user.token, **{"Content-Type": "text/plain"})[0]
    assert "idle" == house.scene()["state"]


def test_a_command_counts_once(house: House, visit: Visit) -> None:
    """The same command again, byte for byte, is a replay."""
    user = visit(role="dealer")
    token = user.token
    assert (200, {"ok": True}) == user.post("/api/say", COMMAND, token)
    house.play(READY)
    user.watched.allow(*REFUSED)
    assert 409 == user.post("/api/say", COMMAND, token)[0]
    assert "idle" == house.scene()["state"]


def test_a_session_that_has_ended_says_nothing(house: House, chromium: Chromium, visit: Visit) -> None:
    """After the logout neither the old cookie nor the old token is good for anything."""
    user = visit(role="dealer")
    token, kept = user.token, user.watched.context.storage_state()
    user.logout()
    context = chromium.browser.new_context(storage_state=kept)
    headers = {"X-Truedeal-Token": token}
    assert 401 == context.request.post(f"{house.address}/api/say", data=COMMAND, headers=headers).status
    context.close()
    assert "idle" == house.scene()["state"]


def test_the_cookie_is_kept_from_scripts_and_other_sites(visit: Visit) -> None:
    """No script reads the session's cookie, and no other site makes the browser send it."""
    user = visit(role="dealer")
    assert "" == user.page.evaluate("document.cookie")
    assert [(True, "Strict")] == [(one["httpOnly"], one["sameSite"]) for one in user.watched.context.cookies()]


@pytest.fixture
def other_site() -> Iterator[str]:
    """The address of a page at another port of this machine: the same site to browsers, but another origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Serve an empty page."""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>another site</title>")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


_FROM_ELSEWHERE = """
async ([address, token]) => {
  const body = JSON.stringify({ id: "from-elsewhere", statement: "place-bets" });
  const ways = [
    { method: "POST", mode: "no-cors", credentials: "include", headers: { "Content-Type": "text/plain" }, body },
    { method: "POST", credentials: "include", body,
      headers: { "Content-Type": "application/json", "X-Truedeal-Token": token } },
  ];
  for (const way of ways) await fetch(`${address}/api/say`, way).catch(() => null);
  const read = await fetch(`${address}/api/session`, { credentials: "include" }).then((one) => one.text(), () => null);
  const form = document.createElement("form");
  Object.assign(form, { method: "POST", action: `${address}/api/say`, enctype: "text/plain", target: "frame" });
  const field = document.createElement("input");
  field.name = body;
  const frame = document.createElement("iframe");
  frame.name = "frame";
  form.append(field);
  document.body.append(frame, form);
  const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
  form.submit();
  await loaded;
  return read;
}
"""


def test_another_site_neither_commands_nor_reads(
    other_site: str, house: House, chromium: Chromium, visit: Visit
) -> None:
    """Whatever a page of another origin sends with the dealer's own cookie and token, nothing happens at the table."""
    user = visit(role="dealer")
    token = user.token
    context = chromium.browser.new_context(storage_state=user.watched.context.storage_state())
    page = context.new_page()
    page.goto(other_site)
    assert None is page.evaluate(_FROM_ELSEWHERE, [house.address, token])
    context.close()
    assert "idle" == house.scene()["state"]
    assert (200, {"ok": True}) == user.post("/api/say", COMMAND, token)
