"""The unit files: what systemd says of them, how much of the system they leave open, and what they must hold."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

NAMES = ("truedeal", "truedeal-console", "truedeal-anchor")
DAEMON, CONSOLE, ANCHOR = UNITS = [ROOT / f"deploy/systemd/{name}.service" for name in NAMES]
START = "ExecStart=/usr/bin/truedeal"
MOST_EXPOSED = 20
"""Tenths of the exposure that systemd-analyze gives; 100 is everything."""

needs_analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
each_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)


def directives(unit: Path) -> dict[str, list[str]]:
    """Return the values of each directive, in their order."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@needs_analyze
def test_the_units_are_verified_without_a_word(tmp_path: Path) -> None:
    """Unknown keys are only warned of, so any word is a failure; the program stands in for the one to be installed."""
    copies = [tmp_path / unit.name for unit in UNITS]
    for unit, copy in zip(UNITS, copies, strict=True):
        text = unit.read_text(encoding="utf-8")
        assert 1 == text.count(START)
        copy.write_text(text.replace(START, f"ExecStart={shutil.which('true')}"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *copies], check=False, capture_output=True, text=True
    )
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@needs_analyze
@each_unit
def test_a_unit_leaves_little_open(unit: Path) -> None:
    """The exposure stays within 2.0 of 10."""
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager", str(unit)]
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


@pytest.mark.parametrize("unit", [DAEMON, CONSOLE], ids=lambda unit: unit.stem)
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Type", ["notify"]),
        ("NotifyAccess", ["main"]),
        ("Restart", ["always"]),
        ("StartLimitIntervalSec", ["0"]),
        ("ConditionPathExists", ["/etc/truedeal/table.toml"]),
        ("WantedBy", ["multi-user.target"]),
    ],
)
def test_a_unit_says_what_both_rely_on(unit: Path, name: str, values: list[str]) -> None:
    """Ready by notification, restarted without limit, and started with the box once there is a configuration."""
    assert values == directives(unit)[name]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("User", ["truedeal"]),
        ("Group", ["truedeal-audit"]),
        ("SupplementaryGroups", ["truedeal truedeal-control truedeal-devices"]),
        ("StateDirectory", ["truedeal"]),
        ("RuntimeDirectory", ["truedeal"]),
        ("DevicePolicy", ["closed"]),
    ],
)
def test_the_unit_says_what_the_daemon_relies_on(name: str, values: list[str]) -> None:
    """Its own user and folders, devices by list."""
    assert values == directives(DAEMON)[name]


@pytest.mark.parametrize("name", ["PrivateDevices", "PrivateNetwork", "PrivateUsers", "ProcSubset"])
def test_the_unit_does_not_hide_what_the_daemon_needs(name: str) -> None:
    """The devices, udev's news of them, the boot id and who connects stay visible, although closing looks safer."""
    assert name not in directives(DAEMON)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("DynamicUser", ["yes"]),
        ("SupplementaryGroups", ["truedeal truedeal-control truedeal-audit"]),
        ("InaccessiblePaths", ["-/etc/truedeal"]),
        ("ProtectSystem", ["strict"]),
        ("IPAddressDeny", ["any"]),
        ("IPAddressAllow", ["localhost"]),
        ("Wants", ["truedeal.service"]),
    ],
)
def test_the_unit_of_the_console_keeps_it_apart(name: str, values: list[str]) -> None:
    """A user without any right to write, no sight of the keys, this computer alone, and no tie to the daemon's life."""
    assert values == directives(CONSOLE)[name]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("User", ["truedeal-anchor"]),
        ("SupplementaryGroups", ["truedeal truedeal-audit"]),
        ("ConditionPathExists", ["/etc/truedeal/anchors.toml"]),
        ("InaccessiblePaths", ["-/etc/truedeal/table.toml -/etc/truedeal/makers -/var/lib/truedeal/keys"]),
        ("ReadWritePaths", ["-/media -/mnt -/srv"]),
        ("Restart", ["always"]),
        ("StartLimitIntervalSec", ["0"]),
        ("WantedBy", ["multi-user.target"]),
    ],
)
def test_the_unit_of_the_anchor_sees_no_key(name: str, values: list[str]) -> None:
    """It reaches the network: so it reads the published head, writes to what is mounted, and that is all."""
    assert values == directives(ANCHOR)[name]


def test_the_console_gives_way_to_the_daemon() -> None:
    """It gets the processor and the disk after the daemon, and memory is taken from it first."""
    daemon, console = directives(DAEMON), directives(CONSOLE)
    for name in ("Nice", "OOMScoreAdjust"):
        assert int(daemon[name][0]) < int(console[name][0])
    assert "CPUSchedulingPolicy" not in console
    assert set() == {"Requires", "BindsTo", "PartOf", "ReadWritePaths", "StateDirectory", "User"} & console.keys()


def test_a_frozen_daemon_is_given_up_soon() -> None:
    """Watchdog and abort together stay well below the half minute in which a table would notice."""
    found = directives(DAEMON)
    seconds = [int(found[name][0].removesuffix("s")) for name in ("WatchdogSec", "TimeoutAbortSec")]
    assert sum(seconds) <= 15, json.dumps(seconds)
