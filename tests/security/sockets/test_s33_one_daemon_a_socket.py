"""S33: a second daemon does not take the first one's sockets; without descriptors there is no storm."""

from __future__ import annotations

import asyncio
import errno
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware_bridge.control.requests import Requests
from firmware_bridge.control.server import Control
from firmware_bridge.control.unix_socket import REST
from tests.firmware_bridge.table_with_roles import Post, at_post


def test_a_second_daemon_is_turned_away_and_the_first_is_still_reached(tmp_path: Path) -> None:
    """The path belongs to the one that holds its lock."""

    async def scene(post: Post) -> None:
        second = Control(Requests(post.pump, dict))
        said = ""
        try:
            await second.listen(post.path)
        except Exception as error:  # noqa: BLE001  whatever it is called, it must say so
            said = str(error)
        assert f"another daemon listens at {post.path}" in said
        assert "dealer" == (await (await post.client("dealer")).ask("status"))["role"]
        assert 0o600 == post.path.with_name("control.sock.lock").stat().st_mode & 0o777

    at_post(tmp_path, scene)


class Exhausted:
    """A socket at which nobody can be let in."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.tries = 0

    def accept(self) -> None:
        """Say that there is no descriptor left."""
        self.tries += 1
        raise OSError(errno.EMFILE, "Too many open files")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_without_descriptors_the_door_rests(tmp_path: Path) -> None:
    """Nothing is tried for a second, and it is told once."""

    async def scene(post: Post) -> None:
        told: list[str] = []
        post.control._tell = told.append
        door = post.control._doors[0]
        door._tell = told.append
        assert door._socket is not None
        real, fake = door._socket, Exhausted(door._socket)
        door._socket = fake  # type: ignore[assignment]  # as much as it needs
        begun = asyncio.get_running_loop().time()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await (await post.client()).read()
        assert 1 <= fake.tries == len(told) <= 1 + (asyncio.get_running_loop().time() - begun) / REST
        door._socket = real
        assert "dealer" == (await (await post.client("dealer")).ask("status"))["role"]

    at_post(tmp_path, scene)
