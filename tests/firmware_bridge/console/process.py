"""A console in a process of its own, and what a test asks of it without a library."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tests.places import ROOT


def command(*arguments: str) -> list[str]:
    """What starts a console."""
    return [sys.executable, "-m", "firmware_bridge.cli", "console", *arguments]


def refused(*arguments: str, **environment: str) -> tuple[int, str]:
    """Start a console that does not start; its status and what it says."""
    done = subprocess.run(
        command(*arguments),
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT,
        env=os.environ | environment,
    )
    assert "" == done.stdout
    return done.returncode, done.stderr


class Running:
    """A console that runs."""

    def __init__(self, process: subprocess.Popen[bytes], where: str) -> None:
        self.process = process
        self.where = where
        host, _, port = where.removeprefix("http://").rstrip("/").rpartition(":")
        self.host, self.port = host, int(port) if port.isdigit() else 0

    def connect(self) -> http.client.HTTPConnection:
        """A connection of its own."""
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)

    def get(self, path: str) -> tuple[int, Any]:
        """Read something; the status, and the JSON."""
        connection = self.connect()
        connection.request("GET", path)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, json.loads(data) if data.startswith(b"{") else data

    def stream(self) -> Stream:
        """Read the stream."""
        return Stream(self.connect())

    def ends(self) -> None:
        """Tell it to end, and wait until it has, with status 0."""
        self.process.send_signal(signal.SIGTERM)
        assert 0 == self.process.wait(PATIENCE)


class Stream:
    """The stream of one browser, line by line."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self._connection = connection
        connection.request("GET", "/api/stream")
        self._answer = connection.getresponse()

    def next(self, *kinds: str) -> tuple[str, Any]:
        """The next event of one of these kinds, and its data."""
        kind = ""
        while line := self._answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data" and kind in kinds:
                return kind, json.loads(value)
        raise EOFError("the stream has ended")

    def close(self) -> None:
        """End it."""
        self._answer.close()
        self._connection.close()


@contextmanager
def running(*arguments: str) -> Iterator[Running]:
    """A console that has said that it is ready, ended at last whatever happens."""
    process = subprocess.Popen(command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    try:
        assert process.stdout is not None
        said = process.stdout.readline().decode().split()
        assert ["ready"] == said[:1]
        yield Running(process, said[1])
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def over_unix(path: Path, request: str) -> bytes:
    """Send a request over a Unix socket; the first line of the answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        connection.sendall(request.encode())
        return connection.recv(65536).partition(b"\r\n")[0]
