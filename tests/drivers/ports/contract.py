"""What every port does, whatever is behind it: the contract as checks, each takes a rig with nothing plugged in.

1. The checks know neither pytest nor the kind of port: the same ones run inside umockdev, where another Python runs.
2. Nothing waits for a time to pass: a check waits for what must come, with much patience.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable
from unittest.mock import patch

from tests.drivers.ports.rigs import Owner, Rig, descriptors
from tests.patience import PATIENCE

Check = Callable[[Rig], Awaitable[None]]


def short_patience(seconds: float) -> list[object]:
    """Let ports give up a stuck device sooner."""
    return [patch(f"drivers.ports.{file}.WRITE_TIMEOUT", seconds) for file in ("serial_port", "usb_port")]


async def threads_ended(before: int) -> None:
    """Wait until no more threads run than before."""
    async with asyncio.timeout(PATIENCE):
        for thread in threading.enumerate():
            if thread is not threading.main_thread() and thread.name.startswith("usb:"):
                await asyncio.to_thread(thread.join)
    assert before >= sum(thread.name.startswith("usb:") for thread in threading.enumerate())


async def descriptors_back(before: int) -> None:
    """Wait until as few descriptors are open as before: the other end closes its own in its own time."""
    async with asyncio.timeout(PATIENCE):
        while descriptors() > before:  # noqa: ASYNC110  a process is told of no descriptor that closes
            await asyncio.sleep(0.01)
    assert before == descriptors()


async def both_ways(rig: Rig) -> None:
    """A long transfer each way, at the same time, arrives whole and in order."""
    chance = random.Random(rig.bulk)
    down, up = chance.randbytes(rig.bulk), chance.randbytes(rig.bulk)
    rig.plug()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"first")
    await owner.until(lambda: b"first" == owner.taken)
    owner.taken.clear()
    rig.send(up)
    for at in range(0, len(down), 10_000):
        owner.write(down[at : at + 10_000])
        await owner.until(lambda end=at + 10_000: len(owner.taken) >= min(end, len(down)))  # type: ignore[misc]
    await owner.until(lambda: len(owner.received) >= len(up))
    assert up == owner.received
    assert down == owner.taken
    assert [] == owner.lost
    owner.close()


async def not_there(rig: Rig) -> None:
    """A device that is not plugged in is port-missing, told once."""
    owner = Owner(rig)
    owner.open(rig.opener())
    await owner.until(lambda: bool(owner.lost))
    assert ["port-missing"] == owner.codes()


async def unplugged(rig: Rig) -> None:
    """Pulling the device out is unplugged, told once, after all that came before it."""
    rig.plug()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    rig.send(b"card")
    await owner.until(lambda: b"card" == owner.received)
    rig.unplug()
    await owner.until(lambda: bool(owner.lost))
    owner.write(b"nobody hears this")
    owner.close()
    owner.close()
    await asyncio.sleep(0)
    assert ["unplugged"] == owner.codes()
    assert 0 == owner.late


async def unplugged_while_writing(rig: Rig) -> None:
    """A device that is pulled out while it is written to is lost once."""
    rig.plug()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    rig.stick(stuck=True)
    owner.write(bytes(60_000))
    rig.unplug()
    owner.write(b"more")
    await owner.until(lambda: bool(owner.lost))
    assert ["unplugged"] == owner.codes()


async def closed_is_closed(rig: Rig) -> None:
    """After the close nothing is told any more, a write does nothing and no descriptor is left."""
    rig.plug()
    before = descriptors()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    rig.send(b"card")
    owner.close()
    owner.close()
    owner.write(b"late")
    heard = bytes(owner.received)
    await threads_ended(0)
    await descriptors_back(before)
    rig.unplug()
    await asyncio.sleep(0)
    assert heard == owner.received
    assert [] == owner.lost
    assert b"hello" == owner.taken


async def closed_before_start(rig: Rig) -> None:
    """A port may be closed before it is started."""
    rig.plug()
    before = descriptors()
    port = rig.opener()()
    port.close()
    await threads_ended(0)
    await descriptors_back(before)


async def reopened(rig: Rig) -> None:
    """The same opener opens again at once after a close, and the port works."""
    rig.plug()
    open_port = rig.opener()
    for turn in range(3):
        owner = Owner(rig)
        owner.open(open_port)
        text = f"turn {turn}".encode()
        owner.write(text)
        await owner.until(lambda owner=owner, text=text: text == owner.taken)  # type: ignore[misc]
        assert [] == owner.lost
        owner.close()


async def renamed(rig: Rig) -> None:
    """A device that comes back under another name of the kernel is found by its stable one."""
    open_port = rig.opener()
    for turn in range(3):
        rig.plug()
        owner = Owner(rig)
        owner.open(open_port)
        text = f"turn {turn}".encode()
        owner.write(text)
        await owner.until(lambda owner=owner, text=text: text == owner.taken)  # type: ignore[misc]
        rig.unplug()
        await owner.until(lambda owner=owner: bool(owner.lost))  # type: ignore[misc]
        assert ["unplugged"] == owner.codes()


async def busy(rig: Rig) -> None:
    """A second one that opens the same device is told port-busy; the first works on."""
    rig.plug()
    first = Owner(rig)
    first.open(rig.opener())
    first.write(b"mine")
    await first.until(lambda: b"mine" == first.taken)
    second = Owner(rig)
    second.open(rig.opener())
    await second.until(lambda: bool(second.lost))
    assert ["port-busy"] == second.codes()
    rig.send(b"card")
    await first.until(lambda: b"card" == first.received)
    assert [] == first.lost
    first.close()


async def prompt(rig: Rig) -> None:
    """Nothing that waits for the device to speak holds up a write, or a close."""
    with patch("drivers.ports.usb_port.READ_MS", 1_000_000):
        rig.plug()
        owner = Owner(rig)
        owner.open(rig.opener())
        for turn in range(1, 6):
            owner.write(b"hello")
            await owner.until(lambda turn=turn: 5 * turn == len(owner.taken))  # type: ignore[misc]
        rig.send(b"card")
        await owner.until(lambda: b"card" == owner.received)
        owner.write(b"hello")
        await owner.until(lambda: 30 == len(owner.taken))
        owner.close()
        await threads_ended(0)
    assert [] == owner.lost


async def stuck(rig: Rig) -> None:
    """A device that takes nothing never holds up the loop, is still heard, and is given up in the end."""
    rig.plug()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    rig.stick(stuck=True)
    for timeout in short_patience(1.0):
        timeout.start()  # type: ignore[attr-defined]
    try:
        owner.write(bytes(60_000))
        rig.send(b"card")
        await owner.until(lambda: b"card" == owner.received)
        assert [] == owner.lost
        await owner.until(lambda: bool(owner.lost))
    finally:
        patch.stopall()
    assert ["port-error"] == owner.codes()


async def unstuck(rig: Rig) -> None:
    """What a device did not take for a while, it takes later, whole and in order."""
    data = random.Random(7).randbytes(60_000)
    rig.plug()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    rig.stick(stuck=True)
    for at in range(0, len(data), 1_000):
        owner.write(data[at : at + 1_000])
    rig.send(b"card")
    await owner.until(lambda: b"card" == owner.received)
    rig.stick(stuck=False)
    await owner.until(lambda: len(owner.taken) >= 5 + len(data))
    assert b"hello" + data == owner.taken
    assert [] == owner.lost
    owner.close()


async def overflow(rig: Rig) -> None:
    """More than the queue holds is the fault overflow, and the device is let go."""
    rig.plug()
    before = descriptors()
    owner = Owner(rig)
    owner.open(rig.opener())
    owner.write(b"hello")
    await owner.until(lambda: b"hello" == owner.taken)
    rig.stick(stuck=True)
    for _ in range(200):
        owner.write(bytes(1_000))
    assert [] == owner.lost
    await owner.until(lambda: bool(owner.lost))
    assert ["overflow"] == owner.codes()
    await threads_ended(0)
    await descriptors_back(before)


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        both_ways,
        not_there,
        unplugged,
        unplugged_while_writing,
        closed_is_closed,
        closed_before_start,
        reopened,
        renamed,
        busy,
        prompt,
        stuck,
        unstuck,
        overflow,
    )
}
