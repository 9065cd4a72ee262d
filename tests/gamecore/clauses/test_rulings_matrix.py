"""The rulings matrix of each game, linted cell by cell."""

from __future__ import annotations

from collections import Counter

import pytest

from gamecore.irregularities.procedures.registry import PROCEDURES
from gamecore.model.events.outputs import RETRACTED
from gamecore.model.steps import Procedure
from gamecore.rules.clauses import TRACES
from gamecore.rules.codes import CARDS, CODES, DEALER, DEVICE, PLAYER, RULINGS
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import PRECEDENCE, Cell, look_up
from gamecore.rules.stages import Stage

CELLS = [
    pytest.param(game, entry.code, entry.case, stage, entry.cells.get(stage), id=f"{game} {entry.code} {entry.case}")
    for game, matrix in MATRICES.items()
    for entry in matrix
    for stage in Stage
]


def test_every_game_has_its_matrix() -> None:
    """No game is without rulings, and no matrix without a game."""
    assert list(GAMES) == list(MATRICES)


@pytest.mark.parametrize("game", GAMES)
def test_every_code_has_its_rows(game: str) -> None:
    """Each code of the notation has a row, and no row has another code."""
    assert set(CODES) == {entry.code for entry in MATRICES[game]}


@pytest.mark.parametrize("game", GAMES)
def test_a_finding_has_one_row(game: str) -> None:
    """A code in one case stands in the list once."""
    rows = Counter((entry.code, entry.case) for entry in MATRICES[game])
    assert [] == [row for row, times in rows.items() if times > 1]


@pytest.mark.parametrize("game", GAMES)
def test_the_games_tell_the_same_cases_apart(game: str) -> None:
    """What a detector or a person can state has its row in every game; a case of one casino alone is a limit of it."""
    cases = {(entry.code, entry.case) for entry in MATRICES["mbs-blackjack-v6"]}
    own = {("over-maximum", "boom-busted")} if game.startswith("rws") else set()
    assert cases | own == {(entry.code, entry.case) for entry in MATRICES[game]}


def test_no_cell_is_silent() -> None:
    """At every stage there is a ruling with its clause and procedure, or the reason why it cannot occur."""
    silent = [param.id for param in CELLS if not _speaks(param.values[4])]
    assert [] == silent


def _speaks(cell: object) -> bool:
    if not isinstance(cell, Cell):
        return False
    if not cell.ruling:
        return bool(cell.note) and not cell.clause and not cell.procedure
    return bool(cell.clause and cell.procedure)


@pytest.mark.parametrize("game", GAMES)
def test_rulings_procedures_and_clauses_exist(game: str) -> None:
    """Each ruling is a word of the notation, each procedure is carried out, each clause stands in the document."""
    clauses = {trace.clause for trace in TRACES[game]}
    cells = [cell for entry in MATRICES[game] for cell in entry.cells.values() if cell.ruling]
    assert set() == {cell.ruling for cell in cells} - set(RULINGS)
    assert set() == {cell.procedure for cell in cells} - set(PROCEDURES)
    assert set() == {cell.clause for cell in cells} - clauses


def test_every_ruling_and_procedure_is_used() -> None:
    """Nothing stands in the lists that no cell refers to.

    Cards may have to be put back after any of them, and Players withdraw by right where several give it.
    """
    cells = [cell for matrix in MATRICES.values() for entry in matrix for cell in entry.cells.values() if cell.ruling]
    assert set(RULINGS) - {RETRACTED} == {cell.ruling for cell in cells}
    assert set(PROCEDURES) - {Procedure.PUT_BACK, Procedure.WITHDRAWALS} == {cell.procedure for cell in cells}


def test_precedence_lists_every_code_once() -> None:
    """Of several findings at one event it is always known which governs."""
    assert sorted(CODES) == sorted(code for code, _ in PRECEDENCE)
    assert all(clauses for _, clauses in PRECEDENCE)


def test_what_voids_a_round_comes_first() -> None:
    """A finding whose ruling is void whatever happened governs before any that lets the round go on."""
    voids = {"foreign-card", "extra-card", "missing-card", "unshuffled-cards"}
    assert voids == {code for code, _ in PRECEDENCE[: len(voids)]}
    for game in GAMES:
        for code in voids:
            assert "void" == look_up(MATRICES[game], code, "", Stage.SUBSEQUENT).ruling


def test_every_code_says_whose_error_it_is() -> None:
    """The Dealer's, a Player's, the cards' or a device's."""
    assert set(CODES.values()) == {DEALER, PLAYER, CARDS, DEVICE}
