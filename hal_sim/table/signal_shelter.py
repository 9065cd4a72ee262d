"""A simulated table that a person started at a terminal, and the signals that end it.

1. Ctrl-C, TERM and HUP end a run once, in order: not while a process is being started, and not while all is being
   ended.
2. Ctrl-C does not reach the processes of the table: this one ends them. It is blocked while a process starts, and the
   new process inherits that.
3. A table cannot be suspended, so the signal that asks for that (SIGTSTP) is ignored.
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
        """Take a signal: end the run, unless it is ending already or a process is being started."""
        self._heard = True
        if not self.deaf:
            self._stop()

    def _stop(self) -> None:
        self.deaf = True
        raise KeyboardInterrupt

    @contextmanager
    def later(self) -> Iterator[None]:
        """Take a signal that comes meanwhile only at the end of this."""
        self.deaf = True
        try:
            yield
        finally:
            self.deaf = False
        if self._heard:
            self._stop()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the signals that end the run, and ignore the one that asks to suspend it."""
        before = {number: signal.signal(number, self) for number in ENDING}
        before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Sheltered(SimTable):
    """A table whose processes are ended by this one alone, in a folder that goes with it; `state` stays."""

    def __init__(self, stop: Stop, seed: int, *, noise: float, skew_ms: float, state: Path | None = None) -> None:
        self._stop = stop
        self._folder = TemporaryDirectory(prefix="truedeal-", ignore_cleanup_errors=True)
        super().__init__(Path(self._folder.name), seed, noise=noise, skew_ms=skew_ms)
        self.kept = state

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
