"""Positions for the tests of the scene: every statement of a sample of the scenario files, and words read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.shown.scene import scene
from gamecore.model.events.events import Event
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line
from gamecore.notation.parser import parse, read_statement
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import InProcess
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.places import SCENARIOS

FOLDER = SCENARIOS
FILES = sorted(FOLDER.rglob("*.deal"))
SAMPLE = FILES[::20]
SQUEEZED = [file for file in FILES if "\nsqueeze " in file.read_text(encoding="utf-8")]


def positions(file: Path) -> Iterator[tuple[str, Table]]:
    """Play a file; the table after each statement, and where that is."""
    yield from played(file.read_text(encoding="utf-8"), f"{file.parent.name}/{file.name}")


def played(text: str, name: str = "") -> Iterator[tuple[str, Table]]:
    """Play a text; the table after each statement, and where that is."""
    scenario = parse(text, GAMES)
    venue = InProcess(scenario.header, GAMES[scenario.header.game])
    player = Player(scenario.header, GAMES[scenario.header.game], venue)
    for statement in scenario.statements:
        player.play(statement)
        yield f"{name}:{statement.line}", venue.table


def read_back(table: Table, statement: str) -> Event:
    """Return what a statement means at a table."""
    view = table.view()
    read = read_statement(Line(1, statement), layout_of(view.rules, view.box_count)).what
    assert isinstance(read, Event)
    return read


def shown(table: Table) -> str:
    """Return the scene of a table as JSON text."""
    return json.dumps(scene(table))
