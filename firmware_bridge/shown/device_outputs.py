"""Keeps the panel, the shoe and the shuffler as the table's picture says.

1. A command is sent only when what it says has changed. A device that has come back is sent all of them again. Shoe and
   shuffler are locked before the panel says why.
2. A refusal stays on the display until the next thing happens, and so does a page of the pay-and-take guide. While the
   table cannot go on, the display says why instead.
3. A panel that shows any script gets text and refusals as they are, in the language of the table. Any other gets them
   in English, with a `?` for what it has no character for.
4. The alarm is on while the round is held, while the table cannot go on, and while an alarm waits to be cleared. An
   uncleared alarm alone locks nothing: play goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from drivers.messages import Message
from drivers.panel.messages import UNICODE, Alarm, Lamps, Text, UnicodeText, fitted, fitted_unicode
from drivers.shoe.messages import Lock, Unlock
from firmware_bridge.shown.advice import Around
from firmware_bridge.shown.panel_picture import Picture, is_locked, picture
from firmware_bridge.texts.denials import Why
from firmware_bridge.texts.languages import ENGLISH
from firmware_bridge.texts.refusal_words import on_two_lines, refusal_words
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
    """Tells panel, shoe and shuffler what the table says, and remembers what each was told last."""

    def __init__(self, devices: Mapping[str, Target]) -> None:
        """Nothing was told yet."""
        self._devices = devices
        self._told: dict[tuple[str, str], object] = {}
        self._refused: Why | None = None
        self._trouble: str | None = None
        self._unicode = False
        self.language = ENGLISH
        """The language of a panel that shows any script; set it before a panel is met."""
        self._page = 0

    def trouble(self, what: str | None) -> None:
        """Say why the table cannot go on, or with None that it can; `update` then shows it, with alarm and lock."""
        self._trouble = what

    def met(self, device: str, capabilities: int) -> None:
        """Let the next `update` tell a device everything, as it can show it: it is there, or has come back."""
        if device == PANEL:
            self._unicode = bool(capabilities & UNICODE)
        self._told = {key: said for key, said in self._told.items() if key[0] != device}

    def turn_page(self) -> None:
        """Turn to the next box of the pay-and-take guide; after the last one the sums come again."""
        self._page += 1

    def refused(self, why: Why | None) -> None:
        """Say why a press was refused, or with None that something else has happened since."""
        self._page = 0
        self._refused = why

    def update(self, table: Table, *, uncleared: bool = False, clears: str = "", uncounted: bool = False) -> None:
        """Bring every device that is there to what the table says.

        `uncleared`: an alarm waits to be cleared; `clears`: the role that clears the one that bars the next round;
        `uncounted`: one of them asks for a count of the set.
        """
        locked = is_locked(table) or self._trouble is not None or (uncounted and not table.round_is_on)
        for device in DEALING:
            self._send_if_changed(device, "lock", Lock() if locked else Unlock())
        panel = self._devices.get(PANEL)
        if panel is not None and panel.up:  # nobody else needs the picture, which takes longer than the rest
            around = Around(self._trouble or "", clears, uncounted)
            seen = picture(table, around, self._page, self._shown_language)
            self._update_panel(seen, uncleared=uncleared)

    @property
    def _shown_language(self) -> str:
        return self.language if self._unicode else ENGLISH

    def _update_panel(self, seen: Picture, *, uncleared: bool) -> None:
        why = None if self._trouble is not None else self._refused
        upper, lower = seen.upper, seen.lower
        if why is not None:
            upper, lower = map(fitted_unicode, on_two_lines(refusal_words(why, self._shown_language)))
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
