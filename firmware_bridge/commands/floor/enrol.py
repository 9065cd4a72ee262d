"""``truedeal enrol``: gives a table its place on the floor (`floor.shipping.enrolling`)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.commands.help_text import examples


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "enrol",
        help="give a table its place on the floor, with a token of the centre",
        description="Gives a table its place on the floor. The token was issued by two people at the centre, counts "
        "once and for a day.",
        epilog=examples(
            (
                "truedeal enrol TOKEN --state /var/lib/truedeal --folder /etc/truedeal/floor",
                "with the token that 'truedeal floor token' has printed",
            ),
            status="Exit status: 0 the table is enrolled, 2 it is not.",
        ),
    )
    parser.add_argument("token", metavar="TOKEN", help="what 'truedeal floor token' has printed")
    parser.add_argument("--state", required=True, metavar="FOLDER", type=Path, help="the state folder of the table")
    parser.add_argument("--folder", required=True, metavar="FOLDER", type=Path, help="where keys, CA and addresses go")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Enrol the table; returns the exit status."""
    from firmware_bridge.floor.shipping.enrolling import EnrolError, enrol  # noqa: PLC0415  only when it is wanted
    from firmware_bridge.floor.shipping.source import SourceError  # noqa: PLC0415
    from firmware_bridge.floor.wire.tokens import Token, TokenError  # noqa: PLC0415

    try:
        place = enrol(Token.read(args.token), args.state, args.folder)
    except (EnrolError, SourceError, TokenError) as error:
        sys.stderr.write(f"truedeal enrol: {error}\n")
        return 2
    sys.stdout.write(f"{place.table} is enrolled: start truedeal-ship\n")
    sys.stdout.write(f'for the table\'s configuration:\n[centre]\ntable = "{place.table}"\nnkey = "{place.nkey}"\n')
    if place.floor_key:
        people = args.folder.absolute() / "people" / "roster.json"
        sys.stdout.write(f'key = "{place.floor_key}"\n# people = "{people}"  # where the floor keeps the people\n')
        centre = args.folder.absolute() / "centre.json"
        sys.stdout.write(f'for anchors.toml:\ncentre = "{centre}"\ncentre_key = "{place.floor_key}"\n')
    return 0
