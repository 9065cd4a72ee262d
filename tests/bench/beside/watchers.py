"""Browsers for the benchmark of the console: ``python -m tests.bench.beside.watchers PORT COUNT``.

1. They stand in for browsers on other computers: one process for all of them, which gives way to everything else.
2. Each reads its own stream as fast as it comes. At the end of its standard input the process prints as JSON, for each
   browser, the numbers of the events that it has read, and when (seconds of the monotonic clock).
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import sys
import time

_SEEN = re.compile(rb"id: ([0-9]+)\n")
Heard = list[list[tuple[int, float]]]


class Watchers:
    """Some browsers, in a process of their own."""

    def __init__(self, port: int, count: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.beside.watchers", str(port), str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self.output = self._process.stdout

    def ready(self) -> None:
        """Read from `output` that the browsers are ready; raise RuntimeError if they are not."""
        if self.output.readline() != b"ready\n":
            raise RuntimeError("the browsers did not start")

    def close(self) -> Heard:
        """End them; return what each has read."""
        said, _ = self._process.communicate()
        return [[(int(number), float(at)) for number, at in one] for one in json.loads(said)]


def main(port: int, count: int) -> None:
    """Read until the standard input ends."""
    os.nice(19)
    browsers = []
    for _ in range(count):
        browser = socket.create_connection(("127.0.0.1", port))
        browser.sendall(f"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        browser.recv(65536)
        browsers.append(browser)
    heard: dict[socket.socket, list[tuple[int, float]]] = {browser: [] for browser in browsers}
    left: dict[socket.socket, bytes] = dict.fromkeys(browsers, b"")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        readable, _, _ = select.select([sys.stdin.buffer, *left], [], [])
        if sys.stdin.buffer in readable:
            break
        for browser in [one for one in readable if isinstance(one, socket.socket)]:
            data = browser.recv(262144)
            if not data:
                del left[browser]
                continue
            data = left[browser] + data
            at = time.monotonic()
            heard[browser] += [(int(number), at) for number in _SEEN.findall(data)]
            left[browser] = data[-24:].rpartition(b"\n")[2]
    sys.stdout.write(json.dumps(list(heard.values())))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
