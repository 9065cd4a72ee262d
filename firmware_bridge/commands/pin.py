"""``truedeal pin``: makes the text that stands for a PIN in the configuration.

1. On a terminal the PIN is asked for twice and not shown; otherwise it is the first line of the standard input.
2. Only the text is printed. The PIN is neither an argument nor kept anywhere.
"""

from __future__ import annotations

import argparse
import sys


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "pin",
        help="make the text of a PIN for [roles]",
        description="Asks for a PIN and prints the text that stands for it in the configuration: "
        'NAME = {role = "pit-supervisor", pin = "TEXT"}.',
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Print the text of a PIN; the exit status."""
    from firmware_bridge.people.roles import PinError, make_pin  # noqa: PLC0415

    try:
        text = make_pin(ask_pin(again=True)).text
    except PinError as error:
        sys.stderr.write(f"truedeal pin: {error}\n")
        return 2
    sys.stdout.write(f"{text}\n")
    return 0


def ask_pin(*, again: bool = False) -> str:
    """The PIN as somebody types it, unseen, or the first line of the standard input.

    Raises:
        PinError: the two times that it was asked for differ.
    """
    from firmware_bridge.people.roles import PinError  # noqa: PLC0415

    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass  # noqa: PLC0415  only where somebody types

    pin = getpass("PIN: ")
    if again and getpass("once more: ") != pin:
        raise PinError("the two are not the same")
    return pin
