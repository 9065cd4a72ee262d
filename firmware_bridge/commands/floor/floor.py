"""``truedeal floor``: the archive of the floor and its tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_bridge.commands.floor.named import casino_and_table

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Archive


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "floor",
        help="make and look after the archive of many tables",
        description="Makes the archive of a floor, enrols its tables and shows how far their journals have come.",
        epilog="Exit status: 0 done, 1 a journal is quarantined, 2 something cannot be read or written.",
    )
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    migrate = _part(parts, "migrate", "make an archive, or bring it to the newest schema", _migrate)
    migrate.add_argument("--demo", action="store_true", help="an archive for tables that run without people")
    table = _part(parts, "add-table", "enrol a table", _add_table)
    table.add_argument("table", metavar="CASINO/TABLE", type=casino_and_table, help="the table")
    _part(parts, "journals", "show the journals, how far they have come and which are quarantined", _journals)


def _part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    short: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = parts.add_parser(name, help=short, description=f"{short.capitalize()}.")
    parser.add_argument("--archive", required=True, metavar="ADDRESS", help="sqlite:FILE or postgresql://…")
    parser.set_defaults(run=lambda args: _guarded(run, args))
    return parser


def _guarded(run: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415  only when it is wanted

    try:
        return run(args)
    except (ArchiveError, ValueError) as error:
        sys.stderr.write(f"truedeal floor: {str(error).strip()}\n")
        return 2


def _opened(args: argparse.Namespace) -> Archive:
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415

    return Archive.open(args.archive)


def _migrate(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive import migrations  # noqa: PLC0415
    from firmware_bridge.floor.archive.dialects import connect  # noqa: PLC0415

    dialect = connect(args.archive)
    try:
        done = migrations.migrate(dialect, migrations.DEMO if args.demo else migrations.HOUSE)
    finally:
        dialect.close()
    sys.stdout.write(f"{len(done)} files of the schema were run\n")
    return 0


def _add_table(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.archive import Enrolled  # noqa: PLC0415

    casino, name = args.table
    with _opened(args) as archive:
        archive.add_table(Enrolled(casino, name, ""))
    return 0


def _journals(args: argparse.Namespace) -> int:
    with _opened(args) as archive:
        wrong = {place.journal: reason for place, reason in archive.quarantined()}
        for place in archive.places():
            known = archive.known(*place)
            if known is not None:
                said = f"{place.casino}/{place.name} {place.journal.hex()}: event {known.mark.n}, sealed {known.seal.n}"
                bad = f", QUARANTINED {wrong[place.journal]}" if place.journal in wrong else ""
                sys.stdout.write(f"{said}, backed up {archive.backed(place.journal)}{bad}\n")
    return 1 if wrong else 0
