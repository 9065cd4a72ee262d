"""A client of the daemon's sockets that asks and waits.

1. Ask one question at a time. While it waits for the answer with its ``id``, every other line goes into `news`.
2. A daemon that is gone is a `ConnectionError`, whatever the system calls it. Nothing read or written for `timeout`
   seconds is a `TimeoutError`: news make the wait for an answer longer.
"""

from __future__ import annotations

import json
import socket
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any

TIMEOUT = 30.0
READ = "read.sock"


def read_path(control: Path | str) -> Path:
    """The path of the socket that only reads, which lies beside the control socket."""
    return Path(control).with_name(READ)


class ControlClient:
    """One connection to a daemon."""

    def __init__(self, path: Path | str, timeout: float = TIMEOUT) -> None:
        """Connect to the socket at a path.

        Raises:
            ConnectionError: no daemon listens there.
        """
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise ConnectionError(f"no daemon listens at {path}: {error.strerror or error}") from error
        self._unread = b""
        self._number = 0
        self.news: deque[dict[str, Any]] = deque()

    def ask(self, **request: object) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        return self.wait_for_answer(self.send(**request))

    def send(self, **request: object) -> int:
        """Send a request; returns its number, for `wait_for_answer`."""
        self._number += 1
        line = json.dumps({"id": self._number, **request}, ensure_ascii=False, separators=(",", ":"))
        self._socket.sendall(line.encode() + b"\n")
        return self._number

    def wait_for_answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to a request."""
        while True:
            answer = self.read()
            if answer.get("id") == number:
                return answer
            self.news.append(answer)

    def read(self) -> dict[str, Any]:
        """Return the next line that arrives, an answer or news."""
        while b"\n" not in self._unread:
            data = self._socket.recv(65536)
            if not data:
                raise ConnectionError("the daemon has closed the control socket")
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def __enter__(self) -> ControlClient:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()
