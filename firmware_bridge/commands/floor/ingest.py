"""``truedeal ingest``: takes the journals of tables into the archive."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.commands.floor.named import casino_and_table


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "ingest",
        help="take the journal of a table into the archive",
        description="Verifies the journal of a table and takes into the archive what it has not yet.",
        epilog="Exit status: 0 all is taken, 1 the journal is quarantined, 2 something cannot be read or written.",
    )
    parser.add_argument("--archive", required=True, metavar="ADDRESS", help="sqlite:FILE or postgresql://…")
    parser.add_argument("--from", dest="folder", required=True, metavar="FOLDER", type=Path, help="a state folder")
    parser.add_argument("--table", required=True, metavar="CASINO/TABLE", type=casino_and_table, help="whose it is")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take a folder; the exit status."""
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415  only when it is wanted
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415
    from firmware_bridge.floor.centre.folder import take_folder  # noqa: PLC0415
    from firmware_bridge.floor.intake.known import Taken, Wrong  # noqa: PLC0415
    from firmware_bridge.floor.shipping.source import SourceError  # noqa: PLC0415

    casino, name = args.table
    events = 0
    try:
        with Archive.open(args.archive) as archive:
            if (casino, name) not in {(table.casino, table.name) for table in archive.tables()}:
                raise SourceError(f"{casino}/{name} is no table of this floor")
            for outcome in take_folder(archive, args.folder, casino, name):
                if isinstance(outcome, Wrong):
                    sys.stdout.write(f"QUARANTINED: {outcome.reason} at event {outcome.n}: {outcome.detail}\n")
                    return 1
                events += len(outcome.events) if isinstance(outcome, Taken) else 0
            bad = [reason for place, reason in archive.quarantined() if (place.casino, place.name) == (casino, name)]
    except (ArchiveError, SourceError, ValueError) as error:
        sys.stderr.write(f"truedeal ingest: {str(error).strip()}\n")
        return 2
    sys.stdout.write(f"{events} events taken\n" + "".join(f"QUARANTINED: {reason}\n" for reason in bad))
    return 1 if bad else 0
