"""The device's end of a cable: a pseudo-terminal for serial. For USB see `usb.cable`.

1. A cable is plugged or not, and in use by a host or not. It tells its `Listener` when a host begins to use it
   (`opened`), and when the host or the cable is gone (`closed`). These two come in turn. It also passes on what the
   host sends (`received`), and tells when a full transmit buffer has emptied again (`drained`).
2. `PtyCable` is a real pseudo-terminal in raw mode. Its name changes with each plug, as a kernel's does; the stable
   name is a symbolic link, put in place by a rename once the terminal is ready and removed before it goes.
3. Pulling the plug closes the master: the host sees a hang-up, and what it has not read is lost.
4. The device does not hold the slave open, so the master notices when the host closes it, as a device notices it
   through DTR. The host is there again with the first byte that it sends.
5. A master whose slave is closed is readable for ever, so readiness is taken from an edge-triggered epoll, itself
   watched by the event loop: one wakeup a change, none in between. After an edge everything is read and written until
   the kernel has no more.
6. What the kernel does not take waits in a backlog of at most what one `write` adds to `FULL`: above `FULL` the
   device is to produce nothing until `drained`. While the cable is paused nothing is read: the host's bytes stay in
   the kernel, whose buffer is bounded.
7. The host of a device that only speaks (`deaf`) sends nothing by which it could be noticed: such a cable is in use
   whenever it is plugged. What no host reads waits in the kernel, and goes when a host opens the line.

Not modelled: line rate, modem lines (a pseudo-terminal has none), framing errors, a name that stays while its device
is gone.
"""

import asyncio
import os
import select
import tty
from pathlib import Path
from typing import Protocol

# Above this many bytes in the backlog the device is to wait.
FULL = 65536
_CHUNK = 65536


class Listener(Protocol):
    """What hears of a cable: the device."""

    def opened(self) -> None:
        """Note that a host uses the cable."""

    def received(self, data: bytes) -> None:
        """Take what the host sent."""

    def closed(self) -> None:
        """Note that the host or the cable is gone."""

    def drained(self) -> None:
        """Go on after a full backlog."""


class Cable(Protocol):
    """The device's end of a cable, whatever its kind."""

    plugged: bool

    @property
    def full(self) -> bool:
        """Whether the device is to wait for `drained`."""

    def listen(self, listener: Listener) -> None:
        """Tell this listener from now on; to be called before the first plug."""

    def plug(self) -> None:
        """Connect the cable."""

    def unplug(self) -> None:
        """Pull the cable."""

    def write(self, data: bytes) -> None:
        """Send bytes to the host; lost where there is none."""

    def pause(self) -> None:
        """Take nothing from the host."""

    def resume(self) -> None:
        """Take bytes from the host again."""


class BufferedCable:
    """What every kind of cable has: a listener, and what waits to be sent."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._backlog = bytearray()
        self._paused = False
        self._listener: Listener
        self.plugged = False

    def listen(self, listener: Listener) -> None:
        """Tell this listener from now on; to be called before the first plug."""
        self._listener = listener

    @property
    def full(self) -> bool:
        """Whether the device is to wait for `drained`."""
        return len(self._backlog) > FULL

    def pause(self) -> None:
        """Take nothing from the host."""
        self._paused = True


class PtyCable(BufferedCable):
    """A serial cable: the master of a pseudo-terminal."""

    def __init__(self, link: Path, loop: asyncio.AbstractEventLoop, *, deaf: bool = False) -> None:
        super().__init__(loop)
        self._link = link
        self._deaf = deaf
        self._master = -1
        self._edges: select.epoll | None = None
        self._in_use = False

    def plug(self) -> None:
        """Make a terminal and point the stable name at it."""
        if self.plugged:
            return
        self._master, slave = os.openpty()
        tty.setraw(self._master)
        name = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self._edges = select.epoll()
        self._edges.register(self._master, select.EPOLLIN | select.EPOLLOUT | select.EPOLLET)
        self._loop.add_reader(self._edges.fileno(), self._ready)
        self.plugged = True
        fresh = self._link.with_name(f".{self._link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(name)
        fresh.replace(self._link)
        if self._deaf:
            self._in_use = True
            self._listener.opened()

    def unplug(self) -> None:
        """Close the terminal: the host sees a hang-up."""
        if not self.plugged or self._edges is None:
            return
        self.plugged = False
        self._link.unlink(missing_ok=True)
        self._loop.remove_reader(self._edges.fileno())
        self._edges.close()
        os.close(self._master)
        self._edges, self._master = None, -1
        self._leave()

    def write(self, data: bytes) -> None:
        """Send bytes to the host; lost where there is none."""
        if self._in_use:
            self._backlog += data
            self._flush()

    def resume(self) -> None:
        """Take bytes from the host again."""
        if self._paused:
            self._paused = False
            self._read()

    def _ready(self) -> None:
        """Use what the kernel has become ready for."""
        if self._edges is None:
            return
        self._edges.poll(0)
        if self._backlog:
            was_full = self.full
            self._flush()
            if was_full and not self.full:
                self._listener.drained()
        self._read()

    def _read(self) -> None:
        """Read until the kernel has no more; an error is a host that has gone."""
        while self.plugged and not self._paused:
            try:
                data = os.read(self._master, _CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                if not self._deaf:
                    self._leave()
                return
            if not self._in_use:
                self._in_use = True
                self._listener.opened()
            self._listener.received(data)

    def _flush(self) -> None:
        """Write until the kernel takes no more."""
        while self._backlog and self.plugged:
            try:
                written = os.write(self._master, self._backlog)
            except BlockingIOError:
                return
            except OSError:
                self._backlog.clear()
                return
            del self._backlog[:written]

    def _leave(self) -> None:
        """Note once that the host has gone."""
        self._backlog.clear()
        if self._in_use:
            self._in_use = False
            self._listener.closed()
