"""One contract for every port: a serial line on a pseudo-terminal, a USB device behind the real pyusb."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.drivers.ports.contract import CHECKS, threads_ended
from tests.drivers.ports.rigs import Rig, SerialRig, descriptors
from tests.drivers.ports.usb_double import UsbRig


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("kind", ["serial", "usb"])
def test_contract(kind: str, check: str, tmp_path: Path) -> None:
    """The port keeps this part of the contract, and leaves no descriptor and no thread behind."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        rig: Rig = SerialRig(tmp_path, loop) if kind == "serial" else UsbRig(loop)
        try:
            await CHECKS[check](rig)
            await threads_ended(0)
        finally:
            rig.close()
        if isinstance(rig, UsbRig):
            assert set() == rig.bus.handles

    before = descriptors()
    asyncio.run(run(), debug=False)
    assert before == descriptors()
