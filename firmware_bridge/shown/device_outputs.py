"""Keeps the panel and the shoe as the table's picture says.

1. A command is sent only when what it says has changed, and all of them again to a device that has come back.
2. A refusal stands on the display until the next thing happens.
3. A panel that shows any script is told the text as it is; to another what it has no character for is a `?`.
4. The alarm is on while the round is held, while the table cannot go on, and while an alarm waits to be cleared. The
   last alone locks nothing: play goes on under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from drivers.messages import Message
from drivers.panel.messages import UNICODE, Alarm, Lamps, Text, UnicodeText, fitted
from drivers.shoe.messages import Lock, Unlock
from firmware_bridge.shown.panel_picture import picture, refusal
from gamecore.table import Table

PANEL = "panel"
DEALING = ("shoe", "shuffler")


class Target(Protocol):
    """A device that takes commands."""

    @property
    def up(self) -> bool:
        """Whether it is there."""

    def send(self, command: Message) -> bool:
        """Send a command."""


class Show:
    """What panel and shoe were told last."""

    def __init__(self, devices: Mapping[str, Target]) -> None:
        """Nothing was told yet."""
        self._devices = devices
        self._told: dict[tuple[str, str], object] = {}
        self._refused: str | None = None
        self._trouble: str | None = None
        self._uncleared = self._unicode = False

    def trouble(self, what: str | None) -> None:
        """The table cannot go on: the panel says why, the alarm is on, the shoe is locked."""
        self._trouble = what

    def uncleared(self, waits: bool) -> None:
        """Whether an alarm waits for somebody to clear it."""
        self._uncleared = waits

    def met(self, device: str, capabilities: int) -> None:
        """A device is there, or has come back: tell it everything, as it can show it."""
        if device == PANEL:
            self._unicode = bool(capabilities & UNICODE)
        self._told = {key: said for key, said in self._told.items() if key[0] != device}

    def refused(self, reason: str | None) -> None:
        """A press was not allowed, or something else has happened since."""
        self._refused = reason

    def update(self, table: Table) -> None:
        """Bring every device to what the table says."""
        seen = picture(table)
        said = self._trouble or self._refused
        upper, lower = (seen.upper, seen.lower) if said is None else refusal(said)
        self._tell(PANEL, "lamps", Lamps(seen.lamps))
        text = UnicodeText(upper, lower) if self._unicode else Text(fitted(upper), fitted(lower))
        self._tell(PANEL, "text", text)
        self._tell(PANEL, "alarm", Alarm(seen.alarm or self._uncleared or self._trouble is not None))
        for device in DEALING:
            self._tell(device, "lock", Lock() if seen.locked or self._trouble is not None else Unlock())

    def _tell(self, device: str, what: str, command: Message) -> None:
        target = self._devices.get(device)
        if target is None or not target.up or self._told.get((device, what)) == command:
            return
        if target.send(command):
            self._told[device, what] = command
