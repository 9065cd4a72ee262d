"""A daemon for tests that says what it is told to say: lines of JSON over a Unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Answers = Callable[[dict[str, Any]], dict[str, Any] | None]


def plain(request: dict[str, Any]) -> dict[str, Any] | None:
    """Answer as a daemon would that has no table."""
    return {"scene": {"roles": False}} if request["do"] == "scene" else {"ok": True}


class FakeDaemon:
    """Listens at a path; `answers` says what each request is answered, None being nothing."""

    def __init__(self, path: Path, answers: Answers = plain) -> None:
        self.path = path
        self.answers = answers
        self.asked: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self.path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self.path)
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.drop()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.append(writer)
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                request = json.loads(line)
                self.asked.append(request["do"])
                answer = self.answers(request)
                if answer is not None:
                    writer.write(json.dumps({"id": request["id"], **answer}).encode() + b"\n")
        writer.close()

    def tell_all(self, line: bytes) -> None:
        """Say something to everybody who is connected."""
        for writer in self._writers:
            writer.write(line + b"\n")

    def news(self, **news: object) -> None:
        """Tell news."""
        self.tell_all(json.dumps(news).encode())

    def drop(self) -> None:
        """End every connection."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()
