"""The device's end of a cable: the port contract with the production ports opposite, and what a device hears."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from hal_sim.devices.serial_cable import FULL, PtyCable
from tests.drivers.ports.contract import CHECKS, threads_ended
from tests.drivers.ports.rigs import Owner, descriptors
from tests.hal_sim.devices.cable_rigs import CableRig, cable_rig
from tests.patience import PATIENCE


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("kind", ["serial", "usb"])
def test_contract(kind: str, check: str, tmp_path: Path) -> None:
    """A production port on this cable keeps the contract of ports; nothing is left behind."""

    async def run() -> None:
        with cable_rig(kind, tmp_path, asyncio.get_running_loop()) as rig:
            try:
                await CHECKS[check](rig)
                await threads_ended(0)
            finally:
                rig.close()

    before = descriptors()
    asyncio.run(run())
    assert before == descriptors()


@pytest.mark.parametrize("kind", ["serial", "usb"])
def test_the_device_hears_when_a_host_comes_and_goes(kind: str, tmp_path: Path) -> None:
    """`opened` and `closed` come in turn: a host that closes, and a cable that is pulled while a host is there."""

    async def run() -> list[str]:
        with cable_rig(kind, tmp_path, asyncio.get_running_loop()) as rig:
            rig.plug()
            open_port = rig.opener()
            first, second = Owner(rig), Owner(rig)
            for owner in (first, second):
                rig.taken = owner._taken
                owner.open(open_port)
                owner.write(b"hello")
                await owner.until(lambda owner=owner: b"hello" == owner.taken)  # type: ignore[misc]
                if owner is first:
                    owner.close()
                    await rig.until(lambda: "closed" in rig.calls)
            rig.unplug()
            await second.until(lambda: bool(second.lost))
            await threads_ended(0)
            await rig.until(lambda: 2 == rig.calls.count("closed"))
            return rig.calls

    assert ["opened", "closed", "opened", "closed"] == asyncio.run(run())


def test_a_host_that_does_not_read_fills_a_bounded_backlog(tmp_path: Path) -> None:
    """What the host does not read waits up to a bound that the device is told of; when it reads, all comes in order."""
    data = bytes(range(256)) * 4
    got = bytearray()

    async def run() -> tuple[int, list[str]]:
        loop = asyncio.get_running_loop()
        rig = CableRig("serial", tmp_path, loop)
        rig.plug()
        slave = os.open(tmp_path / "shoe", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        os.write(slave, b"x")
        await rig.until(lambda: bool(rig.calls))
        written = 0
        while not rig.cable.full:
            rig.cable.write(data)
            written += len(data)
        assert isinstance(rig.cable, PtyCable)
        assert FULL + len(data) >= len(rig.cable._backlog)
        done = loop.create_future()

        def readable() -> None:
            got.extend(os.read(slave, 65536))
            if len(got) == written:
                done.set_result(None)

        loop.add_reader(slave, readable)
        await asyncio.wait_for(done, PATIENCE)
        loop.remove_reader(slave)
        os.close(slave)
        rig.close()
        return written, rig.calls

    written, calls = asyncio.run(run())
    assert written // len(data) * data == bytes(got)
    assert ["opened", "drained", "closed"] == calls


def test_an_idle_line_wakes_nobody(tmp_path: Path) -> None:
    """A terminal whose host has gone is readable for ever, yet the device is called once for it."""

    async def run() -> int:
        loop = asyncio.get_running_loop()
        rig = CableRig("serial", tmp_path, loop)
        rig.plug()
        calls = 0
        assert isinstance(rig.cable, PtyCable)
        ready = rig.cable._ready

        def counted() -> None:
            nonlocal calls
            calls += 1
            ready()

        assert rig.cable._edges is not None
        loop.add_reader(rig.cable._edges.fileno(), counted)
        slave = os.open(tmp_path / "shoe", os.O_RDWR | os.O_NOCTTY)
        os.write(slave, b"x")
        os.close(slave)
        # Each turn of the loop looks at every descriptor: one that is ready for ever would be called each time.
        for _ in range(1000):
            await asyncio.sleep(0)
        rig.close()
        return calls

    assert 3 >= asyncio.run(run())


def test_the_stable_name_points_at_the_terminal_of_this_plug(tmp_path: Path) -> None:
    """The link is there while the cable is plugged, and only then."""

    async def run() -> list[bool]:
        rig = CableRig("serial", tmp_path, asyncio.get_running_loop())
        link = tmp_path / "shoe"
        seen = []
        for _ in range(3):
            rig.plug()
            seen.append(link.is_symlink() and link.exists() and link.resolve().is_relative_to("/dev/pts"))
            rig.unplug()
            seen.append(link.is_symlink())
        return seen

    assert [True, False] * 3 == asyncio.run(run())
