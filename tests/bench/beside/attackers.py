"""A program that disturbs one socket of the daemon: ``python -m tests.bench.beside.attackers KIND PATH``.

1. `reads` asks for scene, health and rounds. `tries` sends PINs under many names, and what nobody understands. `knocks`
   connects without end. `clogs` sends halves of lines, lines that are too long, and questions whose answers nobody
   reads. Each kind has the connections of `MANY`, which it makes again when it is sent away. `reads` and `tries` never
   pause; `knocks` and `clogs` pause for some milliseconds.
2. Each kind is a process in a session of its own, which gives way to everything else: a program that only wants the
   processor needs no socket for it.
3. At the end of its standard input it prints how many lines it got as answers; `clogs` counts how often it was sent
   away.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from signal import SIGCONT, SIGSTOP

READS = b'{"id":1,"do":"scene"}\n{"id":2,"do":"health"}\n{"id":3,"do":"rounds","count":100}\n{"id":4,"do":"round"}\n'
TRIES = b'{"id":1,"do":"scene"}\n{"id":2,"do":"link","device":"hub","up":false}\n[[[[\n\xff\n' + b"".join(
    json.dumps({"id": 3, "do": "login", "name": f"name {n}", "pin": "000000", "from": f"10.0.0.{n}"}).encode() + b"\n"
    for n in range(200)
)
HALF = b'{"id":1,"do":"sce'
LONG = b'{"id":"' + b"x" * 70_000
PAUSE = 0.005
"""Seconds between two knocks of one connection, so that the attack is at the door and not at the processor."""
MANY = {"reads": 4, "tries": 8, "knocks": 4, "clogs": 4}
"""Connections of each kind."""


class Attackers:
    """A process of one kind of attack, which stands still until it is let loose."""

    def __init__(self, kind: str, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.beside.attackers", kind, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()
        self.hold()

    def hold(self) -> None:
        """Let it stand still, with its connections open."""
        self._process.send_signal(SIGSTOP)

    def let_loose(self) -> None:
        """Let it disturb."""
        self._process.send_signal(SIGCONT)

    def close(self) -> int:
        """End it; return how many lines it got as answers."""
        self.let_loose()
        said, _ = self._process.communicate()
        return int(said)


class _Kind:
    """One kind at one path."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.over = threading.Event()
        self.answered = 0

    def run(self, act: Callable[[socket.socket], None]) -> None:
        """Connect and disturb, again and again."""
        while not self.over.is_set():
            try:
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(self._path)
                    connection.settimeout(0.05)
                    act(connection)
            except OSError:
                self.over.wait(0.01)

    def floods(self, lines: bytes) -> Callable[[socket.socket], None]:
        """Send as fast as it is taken, and read what comes back."""

        def flood(connection: socket.socket) -> None:
            while not self.over.is_set():
                with suppress(TimeoutError):
                    connection.sendall(lines)
                try:
                    got = connection.recv(65536)
                except TimeoutError:
                    continue
                if not got:
                    return
                self.answered += got.count(b"\n")

        return flood

    def knock(self, connection: socket.socket) -> None:
        """Connect, read that there is no place, and leave."""
        connection.settimeout(0.002)
        with suppress(TimeoutError):
            self.answered += connection.recv(4096).count(b"\n")
        time.sleep(PAUSE)

    def clog(self, connection: socket.socket) -> None:
        """Send half a line, questions without reading, and a line that has no end."""
        connection.sendall(HALF)
        time.sleep(0.01)
        with suppress(TimeoutError):
            connection.sendall(b'ne"}\n' + READS * 200)
        time.sleep(0.05)
        connection.sendall(LONG)
        self.answered += connection.recv(1) == b""


def main(kind: str, path: str) -> None:
    """Disturb until the standard input ends."""
    os.nice(19)
    one = _Kind(path)
    act = {"reads": one.floods(READS), "tries": one.floods(TRIES), "knocks": one.knock, "clogs": one.clog}[kind]
    threads = [threading.Thread(target=one.run, args=(act,)) for _ in range(MANY[kind])]
    for thread in threads:
        thread.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    one.over.set()
    for thread in threads:
        thread.join()
    sys.stdout.write(f"{one.answered}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
