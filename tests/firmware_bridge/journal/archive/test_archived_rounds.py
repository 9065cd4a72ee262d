"""``truedeal rounds`` and ``truedeal round`` beside a daemon whose older rounds are archived."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.cli import main
from firmware_bridge.journal import segments
from firmware_bridge.journal.archive import compressed_segments
from tests.firmware_bridge.control_socket_rig import SocketRig, serve
from tests.firmware_bridge.journal.archive.journals import COUNT

Said = tuple[int, str, str]


@pytest.fixture
def truedeal(state: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return what runs a command beside a daemon on the state folder: its status, what it printed, its complaints."""

    def run(*words: str) -> Said:
        statuses: list[int] = []

        async def scene(rig: SocketRig) -> None:
            arguments = [*words, "--control", str(rig.path)]
            statuses.append(await asyncio.to_thread(main, arguments))

        assert [] == serve(state.parent, scene)
        printed = capsys.readouterr()
        return statuses[0], printed.out, printed.err

    return run


def pack(state: Path, count: int) -> None:
    """Archive the oldest segments."""
    for path in segments.segments(state)[:count]:
        compressed_segments.pack(state, path)


def lines(out: str) -> list[Any]:
    """Return what was printed as JSON."""
    return [json.loads(line) for line in out.splitlines()]


def test_rounds_are_listed_from_the_archive_where_more_are_asked_for(
    state: Path, truedeal: Callable[..., Said]
) -> None:
    """The same rounds, wherever they lie; as long as there are enough at hand the archive is not touched."""
    before = lines(truedeal("rounds", "--count", "1000", "--json")[1])
    assert COUNT == len(before)
    pack(state, 4)
    assert before == lines(truedeal("rounds", "--count", "1000", "--json")[1])
    for path in compressed_segments.archived(state):
        path.write_bytes(b"")
    assert before[:20] == lines(truedeal("rounds", "--json")[1])


def test_a_round_is_drawn_from_the_archive(state: Path, truedeal: Callable[..., Said]) -> None:
    """By its number, and by its first event."""
    before = truedeal("round", "1")
    (first,) = lines(truedeal("round", "1", "--json")[1])
    pack(state, 4)
    assert before == truedeal("round", "1")
    assert [first] == lines(truedeal("round", "--first", str(first["first"]), "--json")[1])


def test_a_round_that_is_nowhere_is_told(state: Path, truedeal: Callable[..., Said]) -> None:
    """Whether the archive was looked through is said too."""
    assert (1, "truedeal round: there is no such round at hand\n") == truedeal("round", "999")[::2]
    pack(state, 2)
    assert (1, "truedeal round: there is no such round at hand, nor in the archive\n") == truedeal("round", "999")[::2]


def test_an_archive_that_may_not_be_read_is_told(
    state: Path, truedeal: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the daemon has is shown all the same."""
    pack(state, 2)
    usual = Path.iterdir

    def closed(path: Path) -> object:
        if path.name == segments.ARCHIVE:
            raise PermissionError(13, "Permission denied", str(path))
        return usual(path)

    monkeypatch.setattr(Path, "iterdir", closed)
    status, out, err = truedeal("rounds", "--count", "1000", "--json")
    assert (0, True) == (status, 100 <= len(lines(out)) < COUNT)
    assert "older ones are archived and cannot be read" in err
    status, out, err = truedeal("round", "1")
    assert (1, "") == (status, out)
    assert "older ones are archived and cannot be read" in err
