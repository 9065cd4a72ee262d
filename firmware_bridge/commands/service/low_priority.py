"""Lets a child process give way: it works at low priority, for a share of the time, and ends with its input."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time

BUSY_SHARE = 0.25
"""The share of the time in which it works, whether or not the system lets it lower its priority."""


class LeftAloneError(Exception):
    """The process that started this one has gone, or wants it to end."""


class Pause:
    """Lets others go first, and ends with the standard input."""

    def __init__(self) -> None:
        with contextlib.suppress(OSError):  # the service's walls do not let it: the share is kept all the same
            os.nice(19)
        self._since = time.monotonic()

    def __call__(self) -> None:
        """Sleep for as long as the share demands; the end of the standard input ends the sleep and the work.

        Raises:
            LeftAloneError: the standard input has ended.
        """
        worked = time.monotonic() - self._since
        ended, _, _ = select.select([sys.stdin], [], [], worked * (1 / BUSY_SHARE - 1))
        if ended:
            raise LeftAloneError
        self._since = time.monotonic()
