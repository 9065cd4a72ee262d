"""Who has a state folder: one process, and a little room of it in reserve.

1. The process that writes the journal holds a lock on ``lock`` in its folder, which the kernel takes back when the
   process ends, however it does. A second daemon is turned away before it has changed anything; the lock is that of the
   process, so that the same one may open its journal again.
2. SQLite cannot even open a journal on a disk that is full to the last byte. So that the table can still say so, some
   room is kept in ``reserve``. It is given up at such a start, and made again at the next start that finds plenty of
   room. A link in its place is removed, never followed.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from pathlib import Path

LOCK, RESERVE = "lock", "reserve"
ROOM = 128 * 1024
"""Bytes that are kept in reserve."""
_PLENTY = 4  # the reserve is made where there is so many times its room


def lock_folder(state: Path) -> int:
    """Take the lock of a state folder; return the descriptor that holds it until it is closed.

    Raises:
        sqlite3.OperationalError: another process has it.
    """
    handle = os.open(state / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.fchmod(handle, 0o600)  # who can open it to read can lock the daemon out
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        busy = sqlite3.OperationalError("another process writes it")
        busy.sqlite_errorcode = sqlite3.SQLITE_BUSY  # which is no damage
        raise busy from error
    return handle


def is_full(state: Path, least: int = ROOM) -> bool:
    """Whether fewer than `least` bytes are free on the disk of a folder; no if the system does not tell."""
    try:
        disk = os.statvfs(state)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < least


def keep_reserve(state: Path) -> None:
    """Keep some room, if it is not kept yet and there is plenty."""
    path = state / RESERVE
    try:
        if is_full(state, _PLENTY * ROOM) or _is_kept(path):
            return
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640), "wb") as file:
            file.write(b"\xff" * ROOM)
    except OSError:
        path.unlink(missing_ok=True)


def _is_kept(path: Path) -> bool:
    """Whether the room is kept, by a file of its own."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size == ROOM


def give_up_reserve(state: Path) -> bool:
    """Give up the room that is kept, if the disk has no other; return whether there was any."""
    if not is_full(state):
        return False
    try:
        (state / RESERVE).unlink()
    except OSError:
        return False
    return True
