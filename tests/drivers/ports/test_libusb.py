"""The same contract and the same replugging on the real libusb, which umockdev gives a panel that is not there.

1. The GObject library of umockdev belongs to the Python of the system: libusb_rig.py runs there, once for all checks.
2. Where the packages are missing the tests are skipped by name; `tests/debian.sh` installs them for root.
3. On a busy machine umockdev itself may run out of room for the files that are open, and ends the program. That says
   nothing about the port: the program is run again. The panel is unplugged `AT_ONCE` times in one run, so that there
   is little to run again.

TRUEDEAL_REPLUGS is how often the panel is unplugged: 50 times, with soak 1,000.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import serial
import usb

from tests.drivers.ports.contract import CHECKS
from tests.places import ROOT

PYTHON = "/usr/bin/python3"
TIMES = int(os.environ.get("TRUEDEAL_REPLUGS", "50"))
SOAK_TIMES = int(os.environ.get("TRUEDEAL_REPLUGS", "1000"))
NEEDS = """
import ctypes.util, sys
import gi
gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev
sys.exit(not (sys.version_info >= (3, 11) and ctypes.util.find_library("usb-1.0")))
"""
OVERFLOW = "libumockdev-preload fd_map_add(): overflow"
AGAIN = 5
AT_ONCE = 10
Result = dict[str, str | None]


def environment() -> dict[str, str]:
    """Return an environment in which the Python of the system finds our code, pyserial and pyusb."""
    packages = {Path(module.__file__ or "").parents[1] for module in (serial, usb)}
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, *packages)))}


@functools.cache
def missing() -> str:
    """Return what is missing here, empty if nothing is."""
    if shutil.which("umockdev-wrapper") is None or not Path(PYTHON).exists():
        return "needs umockdev and the Python of the system, see tests/debian.sh"
    found = subprocess.run([PYTHON, "-c", NEEDS], check=False, capture_output=True, env=environment())
    return "" if found.returncode == 0 else "needs gir1.2-umockdev-1.0, python3-gi and libusb, see tests/debian.sh"


@functools.cache
def results(*names: str) -> dict[str, Result]:
    """Run these inside umockdev; return what came of each."""
    return outcomes(names)


def outcomes(names: tuple[str, ...]) -> dict[str, Result]:
    """Run these inside umockdev, again where umockdev has run out of room."""
    done = run_rig(*names)
    for _ in range(AGAIN):
        if OVERFLOW in done.stderr:
            done = run_rig(*names)
    lines: list[Result] = [json.loads(line) for line in done.stdout.splitlines()]
    ended: Result = {"failure": f"the program ended early, with {done.returncode}: {done.stderr}"}
    return dict.fromkeys(names, ended) | {line["name"] or "": line for line in lines}


def replug_failures(times: int, seed: int) -> list[str]:
    """Unplug the panel this many times, some in each run; return what went wrong."""
    names = [f"replug={min(AT_ONCE, times - done)}+{seed + done}" for done in range(0, times, AT_ONCE)]
    found = [outcomes((name,))[name]["failure"] for name in names]
    return [failure for failure in found if failure is not None]


def run_rig(*names: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    command = ["umockdev-wrapper", PYTHON, "-m", "tests.drivers.ports.libusb_rig", *names]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=800
    )


@pytest.fixture(autouse=True)
def _umockdev() -> None:
    """Skip where umockdev is missing."""
    if missing():
        pytest.skip(missing())


@pytest.mark.parametrize("check", CHECKS)
def test_contract_on_libusb(check: str) -> None:
    """The port keeps this part of the contract on the real libusb."""
    failure = results(*CHECKS)[check]["failure"]
    assert failure is None, failure


def test_replug_on_libusb(seed: int) -> None:
    """Fifty times, found again by its serial number under another number of the kernel."""
    assert [] == replug_failures(TIMES, seed)


@pytest.mark.soak
def test_replug_on_libusb_soak(seed: int) -> None:
    """A thousand times."""
    assert [] == replug_failures(SOAK_TIMES, seed)
