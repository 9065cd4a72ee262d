"""How a console is set up: where the daemon is, where browsers come from, and what joins the page.

1. `listen` reads ``HOST:PORT``. Loopback is ``localhost``, every address of 127.0.0.0/8, and ::1; without TLS `checked`
   refuses any other address.
2. With TLS every request but those of the login page needs a login. Loopback and a Unix socket without TLS are read
   freely.
3. `hosts` are the names by which browsers may call the console. Any other Host header is refused, so that a foreign
   name that was made to point here reaches nothing.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.console.web.errors import ConsoleError

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
PORT = 8790


@dataclass(frozen=True, slots=True)
class Address:
    """Where the console listens: a host and a port, or the path of a Unix socket."""

    host: str = "127.0.0.1"
    port: int = PORT
    path: Path | None = None

    @property
    def loopback(self) -> bool:
        """Whether only this computer reaches it."""
        if self.path is not None or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def name(self) -> str:
        """The host as a browser writes it."""
        return f"[{self.host}]" if ":" in self.host else self.host


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of a certificate and its key."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class Settings:
    """One console. `state` is the folder of the journal; without it there is no history.

    `badge` is the sign with which a badge reader begins to type.
    """

    control: Path
    state: Path | None = None
    hosts: frozenset[str] = LOOPBACK_NAMES
    tls: bool = False
    lang: str = "en"
    badge: str = ""
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)


@dataclass(frozen=True, slots=True)
class Extra:
    """What joins the page: routes of its own, and static files under ``/extra/NAME/``.

    `script` is the module that the page imports, a file of the static folder. What it asks for without a person, the
    paths of `by_itself`, keeps no session alive.
    """

    name: str
    routes: Sequence[BaseRoute] = ()
    static: Path | None = None
    script: str = ""
    by_itself: tuple[str, ...] = ()


def listen(said: str) -> Address:
    """Read an address.

    Raises:
        ConsoleError: the text is no address.
    """
    host, _, port = said.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not bare or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise ConsoleError(f"--listen: expected HOST:PORT, got {said!r}")
    return Address(bare, int(port))


def checked(address: Address, tls: Tls | None) -> Address:
    """Return the address, if it may be listened at.

    Raises:
        ConsoleError: other computers could reach it, and nothing is encrypted.
    """
    if tls is None and not address.loopback:
        raise ConsoleError(
            f"--listen {address.name}:{address.port}: an address that others reach needs --tls-cert and --tls-key; "
            "without them use 127.0.0.1 or --socket"
        )
    return address
