"""The audit of journals in the archive: ``truedeal verify``, ``replay``, ``export`` and ``affected`` with an address.

1. Instead of a state folder the address of an archive may be given: ``sqlite:FILE`` or ``postgresql://…``. The command
   then runs for each journal, by casino, table and age, or only for those of one table.
2. Several journals are read by several processes at once, one for each core. What they print comes in order, the report
   of one journal after the other, each under its name.
3. ``--out FILE`` with several journals writes a file for each: its name has casino, table and the beginning of the
   journal's id before the suffix.
4. The exit status is the worst of all; from worst to best: 2, 1, 3, 0.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.audit.journal_reader import UnreadableError

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Archive, Place

_ORDER = (0, 3, 1, 2)


def is_address(text: str) -> bool:
    """Whether a word names an archive, not a folder."""
    return text.startswith(("sqlite:", "postgresql:", "postgres:"))


def state_or_address(text: str) -> Path | str:
    """A state folder, or the address of an archive."""
    return text if is_address(text) else Path(text)


def opened(address: str) -> Archive:
    """The archive at an address.

    Raises:
        UnreadableError: it cannot be read.
    """
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415  its drivers come with the floor alone
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415

    try:
        return Archive.open(address)
    except (ArchiveError, ValueError) as error:
        raise UnreadableError(str(error).strip()) from error


def each_journal(args: Namespace, run: Callable[[Namespace], int]) -> int:
    """Run a command for each journal of an archive, or of one of its tables; returns the worst status.

    Raises:
        UnreadableError: the archive cannot be read, or has no such journal.
    """
    with opened(args.state) as archive:
        places = [place for place in archive.places() if args.table in {None, f"{place.casino}/{place.name}"}]
        if not places:
            raise UnreadableError("the archive has no such journal")
        if len(places) == 1:
            return _run_one(archive, args, run, places[0])
    # Nothing is open here when the processes begin: a connection that two of them have is of no use to either.
    with TemporaryDirectory(prefix="truedeal-") as folder:
        begin = _Work(args, run, Path(folder))
        context = multiprocessing.get_context("fork")
        with context.Pool(min(len(places), os.cpu_count() or 1), _begin, (begin,)) as pool:
            statuses: list[int] = []
            for place, status in zip(places, pool.imap(_work, enumerate(places)), strict=True):
                _print(Path(folder), len(statuses), f"== {place.casino}/{place.name} {place.journal.hex()}\n")
                statuses.append(status)
    return max(statuses, key=_ORDER.index)


def _run_one(archive: Archive, args: Namespace, run: Callable[[Namespace], int], place: Place) -> int:
    from firmware_bridge.floor.archive.reading import ArchivedJournal  # noqa: PLC0415

    return run(Namespace(**{**vars(args), "state": ArchivedJournal(archive, place)}))


# --- several journals -------------------------------------------------------------------------------------------------


class _Work(NamedTuple):
    """What each process does: the command, and where its words go."""

    args: Namespace
    run: Callable[[Namespace], int]
    folder: Path


_given: list[_Work] = []  # in a process of the pool: its work


def _begin(work: _Work) -> None:
    _given.append(work)


def _work(numbered: tuple[int, Place]) -> int:
    """Run the command for one journal, in a process of the pool."""
    number, place = numbered
    args, run, folder = _given[0]
    out: Path | None = getattr(args, "out", None)
    if out is not None:
        name = f"{out.stem}-{place.casino}-{place.name}-{place.journal.hex()[:8]}{out.suffix}"
        args = Namespace(**{**vars(args), "out": out.with_name(name)})
    how = {"encoding": "utf-8", "errors": "surrogateescape", "newline": ""}
    with (
        (folder / f"{number}.out").open("w", **how) as said,  # type: ignore[call-overload]  # these are options of text
        (folder / f"{number}.err").open("w", **how) as noted,  # type: ignore[call-overload]  # as above
        redirect_stdout(said),
        redirect_stderr(noted),
    ):
        try:
            with opened(args.state) as archive:
                return _run_one(archive, args, run, place)
        except UnreadableError as error:
            noted.write(f"truedeal {args.command}: {error}\n")
            return 2


def _print(folder: Path, number: int, title: str) -> None:
    """Print what was said of one journal, and forget it."""
    for name, stream, first in ((f"{number}.err", sys.stderr, ""), (f"{number}.out", sys.stdout, title)):
        stream.write(first)
        with (folder / name).open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            shutil.copyfileobj(file, stream)
        stream.flush()
        (folder / name).unlink()
