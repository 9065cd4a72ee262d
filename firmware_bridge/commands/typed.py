"""PINs that are typed, and a login with one.

1. On a terminal a PIN is asked for and not shown, a new one twice; otherwise it is the next line of the standard input.
2. It is never an argument, which others on the computer could read, and is kept nowhere.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.control_client import ControlClient


def ask_pin(prompt: str = "PIN: ", *, again: bool = False) -> str:
    """The PIN as somebody types it, unseen, or the next line of the standard input.

    Raises:
        PinError: the two times that it was asked for differ.
    """
    from firmware_bridge.people.roles import PinError  # noqa: PLC0415

    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass  # noqa: PLC0415  only where somebody types

    pin = getpass(prompt)
    if again and getpass("once more: ") != pin:
        raise PinError("the two are not the same")
    return pin


def log_in(client: ControlClient, name: str) -> str | None:
    """Log in under a name, with the PIN that is asked for; why that was refused, or None. A warning is passed on."""
    from firmware_bridge.commands.observe import problem  # noqa: PLC0415

    answer = client.ask(do="login", name=name, pin=ask_pin())
    if "warning" in answer:
        sys.stderr.write(f"truedeal: {answer['warning']}\n")
    how = f" ('truedeal people pin --name {name}' asks for it)" if answer.get("renew") else ""
    wrong = problem(answer)
    return None if wrong is None else f"{wrong}{how}"
