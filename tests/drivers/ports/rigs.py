"""The other end of a port: a device in a test, and the hand that plugs and unplugs it.

1. A rig runs on the event loop of the test. `taken` is called there with what the host has written.
2. `plug` gives the device another name in the kernel each time, as a real replug may.
3. Nothing here knows frames: a rig carries bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from drivers.faults import Fault
from drivers.ports import Port, PortError, opener
from tests.patience import PATIENCE


class Rig(Protocol):
    """One kind of port, from the device's side."""

    bulk: int
    """How many bytes make a long transfer."""
    taken: Callable[[bytes], None]

    def opener(self) -> Callable[[], Port]:
        """Return what opens the host's end."""

    def plug(self) -> None:
        """Plug the device in."""

    def unplug(self) -> None:
        """Pull it out."""

    def send(self, data: bytes) -> None:
        """Send to the host, in order."""

    def stick(self, stuck: bool) -> None:
        """Let the device take nothing, or take again."""

    def close(self) -> None:
        """Pull the device out and leave nothing behind."""


def ignore(_data: bytes) -> None:
    """Take bytes that nobody asks for."""


class SerialRig:
    """A pseudo-terminal behind a stable link."""

    bulk = 1_000_000

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.link = folder / "shoe"
        self.taken: Callable[[bytes], None] = ignore
        self._loop = loop
        self._ends: tuple[int, int] | None = None
        self._spare: list[int] = []
        self._queue = bytearray()

    def opener(self) -> Callable[[], Port]:
        """Return what opens the link."""
        return opener(f"serial:{self.link}", self._loop)

    def plug(self) -> None:
        """Make a new pseudo-terminal, of another number than the last, and point the link at it."""
        master, slave = os.openpty()
        for descriptor in self._spare:
            os.close(descriptor)
        self._spare = []
        tty.setraw(master)
        os.set_blocking(master, False)
        self._ends = master, slave
        self._queue.clear()
        fresh = self.link.with_suffix(".new")
        fresh.symlink_to(os.ttyname(slave))
        fresh.replace(self.link)
        self._loop.add_reader(master, self._readable, master)

    def unplug(self) -> None:
        """Hang up; the number is kept from being given out again at once."""
        if self._ends is None:
            return
        master, slave = self._ends
        self._ends = None
        self._loop.remove_reader(master)
        self._loop.remove_writer(master)
        self._spare = list(os.openpty())
        os.close(slave)
        os.close(master)
        self.link.unlink(missing_ok=True)

    def send(self, data: bytes) -> None:
        """Write to the line, now or when it takes more."""
        if self._ends is None:
            return
        if not self._queue:
            self._loop.add_writer(self._ends[0], self._writable, self._ends[0])
        self._queue += data

    def stick(self, stuck: bool) -> None:
        """Stop reading, or read again."""
        assert self._ends is not None
        if stuck:
            self._loop.remove_reader(self._ends[0])
        else:
            self._loop.add_reader(self._ends[0], self._readable, self._ends[0])

    def close(self) -> None:
        """Hang up and leave nothing behind."""
        self.unplug()
        for descriptor in self._spare:
            os.close(descriptor)
        self._spare = []

    def _readable(self, master: int) -> None:
        with contextlib.suppress(BlockingIOError):
            self.taken(os.read(master, 65_536))

    def _writable(self, master: int) -> None:
        with contextlib.suppress(BlockingIOError):
            del self._queue[: os.write(master, self._queue)]
        if not self._queue:
            self._loop.remove_writer(master)


class Waiter:
    """Waits on the loop until something is so; `changed` is called by whatever may have made it so."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def changed(self) -> None:
        """Look again."""
        self._event.set()

    async def until(self, so: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Return when it is so."""
        async with asyncio.timeout(patience):
            while not so():
                self._event.clear()
                await self._event.wait()


class Owner(Waiter):
    """The owner of a port: what it received, how it was lost, what the device took."""

    def __init__(self, rig: Rig) -> None:
        super().__init__()
        self.received = bytearray()
        self.taken = bytearray()
        self.lost: list[Fault] = []
        self.late = 0
        self.port: Port | None = None
        rig.taken = self._taken

    def open(self, open_port: Callable[[], Port]) -> None:
        """Open and start; a port that is not there counts as lost."""
        try:
            self.port = open_port()
        except PortError as problem:
            self._lost(problem.fault)
        else:
            self.port.start(self._received, self._lost)

    def write(self, data: bytes) -> None:
        """Write to the port."""
        assert self.port is not None
        self.port.write(data)

    def close(self) -> None:
        """Close the port."""
        if self.port is not None:
            self.port.close()

    def codes(self) -> list[str]:
        """Return the codes with which the port was lost."""
        return [fault.code for fault in self.lost]

    def _received(self, data: bytes) -> None:
        self.late += bool(self.lost)
        self.received += data
        self.changed()

    def _lost(self, fault: Fault) -> None:
        self.lost.append(fault)
        self.changed()

    def _taken(self, data: bytes) -> None:
        self.taken += data
        self.changed()


def descriptors() -> int:
    """Return how many descriptors this process has open, but sockets: no port has one, and umockdev keeps its own."""
    gc.collect()
    found = 0
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # the one with which the folder is read
            found += not str(path.readlink()).startswith("socket:")
    return found


def memory() -> int:
    """Return how many bytes of this process are in memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
