"""The games, the rulings, the clauses and the readings, as the page has them.

1. Everything comes from `commands.documents.clause_rows` and the core, so that page and command line say the same.
2. The answers do not change while the software runs: each is made once.
3. What tests a clause is looked for beside the product. Without tests there nothing is said to test a clause.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from firmware_bridge.commands.documents import clause_rows
from firmware_bridge.commands.documents.clause_tests import Holders, find_holders
from firmware_bridge.console.games_answers import ClausesTable, GameLine, GamesTable, ReadingsTable, RulingsTable
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from gamecore.rules.matrix import PRECEDENCE
from gamecore.rules.stages import Stage


class NoGameError(ValueError):
    """There is no game of that name; the message lists those that are."""


def _known(game: str) -> None:
    if game not in GAMES:
        raise NoGameError(f"there is no game '{game}': expected one of {', '.join(GAMES)}")


@lru_cache(maxsize=1)
def games() -> GamesTable:
    """The five games side by side."""
    listed: list[GameLine] = [
        {
            "id": rules.id,
            "title": rules.title,
            "casino": rules.casino,
            "edition": rules.edition,
            "in_force": str(rules.in_force),
        }
        for rules in GAMES.values()
    ]
    return {"games": listed, "rows": clause_rows.comparison()}


@lru_cache(maxsize=len(GAMES))
def rulings(game: str) -> RulingsTable:
    """The rulings matrix of a game, the stages of a round, and which finding governs where there are several."""
    _known(game)
    return {
        "game": game,
        "stages": [{"name": stage.value, "key": stage.key} for stage in Stage],
        "rows": [{**row, "whose": CODES[row["code"]]} for row in clause_rows.rulings(game)],
        "precedence": [{"code": code, "why": why} for code, why in PRECEDENCE],
    }


@lru_cache(maxsize=1)
def _holders() -> Holders:
    folder = clause_rows.beside_product()
    return find_holders(folder) if (folder / "scenarios").is_dir() else {}


@lru_cache(maxsize=len(GAMES))
def clauses(game: str) -> ClausesTable:
    """Every clause of a game and how the product stands to it."""
    _known(game)
    rows = clause_rows.clauses(game, _holders())
    return {
        "game": game,
        "rows": rows,
        "totals": dict(Counter(row["standing"] for row in rows)),
        "held": bool(_holders()),
    }


@lru_cache(maxsize=1)
def readings() -> ReadingsTable:
    """Where the documents can be read in two ways, and how they are read here."""
    return {"games": list(GAMES), "rows": clause_rows.readings(tuple(GAMES))}
