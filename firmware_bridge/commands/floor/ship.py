"""``truedeal ship``: sends the journal of a table to the centre (`floor.shipping.shipper`)."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.floor.broker_key import add_broker_options, extra_is_missing, key_or_status
from firmware_bridge.commands.floor.named import at_this_machine, casino_and_table, servers
from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    from firmware_bridge.floor.shipping.shipper import Shipper


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "ship",
        help="send the journal of a table to the centre",
        description="Sends the journal of a table to the centre, in order, until it is told to end.",
        epilog=examples(
            (
                "truedeal ship --state /var/lib/truedeal --table mbs/bj-12 --nats tls://broker:4222 --key ship.key",
                "as the service does",
            ),
            ("truedeal ship --key ship.key --print-key", "the public key, for the broker's list of users"),
            status="Exit status: 0 it was told to end, 2 a file cannot be used.",
        ),
    )
    parser.add_argument("--state", metavar="FOLDER", type=Path, help="the state folder of the table")
    parser.add_argument("--table", metavar="CASINO/TABLE", type=casino_and_table, help="the table")
    add_broker_options(parser, key_needed=True)
    parser.add_argument("--watch", metavar="SOCKET", type=Path, help="the daemon's reading socket, for live news")
    parser.add_argument("--centre", metavar="FOLDER", type=Path, help="where the centre's receipt is kept")
    parser.add_argument("--people", metavar="FOLDER", type=Path, help="where the floor's roster is kept")
    parser.add_argument("--metrics", metavar="127.0.0.1:PORT", type=at_this_machine, help="where Prometheus may ask")
    parser.add_argument("--status", metavar="FILE", type=Path, help="where to write how it is")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ship until a signal ends it; returns the exit status."""
    nkey = key_or_status(args)
    if isinstance(nkey, int):
        return nkey
    if args.state is None or args.table is None or not args.nats:
        sys.stderr.write("truedeal ship: --state, --table and --nats are needed\n")
        return 2
    if args.people is not None and args.centre is None:
        sys.stderr.write("truedeal ship: --people needs --centre, where the floor's public key is\n")
        return 2
    try:
        from firmware_bridge.floor.shipping.shipper import Shipper, Table  # noqa: PLC0415  only when it is wanted
    except ModuleNotFoundError as error:
        return extra_is_missing(args, error)

    casino, name = args.table
    files = (args.status, args.watch, args.centre)
    table = Table(casino, name, args.state, servers(args.nats), args.ca, nkey, *files, args.metrics, args.people)
    asyncio.run(_until_told(Shipper(table)))
    return 0


async def _until_told(shipper: Shipper) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await shipper.run(ended)
