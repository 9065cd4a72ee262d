"""Journals for the tests of the archive: more rounds than must stay at hand, in many segments."""

from __future__ import annotations

import os
import shutil
import time
from datetime import datetime
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.daemon import startup
from firmware_bridge.journal import clock, segments, writer
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.pump import pump
from tests.firmware_bridge.audit.journals import made, rounds

COUNT = 140
LENGTH = 200


def old_journal(state: Path, at: datetime | None = None) -> None:
    """Play enough rounds that the first segments hold none of the last hundred; from a time on, if it is told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "LONG", LENGTH)
        if at is not None:
            ago = time.time_ns() - int(at.timestamp() * 1e9)
            for module in (clock, startup, pump):
                patch.setattr(module, "time_ns", lambda: time.time_ns() - ago)
        made(state, rounds(COUNT))
    if at is not None:
        for path in state.iterdir():
            os.utime(path, (at.timestamp(), at.timestamp()))


def copied(source: Path, target: Path) -> Path:
    """A copy of a state folder, with everything in it."""
    shutil.copytree(source, target)
    return target


def all_rows(state: Path) -> list[Row]:
    """Every row, at hand or archived; a row that is in two segments is there twice."""
    found = []
    for path in compressed_segments.every(state):
        with compressed_segments.opened(path) as connection:
            found += [row for row, _ in segments.rows(connection)]
    return found


def at_hand(state: Path) -> list[int]:
    """The numbers of the segments at hand."""
    return [segments.number_of(path) for path in segments.segments(state)]


def archived(state: Path) -> list[int]:
    """The numbers of the archived segments."""
    return [segments.number_of(path) for path in compressed_segments.archived(state)]


def whole(state: Path) -> list[str]:
    """What the audit has to say against a journal."""
    return [str(problem) for problem in verify(state).problems]
