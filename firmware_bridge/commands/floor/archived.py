"""The audit of journals in the archive: ``truedeal verify``, ``replay``, ``export`` and ``affected`` with an address.

1. Instead of a state folder the address of an archive may be given: ``sqlite:FILE`` or ``postgresql://…``. The command
   then runs for each journal in turn, by casino, table and age, or only for those of one table.
2. The exit status is the worst of all; from worst to best: 2, 1, 3, 0.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.audit.journal_reader import UnreadableError

_ORDER = (0, 3, 1, 2)


def is_address(text: str) -> bool:
    """Whether a word names an archive, not a folder."""
    return text.startswith(("sqlite:", "postgresql:", "postgres:"))


def state_or_address(text: str) -> Path | str:
    """A state folder, or the address of an archive."""
    return text if is_address(text) else Path(text)


def each_journal(args: Namespace, run: Callable[[Namespace], int]) -> int:
    """Run a command for each journal of an archive, or of one of its tables; returns the worst status.

    Raises:
        UnreadableError: the archive cannot be read, or has no such journal.
    """
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415  its drivers come with the floor alone
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415
    from firmware_bridge.floor.archive.reading import ArchivedJournal  # noqa: PLC0415

    try:
        archive = Archive.open(args.state)
    except (ArchiveError, ValueError) as error:
        raise UnreadableError(str(error).strip()) from error
    try:
        places = [place for place in archive.places() if args.table in {None, f"{place.casino}/{place.name}"}]
        if not places:
            raise UnreadableError("the archive has no such journal")
        if getattr(args, "out", None) is not None and len(places) > 1:
            raise UnreadableError(f"--out: there are {len(places)} journals; --table CASINO/TABLE chooses those of one")
        statuses = []
        for place in places:
            journal = ArchivedJournal(archive, place)
            sys.stdout.write(f"== {journal}\n" if len(places) > 1 else "")
            statuses.append(run(Namespace(**{**vars(args), "state": journal})))
    finally:
        archive.close()
    return max(statuses, key=_ORDER.index)
