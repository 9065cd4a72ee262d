"""Where a console listens, and how it serves until it is told to end: what every console's command shares.

1. It listens on loopback unless told otherwise, and at any other address only with TLS. Browsers may call it by the
   address at which it listens, on loopback also by loopback's names, and with TLS by the names in the certificate.
2. It prints its address when it serves, and tells the service manager. TERM, INT and, with ``--tied``, the end of the
   standard input end it in order. It waits at most `LEFT` seconds for a thread that still reads for a page.
3. It is an extra: without its libraries `missing` says what to install.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

    from starlette.applications import Starlette

    from firmware_bridge.console.settings import Address, Tls

LEFT = 0.3
LIBRARIES = ("starlette", "uvicorn")


def add_options(parser: argparse.ArgumentParser, listen: str) -> None:
    """Describe the options of an address; `listen` is where it listens if nothing is said."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--listen", metavar="HOST:PORT", default=listen, help=f"where to listen ({listen})")
    where.add_argument("--socket", type=Path, metavar="PATH", help="listen at a Unix socket instead")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="the certificate, with its chain (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the certificate's key (PEM)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="the language that the page begins in (en)")
    parser.add_argument(
        "--tied", action="store_true", help="end when the standard input ends, with the process that started it"
    )


def missing(extra: str) -> str:
    """What to install, if a library is missing; empty if none is."""
    from importlib.util import find_spec  # noqa: PLC0415  slow to load

    names = " and ".join(name for name in LIBRARIES if find_spec(name) is None)
    return f"{names} missing, install the extra: pip install 'truedeal[{extra}]'" if names else ""


def where(args: argparse.Namespace) -> tuple[Address, Tls | None]:
    """Where to listen, and with which certificate.

    Raises:
        ConsoleError: it may not listen there.
    """
    from firmware_bridge.console.settings import Address, Tls, checked, listen  # noqa: PLC0415
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415

    if (args.tls_cert is None) != (args.tls_key is None):
        raise ConsoleError("--tls-cert and --tls-key belong together")
    tls = Tls(args.tls_cert, args.tls_key) if args.tls_cert is not None else None
    address = Address(path=args.socket) if args.socket is not None else listen(args.listen)
    return checked(address, tls), tls


def hosts(address: Address, tls: Tls | None) -> frozenset[str]:
    """The names by which browsers may call a console.

    Raises:
        ConsoleError: the certificate cannot be used.
    """
    from firmware_bridge.console.settings import LOOPBACK_NAMES  # noqa: PLC0415
    from firmware_bridge.console.web.tls import names  # noqa: PLC0415

    found = LOOPBACK_NAMES if address.loopback else frozenset[str]()
    if address.path is None:
        found |= {address.name}
    return found | (names(tls) if tls else frozenset())


async def serve_until_told(
    app: Starlette,
    address: Address,
    bound: socket.socket,
    tls: Tls | None,
    *,
    tied: bool,
    alive: Callable[[], bool],
) -> None:
    """Serve an application; `alive` says whether it still does its work."""
    import asyncio  # noqa: PLC0415

    from firmware_bridge.console.web.server import serve, url  # noqa: PLC0415
    from firmware_bridge.daemon.systemd_notify import Notifier  # noqa: PLC0415

    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    if tied:
        loop.add_reader(sys.stdin.fileno(), ended.set)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    notifier = Notifier(loop, alive=alive)

    def ready() -> None:
        served = url(address, bound, tls=tls is not None)
        sys.stdout.write(f"ready {served}\n")
        sys.stdout.flush()
        notifier.ready(served)

    try:
        await serve(app, bound, ended, tls, ready)
    finally:
        notifier.stopping()
        last = threading.Timer(LEFT, os._exit, (0,))
        last.daemon = True
        last.start()
        if address.path is not None:
            address.path.unlink(missing_ok=True)
