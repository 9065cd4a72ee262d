"""``truedeal ingest``: takes the journals of tables into the archive."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from firmware_bridge.commands.floor.broker_key import add_broker_options, extra_is_missing, key_or_status
from firmware_bridge.commands.floor.named import casino_and_table, host_and_port, servers
from firmware_bridge.commands.help_text import examples


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "ingest",
        help="take the journals of tables into the archive",
        description="Hears the tables of a casino on the broker, verifies what they send and takes it into the "
        "archive, until it is told to end. With --from it takes the journal of one folder, and ends.",
        epilog=examples(
            (
                "truedeal ingest --archive sqlite:floor.db --from /mnt/t12 --table mbs/bj-12",
                "the journal of one folder",
            ),
            (
                "truedeal ingest --archive postgresql:///floor --casino mbs --nats tls://broker:4222 --key ingest.key",
                "what the tables of a casino send",
            ),
            status="Exit status: 0 it was told to end, or all of the folder is taken; 1 the folder's journal is "
            "quarantined; 2 something cannot be read or written.",
        ),
    )
    parser.add_argument("--archive", required=True, metavar="ADDRESS", help="sqlite:FILE or postgresql://…")
    parser.add_argument("--from", dest="folder", metavar="FOLDER", type=Path, help="a state folder")
    parser.add_argument("--table", metavar="CASINO/TABLE", type=casino_and_table, help="with --from: whose it is")
    parser.add_argument("--casino", metavar="CASINO", help="whose tables to hear")
    add_broker_options(parser, key_needed=False)
    parser.add_argument("--metrics", metavar="HOST:PORT", type=host_and_port, help="where Prometheus may ask")
    parser.add_argument("--syslog", metavar="syslog+tls:HOST:PORT", help="a server that is told every alarm")
    parser.add_argument("--syslog-ca", metavar="FILE", type=Path, help="the CA of that server")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take a folder, or hear tables; returns the exit status."""
    if args.folder is not None and args.table is not None:
        return _take_folder(args)
    if args.key is None or not (args.print_key or (args.casino and args.nats)):
        sys.stderr.write("truedeal ingest: --from and --table, or --casino, --nats and --key are needed\n")
        return 2
    nkey = key_or_status(args)
    if isinstance(nkey, int):
        return nkey
    try:
        from firmware_bridge.anchors.targets import SyslogTarget, read_target  # noqa: PLC0415  only when it is wanted
        from firmware_bridge.floor.centre.ingester import Centre, ingest  # noqa: PLC0415
    except ModuleNotFoundError as error:
        return extra_is_missing(args, error)

    receipts = args.key.with_name(f"{args.key.name}-receipts")
    try:
        syslog = None if args.syslog is None else read_target(args.syslog)
        if not isinstance(syslog, SyslogTarget | None):
            raise ValueError(f"--syslog: expected syslog+tls:HOST:PORT, got {args.syslog!r}")
        where = (args.casino, servers(args.nats), args.ca, nkey, receipts)
        asyncio.run(ingest(Centre(*where, args.metrics, syslog, args.syslog_ca), args.archive))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"truedeal ingest: {error}\n")
        return 2
    return 0


def _take_folder(args: argparse.Namespace) -> int:
    from firmware_bridge.floor.archive.archive import Archive  # noqa: PLC0415  only when it is wanted
    from firmware_bridge.floor.archive.dialects import ArchiveError  # noqa: PLC0415
    from firmware_bridge.floor.centre.folder import take_folder  # noqa: PLC0415
    from firmware_bridge.floor.intake.known import TakenBatch, Wrong  # noqa: PLC0415
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
                events += len(outcome.events) if isinstance(outcome, TakenBatch) else 0
            bad = [reason for place, reason in archive.quarantined() if (place.casino, place.name) == (casino, name)]
    except (ArchiveError, SourceError, ValueError) as error:
        sys.stderr.write(f"truedeal ingest: {str(error).strip()}\n")
        return 2
    sys.stdout.write(f"{events} events taken\n" + "".join(f"QUARANTINED: {reason}\n" for reason in bad))
    return 1 if bad else 0
