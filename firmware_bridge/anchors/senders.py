"""Brings heads to one target.

1. A file gets one line for each head, added at its end and on the disk when `send` returns. The folder must be there: a
   mount that is away is a problem, not a folder on our own disk.
2. A syslog server is reached by TCP and TLS. Its certificate must be valid for the name by which it is called, and come
   from the named authority or, without one, from an authority that the system trusts. Nothing is sent before that.
3. A syslog server acknowledges nothing. A connection that turns out to have ended may have lost what was sent last:
   `lost` says so, and it is sent again.
4. No step of a connection takes longer than `PATIENCE` seconds; a file on a mount that does not answer may take any
   time. Whatever goes wrong is an `OSError`, and the connection is closed.
"""

from __future__ import annotations

import os
import select
import socket
import ssl
from pathlib import Path
from typing import Protocol

from firmware_bridge.anchors.lines import NOTICE, file_line, syslog_frame
from firmware_bridge.anchors.targets import FileTarget, SyslogTarget, Target
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.signed.signing import Head, written

PATIENCE = 10.0
_PIECE = 4096


class Sender(Protocol):
    """Brings heads to one target."""

    def send(self, head: Head) -> None:
        """Bring a head there.

        Raises:
            OSError: it could not be.
        """

    def lost(self) -> bool:
        """Whether what was sent last may not have arrived."""

    def close(self) -> None:
        """Close what is open."""


def sender(target: Target, ca: Path | None) -> Sender:
    """What brings heads to a target."""
    match target:
        case FileTarget(path):
            return FileSender(path)
        case SyslogTarget(host, port):
            return SyslogSender(host, port, ca)


class FileSender:
    """Adds lines to a file."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet: the file may be on a mount that comes and goes."""
        self._path = path

    def send(self, head: Head) -> None:
        """Add a line; it is on the disk when this returns."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(self._path, flags, 0o644)
        try:
            line = file_line(head, wall_clock())
            if os.write(handle, line) != len(line):
                raise OSError(f"{self._path}: there is no room")
            os.fsync(handle)
        finally:
            os.close(handle)

    def lost(self) -> bool:
        """Never: it was on the disk."""
        return False

    def close(self) -> None:
        """Do nothing: no file stays open."""


class SyslogSender:
    """Sends to a syslog server over TLS."""

    def __init__(self, host: str, port: int, ca: Path | None) -> None:
        """Nothing is opened yet."""
        self._host, self._port, self._ca = host, port, ca
        self._connection: ssl.SSLSocket | None = None

    def _connected(self) -> ssl.SSLSocket:
        if self._connection is None:
            context = ssl.create_default_context(cafile=None if self._ca is None else str(self._ca))
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            plain = socket.create_connection((self._host, self._port), PATIENCE)
            try:
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(PATIENCE * 1000))
                self._connection = context.wrap_socket(plain, server_hostname=self._host)
            except BaseException:
                plain.close()
                raise
        return self._connection

    def send(self, head: Head) -> None:
        """Send a head."""
        self.send_text(NOTICE, "head", written(head))

    def send_text(self, severity: int, what: str, text: str) -> None:
        """Send a line of this severity and message id.

        Raises:
            OSError: it could not be sent.
        """
        try:
            sender = socket.gethostname(), os.getpid()
            self._connected().sendall(syslog_frame(severity, what, text, wall_clock(), sender))
        except (OSError, ValueError) as error:  # a name that is none is a ValueError
            self.close()
            raise OSError(_why(error)) from error

    def lost(self) -> bool:
        """Whether the server has ended the connection. What it says is not looked at."""
        connection = self._connection
        if connection is None:
            return True
        try:
            while select.select([connection], [], [], 0)[0]:
                if not connection.recv(_PIECE):
                    self.close()
                    return True
        except ssl.SSLWantReadError:  # of the protocol's own
            return False
        except OSError:
            self.close()
            return True
        return False

    def close(self) -> None:
        """End the connection; the next line begins another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _why(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate is not accepted: {error.verify_message}"
    return str(error) or type(error).__name__
