"""``truedeal console``: the table in a browser.

1. It needs a daemon's control socket (``--control``, else TRUEDEAL_CONTROL, else where the service has it) and, for the
   history, the folder of the journal (``--state``). ``--config`` takes both from a table's configuration.
2. It listens on loopback unless told otherwise, and at any other address only with TLS. Browsers may call it by the
   address at which it listens, on loopback also by loopback's names, and with TLS by the names in the certificate.
3. It prints its address when it serves, and tells the service manager. TERM, INT and, with ``--tied``, the end of the
   standard input end it in order. It waits at most `LEFT` seconds for a thread that still reads for a page.
4. ``--badge`` names the sign with which a badge reader, a keyboard wedge, begins to type a staff number; Enter ends it.
5. It is an extra: without its libraries it says what to install.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    import socket

    from starlette.applications import Starlette

    from firmware_bridge.console.settings import Address, Settings, Tls

CONTROL, VARIABLE = "/run/truedeal/control.sock", "TRUEDEAL_CONTROL"
STATE = "/var/lib/truedeal"
LISTEN = "127.0.0.1:8790"
LEFT = 0.3
LIBRARIES = ("starlette", "uvicorn")
MISSING = "truedeal console: {names} missing, install the extra: pip install 'truedeal[console]'\n"


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
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--listen", metavar="HOST:PORT", default=LISTEN, help=f"where to listen ({LISTEN})")
    where.add_argument("--socket", type=Path, metavar="PATH", help="listen at a Unix socket instead")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="the certificate, with its chain (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the certificate's key (PEM)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="the language that the page begins in (en)")
    parser.add_argument("--badge", type=_sign, metavar="SIGN", help="what a badge reader types first, such as %%")
    parser.add_argument("--tied", action="store_true", help="end when the standard input ends, with whoever started it")
    parser.set_defaults(run=run)


def _sign(text: str) -> str:
    """One sign that nobody types otherwise: no letter, no digit, no space."""
    if len(text) != 1 or text.isalnum() or text.isspace() or text == "?":
        message = f"expected one sign that is no letter and no digit, and not ?, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return text


def run(args: argparse.Namespace) -> int:
    """Serve until it is told to end; returns the exit status."""
    from importlib.util import find_spec  # noqa: PLC0415

    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        sys.stderr.write(MISSING.format(names=" and ".join(missing)))
        return 2
    import asyncio  # noqa: PLC0415

    from firmware_bridge.console.web import log  # noqa: PLC0415
    from firmware_bridge.console.web.app import make  # noqa: PLC0415
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415
    from firmware_bridge.console.web.server import bind  # noqa: PLC0415
    from firmware_bridge.setup.problems import ConfigError  # noqa: PLC0415

    try:
        address, tls = _where(args)
        settings = _settings(args, address, tls)
        bound = bind(address)
    except (ConsoleError, ConfigError) as error:
        sys.stderr.write(f"truedeal console: {error}\n")
        return 2
    log.start()
    asyncio.run(_serve(make(settings), address, bound, tls, tied=args.tied))
    return 0


def _where(args: argparse.Namespace) -> tuple[Address, Tls | None]:
    """Where to listen, and with which certificate."""
    from firmware_bridge.console.settings import Address, Tls, checked, listen  # noqa: PLC0415
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415

    if (args.tls_cert is None) != (args.tls_key is None):
        raise ConsoleError("--tls-cert and --tls-key belong together")
    tls = Tls(args.tls_cert, args.tls_key) if args.tls_cert is not None else None
    address = Address(path=args.socket) if args.socket is not None else listen(args.listen)
    return checked(address, tls), tls


def _settings(args: argparse.Namespace, address: Address, tls: Tls | None) -> Settings:
    from firmware_bridge.console.settings import LOOPBACK_NAMES, Settings  # noqa: PLC0415
    from firmware_bridge.console.web.tls import names  # noqa: PLC0415
    from firmware_bridge.setup.config import load  # noqa: PLC0415

    control, state = Path(args.control or os.environ.get(VARIABLE) or CONTROL), args.state or Path(STATE)
    if args.config is not None:
        config = load(args.config)
        control, state = config.control, config.state
    hosts = LOOPBACK_NAMES if address.loopback else frozenset[str]()
    if address.path is None:
        hosts |= {address.name}
    return Settings(
        control, state, hosts | (names(tls) if tls else frozenset()), tls is not None, args.lang, args.badge or ""
    )


async def _serve(app: Starlette, address: Address, bound: socket.socket, tls: Tls | None, *, tied: bool) -> None:
    import asyncio  # noqa: PLC0415

    from firmware_bridge.console.web.server import serve, url  # noqa: PLC0415
    from firmware_bridge.daemon.systemd_notify import Notifier  # noqa: PLC0415

    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    if tied:
        loop.add_reader(sys.stdin.fileno(), ended.set)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    notifier = Notifier(loop, alive=lambda: bool(app.state.parts.watch.alive))

    def ready() -> None:
        where = url(address, bound, tls=tls is not None)
        sys.stdout.write(f"ready {where}\n")
        sys.stdout.flush()
        notifier.ready(where)

    try:
        await serve(app, bound, ended, tls, ready)
    finally:
        notifier.stopping()
        last = threading.Timer(LEFT, os._exit, (0,))
        last.daemon = True
        last.start()
        if address.path is not None:
            address.path.unlink(missing_ok=True)
