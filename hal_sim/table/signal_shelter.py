"""A simulated table that a person started at a terminal, and the signals that end it.

1. Ctrl-C, TERM and HUP end a run once, in order: not while a process is being started, and not while all is being
   ended.
2. Ctrl-C does not reach the processes of the table: they are ended by this one. A new process inherits that it is
   blocked.
3. A table cannot be stopped half way, so the signal that asks for that is not heard.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from hal_sim.table.sim_table import SimTable

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Lets a signal end the run once: not while a process is being started, and not while all is being ended."""

    def __init__(self) -> None:
        self.deaf = False
        self._heard = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """A signal was caught."""
        self._heard = True
        if not self.deaf:
            self._stop()

    def _stop(self) -> None:
        self.deaf = True
        raise KeyboardInterrupt

    @contextmanager
    def later(self) -> Iterator[None]:
        """Hear a signal at the end of this."""
        self.deaf = True
        try:
            yield
        finally:
            self.deaf = False
        if self._heard:
            self._stop()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear signals; a table cannot be stopped half way, so the one that asks for that is not heard."""
        before = {number: signal.signal(number, self) for number in ENDING}
        before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Sheltered(SimTable):
    """A table whose processes are ended by this one alone, in a folder that goes with it."""

    def __init__(self, stop: Stop, seed: int, *, noise: float, skew_ms: float) -> None:
        self._stop = stop
        self._folder = TemporaryDirectory(prefix="truedeal-", ignore_cleanup_errors=True)
        super().__init__(Path(self._folder.name), seed, noise=noise, skew_ms=skew_ms)

    def close(self) -> None:
        """End everything, and remove the folder."""
        super().close()
        self._folder.cleanup()

    def _spawn(self, name: str, module: list[str]) -> None:
        with self._stop.later():
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which a new process inherits
            try:
                super()._spawn(name, module)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
