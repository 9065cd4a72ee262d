"""The same contract and the same replugging on the real libusb, which umockdev gives a panel that is not there.

1. The GObject library of umockdev belongs to the Python of the system: libusb_rig.py runs there, once for all checks.
2. Where the packages are missing the tests are skipped by name; `tests/debian.sh` installs them for root.

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
    command = ["umockdev-wrapper", PYTHON, "-m", "tests.drivers.ports.libusb_rig", *names]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=800
    )
    lines: list[Result] = [json.loads(line) for line in done.stdout.splitlines()]
    ended: Result = {"failure": f"the program ended early, with {done.returncode}: {done.stderr}"}
    return dict.fromkeys(names, ended) | {line["name"] or "": line for line in lines}


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


def test_replug_on_libusb() -> None:
    """Fifty times, found again by its serial number under another number of the kernel."""
    failure = results(f"replug={TIMES}")[f"replug={TIMES}"]["failure"]
    assert failure is None, failure


@pytest.mark.soak
def test_replug_on_libusb_soak() -> None:
    """A thousand times."""
    failure = results(f"replug={SOAK_TIMES}")[f"replug={SOAK_TIMES}"]["failure"]
    assert failure is None, failure
