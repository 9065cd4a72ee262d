"""A Unix socket at a path: held by one daemon, opened to one group, listened at without a storm.

1. Beside the path lies a lock file of the same name with ``.lock``, which only its owner may open. The process that
   holds the lock has the path: a second daemon is turned away, and a socket that an earlier run has left is removed.
   Nothing else is removed.
2. The socket is for its owner alone until it has its group and its mode. The group is the named one if it exists and
   the daemon belongs to it, else the daemon's own.
3. A connection is known by the user that the kernel names, not by what it says.
4. When descriptors or memory run out, nothing is accepted for `REST` seconds. That is told once for each rest, not once
   for everyone who waits at the door.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import grp
import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path

MODE = 0o660
BACKLOG = 64
REST = 1.0
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid


class TakenError(Exception):
    """Another daemon has this path."""


class Door:
    """One socket that listens."""

    def __init__(
        self, path: Path, group: str, connected: Callable[[socket.socket, int], None], tell: Callable[[str], None]
    ) -> None:
        """Make a closed door; `connected` gets each connection and its user, `tell` hears what is wrong."""
        self.path = path
        self._group = group
        self._connected = connected
        self._tell = tell
        self._lock = -1
        self._socket: socket.socket | None = None
        self._rest: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Listen.

        Raises:
            TakenError: another daemon listens there.
        """
        self._lock = _lock_path(self.path.with_name(f"{self.path.name}.lock"))
        if self.path.is_socket():
            self.path.unlink()
        bound = socket.socket(socket.AF_UNIX)
        mask = os.umask(0o177)
        try:
            bound.bind(str(self.path))
        except OSError:
            bound.close()
            self.close()
            raise
        finally:
            os.umask(mask)
        self._give_to_group()
        os.chmod(self.path, MODE)  # noqa: PTH101  the socket, not what a link points to
        bound.setblocking(False)
        bound.listen(BACKLOG)
        self._socket = bound
        self._listen()

    def close(self) -> None:
        """Let nobody in any more."""
        if self._rest is not None:
            self._rest.cancel()
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _give_to_group(self) -> None:
        try:
            number = grp.getgrnam(self._group).gr_gid
        except KeyError:
            return
        if number in os.getgroups():
            os.chown(self.path, -1, number)

    def _listen(self) -> None:
        self._rest = None
        if self._socket is not None:
            asyncio.get_running_loop().add_reader(self._socket, self._accept)

    def _accept(self) -> None:
        """Let one in; those behind have their turn with the next one of the loop."""
        if self._socket is None:
            return
        try:
            accepted, _ = self._socket.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._socket)
            self._rest = loop.call_later(REST, self._listen)
            self._tell(f"nobody is let in at {self.path} for {REST:g} s: {error.strerror}")
            return
        accepted.setblocking(False)
        self._connected(accepted, _user(accepted))


def _user(connection: socket.socket) -> int:
    """The user at the other end."""
    _, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return int(uid)


def _lock_path(path: Path) -> int:
    """Take a lock; returns the descriptor that holds it until it is closed."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise TakenError(f"another daemon listens at {path.with_name(path.name.removesuffix('.lock'))}") from error
    return handle
