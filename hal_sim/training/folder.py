"""The folder of training: kept apart from every table's.

1. It is marked as training's (`firmware_bridge.journal.domain`), so that nothing of a table is ever written there, and
   what reads a table's journal refuses all of it. A folder that holds a table's journal, or lies within one that does,
   is refused.
2. Each run has a journal of its own under `journals`: devices that start again cannot continue an old one.
3. The oldest journals go when there are more than `MOST_JOURNALS`: they are for looking at a lesson once more, and
   prove nothing to anybody.
"""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

from firmware_bridge.journal.domain import MARK
from firmware_bridge.journal.schema import TRAINING
from firmware_bridge.journal.segments import latest

MOST_JOURNALS = 50


class FolderError(Exception):
    """The folder cannot be training's; the message says why."""


def usual_folder() -> Path:
    """Where training is kept unless somebody says otherwise."""
    base = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(base).expanduser() / MARK


def take_folder(folder: Path) -> Path:
    """Mark a folder as training's, and make it if it is not there; return its whole path.

    Raises:
        FolderError: it holds a table's journal, or lies within a folder that does.
    """
    folder = folder.resolve()
    for above in (folder, *folder.parents):
        if above.is_dir() and latest(above) and not (above / MARK).exists():
            raise FolderError(f"{above}: it holds a table's journal, and training is kept apart from tables")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(f"{TRAINING}\n", encoding="ascii")
    return folder


def new_journal(folder: Path, now: datetime) -> Path:
    """Make and return the folder of a run's journal; remove the oldest ones."""
    journals = folder / "journals"
    path = journals / f"{now:%Y%m%dT%H%M%S%f}"
    path.mkdir(parents=True)
    for old in sorted(journals.iterdir())[:-MOST_JOURNALS]:
        shutil.rmtree(old, ignore_errors=True)
    return path
