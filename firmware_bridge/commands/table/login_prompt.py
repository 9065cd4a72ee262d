"""PINs that are typed, a login with one, and what is asked of the daemon after it.

1. On a terminal a PIN is asked for and not shown, and a new one is asked for twice. Otherwise it is the next line of
   the standard input.
2. It is never an argument, which others on the computer could read, and it is stored nowhere.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from firmware_bridge.commands.table.observe import failed, print_json, problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from firmware_bridge.control.client import ControlClient


def ask_pin(prompt: str = "PIN: ", *, again: bool = False) -> str:
    """The PIN as somebody types it, unseen, or the next line of the standard input.

    Raises:
        PinError: it was asked for twice, and the two differ.
    """
    from firmware_bridge.people.accounts.roles import PinError  # noqa: PLC0415

    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass  # noqa: PLC0415  only where somebody types

    pin = getpass(prompt)
    if again and getpass("once more: ") != pin:
        raise PinError("the two are not the same")
    return pin


def log_in(client: ControlClient, name: str) -> str | None:
    """Ask for the PIN and log in under a name; returns why that was refused, or None. A warning is printed."""
    answer = client.ask(do="login", name=name, pin=ask_pin())
    if "warning" in answer:
        sys.stderr.write(f"truedeal: {answer['warning']}\n")
    how = f" ('truedeal people pin --name {name}' asks for it)" if answer.get("renew") else ""
    wrong = problem(answer)
    return None if wrong is None else f"{wrong}{how}"


def answered(
    name: str, client: ControlClient, args: argparse.Namespace, request: dict[str, Any], text: Callable[[Any], str]
) -> int:
    """Log in if somebody is named, send the request, and print the answer; returns the exit status."""
    wrong = log_in(client, args.name) if args.name else None
    return failed(name, wrong) if wrong is not None else shown(name, args, client.ask(**request), text)


def shown(name: str, args: argparse.Namespace, answer: dict[str, Any], text: Callable[[Any], str]) -> int:
    """Print an answer as JSON or in words, or why it was refused; returns the exit status."""
    wrong = problem(answer)
    if wrong is not None:
        return failed(name, wrong)
    answer.pop("id")
    if args.json:
        print_json(answer)
    else:
        sys.stdout.write(text(answer))
    return 0
