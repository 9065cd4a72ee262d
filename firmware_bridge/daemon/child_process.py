"""A process of our own program that works for the daemon and tells it something, line by line.

1. What takes a processor, the disk or a mount for a while is not done in the loop, nor in a thread, which would share
   the interpreter with it. The child ends with the daemon: its owner kills it, and if the daemon itself is killed, the
   child's standard input ends, which a child with ``--tied`` notices.
2. `told` hears each line, standard error included; `ended` hears the exit status, once, after the last line. Nothing
   more is heard of a child that is killed here.
3. A part of the daemon that has such work done now and then has a `TimedChild`: one child at a time and one timer,
   which end together.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence

_PIECE = 65_536


class Child:
    """One such process."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        words: Sequence[str],
        told: Callable[[str], None],
        ended: Callable[[int], None],
    ) -> None:
        """Start ``truedeal`` with these words.

        Raises:
            OSError: it cannot be started.
        """
        program = f"import sys; sys.path[:] = {sys.path!r}; from firmware_bridge.cli import main; sys.exit(main())"
        self._loop, self._told, self._ended = loop, told, ended
        self._process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-ISB", "-c", program, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._left, self._ends = b"", os.pidfd_open(self._process.pid)
        os.set_blocking(self._output, False)
        loop.add_reader(self._output, self._read_output)
        loop.add_reader(self._ends, self._over)

    @property
    def _output(self) -> int:
        """Where its words are read."""
        if self._process.stdout is None:
            raise ValueError("the child has no output")
        return self._process.stdout.fileno()

    def _read_output(self) -> bool:
        """Take what it says; whether it said something."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._output, _PIECE)
            *lines, left = (self._left + data).split(b"\n")
            self._left = left[-_PIECE:]
            for line in lines:
                self._told(line.decode("utf-8", "replace"))
            if data:
                return True
            self._loop.remove_reader(self._output)
        return False

    def _over(self) -> None:
        while self._read_output():
            pass
        left, status = self._left, self._reap()
        if left:
            self._told(left.decode("utf-8", "replace"))
        self._ended(status)

    def kill(self) -> None:
        """End it, wherever it is."""
        self._process.kill()
        self._reap()

    def _reap(self) -> int:
        """Let go of it, once it has ended or is about to; its status."""
        self._loop.remove_reader(self._output)
        self._loop.remove_reader(self._ends)
        os.close(self._ends)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        return self._process.wait()


class TimedChild:
    """The child that works for one part of the daemon, and the timer by which the next work begins."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Nothing works and nothing waits."""
        self._loop = loop
        self._child: Child | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def works(self) -> bool:
        """Whether a child is at work."""
        return self._child is not None

    @property
    def begins(self) -> float | None:
        """When the timer is due, by the clock of the loop; None if nothing waits."""
        return None if self._timer is None else self._timer.when()

    def begin_in(self, seconds: float, begin: Callable[[], None]) -> None:
        """Call `begin` after some seconds, in place of what waited before."""
        self._cancel()
        self._timer = self._loop.call_later(seconds, begin)

    def start(self, words: Sequence[str], told: Callable[[str], None], ended: Callable[[int], None]) -> None:
        """Start a child; it is no longer at work when `ended` hears its status.

        Raises:
            OSError: it cannot be started.
        """

        def let_go(status: int) -> None:
            self._child = None
            ended(status)

        self._child = Child(self._loop, words, told, let_go)

    def close(self) -> None:
        """Begin nothing more, and kill the child."""
        self._cancel()
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
