"""``truedeal archive``: compress the segments of a journal that are old, or too many.

1. The daemon runs it by itself, as a child (``--tied``). People run it to make room, or for a folder whose daemon is
   gone. `journal.archive.retention` says what goes and what must stay, `journal.archive` how nothing is lost on the
   way.
2. One run at a time: a second one leaves the work to the first. It runs as the owner of the folder, so that the daemon
   can read what it leaves.
3. A child gives way (`low_priority`): it works at the lowest priority if the system allows that, in any case at most a
   quarter of the time, and ends at the next pause when its standard input ends.
4. Exit status: 0 what was due has gone, nothing was due, or another run is at work; 1 something could not go and
   somebody must look at it; 2 the folder cannot be used; 3 a child was told to end.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pwd
import sys
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.numbers import whole_number
from firmware_bridge.commands.service.low_priority import LeftAloneError, Pause
from firmware_bridge.journal.archive.retention_limits import MOST_DAYS, MOST_MEGABYTES, Retention

ENDED = 3
"""The status of a child that was told to end."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "archive",
        help="compress the old segments of a journal",
        description="Compresses the segments of a journal that are old, or too many, into its folder 'archive'. "
        "The daemon does so by itself, as [retention] of the configuration says.",
        epilog=examples(
            ("truedeal archive /var/lib/truedeal --dry-run", "say what would go"),
            ("truedeal archive /var/lib/truedeal --days 30", "compress what ended more than thirty days ago"),
            status="Exit status: 0 done, 1 a segment must be looked at, 2 the folder cannot be used.",
        ),
    )
    parser.add_argument("state", metavar="STATE", type=Path, help="the state folder of a table")
    usual = Retention()
    more = f"those that ended longer ago ({usual.days})"
    parser.add_argument("--days", type=whole_number(0, MOST_DAYS), default=usual.days, metavar="N", help=more)
    more = f"the oldest, while all at hand are larger ({usual.megabytes})"
    parser.add_argument(
        "--megabytes", type=whole_number(0, MOST_MEGABYTES), default=usual.megabytes, metavar="N", help=more
    )
    parser.add_argument("--keep", type=int, action="append", default=[], metavar="EVENT", help="keep that one at hand")
    parser.add_argument("--dry-run", action="store_true", help="only say what would go")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--tied", action="store_true", help="give way, and end when the standard input ends")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Archive what is due; returns the exit status."""
    if not args.state.is_dir():
        return _failed(f"{args.state}: there is no such folder")
    owner = args.state.stat().st_uid
    if owner != os.geteuid():
        return _failed(f"{args.state} belongs to {_name(owner)}: run it as that user, with 'runuser -u {_name(owner)}'")
    handle = os.open(args.state, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return _archive(args)
    except BlockingIOError:
        return _failed("another run is at it", 0)
    except LeftAloneError:
        return ENDED
    finally:
        os.close(handle)


def _archive(args: argparse.Namespace) -> int:
    import sqlite3  # noqa: PLC0415
    from datetime import UTC, datetime  # noqa: PLC0415

    from firmware_bridge.journal import segments  # noqa: PLC0415
    from firmware_bridge.journal.archive import compressed_segments, retention  # noqa: PLC0415
    from firmware_bridge.people.alarms_from_records import uncleared  # noqa: PLC0415

    pause: Callable[[], None] = Pause() if args.tied else lambda: None
    if not args.dry_run:
        compressed_segments.tidy(args.state)
    wanted = Retention(args.days, args.megabytes)
    held = {*args.keep, *(one.n for one in uncleared(args.state))}
    going, stays = retention.due(args.state, wanted, datetime.now(UTC), held, _words_in_force())
    for path in going:
        pause()
        wrong = retention.not_whole(path)
        if wrong:
            stays.append(retention.Stay(path, wrong, wrong=True))
            continue
        if args.dry_run:
            _say(args, {"segment": path.name}, f"{path.name}: would go")
            continue
        size, _ = segments.size_and_time(path)
        try:
            target = compressed_segments.pack(args.state, path, pause)
        except (compressed_segments.ArchiveError, sqlite3.Error, OSError) as error:
            stays.append(retention.Stay(path, str(error), wrong=True))
            continue
        packed = target.stat().st_size
        line = f"{path.name}: archived as {target}, {size / 1e6:.1f} MB are {packed / 1e6:.1f}"
        _say(args, {"archived": str(target), "segment": path.name, "bytes": size, "packed": packed}, line)
    for stay in stays:
        said = {"stays": stay.path.name, "why": stay.why, "wrong": stay.wrong, "names": stay.names}
        _say(args, said, f"{stay.path.name}: stays, {stay.why}")
    if not going and not stays and not args.json:
        sys.stdout.write("nothing is due\n")
    return 1 if any(stay.wrong for stay in stays) else 0


def _words_in_force() -> list[str]:
    """The words under which the journal alone names what is in force: a start without their rows would not know it."""
    from firmware_bridge.journal.schema import ROSTER  # noqa: PLC0415
    from firmware_bridge.links.pairings import PAIRINGS  # noqa: PLC0415
    from firmware_bridge.links.registers import ASIDE  # noqa: PLC0415
    from firmware_bridge.people.accounts.journal_digest import DIGEST  # noqa: PLC0415
    from firmware_bridge.setup.house_documents import word  # noqa: PLC0415
    from gamecore.rules.games import GAMES  # noqa: PLC0415

    return [DIGEST, PAIRINGS, ASIDE, ROSTER, *map(word, GAMES)]


def _say(args: argparse.Namespace, said: dict[str, object], line: str) -> None:
    sys.stdout.write((json.dumps(said) if args.json else line) + "\n")
    sys.stdout.flush()


def _failed(message: str, status: int = 2) -> int:
    sys.stderr.write(f"truedeal archive: {message}\n")
    return status


def _name(user: int) -> str:
    """The name of a user, or its number."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
