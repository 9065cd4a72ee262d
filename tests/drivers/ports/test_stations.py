"""A station with the real driver on real ports: what happens around a session, on each kind of port."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from drivers.ports.port import WRITE_TIMEOUT
from drivers.shoe import CATALOGUE, Lock, Unlock
from drivers.station import LONGEST, REFUSED
from tests.drivers.ports.contract import threads_ended
from tests.drivers.ports.devices import Listener, ShoeOnRig, station_on
from tests.drivers.ports.rigs import Rig, SerialRig
from tests.drivers.ports.usb_double import UsbRig

pytestmark = pytest.mark.parametrize("kind", ["serial", "usb"])


def on_a_port(kind: str, folder: Path, test: Callable[[Rig], Awaitable[None]]) -> None:
    """Run a test on this kind of port."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        rig: Rig = SerialRig(folder, loop) if kind == "serial" else UsbRig(loop)
        try:
            await test(rig)
            await threads_ended(0)
        finally:
            rig.close()

    asyncio.run(run())


def test_cards_drawn_while_nobody_listened(kind: str, tmp_path: Path) -> None:
    """Cards that were drawn before the host came arrive when it is there, once and in order."""

    async def test(rig: Rig) -> None:
        shoe = ShoeOnRig(rig)
        shoe.draw(300)
        shoe.plug()
        listener = Listener()
        station = station_on(rig, listener)
        station.start()
        await listener.until(lambda: len(listener.numbers) >= 300)
        await listener.until(lambda: station.up)
        station.stop()
        assert list(range(1, 301)) == listener.numbers
        assert [] == listener.wrong

    on_a_port(kind, tmp_path, test)


def test_commands_arrive_once_in_order(kind: str, tmp_path: Path) -> None:
    """Commands reach the device, each once, in order."""

    async def test(rig: Rig) -> None:
        shoe = ShoeOnRig(rig)
        shoe.plug()
        listener = Listener()
        station = station_on(rig, listener)
        station.start()
        await listener.until(lambda: station.up)
        commands = [Lock(), Unlock(), Lock()]
        assert [True] * 3 == [station.send(command) for command in commands]
        taken = rig.taken

        def watch(data: bytes) -> None:
            taken(data)
            listener.changed()

        rig.taken = watch
        await listener.until(lambda: len(shoe.commands) >= 3)
        station.stop()
        assert [CATALOGUE.encode(command)[0] for command in commands] == [command.ident for command in shoe.commands]

    on_a_port(kind, tmp_path, test)


def test_foreign_device_then_ours(kind: str, tmp_path: Path) -> None:
    """A device without the key is refused again and again and told once; ours is up at the next try, within 2 s."""
    assert max(LONGEST, REFUSED) < 2.0

    async def test(rig: Rig) -> None:
        stranger = ShoeOnRig(rig, key=bytes(32))
        stranger.draw(5)
        stranger.plug()
        listener = Listener()
        station = station_on(rig, listener)
        station.start()
        await listener.until(lambda: listener.faults["foreign-device"] > 0)
        tries = station.stats.tries
        assert not station.up
        stranger.unplug()
        shoe = ShoeOnRig(rig)
        shoe.plug()
        shoe.draw(3)
        await listener.until(lambda: station.up)
        await listener.until(lambda: len(listener.numbers) >= 3)
        assert station.stats.tries > tries
        station.stop()
        assert [1, 2, 3] == listener.numbers
        assert 1 == listener.faults["foreign-device"]
        assert [] == listener.downs

    on_a_port(kind, tmp_path, test)


def test_stuck_device_does_not_freeze_the_loop(kind: str, tmp_path: Path) -> None:
    """A device that takes nothing is given up; the loop never waits for it, and the device comes back."""

    async def test(rig: Rig) -> None:
        loop = asyncio.get_running_loop()
        shoe = ShoeOnRig(rig)
        shoe.plug()
        listener = Listener()
        station = station_on(rig, listener)
        station.start()
        await listener.until(lambda: station.up)
        rig.stick(stuck=True)
        slowest = 0.0
        while not listener.downs:
            station.send(Lock())
            begun = loop.time()
            await asyncio.sleep(0.01)
            slowest = max(slowest, loop.time() - begun - 0.01)
        assert listener.downs[0].code in ("silent", "port-error", "withheld")
        assert slowest < WRITE_TIMEOUT
        shoe.draw(3)
        rig.stick(stuck=False)
        await listener.until(lambda: len(listener.numbers) >= 3)
        station.stop()
        assert [1, 2, 3] == listener.numbers

    on_a_port(kind, tmp_path, test)
