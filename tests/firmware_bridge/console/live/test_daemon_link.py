"""The connections to the daemon: answers out of order, news, silence, nonsense, and its going and coming."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.console.live import daemon_link
from firmware_bridge.console.live.daemon_link import APART, OpenTable, Watch
from firmware_bridge.console.live.feed import Feed
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.control import async_client
from firmware_bridge.control.async_client import Connection
from tests.firmware_bridge.console.fake_daemon import FakeDaemon, plain
from tests.firmware_bridge.pump_rig import turn
from tests.patience import PATIENCE, eventually_on_loop


class Ear:
    """Keeps what a watch says."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, object]] = []
        self._changed = asyncio.Event()

    def _note(self, kind: str, said: object = None) -> None:
        self.heard.append((kind, said))
        self._changed.set()

    def news(self, news: Mapping[str, Any]) -> None:
        """Keep news."""
        self._note("news", dict(news))

    def scene(self, scene: dict[str, Any]) -> None:
        """Keep a scene."""
        self._note("scene", scene)

    def gone(self, reason: str) -> None:
        """Keep why."""
        self._note("gone", reason)

    def back(self) -> None:
        """Keep that it is back."""
        self._note("back")

    def kinds(self) -> list[str]:
        """What kinds of things were heard."""
        return [kind for kind, _ in self.heard]

    async def until(self, *kinds: str) -> None:
        """Wait until exactly these kinds of things were heard."""
        while list(kinds) != self.kinds():
            self._changed.clear()
            await self._changed.wait()


def run(scene: Callable[[], Awaitable[None]]) -> None:
    """Run a scene; nothing may go wrong behind its back."""
    behind: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: behind.append(context))
        async with asyncio.timeout(PATIENCE):
            await scene()

    asyncio.run(main())
    assert [] == behind


def test_answers_find_their_questions(tmp_path: Path) -> None:
    """Two questions at once, answered in the other order: each gets its own answer."""
    held: list[int] = []

    def answers(request: dict[str, Any]) -> dict[str, Any] | None:
        if request["do"] == "late":
            held.append(request["id"])
            return None
        return {"to": request["do"]}

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket", answers) as daemon:
            connection = await Connection.open(daemon.path)
            late = asyncio.create_task(connection.ask("late"))
            assert {"to": "soon"} == await connection.ask("soon")
            daemon.tell_all(f'{{"id": {held[0]}, "to": "late"}}'.encode())
            assert {"to": "late"} == await late
            await connection.close()

    run(scene)


def test_a_connection_that_ends_fails_what_waits(tmp_path: Path) -> None:
    """Who waits for an answer is told that the daemon has gone, and so is who asks after that."""

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket", lambda _: None) as daemon:
            connection = await Connection.open(daemon.path)
            ended: list[bool] = []
            connection.ended = lambda: ended.append(True)
            waits = asyncio.create_task(connection.ask("status"))
            while not daemon.asked:
                await turn()
            daemon.drop()
            for ask in (waits, connection.ask("status")):
                with pytest.raises(ConnectionError):
                    await ask
            assert [True] == ended
            assert not connection.up
            await connection.close()

    run(scene)


def test_an_answer_that_does_not_come_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is told that what it said may still happen."""
    monkeypatch.setattr(async_client, "PATIENCE", 0.02)

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket", lambda _: None) as daemon:
            connection = await Connection.open(daemon.path)
            with pytest.raises(Problem, match="may still happen"):
                await daemon_link.asked(connection, "say", statement="settle")
            await connection.close()

    run(scene)


@pytest.mark.parametrize("line", [b"nonsense", b"[1, 2]", b'"text"', b"7", b'{"seen": 5}', b'{"seen": {}}'])
def test_what_nobody_understands_is_a_daemon_that_has_gone(tmp_path: Path, line: bytes) -> None:
    """The watch survives it, and connects again."""

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket") as daemon:
            feed = Feed()
            watch = Watch(daemon.path, feed)
            reader, heard = feed.begin(), b""
            watch.start()
            for kinds in ([b"scene"], [b"scene", b"gone", b"back", b"scene"]):
                while kinds != re.findall(rb"event: (\w+)", heard):
                    heard += await reader.next(PATIENCE) or b""
                daemon.tell_all(line)
            assert watch.alive
            await watch.close()

    run(scene)


def test_an_open_table_is_commanded_over_a_connection_of_its_own(tmp_path: Path) -> None:
    """It is made when somebody commands, and again when it has ended."""

    async def scene() -> None:
        path = tmp_path / "socket"
        table = OpenTable(path)
        with pytest.raises(Problem):
            await table.ask("say")
        async with FakeDaemon(path) as daemon:
            assert {"ok": True} == await table.ask("say")
            daemon.drop()
            await eventually_on_loop(lambda: table._connection is not None and not table._connection.up)
            assert {"ok": True} == await table.ask("say")
        await table.close()

    run(scene)


def test_the_watch_waits_for_a_daemon_and_finds_it_again(tmp_path: Path) -> None:
    """It may start before the daemon; it says once that there is none, and once that it is back."""

    async def scene() -> None:
        ear, path = Ear(), tmp_path / "socket"
        watch = Watch(path, ear)
        watch.start()
        await ear.until("gone")
        async with FakeDaemon(path) as daemon:
            await ear.until("gone", "back", "scene")
            daemon.drop()
            await ear.until("gone", "back", "scene", "gone", "back", "scene")
        await watch.close()

    run(scene)


def test_news_are_told_one_by_one_and_pictures_together(tmp_path: Path) -> None:
    """A hundred things that happen at once are a hundred news, and two pictures at most."""

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket") as daemon:
            ear = Ear()
            watch = Watch(daemon.path, ear)
            watch.start()
            await ear.until("scene")
            for number in range(100):
                daemon.news(seen={"n": number})
            while ear.kinds().count("news") < 100 or ear.kinds().count("scene") < 2:
                await turn()
            assert [{"seen": {"n": number}} for number in range(100)] == [
                said for kind, said in ear.heard if kind == "news"
            ]
            assert daemon.asked.count("scene") <= 3
            await watch.close()

    run(scene)


@pytest.mark.parametrize(("gap", "apart"), [(0.02, APART), (0.0002, 2 * APART)])
def test_pictures_come_at_most_so_often(tmp_path: Path, gap: float, apart: float) -> None:
    """At most twenty-five pictures are asked for in a second, and fewer where more happens than at any table."""

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket") as daemon:
            ear, loop = Ear(), asyncio.get_running_loop()
            watch = Watch(daemon.path, ear)
            watch.start()
            await ear.until("scene")
            began = loop.time()
            while loop.time() - began < 0.4 or daemon.asked.count("scene") < 2:
                daemon.news(seen={"n": 1})
                await asyncio.sleep(gap)
            asked = daemon.asked.count("scene") - 1
            assert 1 <= asked <= (loop.time() - began) / apart + 1
            await watch.close()

    run(scene)


def test_nothing_is_asked_while_nothing_happens(tmp_path: Path) -> None:
    """A quiet table is left alone."""

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket") as daemon:
            ear = Ear()
            watch = Watch(daemon.path, ear)
            watch.start()
            await ear.until("scene")
            await asyncio.sleep(5 * daemon_link.APART)
            assert ["watch", "scene"] == daemon.asked
            await watch.close()

    run(scene)


def test_a_daemon_that_hangs_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes the question and never answers is treated like one that is not there."""
    monkeypatch.setattr(async_client, "PATIENCE", 0.05)

    async def scene() -> None:
        async with FakeDaemon(tmp_path / "socket", lambda _: None) as daemon:
            ear = Ear()
            watch = Watch(daemon.path, ear)
            watch.start()
            await ear.until("gone")
            monkeypatch.setattr(async_client, "PATIENCE", PATIENCE)  # a busy machine hangs no daemon
            daemon.answers = plain
            await ear.until("gone", "back", "scene")
            await watch.close()

    run(scene)
