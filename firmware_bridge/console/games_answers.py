"""The shapes of what the console answers for the Games page: games side by side, rulings, clauses, readings."""

from __future__ import annotations

from typing import Annotated, TypedDict

from firmware_bridge.commands.documents.clause_rows import ClauseRow, ReadingRow, RuleRow, RulingRow


class GameLine(TypedDict):
    """One game."""

    id: str
    title: str
    casino: str
    edition: str
    in_force: str


class GamesTable(TypedDict):
    """The games side by side."""

    games: list[GameLine]
    rows: list[RuleRow]


class StageLine(TypedDict):
    """A stage of a round."""

    name: str
    key: str


class WhoseRuling(RulingRow):
    """A ruling, and who has erred."""

    whose: str


class Precedence(TypedDict):
    """A finding that governs before others."""

    code: str
    why: str


class RulingsTable(TypedDict):
    """The rulings matrix of a game."""

    game: str
    stages: list[StageLine]
    rows: list[WhoseRuling]
    precedence: list[Precedence]


class ClausesTable(TypedDict):
    """Every clause of a game."""

    game: str
    rows: list[ClauseRow]
    totals: dict[str, int]
    held: Annotated[bool, "it is known which tests hold a clause"]


class ReadingsTable(TypedDict):
    """Where the documents can be read in two ways."""

    games: list[str]
    rows: list[ReadingRow]
