"""What only USB does: finding by serial number, the kernel's driver, halts, stale devices, the thread."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import Awaitable, Callable
from unittest.mock import patch

import pytest
import usb.core

from drivers.ports.port import BACKLOG
from drivers.ports.usb_port import MOST
from tests.drivers.ports.contract import threads_ended
from tests.drivers.ports.rigs import Owner
from tests.drivers.ports.usb_double import PACKET, Panel, UsbRig, error
from tests.patience import PATIENCE, eventually_on_loop

WITHOUT_SERIAL = "usb:1209:ca5e"
READ_MS = 50
"""How long a read waits here: what the bus does to a read it does to the next one."""


def on_a_bus(test: Callable[[UsbRig], Awaitable[None]], address: str = "usb:1209:ca5e:T0001") -> None:
    """Run a test on a bus; at its end no handle is open and no thread runs."""

    async def run() -> None:
        rig = UsbRig(asyncio.get_running_loop(), address)
        try:
            await test(rig)
            await threads_ended(0)
        finally:
            rig.close()
        assert set() == rig.bus.handles

    with patch("drivers.ports.usb_port.READ_MS", READ_MS):
        asyncio.run(run())


async def opened(rig: UsbRig) -> Owner:
    """Return the owner of an open port."""
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    return owner


async def failed(rig: UsbRig) -> Owner:
    """Return the owner of a port that could not be opened."""
    owner = Owner(rig)
    owner.open(rig.opener())
    await owner.until(lambda: bool(owner.lost))
    return owner


def test_by_serial_number() -> None:
    """Of two devices of the same name the one with the serial number is taken, the other is let go untouched."""

    async def test(rig: UsbRig) -> None:
        other = Panel(3, "T0002")
        rig.bus.listed.append(other)
        rig.plug()
        owner = await opened(rig)
        assert None is other.holder
        assert 0 == other.configuration
        assert other.kernel_driver
        assert 1 == len(rig.bus.handles)
        owner.close()

    on_a_bus(test)


def test_another_serial_number() -> None:
    """A device of the name with another serial number is not the device."""

    async def test(rig: UsbRig) -> None:
        rig.bus.listed.append(Panel(3, "T0002"))
        assert ["port-missing"] == (await failed(rig)).codes()

    on_a_bus(test)


def test_configured_detached_claimed_and_let_go() -> None:
    """A fresh device is configured, taken from the kernel's driver and claimed; at the end it is let go."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        steps = ("set_configuration", "detach", "claim")
        assert list(steps) == [call for call in rig.bus.calls if call in steps]
        owner.close()
        await threads_ended(0)
        assert ["release", "close"] == rig.bus.calls[-2:]

    on_a_bus(test)


@pytest.mark.parametrize(
    ("call", "number", "code"),
    [
        ("open", errno.EACCES, "port-error"),
        ("open", errno.ENODEV, "port-missing"),
        ("claim", errno.EBUSY, "port-busy"),
        ("claim", errno.ENODEV, "port-missing"),
        ("detach", errno.ENODEV, "port-missing"),
        ("control", errno.ENODEV, "port-error"),
    ],
)
def test_what_a_failure_to_open_means(call: str, number: int, code: str) -> None:
    """Each answer has its code, and nothing stays open."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        rig.bus.troubles.append((call, error(number)))
        assert [code] == (await failed(rig)).codes()

    on_a_bus(test)


@pytest.mark.parametrize("address", ["usb:1209:ca5e:T0001", WITHOUT_SERIAL])
def test_stale_device(address: str) -> None:
    """A device that has gone but is still listed is passed over for the one that is there."""

    async def test(rig: UsbRig) -> None:
        gone = Panel(3)
        gone.plugged = False
        rig.bus.listed.append(gone)
        rig.plug()
        owner = await opened(rig)
        owner.close()

    on_a_bus(test, address)


@pytest.mark.parametrize(("call", "endpoint"), [("read", "0x81"), ("write", "0x01")])
def test_halt_is_cleared(call: str, endpoint: str) -> None:
    """A halted endpoint is cleared, and no byte is lost or doubled."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        rig.bus.troubles += [(call, error(errno.EPIPE))] * 2
        owner.write(b" again")
        # A read that waits already would bring the card before a halt.
        await eventually_on_loop(lambda: [] == rig.bus.troubles)
        rig.send(b"card")
        await owner.until(lambda: b"card" == owner.received and b"hello again" == owner.taken)
        assert 2 == rig.bus.calls.count(f"clear_halt {endpoint}")
        assert [] == owner.lost
        owner.close()

    on_a_bus(test)


@pytest.mark.parametrize("call", ["read", "write"])
def test_halted_for_good(call: str) -> None:
    """An endpoint that halts again and again is a port-error."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        rig.bus.troubles += [(call, error(errno.EPIPE))] * 4
        owner.write(b"x")
        await owner.until(lambda: bool(owner.lost))
        assert ["port-error"] == owner.codes()

    on_a_bus(test)


@pytest.mark.parametrize("number", [errno.ENODEV, errno.EIO])
@pytest.mark.parametrize("call", ["read", "write"])
def test_gone(call: str, number: int) -> None:
    """What the kernel says when a device goes is unplugged, in a read and in a write."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        rig.bus.troubles.append((call, error(number)))
        owner.write(b"x")
        await owner.until(lambda: bool(owner.lost))
        assert ["unplugged"] == owner.codes()

    on_a_bus(test)


def test_without_libusb(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without libusb says so."""

    def find(**_: object) -> None:
        raise usb.core.NoBackendError("No backend available")

    async def test(rig: UsbRig) -> None:
        monkeypatch.setattr(usb.core, "find", find)
        owner = await failed(rig)
        assert ["port-error"] == owner.codes()
        assert "libusb is not installed" in owner.lost[0].detail

    on_a_bus(test)


def test_slow_loop_holds_the_device_back() -> None:
    """While the loop does not take what came, the thread stops reading; then everything comes, in order."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        data = bytes(range(256)) * 1_000
        assert rig.panel is not None
        panel = rig.panel
        rig.send(data)
        # The loop stands still here. One packet more than the buffer holds is in the thread's hand.
        left = (len(data) - BACKLOG) // PACKET - 1
        with panel.changed:
            assert panel.changed.wait_for(lambda: len(panel.packets) <= left, PATIENCE)
            assert not panel.changed.wait_for(lambda: len(panel.packets) < left, 0.1)
        await owner.until(lambda: len(owner.received) >= len(data))
        assert data == owner.received
        owner.close()

    on_a_bus(test)


def test_what_is_written_in_one_turn_goes_together() -> None:
    """Small pieces share their packets, and the owner never waits for the device."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        before = rig.bus.written
        for piece in (b"ack", b"lamp", b"text"):
            owner.write(piece)
        assert before == rig.bus.written
        await owner.until(lambda: b"helloacklamptext" == owner.taken)
        assert 1 == rig.bus.written - before
        owner.close()

    on_a_bus(test)


def test_a_device_that_takes_nothing_is_left_alone_ever_longer() -> None:
    """The loop waits for it a few milliseconds at a time, and soon hardly at all."""

    async def test(rig: UsbRig) -> None:
        rig.plug()
        owner = await opened(rig)
        rig.stick(stuck=True)
        before, begun = rig.bus.tried, time.monotonic()
        owner.write(b"x")
        await owner.until(lambda: bool(owner.lost))
        took = time.monotonic() - begun
        assert ["port-error"] == owner.codes()
        assert rig.bus.tried - before <= 5 + took / MOST

    on_a_bus(test)


def test_one_thread_while_open() -> None:
    """An open port has one thread, named after its device; a closed one has none."""

    async def test(rig: UsbRig) -> None:
        before = threading.active_count()
        rig.plug()
        owner = await opened(rig)
        assert [rig.address] == [thread.name for thread in threading.enumerate() if thread.name.startswith("usb:")]
        owner.close()
        await threads_ended(0)
        assert before >= threading.active_count() - 1

    on_a_bus(test)


def test_loop_closed_under_the_port() -> None:
    """A port that nobody closed ends with its loop, so that the program can end."""
    rig: UsbRig | None = None

    async def run() -> None:
        nonlocal rig
        rig = UsbRig(asyncio.get_running_loop())
        rig.plug()
        await opened(rig)

    asyncio.run(run())
    for thread in threading.enumerate():
        if thread.name.startswith("usb:"):
            thread.join(10)
            assert not thread.is_alive()
    assert rig is not None
    assert set() == rig.bus.handles
