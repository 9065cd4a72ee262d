"""Journals for the tests of History and Health: played through the real pump and the real books."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from firmware_bridge.audit.journal_reader import parts
from firmware_bridge.journal import schema, segments
from firmware_bridge.pump.items import CONSOLE, Item, Note
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import House
from tests.places import ROOT

SCENARIOS = ROOT / "tests" / "scenarios"
INCIDENTS = sorted((ROOT / "tests" / "incidents").glob("*.deal"))
SQUEEZED = sorted((SCENARIOS / "rws-free-bet-2025").glob("*.deal"))


def play_files(house: House, files: list[Path]) -> None:
    """Play files, each at a table of its own."""
    for file in files:
        house.plays(file.read_text(encoding="utf-8"), new_table=True)


def with_squeezing() -> list[Path]:
    """Files in which cards lie face down."""
    return [file for file in SQUEEZED if "squeeze" in file.read_text(encoding="utf-8")]


def each_kind(every: int) -> list[Path]:
    """Some scenarios of every game, and at least one with each finding that a scenario of it expects."""
    chosen: dict[Path, None] = {}
    for game in GAMES:
        seen: set[str] = set()
        for number, file in enumerate(sorted((SCENARIOS / game).glob("*.deal"))):
            found = set(re.findall(r"^expect finding (\S+)", file.read_text(encoding="utf-8"), re.MULTILINE))
            if number % every == 0 or found - seen:
                seen |= found
                chosen[file] = None
    return list(chosen)


def note(house: House, **said: object) -> None:
    """Something that means nothing to the game, as the daemon notes it."""
    house.pump.enqueue(Item(CONSOLE, Note(json.dumps(said))))
    house.pump.process_queue()


def says(house: House, event: object, person: str | None = None, role: str | None = None) -> None:
    """Somebody says something at the console."""
    house.pump.enqueue(Item(CONSOLE, event, person=person, role=role))
    house.pump.process_queue()


def records(state: Path) -> list[dict[str, Any]]:
    """The records of all rounds at hand, oldest first."""
    found: list[dict[str, Any]] = []
    for path in segments.segments(state):
        with closing(segments.open_for_reading(path)) as connection:
            columns = "id, number, first, last, began, ended, boxes, report"
            chosen = f"SELECT {columns} FROM rounds WHERE {schema.NEWEST} ORDER BY id"  # noqa: S608  ours
            for row in connection.execute(chosen):
                record = dict(zip(columns.split(", "), row, strict=True))
                found.append(record | {"report": json.loads(record["report"]), "segment": path.name})
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with what it holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def names(state: Path) -> Iterator[str]:
    """The names of the segments, oldest first."""
    return (part.name for part in parts(state))
