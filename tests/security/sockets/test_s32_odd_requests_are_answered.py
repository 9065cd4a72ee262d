"""S32: odd requests are answered and are no fault of the program; a console with TLS stays with it, its key secret."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from firmware_bridge.console.web.errors import ConsoleError
from firmware_bridge.console.web.tls import names
from tests.firmware_bridge.console.certificate import made
from tests.firmware_bridge.console.rig import Console, at_console
from tests.patience import PATIENCE

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")


async def status(console: Console, *lines: bytes) -> int:
    """Send a request as it stands; the status of the answer."""
    host, _, port = console.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"\r\n".join((*lines, b"Connection: close", b"", b"")))
    await writer.drain()
    async with asyncio.timeout(PATIENCE):
        said = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return int(said.split()[1])


def test_numbers_of_any_length_and_alphabet_are_answered(tmp_path: Path) -> None:
    """None of them is 500."""

    async def scene(console: Console) -> None:
        port = console.url.rpartition(":")[2].encode()
        host = b"Host: 127.0.0.1:" + port
        last = b"Last-Event-ID: " + b"9" * 5000
        assert 200 == await status(console, b"HEAD /api/stream HTTP/1.1", host, last)
        assert 200 == await status(console, b"GET /api/stream HTTP/1.1", host, last)
        for number in (b"9" * 23, b"9" * 5000, b"x"):
            assert 404 == await status(console, b"GET /api/rounds/" + number + b" HTTP/1.1", host)
        assert 421 == await status(console, b"GET /api/session HTTP/1.1", "Host: 127.0.0.1:²".encode("latin-1"))
        assert 421 == await status(console, b"GET /api/session HTTP/1.1", host + b".evil.com")
        assert 200 == await status(console, b"GET /api/session HTTP/1.1", host)

    at_console(tmp_path, scene)


@needs_openssl
def test_with_tls_a_browser_stays_with_it(tmp_path: Path) -> None:
    """On every answer; and the cookie is this host's alone."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        for path in ("/", "/api/session", "/nothing"):
            assert "max-age=31536000" == (await browser.get(path)).headers["strict-transport-security"]
        said = (await browser.get("/api/session")).headers["set-cookie"]
        assert said.startswith("__Host-truedeal")
        assert {"Secure", "Path=/", "HttpOnly"} <= set(said.split("; "))
        assert "domain" not in said.lower()

    at_console(tmp_path, scene, tls=made(tmp_path))


def test_without_tls_nothing_is_said_of_it(tmp_path: Path) -> None:
    """A browser at the table's own screen would never come again."""

    async def scene(console: Console) -> None:
        answer = await (await console.browser()).get("/api/session")
        assert "strict-transport-security" not in answer.headers
        assert answer.headers["set-cookie"].startswith("truedeal")

    at_console(tmp_path, scene)


@needs_openssl
def test_a_key_that_everybody_can_read_is_refused(tmp_path: Path) -> None:
    """A group may: that is how a system hands keys to services."""
    tls = made(tmp_path)
    tls.key.chmod(0o640)
    assert "localhost" in names(tls)
    tls.key.chmod(0o644)
    with pytest.raises(ConsoleError, match="everybody can read it"):
        names(tls)
