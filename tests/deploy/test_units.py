"""The unit file: what systemd says of it, how much of the system it leaves open, and what it must hold."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "deploy/systemd/truedeal.service"
START = "ExecStart=/usr/bin/truedeal"
MOST_EXPOSED = 20
"""Tenths of the exposure that systemd-analyze gives; 100 is everything."""

needs_analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")


def directives() -> dict[str, list[str]]:
    """Return the values of each directive, in their order."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@needs_analyze
def test_the_unit_is_verified_without_a_word(tmp_path: Path) -> None:
    """Unknown keys are only warned of, so any word is a failure; the program stands in for the one to be installed."""
    text = UNIT.read_text(encoding="utf-8")
    assert 1 == text.count(START)
    copy = tmp_path / UNIT.name
    copy.write_text(text.replace(START, f"ExecStart={shutil.which('true')}"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], check=False, capture_output=True, text=True)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@needs_analyze
def test_the_unit_leaves_little_open() -> None:
    """The exposure stays within 2.0 of 10."""
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager", str(UNIT)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "Overall exposure level" in done.stdout


@needs_analyze
def test_the_gate_of_the_exposure_closes(tmp_path: Path) -> None:
    """The same command refuses a unit without any of it."""
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n", encoding="utf-8")
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager", str(bare)]
    assert 0 != subprocess.run(command, check=False, capture_output=True).returncode


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Type", ["notify"]),
        ("NotifyAccess", ["main"]),
        ("Restart", ["always"]),
        ("StartLimitIntervalSec", ["0"]),
        ("User", ["truedeal"]),
        ("StateDirectory", ["truedeal"]),
        ("RuntimeDirectory", ["truedeal"]),
        ("DevicePolicy", ["closed"]),
    ],
)
def test_the_unit_says_what_the_daemon_relies_on(name: str, values: list[str]) -> None:
    """Ready by notification, restarted without limit, its own user and folders, devices by list."""
    assert values == directives()[name]


@pytest.mark.parametrize("name", ["PrivateDevices", "PrivateNetwork", "ProcSubset"])
def test_the_unit_does_not_hide_what_the_daemon_needs(name: str) -> None:
    """The devices, udev's news of them and the boot id stay visible, although closing them would look safer."""
    assert name not in directives()


def test_a_frozen_daemon_is_given_up_soon() -> None:
    """Watchdog and abort together stay well below the half minute in which a table would notice."""
    found = directives()
    seconds = [int(found[name][0].removesuffix("s")) for name in ("WatchdogSec", "TimeoutAbortSec")]
    assert sum(seconds) <= 15, json.dumps(seconds)
