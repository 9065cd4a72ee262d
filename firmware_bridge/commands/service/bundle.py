"""``truedeal bundle``: one file for support, with what helps and without what is secret.

1. It holds the daemon's health, the doctor's findings, the configuration, the end of the journal and the logs, each if
   it can be had; ``missing.txt`` lists what could not. Configuration and log are those of the service, unless others
   are named.
2. What is secret is left out: `bundle_contents` says how. A folder of training is refused.
3. The file is for its owner alone. It is written when all parts are there, and never over an existing file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.numbers import whole_number
from firmware_bridge.commands.table.observe import add_control, failed, print_json, where

EVENTS = 2000
CONFIG = Path("/etc/truedeal/table.toml")
"""Where the service has its configuration."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "bundle",
        help="pack what support needs into one file",
        description="Packs health, doctor's findings, configuration without secrets, the end of the journal and logs.",
        epilog=examples(
            ("truedeal bundle", "into a file in this folder, named after the time"),
            ("truedeal bundle --out /tmp/t12.tar.gz --events 500", "with less of the journal"),
            status="Exit status: 0 it is written, 2 it cannot be.",
        ),
    )
    add_control(parser)
    parser.add_argument("--out", metavar="FILE", type=Path, help="the file to write (truedeal-bundle-TIME.tar.gz)")
    parser.add_argument("--config", metavar="FILE", type=Path, default=CONFIG, help=f"the configuration ({CONFIG})")
    parser.add_argument("--state", metavar="FOLDER", type=Path, help="the journal's folder, if no daemon answers")
    log = "a log; may be repeated (the service's own, as journalctl has it)"
    parser.add_argument("--log", metavar="FILE", type=Path, action="append", default=[], help=log)
    parser.add_argument(
        "--events", metavar="N", type=whole_number(1, 1_000_000), default=EVENTS, help=f"rows of the journal ({EVENTS})"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the bundle; returns the exit status."""
    from datetime import UTC, datetime  # noqa: PLC0415

    from firmware_bridge.commands.service.bundle_contents import Parts  # noqa: PLC0415
    from firmware_bridge.journal.domain import refusal  # noqa: PLC0415

    out = args.out or Path(f"truedeal-bundle-{datetime.now(UTC):%Y%m%dT%H%M%S}.tar.gz")
    parts = Parts()
    health = parts.health(where(args))
    parts.doctor(where(args))
    parts.configuration(args.config)
    state = args.state or (Path(health["journal"]["state"]) if health else None)
    if state is not None and (wrong := refusal(state)):
        return failed("bundle", wrong, 2)
    parts.journal(state, args.events)
    for log in args.log:
        parts.log(log)
    if not args.log:
        parts.service_log()
    try:
        parts.write(out)
    except FileExistsError:
        return failed("bundle", f"{out} is there already: name another with --out", 2)
    if args.json:
        print_json({"file": str(out), "parts": sorted(parts.files), "missing": parts.missing})
    else:
        sys.stdout.write(f"{out}: {', '.join(sorted(parts.files))}\n")
        sys.stdout.write("".join(f"  missing: {line}\n" for line in parts.missing))
    return 0
