"""A bar on a terminal while something takes long; if the stream is no terminal, nothing."""

from __future__ import annotations

from typing import TextIO

VERY_MANY = 50
"""With more steps than this a bar is shown, if there is a terminal."""
_BAR = 30


class Progress:
    """How far the work has come."""

    def __init__(self, total: int, stream: TextIO, least: int = VERY_MANY) -> None:
        """Make a bar for `total` steps; for `least` or fewer none is shown."""
        self._total = total
        self._done = 0
        self._stream = stream
        self._drawn = ""
        self._wanted = total > least and stream.isatty()

    def step(self) -> None:
        """Count one more step, and draw the bar if it has changed."""
        self._done += 1
        if not self._wanted:
            return
        share = min(self._done, self._total)
        full = _BAR * share // self._total
        bar = f"[{'#' * full}{'.' * (_BAR - full)}] {100 * share // self._total:3d} %"
        if bar != self._drawn:
            self._stream.write(f"\r{bar}")
            self._stream.flush()
            self._drawn = bar

    def clear(self) -> None:
        """Take the bar off the line, so that something can be printed there."""
        if self._drawn:
            self._stream.write(f"\r{' ' * len(self._drawn)}\r")
            self._stream.flush()
            self._drawn = ""
