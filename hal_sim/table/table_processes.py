"""The processes of a simulated table.

1. Each is one of our own programs and is started by its name at the table. It says on stdout that it is ready; what it
   writes on stderr goes to a file.
2. One that does not start is a `SimError` with what it wrote.
3. All are ended by their own handles: told first, waited for, and killed if they do not end. They are also tied to
   this process by their stdin: they end if it is killed.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hal_sim.devices.remote import SimError

# How long a process may take to say that it is ready, and to end when it is told to, in seconds.
START = 120.0
END = 20.0


_READY = re.compile(rb"^ready\b.*\n", re.MULTILINE)


class _Started(NamedTuple):
    """A process, and the file that has what it wrote on stderr."""

    process: subprocess.Popen[bytes]
    log: Path


class Processes:
    """The processes that were started and not ended, by name."""

    def __init__(self) -> None:
        self._started: dict[str, _Started] = {}

    @property
    def names(self) -> list[str]:
        """Those that were started and not ended, in the order of starting."""
        return list(self._started)

    def pid(self, name: str) -> int:
        """Return the id of a process."""
        return self._started[name].process.pid

    def start(self, name: str, module: list[str], log: Path) -> None:
        """Start a module of ours with its arguments."""
        self.start_program(name, [sys.executable, "-m", *module], log)

    def start_program(self, name: str, command: list[str], log: Path) -> None:
        """Start a program."""
        with log.open("ab") as stderr:
            process = subprocess.Popen(  # noqa: S603  our own programs, and the broker
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=_environment(),
                process_group=0,  # an interrupt at the terminal is for those who started the table and end it in order
            )
        self._started[name] = _Started(process, log)

    def await_ready(self, names: Sequence[str]) -> str:
        """Wait until each of these has said that it is ready; what the last of them said."""
        until = time.monotonic() + START
        said = b""
        for name in names:
            process, log = self._started[name]
            said = b""
            while not _READY.search(said):
                part = _read(process, until)
                if not part:
                    process.kill()
                    status = process.wait()
                    wrote = log.read_text(encoding="utf-8", errors="replace").strip() or "nothing"
                    problem = (
                        f"the simulated table's {name} did not start (status {status}); on stderr it wrote:\n{wrote}"
                    )
                    raise SimError(problem)
                said += part
        return said.decode(errors="replace")

    def kill(self, name: str) -> None:
        """End a process at once, if it runs."""
        if name in self._started:
            self._started[name].process.kill()
            self.end([name])

    def end(self, names: Sequence[str]) -> None:
        """End those of these that run: all are told, then each is waited for, and killed if it does not end."""
        ending = [self._started.pop(name).process for name in names if name in self._started]
        for process in ending:
            process.terminate()
        for process in ending:
            await_end(process)


def await_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was told to end, and kill it if it does not."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    try:
        process.wait(END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _read(process: subprocess.Popen[bytes], until: float) -> bytes:
    """Return what a process wrote on stdout, nothing if it ended or the time is over."""
    if process.stdout is None:
        return b""
    readable, _, _ = select.select([process.stdout], [], [], max(until - time.monotonic(), 0.0))
    return os.read(process.stdout.fileno(), 4096) if readable else b""


def _environment() -> Mapping[str, str]:
    """Return our environment, in which the packages beside this one are found."""
    root = str(Path(__file__).resolve().parents[2])
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{before}" if before else root}
