"""What a page can say and learn over HTTP, at a real table."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge import VERSION
from firmware_bridge.console.settings import Extra
from tests.firmware_bridge.console.rig import Console, at_console


def test_a_page_learns_of_its_session(tmp_path: Path) -> None:
    """The session says whether there are roles, who is logged in, and has a token; the cookie is out of reach."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
        answer = await browser.get("/api/session")
        session = answer.json()
        token = session.pop("token")
        expected = {"ok": True, "roles": True, "name": None, "role": None, "must_login": False}
        assert {**expected, "extras": [], "version": VERSION, "lang": "en", "badge": ""} == session
        assert len(token) >= 43
        cookie = answer.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} == set(cookie.split("; ")[1:])

    at_console(tmp_path, scene)


def test_a_dealer_commands_and_the_table_hears(tmp_path: Path) -> None:
    """What is said goes over the session's own connection, under the name of the person who is logged in."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        answer = await browser.login("dealer")
        assert (200, "the dealer", "dealer") == (answer.status_code, answer.json()["name"], answer.json()["role"])
        answer = await browser.say("place-bets")
        assert (200, {"ok": True}) == (answer.status_code, answer.json())
        row = list(console.post.journal.rows())[-1][0]
        assert ('{"is":"PlaceBets"}', "the dealer", "dealer", "told") == (row.body, row.person, row.role, row.how)

    at_console(tmp_path, scene)


def test_a_refusal_is_the_daemons_own_words(tmp_path: Path) -> None:
    """What the table refuses is an answer, not an error of the console."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        answer = await browser.say("hit 1")
        assert 200 == answer.status_code
        assert ["refused", "refusal"] == list(answer.json())
        answer = await browser.say("dance")
        assert 400 == answer.status_code
        assert "is no statement" in answer.json()["error"]

    at_console(tmp_path, scene)


def test_nobody_commands_a_table_with_roles(tmp_path: Path) -> None:
    """Without a login a command is 403, and nothing happens at the table."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        async with browser.stream() as events:
            await events.next("scene")
        answer = await browser.say("place-bets")
        assert (403, "nobody is logged in") == (answer.status_code, answer.json()["error"])
        assert "idle" == console.post.pump.table.state.value

    at_console(tmp_path, scene)


def test_whoever_reaches_a_table_without_roles_commands_it(tmp_path: Path) -> None:
    """Where nobody is named, no login is needed, and none is possible."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        answer = await browser.say("place-bets")
        assert {"ok": True} == answer.json()
        answer = await browser.login("dealer")
        assert (403, "this table is open: everything is allowed") == (
            answer.status_code,
            answer.json()["refused"],
        )

    at_console(tmp_path, scene, people=())


@pytest.mark.parametrize("statement", ["place-bets", "no-more-bets", "call uncovered"])
def test_surveillance_reads_and_does_not_command(tmp_path: Path, statement: str) -> None:
    """A reader's login hears everything; the daemon refuses all that it says."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("surveillance")
        async with browser.stream() as events:
            assert "idle" == (await events.next("scene")).data["state"]
        answer = await browser.say(statement)
        assert "logged in as surveillance" in answer.json()["refused"]
        assert "idle" == console.post.pump.table.state.value

    at_console(tmp_path, scene)


def test_a_wrong_pin_is_answered_in_the_daemons_words(tmp_path: Path) -> None:
    """Wrong tries are refused, then the daemon's own lock-out; the session stays nobody's."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        answer = await browser.login("dealer", pin="wrong")
        assert (403, "name or PIN is wrong") == (answer.status_code, answer.json()["refused"])
        answer = await browser.login("dealer")
        assert answer.json()["refused"].startswith("wait 1 seconds")
        assert (await browser.begin())["role"] is None

    at_console(tmp_path, scene)


def test_a_login_and_a_logout_change_id_and_token(tmp_path: Path) -> None:
    """What somebody had is worth nothing after, and what nobody had is nobody's still."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        seen = [(dict(browser.client.cookies), browser.session["token"])]
        await browser.login("dealer")
        seen.append((dict(browser.client.cookies), browser.session["token"]))
        await browser.logout()
        seen.append((dict(browser.client.cookies), browser.session["token"]))
        assert browser.session["role"] is None
        assert 3 == len({str(cookies) for cookies, _ in seen}) == len({token for _, token in seen})
        for (cookies, token), status in zip(seen, (403, 401, 403), strict=True):
            browser.client.cookies = cookies
            browser.headers = {"X-Truedeal-Token": token}
            assert status == (await browser.say("place-bets")).status_code
        assert {"logout": "the dealer"} in console.post.notes()

    at_console(tmp_path, scene)


def test_an_alarm_is_cleared_with_a_reason(tmp_path: Path) -> None:
    """The clearing goes to the daemon, which knows who may."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        await browser.login("dealer")
        await browser.say("place-bets")
        await browser.say("call uncovered")
        (alarm,) = console.post.guard.alarms.open if console.post.guard else ()
        said = {"n": alarm.n, "reason": "looked at"}
        answer = await browser.post("/api/clear", id="0123456789", **said)
        assert "needs shift-manager" in answer.json()["refused"]
        await browser.login("shift-manager")
        answer = await browser.post("/api/clear", id="0123456789", **said)
        assert answer.json()["ok"]
        assert [alarm.n] == [cleared["n"] for cleared in answer.json()["cleared"]]

    at_console(tmp_path, scene)


@pytest.mark.parametrize(
    "said",
    [
        {"statement": "place-bets"},
        {"id": "short", "statement": "place-bets"},
        {"id": 12345678, "statement": "place-bets"},
        {"id": "0123456789"},
        {"id": "0123456789", "statement": ""},
        {"id": "0123456789", "statement": "x" * 1001},
        {"id": "0123456789", "statement": ["place-bets"]},
    ],
)
def test_a_command_of_another_shape_is_refused(tmp_path: Path, said: dict[str, object]) -> None:
    """An id and a statement, both texts, and nothing else will do."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        answer = await browser.post("/api/say", **said)
        assert (400, ["error"]) == (answer.status_code, list(answer.json()))

    at_console(tmp_path, scene, people=())


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"[" * 60000, b"\xff"])
def test_what_is_no_json_object_is_refused(tmp_path: Path, body: bytes) -> None:
    """A body that cannot be read is 400, however it is broken."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        headers = {**browser.headers, "Content-Type": "application/json"}
        answer = await browser.client.post("/api/say", content=body, headers=headers)
        assert (400, ["error"]) == (answer.status_code, list(answer.json()))

    at_console(tmp_path, scene, people=())


def test_what_joins_the_page_is_served_under_its_name(tmp_path: Path) -> None:
    """An extra has its routes, its files and its script; the policy stands before all of them."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "main.js").write_text("export const x = 1;\n", encoding="utf-8")

    async def act(request: Request) -> Response:
        return JSONResponse({"said": await request.json()})

    extra = Extra("bench", [Route("/api/bench/act", act, methods=["POST"])], folder, "main.js")

    async def scene(console: Console) -> None:
        browser = await console.browser()
        assert [{"name": "bench", "script": "/extra/bench/main.js"}] == browser.session["extras"]
        answer = await browser.get("/extra/bench/main.js")
        assert "text/javascript; charset=utf-8" == answer.headers["content-type"]
        assert {"said": {"a": 1}} == (await browser.post("/api/bench/act", a=1)).json()
        browser.headers = {}
        assert 403 == (await browser.post("/api/bench/act", a=1)).status_code

    at_console(tmp_path, scene, extra=[extra])
