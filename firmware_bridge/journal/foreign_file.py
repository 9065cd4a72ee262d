"""A file that another program keeps: it may be no file at all, or be exchanged at any moment."""

from __future__ import annotations

import os
import stat
from pathlib import Path

Seen = tuple[int, int, int]
"""By what one file is told from the next under the same name."""


def sight(path: Path) -> Seen | None:
    """Which file is there now; None if there is none. It is one call of the system."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def read_bytes(path: Path, most: int) -> bytes:
    """What a file holds, up to a number of bytes; nothing else than a file is waited for.

    Raises:
        OSError: it cannot be read, or is no file.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is no file")
        return file.read(most)
