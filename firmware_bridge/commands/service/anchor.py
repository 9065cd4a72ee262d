"""``truedeal anchor``: takes the signed heads of a table to where the table cannot reach them (`anchors`)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.commands.help_text import examples


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "anchor",
        help="take each signed head of a table to files and syslog servers",
        description="Brings each signed head of a table to the files and syslog servers that a file names, until it is "
        "told to end.",
        epilog=examples(
            ("truedeal anchor --state /var/lib/truedeal --anchors /etc/truedeal/anchors.toml", "as the service does"),
            status="Exit status: 0 it was told to end, 2 the file cannot be used.",
        ),
    )
    parser.add_argument("--state", required=True, metavar="FOLDER", type=Path, help="the state folder of the table")
    parser.add_argument("--anchors", required=True, metavar="FILE", type=Path, help="the file that names the targets")
    parser.add_argument("--read", metavar="JOURNAL", help="print what the files hold about a journal, and end")
    parser.add_argument("--tied", action="store_true", help="with --read: end when the standard input ends")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Bring heads until a signal ends it, or print what the files hold; returns the exit status."""
    from firmware_bridge.anchors.targets import TargetError, load  # noqa: PLC0415  only when it is wanted
    from firmware_bridge.journal.domain import refusal  # noqa: PLC0415

    if wrong := refusal(args.state):
        sys.stderr.write(f"truedeal anchor: {wrong}\n")
        return 2
    try:
        anchors = load(args.anchors)
        journal = bytes.fromhex(args.read or "")
    except (TargetError, ValueError) as error:
        sys.stderr.write(f"truedeal anchor: {error}\n")
        return 2
    if not anchors.targets:
        sys.stderr.write(f"truedeal anchor: {args.anchors} is not there: it names the targets\n")
        return 2
    if args.read is not None:
        from firmware_bridge.anchors.reading import print_anchors  # noqa: PLC0415

        return print_anchors(anchors, journal, tied=args.tied)
    from firmware_bridge.anchors import process  # noqa: PLC0415  it speaks TLS

    return process.run(args.state, anchors)
