"""Opens the books at the start of the daemon, whatever it finds.

1. The newest segment is opened and the table rebuilt from it. A file that is damaged, or rows that are not as they were
   written, are set aside; the journal goes on in a new segment after the head that was published last.
2. The daemon never refuses to start because of its journal, and never deletes anything. Damage is put before the shift
   manager.
3. The start itself is in the journal: boot id, software version, configuration without secrets.
"""

from __future__ import annotations

import json
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from firmware_bridge.books import Books
from firmware_bridge.config import Config
from firmware_bridge.items import DAEMON, Item, Note
from firmware_bridge.journal import schema, segments, signing
from firmware_bridge.journal.recovery import DamagedError, Recovered, recover, set_up
from firmware_bridge.journal.store import Journal
from gamecore import events as ev
from gamecore.notation.writer import write_header


class Opened(NamedTuple):
    """The table as the journal tells it, its books, and what must happen first."""

    recovered: Recovered
    books: Books
    first: list[Item]


def open_books(config: Config, at: str) -> Opened:
    """Open the journal of a table, and say what its start means to the game."""
    config.state.mkdir(parents=True, exist_ok=True)
    damage = ""
    try:
        journal = Journal(config.state, at)
    except sqlite3.DatabaseError as error:
        damage = _set_aside(config, str(error))
        journal = Journal.after(config.state, at, signing.published(config.state / signing.HEAD))
    try:
        recovered = recover(journal, config.header)
    except DamagedError as error:
        damage = f"{error}; set aside as {journal.quarantine(at, None)}"
        recovered = set_up(config.header)
    boot = config.boot.read_text(encoding="ascii").strip()
    first = [Item(DAEMON, Note(_start(config, boot), schema.START)), *_what_happened(recovered, boot)]
    if damage:
        first += [Item(DAEMON, Note(f"the journal was damaged: {damage}")), Item(DAEMON, ev.Call("uncovered"))]
    recovered.boot = boot
    return Opened(recovered, Books(journal, recovered), first)


def _set_aside(config: Config, reason: str) -> str:
    newest = segments.segments(config.state)[-1]
    return f"{reason}; set aside as {segments.set_aside(newest)}"


def _what_happened(recovered: Recovered, boot: str) -> list[Item]:
    """The software came back, or the power did."""
    if recovered.boot is None:
        return []
    if recovered.boot == boot:
        return [Item(DAEMON, ev.Restarted())]
    return [Item(DAEMON, ev.PowerCut()), Item(DAEMON, ev.PowerOn())]


def _start(config: Config, boot: str) -> str:
    """What is in force from now on; keys are left out."""
    try:
        number = version("truedeal")
    except PackageNotFoundError:
        number = "not installed"
    devices = {
        device.name: {"driver": device.driver, "port": device.port, "authenticated": device.authenticated}
        for device in config.devices
    }
    said = {"boot": boot, "version": number, "table": write_header(config.header), "devices": devices}
    return json.dumps(said, ensure_ascii=False)
