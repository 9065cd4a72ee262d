"""What the commands share that reach the broker: their key for it, and the extra that they need.

1. ``truedeal ship``, ``truedeal ingest`` and ``truedeal floor`` have ``--nats``, ``--ca``, ``--key`` and
   ``--print-key``.
2. The key is made where there is none. With ``--print-key`` its public half is printed, and the command is done.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.floor.wire.nkeys import Nkey


def add_broker_options(parser: argparse.ArgumentParser, *, key_needed: bool) -> None:
    """Describe the options of a command that reaches the broker."""
    parser.add_argument("--nats", action="append", default=[], metavar="ADDRESS[,ADDRESS]", help="the broker's servers")
    parser.add_argument("--ca", metavar="FILE", type=Path, help="the CA that has signed the servers' certificates")
    key = "the key for the broker; made if missing"
    parser.add_argument("--key", required=key_needed, metavar="FILE", type=Path, help=key)
    parser.add_argument("--print-key", action="store_true", help="print the public key, and end")


def key_or_status(args: argparse.Namespace) -> Nkey | int:
    """The key for the broker; the exit status if the command ends here."""
    from firmware_bridge.floor.wire import nkeys  # noqa: PLC0415  only when it is wanted

    try:
        nkey = nkeys.make(args.key)
    except ValueError as error:
        sys.stderr.write(f"truedeal {args.command}: {error}\n")
        return 2
    if args.print_key:
        sys.stdout.write(f"{nkey.public}\n")
        return 0
    return nkey


def extra_is_missing(args: argparse.Namespace, error: ModuleNotFoundError) -> int:
    """Say which library of the floor is missing; returns the exit status."""
    sys.stderr.write(f"truedeal {args.command}: {error.name} is not installed: it comes with truedeal[floor]\n")
    return 2
