"""Unplug and replug at any time: nothing lost, nothing doubled, back within two seconds, nothing left behind.

TRUEDEAL_REPLUGS is how often each device is unplugged: 50 times, with soak 1,000.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.drivers.ports.replugging import Figures, replug
from tests.drivers.ports.rigs import Rig, SerialRig
from tests.drivers.ports.usb_double import UsbRig

TIMES = int(os.environ.get("TRUEDEAL_REPLUGS", "50"))
SOAK_TIMES = int(os.environ.get("TRUEDEAL_REPLUGS", "1000"))


def run(kind: str, folder: Path, times: int, seed: int) -> Figures:
    """Unplug and replug on this kind of port."""

    async def turns() -> Figures:
        loop = asyncio.get_running_loop()
        rig: Rig = SerialRig(folder, loop) if kind == "serial" else UsbRig(loop)
        try:
            return await replug(rig, times, seed)
        finally:
            rig.close()

    return asyncio.run(turns())


@pytest.mark.parametrize("kind", ["serial", "usb"])
def test_replug(kind: str, tmp_path: Path, seed: int) -> None:
    """Fifty times."""
    run(kind, tmp_path, TIMES, seed)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["serial", "usb"])
def test_replug_soak(kind: str, tmp_path: Path, seed: int) -> None:
    """A thousand times."""
    run(kind, tmp_path, SOAK_TIMES, seed)
