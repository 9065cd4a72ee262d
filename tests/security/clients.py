"""What the tests of the sockets share: anyone's connection, and a loop whose turns are counted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from tests.firmware_bridge.control_socket_rig import Client
from tests.firmware_bridge.table_with_roles import Post


async def anyone(post: Post) -> Client:
    """Connect as someone who has no PIN and wants to know something."""
    reading = post.path.with_name("read.sock")
    path = reading if reading.exists() else post.path
    reader, writer = await asyncio.open_unix_connection(str(path), limit=8 * 1024 * 1024)
    post._writers.append(writer)
    return Client(reader, writer)


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the turns of the loop."""
    loop, turns = asyncio.get_running_loop(), [0]

    over = False

    def turn() -> None:
        turns[0] += 1
        if not over:
            loop.call_soon(turn)

    loop.call_soon(turn)
    try:
        yield turns
    finally:
        over = True
