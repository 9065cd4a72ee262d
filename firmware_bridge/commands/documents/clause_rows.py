"""What this product knows of the approved documents, as plain rows for the command line and the console.

1. Everything here is what the core states: the rulesets, the rulings matrix, the clauses, the readings. Nothing is
   decided here.
2. Which scenarios and tests hold a clause is looked for in a folder. `beside_product` is the one that a working copy
   has; where the product is installed without its tests there is none, and nothing is said to hold.
3. Files are named from the folder in which the product lies (`gamecore/…`, `tests/…`), others by their whole path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware_bridge.commands.documents.clause_tests import Holder, Holders
from firmware_bridge.commands.documents.code_places import find_code
from gamecore.model.events.texts import key_of
from gamecore.rules.clauses import TRACES
from gamecore.rules.compare import compare
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.notes import MatrixNote
from gamecore.rules.readings import READINGS

Rows = list[dict[str, Any]]


def comparison() -> Rows:
    """Every parameter of the five games: its name, whether the games differ in it, and what each says by its clause."""
    return [
        {
            "name": line.name,
            "key": line.key,
            "wager": line.wager,
            "differs": line.differs,
            "games": {
                game: {"value": cell.value, "key": cell.key, "clause": cell.clause}
                for game, cell in zip(GAMES, line.cells, strict=True)
            },
        }
        for line in compare(GAMES.values())
    ]


def rulings(game: str) -> Rows:
    """The rulings matrix of a game: one row for each ruling of a finding, with the stages at which it follows."""
    found: Rows = []
    for entry in MATRICES[game]:
        stages: dict[tuple[str, str, str, MatrixNote | None], list[str]] = {}
        for stage, cell in entry.cells.items():
            procedure = cell.procedure.value if cell.procedure is not None else ""
            stages.setdefault((cell.ruling, cell.clause, procedure, cell.note), []).append(stage.value)
        for (ruling, clause, procedure, note), names in stages.items():
            row = {
                "game": game,
                "code": entry.code,
                "case": entry.case,
                "case_key": key_of(entry.case),
                "stages": names,
            }
            said = {"note": "" if note is None else note.value, "note_key": "" if note is None else note.key}
            found.append(row | {"ruling": ruling, "clause": clause, "procedure": procedure} | said)
    return found


def clauses(game: str, holders: Holders) -> Rows:
    """Every clause of a game: how the product stands to it, the code that holds it, the scenarios and tests."""
    return [
        {
            "game": game,
            "clause": trace.clause,
            "standing": trace.standing.value,
            "note": trace.note,
            "code": [_code(name) for name in trace.code.split()],
            "held_by": [_holder(holder) for holder in holders.get((game, trace.clause), [])],
        }
        for trace in TRACES[game]
    ]


def _code(name: str) -> dict[str, str | int]:
    place = find_code(name)
    return {"name": name, "file": _named(place.file), "line": place.line}


def _holder(holder: Holder) -> dict[str, str]:
    """A scenario by its file, a Python test also by its name."""
    test = {"test": holder.test} if holder.test else {}
    return {"file": _named(holder.file)} | test


def _named(file: Path) -> str:
    """A file from the product's folder, or by its whole path where it lies elsewhere."""
    whole, root = file.resolve(), beside_product().parent
    return str(whole.relative_to(root) if whole.is_relative_to(root) else whole)


def readings(games: tuple[str, ...]) -> Rows:
    """Where a document of these games can be read in two ways, and how it is read here."""
    return [
        {
            "name": reading.name,
            "games": [game for game in reading.games if game in games],
            "clauses": reading.clauses,
            "question": reading.question,
            "taken": reading.taken,
            "other": reading.other,
            "why": reading.why,
            "held_by": reading.held_by,
        }
        for reading in READINGS
        if any(game in games for game in reading.games)
    ]


def beside_product() -> Path:
    """The folder in which a working copy has its scenarios and tests."""
    return Path(__file__).resolve().parents[3] / "tests"
