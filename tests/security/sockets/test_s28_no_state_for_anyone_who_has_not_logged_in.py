"""S28: no number of visitors, and no half of a request, keeps somebody from logging in at the console."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.firmware_bridge.console.rig import Console, at_console
from tests.patience import PATIENCE


def test_other_visitors_do_not_end_a_login_page(tmp_path: Path) -> None:
    """However many ask for a session meanwhile, the first one is as good as it was."""

    async def scene(console: Console) -> None:
        browser = await console.browser()
        for _ in range(300):
            console.app.state.parts.sessions.begin()
        assert 200 == (await browser.login("dealer")).status_code
        assert 1 == len(console.app.state.parts.sessions)

    at_console(tmp_path, scene)


def test_half_of_a_later_request_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first request was whole; the second never ends, and the connection does."""
    monkeypatch.setattr("firmware_bridge.console.web.server.SILENT", 0.3)

    async def scene(console: Console) -> None:
        host, _, port = console.url.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"GET /api/session HTTP/1.1\r\nHost: {host}:{port}\r\n"
        writer.write(f"{head}\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.write(head.encode())
        async with asyncio.timeout(PATIENCE):
            try:
                while await reader.read(65536):
                    pass
            except ConnectionError:
                pass
        writer.close()

    at_console(tmp_path, scene)
