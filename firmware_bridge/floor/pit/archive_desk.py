"""Asks the archive in a thread of its own, over one connection that is made again when it fails.

1. Questions of one desk are answered one after the other. A statement that takes longer than `LIMIT` seconds is given
   up, so that no question stops the ones behind it for long.
2. An archive that is away is an `ArchiveError` for the one who asks; the next question tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import ArchiveError, RefusedRowsError

LIMIT = 2.0
T = TypeVar("T")


class ArchiveDesk:
    """One thread with one connection."""

    def __init__(self, url: str) -> None:
        """Nothing is opened yet."""
        self._url = url
        self._thread = ThreadPoolExecutor(1, "archive")
        self._archive: Archive | None = None

    async def ask(self, question: Callable[[Archive], T]) -> T:
        """Ask, and wait for the answer.

        Raises:
            ArchiveError: the archive is away, or takes too long.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    async def close(self) -> None:
        """Answer what was asked, then close the connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._forget)
        self._thread.shutdown(wait=False)

    def _answer(self, question: Callable[[Archive], T]) -> T:
        try:
            if self._archive is None:
                self._archive = Archive.open(self._url)
                self._archive.dialect.limit_time(LIMIT)
            return question(self._archive)
        except RefusedRowsError:
            raise
        except ArchiveError:
            self._forget()
            raise

    def _forget(self) -> None:
        if self._archive is not None:
            self._archive.close()
            self._archive = None
