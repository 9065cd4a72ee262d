"""The rulings matrix: from a finding and the stage of the round to the ruling, its clause and its procedure.

1. A row is a code and, where the documents tell cases apart, the case (`double-draw` with no card disclosed). It has a
   cell for every stage: a ruling, or the reason why the finding cannot occur there. No cell is silent.
2. The rows of a game stand in one list, and a test checks that every code has its cells at every stage.
3. `PRECEDENCE` is the order in which several findings of one event are judged: what voids the round, what must be known
   or decided before anything else can be judged, the dealing errors, what lets play continue, the wagers, a lost link,
   what no clause covers. After a finding that has voided the round the others are not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamecore.model.steps import Procedure
from gamecore.rules.notes import MatrixNote
from gamecore.rules.stages import Stage


@dataclass(frozen=True, slots=True)
class Cell:
    """The ruling, its clause, the procedure that carries it out; without a ruling, why the finding cannot occur."""

    ruling: str
    clause: str
    procedure: Procedure | None
    note: MatrixNote | None = None


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One finding in one case, at every stage."""

    code: str
    case: str
    cells: Mapping[Stage, Cell]


def cannot(reason: MatrixNote) -> Cell:
    """The finding does not occur at this stage."""
    return Cell("", "", None, reason)


def row(code: str, case: str, *parts: tuple[Iterable[Stage], Cell]) -> MatrixRow:
    """A row from (stages, cell) parts; a later part does not change a stage that an earlier one decided."""
    cells: dict[Stage, Cell] = {}
    for stages, cell in parts:
        for stage in stages:
            cells.setdefault(stage, cell)
    return MatrixRow(code, case, cells)


EVERY = tuple(Stage)
IN_ROUND = (Stage.BETTING, Stage.CLOSED, Stage.INITIAL, Stage.INTERIM, Stage.SUBSEQUENT, Stage.FINAL)
BEFORE_DEAL = (Stage.BETTING, Stage.CLOSED)
DEALT = (Stage.INITIAL, Stage.INTERIM, Stage.SUBSEQUENT, Stage.FINAL)

Matrix = tuple[MatrixRow, ...]


def look_up(matrix: Matrix, code: str, case: str, stage: Stage) -> Cell:
    """The cell of a finding."""
    for entry in matrix:
        if entry.code == code and entry.case == case:
            return entry.cells[stage]
    raise KeyError(code, case)


#: Which finding governs where one event shows several: code, and the clauses that put it there.
PRECEDENCE: tuple[tuple[str, str], ...] = (
    ("foreign-card", "MBS 5.1.1, RWS 5.5.1: the round is void whatever else happened"),
    ("extra-card", "MBS 5.1.1, RWS 5.5.2: the round is void whatever else happened"),
    ("missing-card", "MBS 5.1.1, RWS 5.5.2: the round is void whatever else happened"),
    ("unshuffled-cards", "MBS 5.1.1, RWS 5.5.4: the round is void whatever else happened"),
    ("power-failure", "MBS 5.29, Free Bet 5.30, RWS 5.4: whether play goes on at all"),
    ("insufficient-cards", "MBS 5.19, RWS 5.5.3: no card can be dealt before it is carried out"),
    ("unreadable-card", "MBS 6.1, RWS 5.13: the value must be known before the deal can be judged"),
    ("double-draw", "MBS 5.23, RWS 5.12: which card is which must be known before its place is judged"),
    ("missing-burn", "MBS 5.21: every place after the burn shifts with it"),
    ("dealer-not-dealt", "MBS 5.11, 5.12: more specific than 5.6"),
    ("box-not-dealt", "MBS 5.13, 5.14: more specific than 5.6"),
    ("box-short", "MBS 5.13, 5.16: more specific than 5.6"),
    ("unwagered-box-dealt", "MBS 5.15, RWS 5.10.3: more specific than 5.6 and 5.9"),
    ("dealer-overdraw", "MBS 5.7, RWS 5.10.2: excepted from 5.8 and from 5.9"),
    ("hand-skipped", "MBS 5.17, 5.18: more specific than 5.6"),
    ("misdealt-card", "MBS 5.6, RWS 5.9"),
    ("card-in-error", "MBS 5.8, RWS 5.9"),
    ("cut-card-passed", "MBS 5.20: play continues"),
    ("face-up-card", "MBS 5.5, RWS 5.11: play continues"),
    ("insurance-not-offered", "Free Bet 5.26: play continues"),
    ("absent-player", "MBS 5.22, RWS 5.3: play continues"),
    ("unsettled-side-wager", "RWS 5.17: play continues"),
    ("late-wager", "MBS 5.3, RWS 5.8: touches one wager"),
    ("wager-withdrawn", "MBS 5.4, RWS 5.8: touches one wager"),
    ("side-wager-without-main", "MBS 3.15, RWS 5.16: touches one wager"),
    ("over-maximum", "MBS 5.27, Free Bet 5.28, RWS 5.1: touches one wager"),
    ("under-minimum", "MBS 5.26, Free Bet 5.27, RWS 5.2: touches one wager"),
    ("link-lost", "MBS 6.1, RWS 5.20: a device's fault"),
    ("uncovered", "MBS 6.1, RWS 5.20: what no clause covers"),
)
