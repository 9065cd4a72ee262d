"""What the tests of the deployment share: the packages of this run, and a box in which the first of them runs."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal_sim.table.sim_table import NAMES, SimTable
from tests.deploy.boxes.box import PACKAGES, Box
from tests.deploy.boxes.build import built_once, following
from tests.deploy.boxes.container import Container, ContainerError, needs


def architecture() -> str:
    """Return what Debian calls this machine."""
    return subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the package for this machine; skip the test where it could not be installed anywhere."""
    if needs():
        pytest.skip(needs())
    return built_once(tmp_path_factory, architecture())


@pytest.fixture(scope="session")
def second(first: Path) -> Path:
    """Return the package that follows it."""
    return following(first)


@pytest.fixture
def box(first: Path, tmp_path_factory: pytest.TempPathFactory, seed: int) -> Iterator[Box]:
    """Return a fresh box, in which the first package is installed and runs; skip the test where none can be had."""
    folder = tmp_path_factory.mktemp("box", numbered=True)
    with SimTable(seed=seed, usb=False, daemon=False) as table:
        binds = {first.parent: PACKAGES}
        binds |= {(table.directory / name).resolve(): f"/dev/truedeal/{name}" for name in NAMES}
        try:
            with Container(f"truedeal-{os.getpid()}-{time.monotonic_ns()}", folder, binds) as container:
                fresh = Box(container, table)
                fresh.install(first)
                fresh.configure()
                fresh.start()
                yield fresh
        except ContainerError as problem:
            pytest.skip(str(problem))
