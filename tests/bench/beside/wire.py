"""What the benchmark of the daemon measures with: a shoe on a pseudo-terminal, and bare programs beside the daemon.

1. `WireShoe` is the device's end of a shoe in this process: the moment at which a card's last byte is on the wire is
   known. It proves its key like any shoe, and its frames are those of the link.
2. A bare program (``python -m tests.bench.beside.wire KIND PORT FOLDER``) reads frames from a pseudo-terminal as the
   daemon does. `commit` writes each as a row of the journal's own table by one commit of SQLite (WAL, FULL), `append`
   writes it to the end of a file and calls fsync. Then it says so on its standard output, and reads the next.
"""

from __future__ import annotations

import os
import select
import sqlite3
import subprocess
import sys
import time
import tty
from collections.abc import Callable
from hashlib import blake2s
from pathlib import Path

from drivers.link.device import DeviceLink
from drivers.link.editions.noise import public
from drivers.link.editions.sealed import SealedDevice
from drivers.shoe import CATALOGUE, CardOut
from firmware_bridge.journal import schema

KEY = blake2s(b"shoe of the benchmark").digest()
"""The shoe's own."""
HOST_KEY = blake2s(b"host of the benchmark").digest()
SERIAL = "BENCH"
CARD = '{"is":"CardDrawn","card":"KD"}'


class WireShoe:
    """A shoe on a pseudo-terminal."""

    def __init__(self, path: Path) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        path.symlink_to(os.ttyname(self._slave))
        shake = SealedDevice(KEY, public(HOST_KEY), kind="shoe", serial=SERIAL)
        self._link = DeviceLink(kind="shoe", serial=SERIAL, firmware="1", capabilities=0, shake=shake, boot=1)
        self._link.opened(time.monotonic())

    @property
    def up(self) -> bool:
        """Whether a host has proved itself."""
        return self._link.up

    def serve(self, seconds: float) -> None:
        """Read what the host sends and answer it, for `seconds` and at least once."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            readable, _, _ = select.select([self._master], [], [], max(left, 0.0))
            if readable:
                self._link.received(os.read(self._master, 4096), time.monotonic())
            self._link.tick(time.monotonic())
            self._send()
            if left <= 0:
                return

    def await_host(self, seconds: float) -> None:
        """Wait until the host says something, for at most `seconds`."""
        select.select([self._master], [], [], seconds)

    def draw(self, card: str) -> tuple[int, float]:
        """Draw a card; return the number of its event, and when its last byte was on the wire."""
        ident, payload = CATALOGUE.encode(CardOut(card, 0, face_up=False))
        number = self._link.event(ident, payload, int(time.monotonic() * 1000) & 0xFFFFFFFF, time.monotonic())
        self._send()
        return number, time.perf_counter()

    def _send(self) -> None:
        data = self._link.outgoing()
        while data:
            data = data[os.write(self._master, data) :]

    def close(self) -> None:
        """Hang up."""
        os.close(self._master)
        os.close(self._slave)


class Bare:
    """A bare program on a pseudo-terminal of its own."""

    def __init__(self, kind: str, folder: Path) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        folder.mkdir()
        self._frame = os.urandom(38).replace(b"\0", b"\1") + b"\0"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.beside.wire", kind, os.ttyname(slave), str(folder)],
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._said()
        os.close(slave)

    def _said(self) -> None:
        if self._process.stdout is None or not self._process.stdout.read(1):
            raise RuntimeError("a bare program has ended")

    def card(self) -> float:
        """Send a frame; return the seconds from its last byte to the word that it is durable."""
        os.write(self._master, self._frame)
        sent = time.perf_counter()
        self._said()
        return time.perf_counter() - sent

    def close(self) -> None:
        """End the program."""
        os.close(self._master)
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def _commits(folder: Path) -> Callable[[bytes], None]:
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    for statement in schema.TABLES:
        connection.execute(statement)
    count = 0

    def commit(frame: bytes) -> None:
        nonlocal count
        count += 1
        row = (count, "2025-01-01T00:00:00.000000+00:00", "shoe", count, 1000, schema.EVENT, CARD, frame)
        connection.execute("BEGIN")
        connection.execute(schema.INSERT_EVENT, (*row, count, None, None, "sensed", bytes(32)))
        connection.execute("COMMIT")

    return commit


def _appends(folder: Path) -> Callable[[bytes], None]:
    handle = os.open(folder / "bare.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def append(frame: bytes) -> None:
        os.write(handle, frame + CARD.encode() + bytes(32))
        os.fsync(handle)

    return append


def main(kind: str, port: str, folder: str) -> None:
    """Read frames and make each durable, until the other end hangs up."""
    keep = {"commit": _commits, "append": _appends}[kind](Path(folder))
    handle = os.open(port, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(handle)
    os.write(1, b".")
    data = b""
    while True:
        data += os.read(handle, 4096)
        while b"\0" in data:
            frame, _, data = data.partition(b"\0")
            keep(frame)
            os.write(1, b".")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError:
        sys.exit(0)
