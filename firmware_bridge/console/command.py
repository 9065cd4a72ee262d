"""``truedeal console``: the table in a browser.

1. It needs a daemon's control socket (``--control``, else TRUEDEAL_CONTROL, else where the service has it) and, for the
   history, the folder of the journal (``--state``). ``--config`` takes both from a table's configuration.
2. Where it listens, how it serves and how it ends is in `listening`.
3. ``--badge`` names the sign with which a badge reader, a keyboard wedge, begins to type a staff number; Enter ends it.
4. It is an extra: without its libraries it says what to install.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.help_text import examples
from firmware_bridge.console import listening

if TYPE_CHECKING:
    from firmware_bridge.console.settings import Address, Settings, Tls

CONTROL, VARIABLE = "/run/truedeal/control.sock", "TRUEDEAL_CONTROL"
STATE = "/var/lib/truedeal"
LISTEN = "127.0.0.1:8790"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "console",
        help="serve the table to browsers",
        description="Serves the table to browsers, on loopback unless TLS is set up, until it is told to end.",
        epilog=examples(
            ("truedeal console --config /etc/truedeal/table.toml", "for a browser on this computer"),
            (
                "truedeal console --listen 10.0.0.12:443 --tls-cert table.pem --tls-key table.key",
                "for browsers in the house",
            ),
        ),
    )
    parser.add_argument("--control", metavar="PATH", help=f"the daemon's control socket (${VARIABLE}, else {CONTROL})")
    parser.add_argument("--state", type=Path, metavar="PATH", help=f"the folder of the journal ({STATE})")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a table's configuration, instead of these two")
    listening.add_options(parser, LISTEN)
    parser.add_argument("--badge", type=_sign, metavar="SIGN", help="what a badge reader types first, such as %%")
    parser.set_defaults(run=run)


def _sign(text: str) -> str:
    """One sign that nobody types otherwise: no letter, no digit, no space."""
    if len(text) != 1 or text.isalnum() or text.isspace() or text == "?":
        message = f"expected one sign that is no letter and no digit, and not ?, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return text


def run(args: argparse.Namespace) -> int:
    """Serve until it is told to end; returns the exit status."""
    if wanting := listening.missing("console"):
        sys.stderr.write(f"truedeal console: {wanting}\n")
        return 2
    import asyncio  # noqa: PLC0415

    from firmware_bridge.console.web import log  # noqa: PLC0415
    from firmware_bridge.console.web.app import make  # noqa: PLC0415
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415
    from firmware_bridge.console.web.server import bind  # noqa: PLC0415
    from firmware_bridge.setup.problems import ConfigError  # noqa: PLC0415

    try:
        address, tls = listening.where(args)
        settings = _settings(args, address, tls)
        bound = bind(address)
    except (ConsoleError, ConfigError) as error:
        sys.stderr.write(f"truedeal console: {error}\n")
        return 2
    log.start()
    app = make(settings)

    def alive() -> bool:
        return bool(app.state.parts.watch.alive)

    asyncio.run(listening.serve_until_told(app, address, bound, tls, tied=args.tied, alive=alive))
    return 0


def _settings(args: argparse.Namespace, address: Address, tls: Tls | None) -> Settings:
    from firmware_bridge.console.settings import Settings  # noqa: PLC0415
    from firmware_bridge.setup.config import load  # noqa: PLC0415

    control, state = Path(args.control or os.environ.get(VARIABLE) or CONTROL), args.state or Path(STATE)
    if args.config is not None:
        config = load(args.config)
        control, state = config.control, config.state
    return Settings(control, state, listening.hosts(address, tls), tls is not None, args.lang, args.badge or "")
