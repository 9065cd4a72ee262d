"""Games, rulings, clauses and readings as the page has them: what the core states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from firmware_bridge.console.history import rules_pages
from firmware_bridge.console.history.rules_pages import NoGameError
from gamecore.rules.clauses import TRACES
from gamecore.rules.compare import compare
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from gamecore.rules.readings import READINGS
from gamecore.rules.stages import Stage


def rows(answer: Mapping[str, object]) -> list[dict[str, Any]]:
    """The rows of an answer."""
    found: Any = answer["rows"]
    return list(found)


def test_the_games_stand_side_by_side() -> None:
    """Every parameter with what each game says and its clause; the rows that differ are marked."""
    lines = compare(GAMES.values())
    told = rows(rules_pages.games())
    assert [(line.name, line.differs) for line in lines] == [(row["name"], row["differs"]) for row in told]
    cells = [[(cell["value"], cell["clause"]) for cell in row["games"].values()] for row in told]
    assert [[(cell.value, cell.clause) for cell in line.cells] for line in lines] == cells
    assert {tuple(GAMES)} == {tuple(row["games"]) for row in told}


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_of_the_rulings_matrix_is_told_once(game: str) -> None:
    """Finding, case and stage to ruling and clause, or why it cannot occur."""
    told: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    for row in rows(rules_pages.rulings(game)):
        for stage in row["stages"]:
            place = (row["code"], row["case"], stage)
            assert place not in told
            told[place] = (row["ruling"], row["clause"], row["note"])
    expected = {}
    for entry in MATRICES[game]:
        for stage in Stage:
            cell = look_up(MATRICES[game], entry.code, entry.case, stage)
            expected[entry.code, entry.case, stage.value] = (
                cell.ruling,
                cell.clause,
                "" if cell.note is None else cell.note.value,
            )
    assert expected == told


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_told_with_its_standing(game: str) -> None:
    """In the order of the document, with the tests of a working copy that hold it."""
    answer: Any = rules_pages.clauses(game)
    assert [(trace.clause, trace.standing.value) for trace in TRACES[game]] == [
        (row["clause"], row["standing"]) for row in answer["rows"]
    ]
    assert (True, len(TRACES[game])) == (answer["held"], sum(answer["totals"].values()))
    claimed = [row for row in answer["rows"] if row["standing"] in {"enforced", "detected", "asked"}]
    assert [] == [row["clause"] for row in claimed if not row["held_by"]]


def test_every_reading_is_told() -> None:
    """With the games that it concerns."""
    told = rows(rules_pages.readings())
    assert [(one.name, list(one.games)) for one in READINGS] == [(row["name"], row["games"]) for row in told]


@pytest.mark.parametrize("ask", [rules_pages.rulings, rules_pages.clauses])
def test_a_game_that_there_is_not_is_refused(ask: Any) -> None:
    """With the names of those that there are."""
    with pytest.raises(NoGameError, match="expected one of mbs-blackjack-v6"):
        ask("poker")
