"""What the service manager is told: ready, how it stands, alive, ending.

1. The protocol is systemd's: datagrams of ``NAME=VALUE`` lines to the Unix socket that NOTIFY_SOCKET names, a name that
   begins with ``@`` being an abstract one. It needs no library: one `sendto` is all of it.
2. Without NOTIFY_SOCKET nobody listens and nothing is sent, so that the daemon runs in a terminal and in tests alike.
3. ``WATCHDOG=1`` is sent by a timer of the event loop, `FEEDS` times in the time that WATCHDOG_USEC allows, beginning
   with `ready`. A daemon that is stopped, or whose loop is stuck, sends none and is restarted. It is never sent by a
   thread, nor from the place where an event happens to arrive.
4. A loop can turn while the work stands still: `alive` is asked each time, and while it says no the watchdog goes
   hungry.
5. The socket never blocks the loop. What it does not take now is kept, the newest value of each name, and goes with
   what is sent next: after `RETRY` seconds or, where there is a watchdog, with its next feed. A feed is never kept.
6. The watchdog is not for this process if WATCHDOG_PID names another.
7. `stopping` sends what is kept along with its own word, once; then socket and timer are gone. The daemon sends nothing
   after it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping

FEEDS = 2
"""How often the watchdog is fed in the time that it allows."""
RETRY = 1.0
"""After how many seconds what was not taken is sent again."""


class Notifier:
    """Tells the service manager how the daemon stands."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        environment: Mapping[str, str] = os.environ,
        alive: Callable[[], bool] = lambda: True,
    ) -> None:
        """Tell the manager that this environment names; `alive` says whether the work goes on."""
        self._loop = loop
        self._alive = alive
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._interval = _interval(environment)
        self._socket: socket.socket | None = None
        self._kept: dict[str, str] = {}
        self._said = ""
        self._timer: asyncio.TimerHandle | None = None
        self._ended = False

    def ready(self, status: str = "") -> None:
        """Say that the daemon serves, and feed the watchdog from now on."""
        if status:
            self.status(status)
        self._send(READY="1")
        if self._interval is not None and not self._ended:
            self._feed()

    def status(self, text: str) -> None:
        """Say in one line how the table stands; the same line is not sent twice."""
        line = " ".join(text.split())
        if line != self._said:
            self._said = line
            self._send(STATUS=line)

    def stopping(self) -> None:
        """Say that the daemon ends, and feed no longer."""
        self._ended = True
        self._cancel()
        self._send(STOPPING="1")
        self.close()

    def close(self) -> None:
        """Let go of the socket and the timer."""
        self._cancel()
        self._ended = True
        self._kept.clear()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _feed(self) -> None:
        """Feed the watchdog if the work goes on, and come again."""
        if self._alive():
            self._send(WATCHDOG="1")
        self._later(self._interval or RETRY)

    def _again(self) -> None:
        """Send what was kept, and come again where that is due."""
        if self._interval is not None:
            self._feed()
        elif self._kept:
            self._send()

    def _send(self, **values: str) -> None:
        """Send these values and what is kept; keep them if the socket does not take them now."""
        if self._address is None:
            return
        self._kept.update(values)
        message = "\n".join(f"{name}={value}" for name, value in self._kept.items()).encode()
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            self._socket.sendto(message, self._address)
        except OSError:  # the manager restarts, or its queue is full
            self._kept.pop("WATCHDOG", None)  # a feed of the past says nothing of the present
            if self._kept and not self._ended and self._interval is None:
                self._later(RETRY)
        else:
            self._kept.clear()

    def _later(self, seconds: float) -> None:
        """Come again after this time."""
        self._cancel()
        if not self._ended:
            self._timer = self._loop.call_later(min(seconds, RETRY) if self._kept else seconds, self._again)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _address(said: str) -> str | bytes | None:
    """The address of the socket; None if nobody listens."""
    if said.startswith("@"):
        return b"\0" + os.fsencode(said[1:])
    return said if said.startswith("/") else None


def _interval(environment: Mapping[str, str]) -> float | None:
    """Seconds between two feeds; None without a watchdog for this process."""
    with contextlib.suppress(ValueError):
        microseconds = int(environment.get("WATCHDOG_USEC", "0"))
        if microseconds > 0 and int(environment.get("WATCHDOG_PID") or os.getpid()) == os.getpid():
            return microseconds / 1e6 / FEEDS
    return None
