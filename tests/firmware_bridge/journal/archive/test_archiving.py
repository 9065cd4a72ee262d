"""The daemon's part in archiving: when it looks, what it starts, what it tells."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_bridge.daemon.archiver import EVERY, FIRST, Archiver
from firmware_bridge.journal import segments
from firmware_bridge.journal.archive.retention_limits import Retention
from tests.firmware_bridge.journal.archive.journals import all_rows, archived, at_hand, whole
from tests.patience import PATIENCE

ALL = Retention(days=0)


class Looking(Archiver):
    """An archiver that says when its child has ended."""

    def __init__(self, state: Path, retention: Retention = ALL, at_hand: tuple[int, ...] = ()) -> None:
        self.heard: list[dict[str, object]] = []
        self.ended = asyncio.Event()
        super().__init__(asyncio.get_running_loop(), state, retention, lambda: at_hand, self.heard.append)

    def _ended(self, status: int, lines: list[str]) -> None:
        super()._ended(status, lines)
        self.ended.set()

    async def looks(self) -> None:
        """Look, and wait for the child."""
        self.check_segments()
        await asyncio.wait_for(self.ended.wait(), PATIENCE)


def run(scene: Callable[[], Awaitable[None]]) -> None:
    """Run a scene in a loop."""

    async def main() -> None:
        await scene()

    asyncio.run(main())


def test_old_segments_are_archived_by_a_child(state: Path) -> None:
    """It tells each one; the journal is whole, and the loop goes on meanwhile."""
    rows = all_rows(state)

    async def scene() -> None:
        archiver, turns = Looking(state), 0
        archiver.check_segments()
        while not archiver.ended.is_set():
            turns += 1
            await asyncio.sleep(0)
        archiver.close()
        assert turns > 10
        assert "" == archiver.problem
        assert archived(state) == [segments.number_of(Path(str(said["archived"]))) for said in archiver.heard]

    run(scene)
    assert len(archived(state)) > 2
    assert (rows, []) == (all_rows(state), whole(state))


def test_what_the_daemon_holds_stays(state: Path) -> None:
    """An event that it names keeps its segment, and that is no problem."""

    async def scene() -> None:
        archiver = Looking(state, at_hand=(5,))
        await archiver.looks()
        archiver.close()
        stays = [said for said in archiver.heard if "stays" in said]
        assert (["journal-000001.db"], "") == ([said["stays"] for said in stays], archiver.problem)

    run(scene)
    assert 1 in at_hand(state)


def test_what_could_not_go_is_a_problem_until_it_could(state: Path) -> None:
    """Asking how the daemon is tells of it."""
    path = state / "journal-000001.db"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"PlaceBets", b"PlaceBats"))

    async def scene() -> None:
        archiver = Looking(state)
        await archiver.looks()
        assert "not as it was written" in archiver.problem
        path.write_bytes(whole)
        archiver.ended.clear()
        await archiver.looks()
        assert "" == archiver.problem
        archiver.close()

    run(scene)


def test_a_child_that_cannot_be_started_is_a_problem(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table does not notice."""
    monkeypatch.setattr(sys, "executable", str(state / "nothing"))

    async def scene() -> None:
        archiver = Looking(state)
        archiver.check_segments()
        archiver.close()
        assert "the archive cannot be made" in archiver.problem

    run(scene)


def test_at_the_end_the_child_is_killed(state: Path) -> None:
    """Wherever it is; nothing is lost, and what it left unfinished goes with the next."""
    rows = all_rows(state)

    async def scene() -> None:
        archiver = Looking(state)
        archiver.check_segments()
        child = archiver._children._child
        assert child is not None
        process = child._process
        archiver.close()
        assert -9 == process.returncode
        await asyncio.sleep(0)

    run(scene)
    assert (rows, []) == (all_rows(state), whole(state))


def test_without_a_need_no_child_is_started(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are young and small cost nothing but a look; nor is a second child started beside the first."""
    begun: list[int] = []
    monkeypatch.setattr(Archiver, "_begin", lambda _: begun.append(1))

    async def scene() -> None:
        archiver = Looking(state, Retention())
        archiver.check_segments()
        assert [] == begun
        busy = Looking(state)
        busy._children._child = object()  # type: ignore[assignment]  # any child
        busy.check_segments()
        busy._children._child = None
        assert [] == begun
        busy.check_segments()
        assert [1] == begun
        archiver.close()
        busy.close()

    run(scene)


def test_it_looks_soon_after_the_start_and_then_seldom(state: Path) -> None:
    """A loop with nothing else to do is woken once, and then once an hour."""

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        archiver = Looking(state, Retention())
        archiver.start()
        assert pytest.approx(FIRST, abs=1) == (archiver._children.begins or 0.0) - loop.time()
        archiver.check_segments()
        assert pytest.approx(EVERY, abs=1) == (archiver._children.begins or 0.0) - loop.time()
        archiver.close()
        assert archiver._children.begins is None

    run(scene)
    assert EVERY >= 3600


@pytest.mark.parametrize(
    ("line", "problem", "heard"),
    [
        ("truedeal archive: no room", "no room", 0),
        ("Traceback", "Traceback", 0),
        ("17", "17", 0),
        (json.dumps({"archived": "a"}), "", 1),
        (json.dumps({"stays": "a", "why": "b", "wrong": True}), "a: b", 1),
        (json.dumps({"stays": "a", "why": "b", "wrong": False}), "", 1),
    ],
)
def test_a_line_of_the_child_is_understood(state: Path, line: str, problem: str, heard: int) -> None:
    """What is not understood is a problem."""

    async def scene() -> None:
        archiver = Looking(state)
        assert problem == archiver._line(line)
        assert heard == len(archiver.heard)

    run(scene)
