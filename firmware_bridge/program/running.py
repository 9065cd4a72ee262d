"""The program that runs: where it lies, and whether it is what its maker has signed.

1. A program that runs from `INSTALLED` must match its manifest, to the byte. One that runs from elsewhere is
   `DEVELOPMENT`: it says so, in the row of the start, in ``doctor`` and on the page, and is not checked.
2. The manifest and its signature are read at the start; the files after ``ready``, in slices of `SLICE` seconds with
   `PAUSE` between them, so that no card waits for it. Until that is done no round begins.
3. A program that does not match holds the table: the round in play is put before the shift manager, and no round begins
   until the right program is installed and started. Nobody can accept it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import firmware_bridge
from firmware_bridge import VERSION
from firmware_bridge.program import manifest
from firmware_bridge.shown.scene_type import RunningProgram
from firmware_bridge.texts.denials import Denial, Ground, deny

HOME = Path(firmware_bridge.__file__).resolve().parents[1]
"""The folder from which this program runs."""
INSTALLED = Path("/usr/lib/truedeal")
"""The folder in which the package puts it."""
MAKERS = Path("/etc/truedeal/makers")
"""The folder of the public keys that a table trusts, unless another is named."""
DEVELOPMENT, UNKNOWN = "development", "unknown"
"""In place of a digest: of a program from elsewhere, and of one without a manifest that can be read."""
CHECKING, WHOLE, CHANGED = "checking", "whole", "changed"
SLICE, PAUSE = 0.001, 0.004
TOLD = 10
"""How many differences are told."""


def release_line(home: Path = HOME, installed: Path = INSTALLED, makers: Path = MAKERS) -> str:
    """Which program this is, in one line: its digest, or that it is no release."""
    running = Running(makers, home, installed)
    if running.digest in {DEVELOPMENT, UNKNOWN}:
        return f"not a release: {home} has no list of files that its maker has signed"
    return f"program {running.digest}"


class Running:
    """The program of this process."""

    def __init__(self, makers: Path, home: Path = HOME, installed: Path = INSTALLED) -> None:
        """Look at the manifest of the folder from which it runs; `makers` holds the keys that are trusted."""
        self._home = home
        self.signer = self.wrong = ""
        self._differences: list[str] = []
        self._rest: Iterator[str] = iter(())
        if home != installed:
            self.state = self.digest = DEVELOPMENT
            return
        found = manifest.read(home, makers)
        self.digest, self.signer = found.digest or UNKNOWN, found.signer
        self.state = CHECKING
        self._rest = manifest.differences(home, found.files)
        other = "" if found.version == VERSION else f"{manifest.MANIFEST} is that of version {found.version or 'none'}"
        if found.wrong or other:
            self.state, self.wrong = CHANGED, found.wrong or other

    def bars(self) -> Denial | None:
        """Why no round may begin; None if one may."""
        if self.state == CHECKING:
            return deny(Ground.PROGRAM_BEING_CHECKED)
        return deny(Ground.PROGRAM_CHANGED, detail=self.wrong) if self.state == CHANGED else None

    def start(self, loop: asyncio.AbstractEventLoop, done: Callable[[], None]) -> None:
        """Check the files a slice at a time; call `done` once it is known whether an installed program matches."""
        if self.state == CHANGED:
            done()
        elif self.state == CHECKING:
            self._slice(loop, done)

    def _slice(self, loop: asyncio.AbstractEventLoop, done: Callable[[], None]) -> None:
        until = time.perf_counter() + SLICE
        for said in self._rest:
            self._differences += [said] if said else []
            if time.perf_counter() >= until:
                loop.call_later(PAUSE, self._slice, loop, done)
                return
        self.state = CHANGED if self._differences else WHOLE
        more = len(self._differences) - TOLD
        self.wrong = "; ".join([*self._differences[:TOLD], *([f"and {more} more"] if more > 0 else [])])
        done()

    def running_program(self) -> RunningProgram:
        """What is shown of it."""
        return {"state": self.state, "digest": self.digest, "signer": self.signer or None, "wrong": self.wrong or None}
