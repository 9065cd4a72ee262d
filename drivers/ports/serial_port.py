"""A serial line: the one file that knows pyserial.

1. pyserial opens the line: raw, 8N1, locked (flock), and nothing of it may block (both time-outs are 0). TIOCEXCL is
   also set, for programs that do not look at locks, and cleared at the close. It is not set on a pseudo-terminal, which
   would keep the mark of a program that was killed: only root could open it again. An address that says `pty:` opens
   nothing but a pseudo-terminal.
2. VMIN is 1 (`inter_byte_timeout=0`). With pyserial's own 0, a read with nothing there returns b"" and could not be
   told from a hang-up; with 1 it is BlockingIOError, and b"" means that the other end has gone.
3. The event loop says when there is something to read. Then it is read until a read comes back short, at most
   `READS` times, because what is unread at a hang-up is lost. Nothing polls.
4. A hang-up, an empty read and an OSError mean the same: `unplugged`. Before the close, what is there is read.
5. A write goes to the system at once. What it does not take waits in a bounded queue until the loop says that the line
   takes more; a timer that exists only while something waits ends a line that takes nothing.
6. The output that the device has not taken is discarded at the close: a close that waited for it would stop the loop
   for up to half a minute. `flush` would wait too and is never called.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import termios
from collections.abc import Callable

import serial

from drivers.faults import OVERFLOW, PORT_BUSY, PORT_ERROR, PORT_MISSING, UNPLUGGED, Fault
from drivers.ports.address import SerialAddress
from drivers.ports.port import BACKLOG, WRITE_TIMEOUT, PortError

CHUNK = 65_536
PSEUDO = "/dev/pts/"
READS = 16
"""How many reads one readiness gets before the loop has its turn."""
CODES = {
    errno.ENOENT: PORT_MISSING,
    errno.ENODEV: PORT_MISSING,
    errno.ENXIO: PORT_MISSING,
    errno.EIO: PORT_MISSING,
    errno.EBUSY: PORT_BUSY,
    errno.EAGAIN: PORT_BUSY,
}
"""What a failure to open means; EAGAIN is a lock that another program holds."""


def open_serial(address: SerialAddress, loop: asyncio.AbstractEventLoop) -> SerialPort:
    """Open the line, or raise PortError."""
    try:
        line = serial.Serial(
            address.path, address.baud, exclusive=True, timeout=0, write_timeout=0, inter_byte_timeout=0
        )
    except (OSError, ValueError, termios.error) as problem:
        number = getattr(problem, "errno", None) or 0
        raise PortError(Fault(CODES.get(number, PORT_ERROR), f"{address}: {_words(problem)}")) from problem
    try:
        pseudo = os.ttyname(line.fileno()).startswith(PSEUDO)
        if not pseudo:
            fcntl.ioctl(line.fileno(), termios.TIOCEXCL)
    except OSError as problem:
        line.close()
        raise PortError(Fault(PORT_MISSING, f"{address}: {_words(problem)}")) from problem
    if address.pseudo and not pseudo:
        line.close()
        raise PortError(Fault(PORT_ERROR, f"{address}: is no pseudo-terminal"))
    return SerialPort(address, line, loop)


def _words(problem: Exception) -> str:
    """What the system says of a problem; a missing number of pyserial is left out."""
    number = getattr(problem, "errno", None)
    return os.strerror(number) if number else str(problem)


class SerialPort:
    """An open serial line on the event loop."""

    def __init__(self, address: SerialAddress, line: serial.Serial, loop: asyncio.AbstractEventLoop) -> None:
        self._address = address
        self._line = line
        self._descriptor: int = line.fileno()
        self._loop = loop
        self._queue = bytearray()
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[Fault], None] | None = None
        self._losing: asyncio.Handle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._open = True

    def start(self, received: Callable[[bytes], None], lost: Callable[[Fault], None]) -> None:
        """Begin to read; called once."""
        self._received, self._lost = received, lost
        if self._open:
            self._loop.add_reader(self._descriptor, self._readable)

    def write(self, data: bytes) -> None:
        """Send these bytes, now or when the line takes them."""
        if not self._open or self._losing is not None or not data:
            return
        if len(self._queue) + len(data) > BACKLOG:
            self._lose_soon(OVERFLOW, f"{len(self._queue)} bytes wait for the device, {len(data)} more find no room")
            return
        waiting = bool(self._queue)
        self._queue += data
        if not waiting and not self._push() and self._open:
            self._loop.add_writer(self._descriptor, self._writable)
            self._stuck = self._loop.call_later(WRITE_TIMEOUT, self._timed_out)

    def close(self) -> None:
        """Let go of the line and of every descriptor."""
        if not self._open:
            return
        self._open = False
        self._received = self._lost = None
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        for handle in (self._losing, self._stuck):
            if handle is not None:
                handle.cancel()
        self._queue.clear()
        with contextlib.suppress(OSError, termios.error):
            fcntl.ioctl(self._descriptor, termios.TIOCNXCL)
            self._line.reset_output_buffer()
        with contextlib.suppress(OSError):
            self._line.close()

    def _readable(self) -> None:
        """Read what is there."""
        if not self._drain():
            self._lose(Fault(UNPLUGGED, f"{self._address}: the line was hung up"))

    def _drain(self) -> bool:
        """Give what is there to the owner; False if the other end has gone."""
        for _ in range(READS):
            try:
                data = os.read(self._descriptor, CHUNK)
            except (BlockingIOError, InterruptedError):
                return True
            except OSError:
                return False
            if not data:
                return False
            if self._received is not None:
                self._received(data)
            if len(data) < CHUNK or not self._open:
                return True
        return True

    def _push(self) -> bool:
        """Write from the queue; True if nothing waits any longer."""
        try:
            taken = os.write(self._descriptor, self._queue)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError as problem:
            self._lose_soon(UNPLUGGED, _words(problem))
            return True
        del self._queue[:taken]
        return not self._queue

    def _writable(self) -> None:
        """The line takes more."""
        before = len(self._queue)
        done = self._push()
        if self._stuck is not None and (done or len(self._queue) < before):
            self._stuck.cancel()
            self._stuck = None if done else self._loop.call_later(WRITE_TIMEOUT, self._timed_out)
        if done:
            self._loop.remove_writer(self._descriptor)

    def _timed_out(self) -> None:
        """The line has taken nothing for too long."""
        self._lose(Fault(PORT_ERROR, f"{self._address}: the device has taken nothing for {WRITE_TIMEOUT:g} s"))

    def _lose_soon(self, code: str, detail: str) -> None:
        """Give the line up in the next turn of the loop, not inside a call of the owner."""
        if self._losing is None:
            self._losing = self._loop.call_soon(self._lose, Fault(code, f"{self._address}: {detail}"))

    def _lose(self, fault: Fault) -> None:
        """Read what is there, close, tell the owner."""
        if not self._open:
            return
        self._drain()
        lost = self._lost
        self.close()
        if lost is not None:
            lost(fault)
