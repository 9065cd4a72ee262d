"""What stands before every request: forged, foreign, oversize and misdirected ones, and the headers of every answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_bridge.console.settings import Extra
from firmware_bridge.console.web import policy, server
from tests.firmware_bridge.console.rig import TOKEN, Browser, Console, at_console

COMMAND = b'{"id": "0123456789", "statement": "place-bets"}'
JSON = {"Content-Type": "application/json"}


async def command(browser: Browser, headers: dict[str, str]) -> tuple[int, str]:
    """Send a command with these headers over the session's own; the status and the error."""
    answer = await browser.client.post("/api/say", content=COMMAND, headers=browser.headers | JSON | headers)
    return answer.status_code, answer.json().get("error", "")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({TOKEN: ""}, 403),
        ({TOKEN: "x" * 43}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Cookie": ""}, 401),
        ({"Cookie": "truedeal=x"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": ""}, 421),
    ],
)
def test_a_forged_command_is_refused(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    """Token, origin, content type, session and host must all be right, and the table hears nothing otherwise."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        assert status == (await command(browser, headers))[0]
        assert "idle" == console.post.pump.table.state.value

    at_console(tmp_path, scene, people=())


@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "same-origin"}, {"Content-Type": "application/json; charset=utf-8"}]
)
def test_a_command_of_the_page_is_taken(tmp_path: Path, headers: dict[str, str]) -> None:
    """The same command, as the page sends it, happens; its origin is the console's own."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        assert (200, "") == await command(browser, {"Origin": console.url} | headers)
        assert "betting" == console.post.pump.table.state.value

    at_console(tmp_path, scene, people=())


def test_a_command_is_not_repeated(tmp_path: Path) -> None:
    """The same id again, however right the rest is, is 409; the id of another session is its own."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        assert (200, "") == await command(browser, {})
        assert 409 == (await command(browser, {}))[0]
        other = await console.browser()
        assert 200 == (await command(other, {}))[0]
        assert 409 == (await command(browser, {}))[0]

    at_console(tmp_path, scene, people=())


def test_another_sessions_token_is_worth_nothing(tmp_path: Path) -> None:
    """A token belongs to one cookie."""

    async def scene(console: Console) -> None:
        browser, other = await console.browser(), await console.browser()
        assert 403 == (await command(browser, other.headers))[0]

    at_console(tmp_path, scene, people=())


def test_a_body_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """More than 64 KB is 413, whether the head says so or it comes in pieces."""

    async def pieces() -> Iterator[bytes]:  # type: ignore[misc]  # an asynchronous one
        for _ in range(3):
            yield b"x" * 32768

    async def scene(console: Console) -> None:
        browser = await console.browser()
        headers = browser.headers | JSON
        for content in (b"x" * 65537, pieces()):
            answer = await browser.client.post("/api/say", content=content, headers=headers)
            assert 413 == answer.status_code
        answer = await browser.client.post("/api/say", content=b"x" * 65536, headers=headers)
        assert (400, "expected JSON") == (answer.status_code, answer.json()["error"])

    at_console(tmp_path, scene, people=())


def test_a_body_that_does_not_come_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that announces a body and sends none is answered all the same."""
    monkeypatch.setattr(policy, "PATIENCE", 0.05)

    async def scene(console: Console) -> None:
        browser = await console.browser()
        cookie = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
        lines = ["POST /api/say HTTP/1.1", f"Host: {console.url.removeprefix('http://')}", f"Cookie: {cookie}"]
        lines += [
            f"{TOKEN}: {browser.session['token']}",
            "Content-Type: application/json",
            "Content-Length: 10",
            "",
            "",
        ]
        assert b"HTTP/1.1 408 " == (await raw(console, "\r\n".join(lines).encode()))[:13]

    at_console(tmp_path, scene, people=())


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_connection_without_a_request_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    """A client that connects and does not ask, or never ends asking, does not hold a place."""
    monkeypatch.setattr(server, "SILENT", 0.05)

    async def scene(console: Console) -> None:
        with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
            await raw(console, data)

    at_console(tmp_path, scene)


async def raw(console: Console, data: bytes) -> bytes:
    """Send bytes as they are; the head of what comes back."""
    host, _, port = console.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(data)
        return await reader.readuntil(b"\r\n\r\n")
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def protected(headers: httpx.Headers) -> bool:
    """Whether an answer has every header that all must have."""
    return all(headers.get(name) == value for name, value in policy.HEADERS.items())


def test_every_answer_has_the_headers(tmp_path: Path) -> None:
    """Page, files, data, the stream, errors of every kind, what is not HTTP at all: nothing comes without them."""

    async def fails(_: Request) -> Response:
        raise ZeroDivisionError

    async def scene(console: Console) -> None:
        browser = await console.browser()
        tag = (await browser.get("/")).headers["etag"]
        answers = {
            200: await browser.get("/"),
            304: await browser.get("/", **{"If-None-Match": tag}),
            404: await browser.get("/static/nothing.js"),
            405: await browser.client.post("/api/session", json={}, headers=browser.headers),
            409: await _twice(browser),
            413: await browser.client.post("/api/say", content=b"x" * 70000, headers=browser.headers | JSON),
            415: await browser.client.post("/api/say", content=b"", headers=browser.headers),
            421: await browser.get("/", Host="evil.example"),
            500: await browser.get("/api/fails"),
        }
        assert list(answers) == [answer.status_code for answer in answers.values()]
        others = [await browser.get(path) for path in ("/api/session", "/nothing", "/api/nothing", "/static/app.js")]
        async with browser.stream() as events:
            others.append(events.response)
        assert [] == [str(answer) for answer in (*answers.values(), *others) if not protected(answer.headers)]
        assert {"no-store"} == {
            answer.headers["cache-control"] for answer in others if answer.url.path.startswith("/api/")
        }
        head = (await raw(console, b"\x16\x03\x01 nonsense\r\n\r\n")).decode()
        assert head.startswith("HTTP/1.1 400 ")
        assert [] == [name for name, value in policy.HEADERS.items() if f"{name}: {value}" not in head]

    at_console(tmp_path, scene, people=(), extra=[Extra("x", [Route("/api/fails", fails)])])


async def _twice(browser: Browser) -> httpx.Response:
    """The answer to the same command again."""
    await browser.say("place-bets", id="9876543210")
    return await browser.say("place-bets", id="9876543210")


def test_the_content_policy_lets_in_nothing_from_elsewhere() -> None:
    """Nothing but the console's own files, no inline script or style, no frame around it."""
    said = dict(part.strip().split(" ", 1) for part in policy.CONTENT.split(";"))
    expected = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert expected == said
