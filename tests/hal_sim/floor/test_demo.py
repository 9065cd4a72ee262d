"""``truedeal floor --demo``: a whole floor on this computer, its tables in the pit and in the archive."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE, eventually
from tests.places import ROOT

TABLES = 2


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Return a demonstration that was started, and the file with what it says."""
    log = tmp_path / "log"
    command = [sys.executable, "-m", "firmware_bridge.cli", "floor", "--demo", str(TABLES), "--tied"]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=file, stderr=file, cwd=ROOT)
    with process:
        yield process, log
        process.kill()


def test_a_demonstration_plays_ships_and_ends(demo: tuple[subprocess.Popen[bytes], Path]) -> None:
    """Each table is heard in the pit, and its rounds come to the archive; TERM ends everything, and nothing is left."""
    process, log = demo

    def said() -> str:
        return log.read_text(encoding="utf-8")

    eventually(lambda: f"plays, {TABLES} of {TABLES}" in said() or process.poll() is not None)
    found = re.search(r"the floor: (http\S+)", said())
    assert found, said()
    with httpx.Client(base_url=found[1]) as client:
        names = [f"table-{number}" for number in range(1, TABLES + 1)]

        def heard() -> bool:
            tiles = [client.get(f"/api/tables/{name}").json()["tile"] for name in names]
            return all(tile["look"] in {"calm", "alarm"} and tile["state"] for tile in tiles)

        eventually(heard)
        assert client.get("/api/tables/table-1").json()["picture"]["boxes"]
        eventually(lambda: client.get("/api/tables/table-1/rounds").json()["rounds"])
    process.send_signal(signal.SIGTERM)
    assert 0 == process.wait(PATIENCE), said()
    assert re.search(r"\d+ rounds, \d+ cards", said())
    with pytest.raises(httpx.ConnectError):
        httpx.get(found[1])
