"""Keeps the panel and the shoe as the table's picture says.

1. A command is sent only when what it says has changed, and all of them again to a device that has come back. The shoe
   is locked before the panel says why.
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
from firmware_bridge.shown.panel_picture import Picture, is_locked, picture, refusal
from gamecore.model.events.refusals import Refused
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
        self._unicode = False

    def trouble(self, what: str | None) -> None:
        """The table cannot go on: the panel says why, the alarm is on, the shoe is locked."""
        self._trouble = what

    def met(self, device: str, capabilities: int) -> None:
        """A device is there, or has come back: tell it everything, as it can show it."""
        if device == PANEL:
            self._unicode = bool(capabilities & UNICODE)
        self._told = {key: said for key, said in self._told.items() if key[0] != device}

    def refused(self, why: str | Refused | None) -> None:
        """A press was not allowed, or something else has happened since."""
        self._refused = None if why is None else str(why)

    def update(self, table: Table, *, uncleared: bool = False) -> None:
        """Bring every device that is there to what the table says; `uncleared`: an alarm waits for somebody."""
        locked = is_locked(table.state) or self._trouble is not None
        for device in DEALING:
            self._send_if_changed(device, "lock", Lock() if locked else Unlock())
        panel = self._devices.get(PANEL)
        if panel is not None and panel.up:  # nobody else needs the picture, which takes longer than the rest
            self._update_panel(picture(table), uncleared=uncleared)

    def _update_panel(self, seen: Picture, *, uncleared: bool) -> None:
        said = self._trouble or self._refused
        upper, lower = (seen.upper, seen.lower) if said is None else refusal(said)
        self._send_if_changed(PANEL, "lamps", Lamps(seen.lamps))
        text = UnicodeText(upper, lower) if self._unicode else Text(fitted(upper), fitted(lower))
        self._send_if_changed(PANEL, "text", text)
        self._send_if_changed(PANEL, "alarm", Alarm(seen.alarm or uncleared or self._trouble is not None))

    def _send_if_changed(self, device: str, what: str, command: Message) -> None:
        target = self._devices.get(device)
        if target is None or not target.up or self._told.get((device, what)) == command:
            return
        if target.send(command):
            self._told[device, what] = command
