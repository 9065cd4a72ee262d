"""The packages that the tests look at and install, built once in a run, however many workers it has.

A build takes half a minute. The package that follows another is the same program under the next number, so it is not
built: the other is unpacked, renumbered and packed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.sign import make
from tests.deploy.boxes.container import locked
from tests.places import ROOT

EPOCH = "1700000000"
UNREACHED = 3
"""The status of deploy/package.sh when a library could not be fetched."""


def package(folder: Path, architecture: str, key: Path, revision: int = 1) -> Path:
    """Build the packages into a folder, return that of the table; skip the test where libraries cannot be fetched."""
    command = ["sh", str(ROOT / "deploy/package.sh"), "--arch", architecture, "--revision", str(revision)]
    built = subprocess.run(
        [*command, "--out", str(folder), "--key", str(key)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHON": sys.executable, "SOURCE_DATE_EPOCH": EPOCH},
    )
    if built.returncode == UNREACHED:
        pytest.skip(f"the libraries of the package cannot be fetched: {built.stderr.strip().splitlines()[-1]}")
    assert 0 == built.returncode, built.stderr
    (path,) = folder.glob(f"truedeal_*-{revision}_{architecture}.deb")
    return path


def built_once(factory: pytest.TempPathFactory, architecture: str, revision: int = 1) -> Path:
    """Return the package of this run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    shared = factory.getbasetemp().parent / f"packages-{run}" if run else factory.getbasetemp() / "packages"
    shared.mkdir(exist_ok=True)
    with locked(shared / f"{architecture}-{revision}.lock"):
        done = list(shared.glob(f"truedeal_*-{revision}_{architecture}.deb"))
        return done[0] if done else package(shared, architecture, key_in(shared), revision)


def key_in(shared: Path) -> Path:
    """Return the key of this run, made if it is not there."""
    key = shared / "maker"
    with locked(shared / "maker.lock"):
        if not key.exists():
            make(key)
    return key


def following(first: Path) -> Path:
    """Return the package that follows another."""
    name, version, rest = first.name.split("_")
    software, _, revision = version.rpartition("-")
    after = f"{software}-{int(revision) + 1}"
    packed = first.with_name(f"{name}_{after}_{rest}")
    with locked(first.with_suffix(".lock")):
        if not packed.exists():
            tree = first.with_suffix(".tree")
            subprocess.run(["dpkg-deb", "--raw-extract", first, tree], check=True)
            control = tree / "DEBIAN" / "control"
            text = control.read_text(encoding="utf-8").replace(f"Version: {version}\n", f"Version: {after}\n")
            control.write_text(text, encoding="utf-8")
            half = packed.with_suffix(".half")
            subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, half], check=True)
            half.rename(packed)
    return packed
