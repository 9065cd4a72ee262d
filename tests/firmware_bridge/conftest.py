"""What the tests of the daemon share: a pump between fake devices, a control socket, a small disk."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamecore.notation.syntax import Header
from tests.firmware_bridge.control_socket_rig import AtSocket, Scene, serve
from tests.firmware_bridge.pump_rig import HEADER, PumpRig, Run, played
from tests.firmware_bridge.pump_rig import Scene as PumpScene


@pytest.fixture
def at_socket(tmp_path: Path) -> AtSocket:
    """Return what runs a scene and checks that nothing went wrong behind its back."""

    def at_socket(scene: Scene) -> None:
        assert [] == serve(tmp_path, scene)

    return at_socket


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Return what runs a scene in a rig of its own, whose journal is closed at the end."""
    worlds: list[PumpRig] = []

    def run(scene: PumpScene, header: Header = HEADER) -> PumpRig:
        worlds.append(asyncio.run(played(tmp_path, scene, header)))
        return worlds[-1]

    yield run
    for rig in worlds:
        rig.journal.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of a small file system."""
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "truedeal-test", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
