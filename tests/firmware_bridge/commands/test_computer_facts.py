"""What the computer tells of itself, and what it does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.commands.service.computer_facts import clock_synchronised, undervoltage, usb_resets

LOG = (
    "6,1,5,-;usb 1-1: new full-speed USB device number 2 using xhci_hcd\n"
    "6,2,6,-;usb 1-1.2: reset full-speed USB device number 2 using xhci_hcd\n"
    "3,3,7,-;usb 1-1: device descriptor read/64, error -71\n"
    "6,4,8,-;hub 1-0:1.0: USB hub found\n"
)


def test_the_clock_is_told_or_not() -> None:
    """Whatever this machine says, it is an answer."""
    assert clock_synchronised() in {True, False, None}


@pytest.mark.parametrize(("alarm", "expected"), [("0", False), ("1", True)])
def test_the_kernels_sensor_tells_the_voltage(tmp_path: Path, alarm: str, expected: bool) -> None:
    """Among other sensors, the one of the Raspberry Pi."""
    for name, sensor in (("hwmon0", "cpu_thermal"), ("hwmon1", "rpi_volt")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "name").write_text(f"{sensor}\n", encoding="ascii")
        (tmp_path / name / "in0_lcrit_alarm").write_text(f"{alarm}\n", encoding="ascii")
    assert expected is undervoltage(tmp_path)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("throttled=0x0", False),
        ("throttled=0x1", True),
        ("throttled=0x10000", True),
        ("throttled=0x4", False),
        ("?", None),
    ],
)
def test_the_firmwares_tool_tells_the_voltage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, expected: bool | None
) -> None:
    """Now or at any time since the start; what it says otherwise is not guessed at."""
    tool = tmp_path / "vcgencmd"
    tool.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="ascii")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert expected is undervoltage(tmp_path / "none")


def test_a_machine_without_either_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is no fault."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert None is undervoltage(tmp_path)


def test_resets_are_counted_in_the_kernels_log(tmp_path: Path) -> None:
    """A device that is new or found is none."""
    (tmp_path / "kmsg").write_text(LOG, encoding="ascii")
    assert (2, None) == (usb_resets(tmp_path / "kmsg"), usb_resets(tmp_path / "none"))
