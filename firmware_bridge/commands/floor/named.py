"""What the commands of the floor are given: casino and table as ``mbs/bj-7``, the servers of the broker."""

from __future__ import annotations

import argparse

from firmware_bridge.floor.wire.subjects import is_name


def casino_and_table(text: str) -> tuple[str, str]:
    """The names of a casino and of one of its tables.

    Raises:
        argparse.ArgumentTypeError: the text names none.
    """
    casino, _, table = text.partition("/")
    if not (is_name(casino) and is_name(table)):
        message = f"expected CASINO/TABLE, each of a to z, 0 to 9 and hyphens, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return casino, table


def servers(given: list[str]) -> list[str]:
    """The servers of the broker, each by itself or several with commas between them, as a unit names them."""
    return [server for one in given for server in one.split(",") if server]


def host_and_port(text: str) -> tuple[str, int]:
    """An address to listen at.

    Raises:
        argparse.ArgumentTypeError: the text names none.
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) <= 65_535:
        raise argparse.ArgumentTypeError(f"expected HOST:PORT, got {text!r}")
    return host.removeprefix("[").removesuffix("]"), int(port)


def at_this_machine(text: str) -> tuple[str, int]:
    """An address to listen at, of this machine alone.

    Raises:
        argparse.ArgumentTypeError: the text names none.
    """
    host, port = host_and_port(text)
    if host not in {"127.0.0.1", "::1", "localhost"}:
        raise argparse.ArgumentTypeError(f"expected 127.0.0.1:PORT: only this machine may ask, got {text!r}")
    return host, port
