"""What this product knows of the approved documents, as plain rows for the command line and the console.

1. Everything here is what the core states: the rulesets, the rulings matrix, the clauses, the readings. Nothing is
   decided here.
2. The scenarios and tests that hold a clause are looked for in a folder. `beside_product` is that of a working copy. If
   the product is installed without its tests, nothing is said to hold a clause.
3. Files are named from the folder in which the product lies (`gamecore/…`, `tests/…`), others by their whole path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NotRequired, TypedDict

from firmware_bridge.commands.documents.clause_tests import Holder, Holders
from firmware_bridge.commands.documents.code_places import find_code
from gamecore.model.events.texts import key_of
from gamecore.rules.clauses import TRACES
from gamecore.rules.compare import compare
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.notes import MatrixNote
from gamecore.rules.readings import READINGS


class RuleCell(TypedDict):
    """What one game says of a parameter."""

    value: str
    key: Annotated[str, "of the text of the value, empty where it is shown as it is"]
    clause: str


class RuleRow(TypedDict):
    """One parameter of all games."""

    name: str
    key: str
    wager: str
    differs: bool
    games: dict[str, RuleCell]


class RulingRow(TypedDict):
    """One ruling of a finding, and the stages of a round at which it follows."""

    game: str
    code: str
    case: str
    case_key: str
    stages: list[str]
    ruling: Annotated[str, "empty where it cannot be"]
    clause: str
    procedure: str
    note: str
    note_key: str


class CodePlace(TypedDict):
    """A name of the code, and where it is."""

    name: str
    file: str
    line: int


class HeldBy(TypedDict):
    """A scenario, or a test in Python by its name."""

    file: str
    test: NotRequired[str]


class ClauseRow(TypedDict):
    """One clause, and how the product stands to it."""

    game: str
    clause: str
    standing: str
    note: str
    code: list[CodePlace]
    held_by: list[HeldBy]


class ReadingRow(TypedDict):
    """A place where a document can be read in two ways, and how it is read here."""

    name: str
    games: list[str]
    clauses: str
    question: str
    taken: str
    other: str
    why: str
    held_by: str


def comparison() -> list[RuleRow]:
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


def rulings(game: str) -> list[RulingRow]:
    """The rulings matrix of a game: one row for each ruling of a finding, with the stages at which it follows."""
    found: list[RulingRow] = []
    for entry in MATRICES[game]:
        stages: dict[tuple[str, str, str, MatrixNote | None], list[str]] = {}
        for stage, cell in entry.cells.items():
            procedure = cell.procedure.value if cell.procedure is not None else ""
            stages.setdefault((cell.ruling, cell.clause, procedure, cell.note), []).append(stage.value)
        for (ruling, clause, procedure, note), names in stages.items():
            found.append(
                {
                    "game": game,
                    "code": entry.code,
                    "case": entry.case,
                    "case_key": key_of(entry.case),
                    "stages": names,
                    "ruling": ruling,
                    "clause": clause,
                    "procedure": procedure,
                    "note": "" if note is None else note.value,
                    "note_key": "" if note is None else note.key,
                }
            )
    return found


def clauses(game: str, holders: Holders) -> list[ClauseRow]:
    """Every clause of a game: how the product stands to it, the code that carries it out, the scenarios and tests."""
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


def _code(name: str) -> CodePlace:
    place = find_code(name)
    return {"name": name, "file": _named(place.file), "line": place.line}


def _holder(holder: Holder) -> HeldBy:
    """A scenario by its file, a Python test also by its name."""
    file = _named(holder.file)
    return {"file": file, "test": holder.test} if holder.test else {"file": file}


def _named(file: Path) -> str:
    """A file from the product's folder, or by its whole path where it lies elsewhere."""
    whole, root = file.resolve(), beside_product().parent
    return str(whole.relative_to(root) if whole.is_relative_to(root) else whole)


def readings(games: tuple[str, ...]) -> list[ReadingRow]:
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
