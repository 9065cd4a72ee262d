"""``truedeal floor``: the console of the floor, or with ``--demo`` a whole floor on this computer.

1. The console hears the tables of a casino on the broker (``--nats``), asks the archive (``--archive``) about the past,
   and serves browsers. Where it listens and how it ends is in `console.listening`.
2. ``--demo N`` needs nothing: it starts a broker, an archive, an ingester, this console and N simulated tables with
   robot dealers, and ends them with it. It joins from elsewhere, by entry point (`DEMOS`).
3. It is an extra: without its libraries it says what to install.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.floor.broker_key import add_broker_options, key_or_status
from firmware_bridge.commands.floor.named import host_and_port, servers
from firmware_bridge.console import listening

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from firmware_bridge.console.settings import Address, Tls
    from firmware_bridge.floor.pit.escalation.ways import Ways
    from firmware_bridge.floor.wire.nkeys import Nkey

LISTEN = "127.0.0.1:8780"
DEMOS, DEMO = "truedeal.demos", "floor"
"""The group and the name of the entry point of the demonstration."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Describe the options of the console."""
    parser.add_argument("--demo", type=_tables, metavar="N", help="a whole floor with N simulated tables")
    parser.add_argument("--casino", metavar="CASINO", help="whose tables")
    parser.add_argument("--archive", metavar="ADDRESS", help="sqlite:FILE or postgresql://…")
    add_broker_options(parser, key_needed=False)
    parser.add_argument("--metrics", type=host_and_port, metavar="HOST:PORT", help="where Prometheus may ask")
    tells = parser.add_argument_group("alarms that nobody has taken up")
    tells.add_argument("--escalate-after", type=float, default=60.0, metavar="SECONDS", help="how long they wait (60)")
    tells.add_argument("--mail-to", action="append", default=[], metavar="ADDRESS", help="who gets an e-mail")
    tells.add_argument("--mail-from", default="truedeal@localhost", metavar="ADDRESS", help="who sends it")
    tells.add_argument("--mail-server", default="localhost:25", metavar="HOST:PORT", help="by which server (SMTP)")
    tells.add_argument("--mail-login", metavar="FILE", type=Path, help="user and password there, in two lines")
    tells.add_argument("--webhook", action="append", default=[], metavar="URL", help="what gets a request")
    tells.add_argument("--webhook-key", metavar="FILE", type=Path, help="the key by which requests are signed")
    who = parser.add_argument_group("people")
    who.add_argument("--floor-public", type=bytes.fromhex, metavar="HEX", help="the floor's public key: people log in")
    who.add_argument("--oidc-issuer", metavar="URL", help="the provider of accounts (OpenID Connect)")
    who.add_argument("--oidc-client", default="truedeal", metavar="NAME", help="this console's name there")
    who.add_argument("--oidc-secret", metavar="FILE", type=Path, help="its secret there")
    who.add_argument("--oidc-claim", default="staff_number", metavar="NAME", help="the claim with the staff number")
    listening.add_options(parser, LISTEN)
    parser.set_defaults(run=run)


def _tables(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 500:
        message = f"expected a number of tables from 1 to 500, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Serve until it is told to end; returns the exit status."""
    if wanting := listening.missing("floor"):
        return _refuse(wanting)
    if args.demo is not None:
        return _run_demo(args)
    if args.key is None or not (args.print_key or (args.casino and args.archive and args.nats)):
        return _refuse("--casino, --archive, --nats and --key are needed, or --demo")
    nkey = key_or_status(args)
    if isinstance(nkey, int):
        return nkey
    import asyncio  # noqa: PLC0415  only when it is wanted

    from firmware_bridge.console.web import log  # noqa: PLC0415
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415
    from firmware_bridge.console.web.server import bind  # noqa: PLC0415

    try:
        address, tls = listening.where(args)
        app = _app(args, nkey, address, tls)
        bound = bind(address)
    except (ConsoleError, ModuleNotFoundError) as error:
        return _refuse(str(error))
    log.start()
    asyncio.run(listening.serve_until_told(app, address, bound, tls, tied=args.tied, alive=app.state.alive))
    return 0


def _app(args: argparse.Namespace, nkey: Nkey, address: Address, tls: Tls | None) -> Starlette:
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415
    from firmware_bridge.floor.pit.app import make_pit  # noqa: PLC0415
    from firmware_bridge.floor.pit.escalation.ladder import Ladder, Target  # noqa: PLC0415
    from firmware_bridge.floor.pit.escalation.ways import MAIL, WEBHOOK  # noqa: PLC0415
    from firmware_bridge.floor.pit.hearing import Ears  # noqa: PLC0415
    from firmware_bridge.floor.pit.people.openid import Provider  # noqa: PLC0415
    from firmware_bridge.floor.pit.settings import PitSettings  # noqa: PLC0415

    ears = Ears(servers(args.nats), args.ca, nkey)
    hosts = listening.hosts(address, tls)
    targets = [*(Target(MAIL, one) for one in args.mail_to), *(Target(WEBHOOK, one) for one in args.webhook)]
    ladder = Ladder(args.casino, args.escalate_after, tuple(targets))
    if tls is not None and args.floor_public is None:
        raise ConsoleError("with TLS people must log in: --floor-public names the key that has signed them")
    provider = None
    if args.oidc_issuer is not None:
        secret = "" if args.oidc_secret is None else args.oidc_secret.read_text(encoding="utf-8").strip()
        provider = Provider(args.oidc_issuer, args.oidc_client, secret, args.oidc_claim)
    web = (hosts, tls is not None, args.lang)
    people = (args.floor_public, provider)
    return make_pit(PitSettings(args.casino, args.archive, ears, *web, ladder, _ways(args), *people, args.metrics))


def _ways(args: argparse.Namespace) -> Ways:
    """How letters are sent.

    Raises:
        ConsoleError: a file cannot be used.
    """
    from firmware_bridge.console.web.errors import ConsoleError  # noqa: PLC0415
    from firmware_bridge.floor.pit.escalation.ways import Ways  # noqa: PLC0415

    try:
        lines = [] if args.mail_login is None else args.mail_login.read_text(encoding="utf-8").split()
        key = b"" if args.webhook_key is None else args.webhook_key.read_bytes().strip()
    except OSError as error:
        raise ConsoleError(f"{error.filename}: {error.strerror}") from error
    if len(lines) not in {0, 2}:
        raise ConsoleError(f"--mail-login {args.mail_login}: expected user and password in two lines")
    return Ways(args.mail_server, args.mail_from, (lines[0], lines[1]) if lines else None, key)


def _run_demo(args: argparse.Namespace) -> int:
    from importlib.metadata import entry_points  # noqa: PLC0415  slow to load

    found = [point for point in entry_points(group=DEMOS) if point.name == DEMO]
    if not found:
        return _refuse("--demo: the simulated tables are not installed here")
    status: int = found[0].load()(args)
    return status


def _refuse(why: str) -> int:
    sys.stderr.write(f"truedeal floor: {why}\n")
    return 2
