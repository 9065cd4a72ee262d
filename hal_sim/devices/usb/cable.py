"""The device's end of a simulated USB cable, and what the host's kernel knows of it.

1. While it is plugged, a Unix socket listens at a fixed path; `SocketBackend` in the host's process reaches it there.
   The requests are those of `wire`. Pulling the plug closes the socket and every connection: a host that waits
   there gets ENODEV.
2. Each plug gives the device another address. A handle of an earlier plug is dead.
3. What a kernel keeps is kept here: at each plug a kernel driver holds the interface until it is detached; one
   handle can claim it; closing a handle releases it; a release ends the reads that wait, with nothing read. A claim
   while something else holds it, and a change of configuration while anything holds it, is EBUSY.
4. The device hears `opened` when the interface is claimed and `closed` when it is released.
5. An IN transfer waits until there are bytes and takes at most as many as it asked for: the device ends each burst with
   a short or empty packet. An OUT transfer is answered when the device took it. While the cable is paused (a stuck
   device) OUT and control transfers are held; one that the host gives up is never delivered.
6. A stalled IN endpoint answers EPIPE until the host clears the halt. The device's bytes are kept.

Not modelled: packets on the bus, bandwidth and polling intervals, suspend, hubs, isochronous transfers and alternate
settings. Nor are a device list that is stale for a moment after an unplug, and a read that is shorter than a packet.
"""

import asyncio
import errno
import socket
from collections import deque
from pathlib import Path

from hal_sim.devices.serial_cable import BufferedCable
from hal_sim.devices.usb.wire import ANSWER, BUS, ENDPOINT_IN, LONGEST, REQUEST, SETUP, Operation, descriptors

# Standard requests of chapter 9 that the device answers itself.
_GET_STATUS, _GET_DESCRIPTOR, _GET_CONFIGURATION = 0x00, 0x06, 0x08
_ENGLISH = 0x0409


class _Connection:
    """One connection of a host; token 0 belongs to no handle."""

    __slots__ = ("sock", "token")

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.token = 0


class UsbCable(BufferedCable):
    """A USB cable: interrupt transfers both ways over a Unix socket."""

    def __init__(self, path: Path, strings: tuple[str, str, str], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._path = path
        self._strings = strings
        self._server: socket.socket | None = None
        self._connections: dict[int, _Connection] = {}
        self._reads: deque[tuple[_Connection, int, int]] = deque()
        self._held: list[tuple[_Connection, Operation, int, bytes]] = []
        self._tokens = 0
        self._stalled = False
        self._owner = 0
        self._kernel_driver = True
        self._configuration = 1
        self.address = 3

    def plug(self) -> None:
        """Listen at the path, with a new address."""
        if self.plugged:
            return
        self._path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._server.bind(str(self._path))
        self._server.listen(16)
        self._server.setblocking(False)
        self._loop.add_reader(self._server.fileno(), self._accept)
        self.address = self.address % 127 + 1
        self._kernel_driver, self._configuration, self._stalled = True, 1, False
        self.plugged = True

    def unplug(self) -> None:
        """Close the socket and every connection."""
        if not self.plugged or self._server is None:
            return
        self.plugged = False
        self._path.unlink(missing_ok=True)
        self._loop.remove_reader(self._server.fileno())
        self._server.close()
        self._server = None
        for connection in list(self._connections.values()):
            self._drop(connection)

    def write(self, data: bytes) -> None:
        """Keep bytes for the host's next reads; lost where no host has claimed the interface."""
        if self._owner:
            self._backlog += data
            self._serve()

    def resume(self) -> None:
        """Do what was held."""
        if self._paused:
            self._paused = False
            held, self._held = self._held, []
            for connection, operation, sequence, body in held:
                self._carry_out(connection, operation, sequence, body)

    def stall(self) -> None:
        """Halt the IN endpoint until the host clears it."""
        self._stalled = True
        self._serve()

    def _accept(self) -> None:
        """Take a connection of a host."""
        try:
            sock, _ = self._server.accept() if self._server else (None, None)
        except OSError:
            return
        if sock is not None:
            sock.setblocking(False)
            connection = _Connection(sock)
            self._connections[sock.fileno()] = connection
            self._loop.add_reader(sock.fileno(), self._read, connection)

    def _read(self, connection: _Connection) -> None:
        """Do what a host asks."""
        try:
            message = connection.sock.recv(LONGEST)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if len(message) < REQUEST.size:
            self._drop(connection)
            return
        number, sequence = REQUEST.unpack_from(message)
        try:
            operation = Operation(number)
        except ValueError:
            self._answer(connection, sequence, errno.EINVAL)
            return
        self._carry_out(connection, operation, sequence, message[REQUEST.size :])

    def _drop(self, connection: _Connection) -> None:
        """Forget a connection, and what its handle had claimed and asked."""
        if self._connections.pop(connection.sock.fileno(), None) is None:
            return
        self._loop.remove_reader(connection.sock.fileno())
        connection.sock.close()
        self._reads = deque(read for read in self._reads if read[0] is not connection)
        self._held = [held for held in self._held if held[0] is not connection]
        if connection.token and connection.token == self._owner:
            self._release()

    def _release(self) -> None:
        """Free the interface."""
        self._owner = 0
        self._backlog.clear()
        self._listener.closed()

    def _end_reads(self, token: int) -> None:
        """End the reads that wait, with nothing read."""
        ended = [read for read in self._reads if read[0].token == token]
        self._reads = deque(read for read in self._reads if read not in ended)
        for connection, sequence, _ in ended:
            self._answer(connection, sequence, 0)

    def _answer(self, connection: _Connection, sequence: int, error: int, body: bytes = b"") -> None:
        """Answer a request; a host that takes no answers is dropped."""
        try:
            connection.sock.send(ANSWER.pack(sequence, error) + body)
        except OSError:
            self._drop(connection)

    def _carry_out(self, connection: _Connection, operation: Operation, sequence: int, body: bytes) -> None:
        """Do one request: transfers when the device is ready for them, the rest at once."""
        match operation:
            case Operation.CANCEL:
                given_up = int.from_bytes(body[:4], "little")
                kept = [held for held in self._held if held[0] is not connection or held[2] != given_up]
                if len(kept) < len(self._held):
                    self._held = kept
                    self._answer(connection, given_up, errno.ETIMEDOUT)
            case Operation.OUT | Operation.CONTROL if self._paused:
                self._held.append((connection, operation, sequence, body))
            case Operation.IN if self._owner and connection.token == self._owner:
                self._reads.append((connection, sequence, int.from_bytes(body[:4], "little")))
                self._serve()
            case Operation.OUT if self._owner and connection.token == self._owner:
                self._answer(connection, sequence, 0)
                self._listener.received(body)
            case Operation.IN | Operation.OUT:
                self._answer(connection, sequence, errno.ENOENT)
            case Operation.CONTROL:
                data = self._control(body)
                self._answer(connection, sequence, errno.EPIPE if data is None else 0, data or b"")
            case _:
                error, data = self._manage(connection, operation, body)
                self._answer(connection, sequence, error, data)

    def _manage(  # noqa: C901, PLR0912  one table of what a kernel does
        self, connection: _Connection, operation: Operation, body: bytes
    ) -> tuple[int, bytes]:
        """Do what a kernel does for a handle; return the error and the answer."""
        number = int.from_bytes(body[:4], "little")
        held = self._kernel_driver or self._owner not in {0, connection.token}
        match operation:
            case Operation.ENUMERATE:
                return 0, bytes((BUS, self.address)) + descriptors()
            case Operation.OPEN if number == self.address:
                self._tokens += 1
                connection.token = self._tokens
                return 0, connection.token.to_bytes(4, "little")
            case Operation.JOIN if 0 < number <= self._tokens:
                connection.token = number
            case _ if not connection.token:
                return errno.ENODEV, b""
            case Operation.CLAIM if held:
                return errno.EBUSY, b""
            case Operation.CLAIM if not self._owner:
                self._owner = connection.token
                self._listener.opened()
            case Operation.RELEASE if self._owner == connection.token:
                self._release()
                self._end_reads(connection.token)
            case Operation.ACTIVE:
                return 0, bytes((self._kernel_driver,))
            case Operation.DETACH if self._kernel_driver:
                self._kernel_driver = False
            case Operation.ATTACH if self._owner:
                return errno.EBUSY, b""
            case Operation.ATTACH if not self._kernel_driver:
                self._kernel_driver = True
            case Operation.RELEASE | Operation.DETACH | Operation.ATTACH:
                return errno.ENOENT, b""
            case Operation.CONFIGURE if held or self._owner:
                return errno.EBUSY, b""
            case Operation.CONFIGURE:
                self._configuration = number
            case Operation.CONFIGURATION:
                return 0, bytes((self._configuration,))
            case Operation.CLEAR if number == ENDPOINT_IN:
                self._stalled = False
                self._serve()
            case Operation.RESET if self._owner:
                self._backlog.clear()
                self._listener.closed()
                self._listener.opened()
            case _:
                pass
        return 0, b""

    def _control(self, setup: bytes) -> bytes | None:
        """Answer a standard request to the device, None if it stalls."""
        if len(setup) < SETUP.size:
            return None
        kind, request, value, _, length = SETUP.unpack_from(setup)
        match kind, request, value >> 8:
            case 0x80, code, _ if code == _GET_STATUS:
                data = b"\x00\x00"
            case 0x80, code, _ if code == _GET_CONFIGURATION:
                data = bytes((self._configuration,))
            case 0x80, code, 1 if code == _GET_DESCRIPTOR:
                data = descriptors()[:18]
            case 0x80, code, 2 if code == _GET_DESCRIPTOR:
                data = descriptors()[18:]
            case 0x80, code, 3 if code == _GET_DESCRIPTOR and value & 0xFF <= len(self._strings):
                index = value & 0xFF
                text = self._strings[index - 1].encode("utf-16-le") if index else _ENGLISH.to_bytes(2, "little")
                data = bytes((2 + len(text), 3)) + text
            case _:
                return None
        return data[:length]

    def _serve(self) -> None:
        """Answer the reads that wait while there is something to say."""
        while self._reads and (self._stalled or self._backlog):
            connection, sequence, size = self._reads.popleft()
            if self._stalled:
                self._answer(connection, sequence, errno.EPIPE)
                continue
            was_full = self.full
            data = bytes(self._backlog[: min(size, LONGEST - ANSWER.size)])
            del self._backlog[: len(data)]
            self._answer(connection, sequence, 0, data)
            if was_full and not self.full:
                self._loop.call_soon(self._listener.drained)
