"""``truedeal play``: plays deal notation and checks its expectations.

1. A folder stands for every ``*.deal`` file in it and below, in sorted order. A named file is played whatever its name.
2. A file that cannot be read or played does not stop the others. Its message goes to the standard error output, as
   ``file:line: what is wrong``, and into its report under ``error``.
3. Exit status: 0 all played and all expectations held, 1 an expectation failed, 2 a file could not be read or a
   statement is illegal where it stands. 2 wins over 1.
4. ``--json`` prints one report a line, in the order of the files. Otherwise it prints for people: every report in full
   or, with more than `MANY` files, only those that failed; and a summary, if there are several files.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.progress import Progress

if TYPE_CHECKING:
    from gamecore.notation.playing.player import Played
    from gamecore.notation.playing.venue import Venue
    from gamecore.notation.syntax import Header
    from gamecore.rules.ruleset import Ruleset

MANY = 20
"""With more files than this, only those that failed are printed."""
VENUES = "truedeal.venues"
"""The entry point group of the other places where a file can be played."""


class DealFile(NamedTuple):
    """A file to play, or why there is none."""

    name: str
    path: Path | None
    error: str = ""


class Venues(Protocol):
    """Gives the place where each file is played, one after the other."""

    def __call__(self, header: Header, rules: Ruleset) -> Venue:
        """Return the place where the next file is played."""

    def failed(self) -> None:
        """Discard what a file left behind that ended in a fault of the program."""

    def close(self) -> None:
        """End what was started."""


class InProcessVenues:
    """Gives every file a table of its own, in this process."""

    def __call__(self, header: Header, rules: Ruleset) -> Venue:
        """Return a new table."""
        from gamecore.notation.playing.venue import InProcess  # noqa: PLC0415

        return InProcess(header, rules)

    def failed(self) -> None:
        """Do nothing: nothing is left behind."""

    def close(self) -> None:
        """Do nothing: nothing was started."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "play",
        help="play deal notation and check its expectations",
        description="Plays .deal files at a table in process, checks their expect lines and reports what happened.",
        epilog=examples(
            ("truedeal play round.deal", "play one file and print its report"),
            ("truedeal play tests/scenarios --json", "play every .deal file below a folder, one report a line"),
            ("truedeal play --hardware round.deal", "the same file through simulated devices and the daemon"),
            status="Exit status: 0 all held, 1 an expectation failed, 2 a file is wrong or a statement not allowed.",
        ),
    )
    parser.add_argument("paths", nargs="+", metavar="FILE-OR-FOLDER", help="a file, or a folder with .deal files")
    parser.add_argument(
        "--hardware", action="store_true", help="play through simulated devices, drivers, daemon and journal"
    )
    parser.add_argument("--json", action="store_true", help="print one report a line as JSON")
    parser.add_argument("--export", metavar="FILE", help="write what reached the table as deal notation; - prints it")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every report even with many files")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play every file; returns the exit status."""
    files = list(find(args.paths))
    if args.export is not None and len(files) != 1:
        sys.stderr.write(f"truedeal play: --export takes one file, got {len(files)}\n")
        return 2
    if args.export is not None and args.hardware:
        sys.stderr.write(
            "truedeal play: --export and --hardware do not go together: the daemon's journal is exported\n"
        )
        return 2
    venues = _hardware() if args.hardware else InProcessVenues()
    try:
        return _run(args, files, venues)
    finally:
        venues.close()


def _hardware() -> Venues:
    """The simulated table, which joins by entry point."""
    from importlib.metadata import entry_points  # noqa: PLC0415  slow to load

    for point in entry_points(group=VENUES, name="hardware"):
        venues: Venues = point.load()()
        return venues
    message = "simulated hardware is not installed"
    raise LookupError(message)


def _run(args: argparse.Namespace, files: list[DealFile], venues: Venues) -> int:
    counts = {0: 0, 1: 0, 2: 0}
    progress = Progress(len(files), sys.stderr)
    exported = args.export == "-"
    for found in files:
        played = play_file(found, venues)
        progress.step()
        status = 2 if played.error is not None else 1 if played.failures else 0
        counts[status] += 1
        if args.export is not None:
            export(played, args.export)
        if args.json:
            sys.stdout.write(as_json(played.report))
        elif not exported and (args.verbose or len(files) <= MANY or status):
            progress.clear()
            _show(played)
        if played.error is not None:
            progress.clear()
            sys.stdout.flush()
            sys.stderr.write(f"{played.error}\n")
    progress.clear()
    if not args.json and not exported and len(files) > 1:
        sys.stdout.write(summary(counts))
    return max(status for status, count in counts.items() if count)


def find(paths: Iterable[str]) -> Iterator[DealFile]:
    """The files to play, in order."""
    for name in paths:
        path = Path(name)
        if not path.is_dir():
            yield DealFile(name, path)
            continue
        files = sorted(file for file in path.rglob("*.deal") if file.is_file())
        if not files:
            yield DealFile(name, None, f"{name}: this folder holds no .deal file")
        yield from (DealFile(str(file), file) for file in files)


def play_file(found: DealFile, venues: Venues) -> Played:
    """Play one file."""
    from gamecore.notation.playing.player import play_text, unplayed  # noqa: PLC0415
    from gamecore.rules.games import GAMES  # noqa: PLC0415  only when there is something to play

    if found.path is None:
        return unplayed(found.name, found.error)
    try:
        text = found.path.read_bytes().decode("utf-8")
    except OSError as error:
        return unplayed(found.name, f"{found.name}: cannot be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return unplayed(found.name, f"{found.name}:{line}: this is no UTF-8 text")
    try:
        return play_text(text, found.name, GAMES, venues)
    except Exception as fault:  # the other files are played all the same
        venues.failed()
        if os.environ.get("TRUEDEAL_TRACEBACK"):
            raise
        what = f"fault of the program: {type(fault).__name__}: {fault} (TRUEDEAL_TRACEBACK=1 shows where)"
        return unplayed(found.name, f"{found.name}: {what}")


def export(played: Played, target: str) -> None:
    """Write down what reached the table, if anything did."""
    from gamecore.notation.export import scenario_of  # noqa: PLC0415
    from gamecore.notation.writer import write  # noqa: PLC0415

    if played.header is None:
        return
    text = write(scenario_of(played.header, played.events))
    if target == "-":
        sys.stdout.write(text)
    else:
        Path(target).write_text(text, encoding="utf-8")


def as_json(report: dict[str, object]) -> str:
    """The report on one line."""
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")) + "\n"


def summary(counts: dict[int, int]) -> str:
    """How many files were played, and how they ended."""
    named = ((0, "ok"), (1, "failed"), (2, "in error"))
    ended = ", ".join(f"{counts[status]} {word}" for status, word in named if counts[status] or status == 0)
    return f"{sum(counts.values())} files, {ended}\n"


def _show(played: Played) -> None:
    from firmware_bridge.commands.table.report_text import colour_wanted, render  # noqa: PLC0415
    from gamecore.rules.games import GAMES  # noqa: PLC0415

    rules = GAMES.get(str(played.report["game"]))
    sys.stdout.write(render(played.report, rules.title if rules else "", colour=colour_wanted(sys.stdout)))
