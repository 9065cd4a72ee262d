"""The five games side by side, made from the rulesets.

1. A row is one parameter; a cell is its value and its clause, in words.
2. All rows are made; `Line.differs` says whether the games disagree, which is what a reader looks for.
3. Pay tables are rows too, one for each side wager and each line of its table.
4. Rows and values have keys for the texts of other languages: the name of a parameter, of a member, of a function, of
   a line of a pay table. No key follows from the English of a value, which may be worded again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import Enum

from gamecore.model.events.texts import key_of
from gamecore.model.money import Odds, dollars
from gamecore.rules.ruleset import SILENT, BonusHand, ClaimOrder, Rule, Ruleset, SuperBonus

NOT_IN_GAME = "-"


@dataclass(frozen=True, slots=True)
class Cell:
    """What one game says: the value in words, the clause, and the key of the value where it is more than a number."""

    value: str
    clause: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One parameter across the games; `wager` is the kind of side wager of which it is a line."""

    name: str
    key: str
    cells: tuple[Cell, ...]
    wager: str = ""

    @property
    def differs(self) -> bool:
        """Whether the games disagree in value."""
        return len({cell.value for cell in self.cells}) > 1


def compare(games: Iterable[Ruleset]) -> list[Line]:
    """Every parameter of the given games, one line each."""
    rulesets = tuple(games)
    editions = tuple(Cell(f"{r.edition}, {r.in_force}", "", f"edition-{r.id}") for r in rulesets)
    lines = [Line("in force", "in-force", editions)]
    for parameter in fields(Ruleset):
        rules = [getattr(ruleset, parameter.name) for ruleset in rulesets]
        if isinstance(rules[0], Rule):
            cells = tuple(_cell(rule.value, rule.clause) for rule in rules)
            lines.append(Line(parameter.name.replace("_", " "), key_of(parameter.name), cells))
    return lines + _side_lines(rulesets)


def _side_lines(rulesets: tuple[Ruleset, ...]) -> list[Line]:
    kinds = list(dict.fromkeys(side.kind for ruleset in rulesets for side in ruleset.side_wagers))
    lines = []
    for kind in kinds:
        sides = [next((side for side in r.side_wagers if side.kind == kind), None) for r in rulesets]
        titles = dict.fromkeys(title for side in sides if side is not None for title, _ in side.pays)
        for title in titles:
            cells = []
            for side in sides:
                odds = dict(side.pays).get(title) if side is not None else None
                table = side.pay_table if side is not None and odds is not None else ""
                cells.append(Cell(str(odds) if odds is not None else NOT_IN_GAME, table))
            lines.append(Line(f"{kind}: {title}", key_of(title), tuple(cells), kind))
    return lines


def _cell(value: object, clause: str) -> Cell:
    return Cell(_words(value), "" if clause == SILENT else clause, _key(value))


def _key(value: object) -> str:
    """The key of a value; a number, odds, ranks and names of wagers need none."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Enum():
            return key_of(value.name)
        case SuperBonus():
            return "super-bonus"
        case ClaimOrder():
            return "by-preference"
        case (BonusHand(), *_):
            return "bonus-hands"
        case None | tuple() | Odds() | str() | int():
            return ""
    return key_of(getattr(value, "__name__", ""))


def _words(value: object) -> str:
    match value:
        case None:
            return NOT_IN_GAME
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case (int(least), int(most)):
            return f"{least} to {most}"
        case SuperBonus():
            bands = ", ".join(f"from {dollars(least)}: {dollars(pays)}" for least, pays in reversed(value.bands))
            return f"{bands}; others {dollars(value.others)}"
        case tuple():
            return ", ".join(_words(item) for item in value) or NOT_IN_GAME
        case ClaimOrder():
            return "by order of preference"
        case BonusHand():
            return f"{value.title} {value.pays}"
        case Odds() | str() | int():
            return str(value)
    return getattr(value, "__name__", repr(value)).replace("_", " ")
