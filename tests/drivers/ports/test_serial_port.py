"""What only a serial line does: locks, the settings of the line, the last bytes before a failure."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import subprocess
import sys
import termios
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from drivers.faults import PORT_ERROR
from drivers.ports import PortError, opener, serial_port
from tests.drivers.ports.devices import Listener, ShoeOnRig, station_on
from tests.drivers.ports.rigs import Owner, SerialRig, descriptors

CARDS = 20_000
LINE_RATE = 115_200 / 10
"""Bytes a second on the line: eight bits, a start and a stop bit."""
TRY_TO_OPEN = """
import os, sys
os.setgid(65534), os.setuid(65534)
try:
    os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
except OSError as problem:
    sys.exit(problem.errno)
"""


def on_a_line(folder: Path, test: Callable[[SerialRig], Awaitable[None]]) -> None:
    """Run a test on a pseudo-terminal."""

    async def run() -> None:
        rig = SerialRig(folder, asyncio.get_running_loop())
        try:
            await test(rig)
        finally:
            rig.close()

    asyncio.run(run())


@pytest.mark.root
def test_settings_of_the_line(tmp_path: Path) -> None:
    """The line is raw, at its speed, and a read with nothing there is told from a hang-up (VMIN 1)."""

    async def test(rig: SerialRig) -> None:
        rig.plug()
        port = opener(f"serial:{rig.link}?baud=4800", asyncio.get_running_loop())()
        line = os.open(rig.link, os.O_RDWR | os.O_NOCTTY)
        _, output, _, local, _, speed, special = termios.tcgetattr(line)
        os.close(line)
        assert termios.B4800 == speed
        assert 0 == local & (termios.ICANON | termios.ECHO | termios.ISIG)
        assert 0 == output & termios.OPOST
        assert special[termios.VMIN] in (1, b"\x01")
        port.close()

    on_a_line(tmp_path, test)


def test_a_pseudo_terminal_is_opened_by_its_own_name_and_nothing_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only simulated devices may have is never given to a real line."""

    async def test(rig: SerialRig) -> None:
        rig.plug()
        open_port = opener(f"pty:{rig.link}", asyncio.get_running_loop())
        open_port().close()
        monkeypatch.setattr(serial_port, "PSEUDO", "nowhere")
        with pytest.raises(PortError, match="is no pseudo-terminal") as raised:
            open_port()
        assert PORT_ERROR == raised.value.fault.code
        opener(f"serial:{rig.link}", asyncio.get_running_loop())().close()

    on_a_line(tmp_path, test)


@pytest.mark.root
def test_exclusive_while_open_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a real line is open nobody else opens it, locks or not; after the close anybody may."""
    monkeypatch.setattr(serial_port, "PSEUDO", "nowhere")

    async def test(rig: SerialRig) -> None:
        rig.plug()
        path = rig.link.resolve()
        path.chmod(0o666)

        def tried() -> int:
            return subprocess.run([sys.executable, "-c", TRY_TO_OPEN, str(path)], check=False).returncode

        port = opener(f"serial:{rig.link}", asyncio.get_running_loop())()
        assert errno.EBUSY == tried()
        port.close()
        assert 0 == tried()

    on_a_line(tmp_path, test)


def test_locked_by_another(tmp_path: Path) -> None:
    """A line that another program has locked is port-busy, and no descriptor is left."""

    async def test(rig: SerialRig) -> None:
        rig.plug()
        other = os.open(rig.link, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(other, fcntl.LOCK_EX)
        before = descriptors()
        with pytest.raises(PortError) as caught:
            rig.opener()()
        assert "port-busy" == caught.value.fault.code
        os.close(other)
        assert before - 1 == descriptors()

    on_a_line(tmp_path, test)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOENT, "port-missing"),
        (errno.ENXIO, "port-missing"),
        (errno.EIO, "port-missing"),
        (errno.EBUSY, "port-busy"),
        (errno.EACCES, "port-error"),
    ],
)
def test_what_a_failure_to_open_means(tmp_path: Path, number: int, code: str) -> None:
    """Each answer of the system has its code, and says its own words."""

    async def test(rig: SerialRig) -> None:
        with patch("os.open", side_effect=OSError(number, "")), pytest.raises(PortError) as caught:
            rig.opener()()
        assert code == caught.value.fault.code
        assert os.strerror(number) in caught.value.fault.detail

    on_a_line(tmp_path, test)


def test_no_line_at_all(tmp_path: Path) -> None:
    """A file that is no line is a port-error, and no descriptor is left."""
    (tmp_path / "shoe").write_bytes(b"")

    async def test(rig: SerialRig) -> None:
        before = descriptors()
        with pytest.raises(PortError) as caught:
            rig.opener()()
        assert "port-error" == caught.value.fault.code
        assert before == descriptors()

    on_a_line(tmp_path, test)


@pytest.mark.parametrize("failure", [b"", OSError(errno.EIO, "")])
def test_empty_read_and_error_are_one_unplug(tmp_path: Path, failure: bytes | OSError) -> None:
    """A read that returns nothing and one that fails are both unplugged, once."""

    async def test(rig: SerialRig) -> None:
        rig.plug()
        owner = Owner(rig)
        owner.open(rig.opener())
        assert rig._ends is not None

        def read(_descriptor: int, _most: int) -> bytes:
            if isinstance(failure, OSError):
                raise failure
            return failure

        with patch("drivers.ports.serial_port.os.read", read):
            os.write(rig._ends[0], b"x")
            await owner.until(lambda: bool(owner.lost))
        assert ["unplugged"] == owner.codes()

    on_a_line(tmp_path, test)


def test_last_bytes_before_a_failed_write(tmp_path: Path) -> None:
    """When a write fails, what had come is read before the line is closed, and told before the loss."""

    async def test(rig: SerialRig) -> None:
        rig.plug()
        owner = Owner(rig)
        owner.open(rig.opener())
        assert rig._ends is not None
        os.write(rig._ends[0], b"the last card")
        with patch("drivers.ports.serial_port.os.write", side_effect=OSError(errno.EIO, "")):
            owner.write(b"x")
        assert [] == owner.lost
        await owner.until(lambda: bool(owner.lost))
        assert b"the last card" == owner.received
        assert ["unplugged"] == owner.codes()
        assert 0 == owner.late

    on_a_line(tmp_path, test)


def test_cards_faster_than_the_line(tmp_path: Path) -> None:
    """A shoe that sends card after card as fast as the line takes them, faster than a real one, loses none."""

    async def test(rig: SerialRig) -> None:
        shoe = ShoeOnRig(rig)
        listener = Listener()
        station = station_on(rig, listener)
        station.start()
        shoe.plug()
        await listener.until(lambda: station.up)
        begun = asyncio.get_running_loop().time()
        bytes_before = station.stats.bytes_in
        shoe.draw(CARDS)
        await listener.until(lambda: len(listener.numbers) >= CARDS)
        rate = (station.stats.bytes_in - bytes_before) / (asyncio.get_running_loop().time() - begun)
        station.stop()
        assert list(range(1, CARDS + 1)) == listener.numbers
        assert [] == listener.wrong
        # A duplicate is a card that the device sent again because the machine was busy for its 60 ms. Cards that the
        # line has no room for wait at the device, and come late.
        assert {"port-missing", "duplicate", "late"} >= set(listener.faults)
        assert rate > LINE_RATE

    on_a_line(tmp_path, test)
