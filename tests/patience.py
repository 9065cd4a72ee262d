"""How long a test waits for what must come, and how it waits.

1. `PATIENCE` is an upper bound, for a machine that is busy with a dozen other things. A test that shows that nothing
   happens has a figure of its own.
2. Where nothing signals that something has happened, `eventually` looks again and again: it returns soon after it has
   happened, and waits longer on a busy machine. A test never just sleeps for as long as something should take.
"""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds."""


def eventually(what: Callable[[], object], within: float = PATIENCE) -> None:
    """Wait until something is so."""
    until = time.monotonic() + within
    while not what():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.05)


async def eventually_on_loop(what: Callable[[], object]) -> None:
    """Wait until something is so that this event loop makes so."""
    async with asyncio.timeout(PATIENCE):
        while not what():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.001)
