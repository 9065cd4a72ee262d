"""Checks and makes PINs beside the loop: a PIN costs a tenth of a second by design."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.daemon.worker_thread import Worker
from firmware_bridge.people.accounts.roles import Pin, fits, make_pin


class Pins(Worker):
    """The one thread that checks PINs."""

    def __init__(self) -> None:
        """Nothing is checked yet."""
        super().__init__("pins")

    def check(self, uid: int, pin: Pin, tried: str, done: Callable[[bool], None]) -> None:
        """Check a PIN for a user of the computer; `done` hears in the loop whether it fits."""
        self.run_in_thread(uid, lambda: fits(pin, tried), done)

    def make(self, uid: int, chosen: str, done: Callable[[Pin], None]) -> None:
        """Make the kept form of a PIN that may be chosen; `done` hears it in the loop."""
        self.run_in_thread(uid, lambda: make_pin(chosen), done)
