"""The course: lessons made from scenarios, clause by clause, each clause from the easiest lesson to the hardest.

1. A lesson is a scenario in which something is found: it begins with what stands before the error, then the error is
   committed, and the rest is the trainee's and the patrons'. Its clause is that of the first finding.
2. The goal is what the file expects of the whole round: its findings with their rulings, its wagers, that it is void.
   What it expects in between, such as whose turn it is, holds only on the way and is no goal.
3. A lesson is as hard as the trainee has acts to do in it.
4. Files are left out that hands at a table cannot play: two rounds, cables, power, a shoe that is loaded half way, no
   panel, or nothing left to do. So are those with more than `MOST_ACTS` acts or no goal, and those with a second error,
   which would be the trainee's.
5. The lessons of a game are made when they are first asked for, in some seconds: each file that reads as a lesson, with
   its error before the first finding that it expects, is played in process to find its error exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gamecore.model.events import events as ev
from gamecore.notation.expect.checks import check
from gamecore.notation.parser import read
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import (
    Claim,
    Draw,
    FindingIs,
    Header,
    NotationError,
    Pull,
    Scenario,
    Statement,
    VoidIs,
    WagerIs,
    What,
)
from gamecore.rules.games import GAMES
from gamecore.table import Table

GOALS = FindingIs | WagerIs | VoidIs
BY_HAND = (
    Draw,
    Pull,
    ev.CardLaid,
    ev.CardLifted,
    ev.CardMoved,
    ev.CardsTurned,
    ev.CuttingCardOut,
    ev.WagerPlaced,
    ev.WagerRemoved,
    ev.Command,
)
"""What people at a table do with cards, chips and words."""
OF_PATRONS = (
    ev.WagerPlaced,
    ev.WagerRemoved,
    ev.Seat,
    ev.Hit,
    ev.Stand,
    ev.Double,
    ev.FreeDouble,
    ev.Split,
    ev.FreeSplit,
    ev.Surrender,
    ev.Rescue,
    ev.Insure,
    ev.EvenMoney,
    ev.Agree,
)
"""What Players do, and answers of theirs (`is_of_patrons`)."""
MOST_ACTS = 30
Error = tuple[int, str, str, Table | None]
"""Which statement is the error, code and clause of what is found then, and the table at the end where it is known."""
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: before the error, the error, what a trainee and the patrons do then, what must hold at the end."""

    id: str
    game: str
    clause: str
    code: str
    title: str
    header: Header
    before: tuple[Statement, ...]
    error: Statement
    after: tuple[Statement, ...]
    goal: tuple[Statement, ...]
    ends: bool
    """Whether its file plays the round to its end."""

    @property
    def acts(self) -> int:
        """How many acts are the trainee's."""
        return sum(not is_of_patrons(one.what) for one in self.after)

    def as_json(self) -> dict[str, object]:
        """The lesson as it stands in the list."""
        return {"id": self.id, "clause": self.clause, "code": self.code, "title": self.title, "acts": self.acts}


def is_of_patrons(what: What) -> bool:
    """Whether Players do this."""
    if isinstance(what, ev.Answer):
        return what.who[:1].isdigit() or what.who == "all"
    return isinstance(what, OF_PATRONS)


def in_order(clause: str) -> tuple[int, ...]:
    """How a clause is sorted: 5.9 before 5.21."""
    return tuple(int(number) for number in _NUMBERS.findall(clause))


class Course:
    """The lessons of all games for which files are at hand."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._lessons: dict[str, dict[str, Lesson]] = {}

    def of(self, game: str) -> list[Lesson]:
        """The lessons of a game, in the order in which they are learned."""
        if game not in self._lessons:
            paths = sorted(path for folder in self._folders for path in (folder / game).glob("*.deal"))
            made = [_made(path) for path in paths]
            found = [lesson for lesson in made if lesson is not None and lesson.game == game]
            found.sort(key=lambda one: (in_order(one.clause), one.acts, one.id))
            self._lessons[game] = {one.id: one for one in found}
        return list(self._lessons[game].values())

    def lesson(self, known_by: str) -> Lesson | None:
        """The lesson of a name; None if there is none."""
        game = known_by.partition("/")[0]
        return next((one for one in self.of(game) if one.id == known_by), None) if game in GAMES else None


def _made(path: Path) -> Lesson | None:
    """The lesson of a file, if it makes one."""
    text = path.read_text(encoding="utf-8")
    return None if lesson_of(path.stem, text, exactly=False) is None else lesson_of(path.stem, text)


def lesson_of(name: str, text: str, *, exactly: bool = True) -> Lesson | None:
    """The lesson that a scenario makes; None if it makes none. `exactly`: its error is found by playing it."""
    try:
        scenario = read(text, GAMES)
    except NotationError:
        return None
    if scenario.error is not None:
        return None
    found = _error_in(scenario) if exactly else _error_told(scenario)
    if found is None:
        return None
    at, code, clause, table = found
    said = scenario.statements
    after = tuple(one for one in said[at + 1 :] if not isinstance(one.what, Claim))
    goal = tuple(one for one in said[at:] if isinstance(one.what, GOALS) and _holds(one.what, table))
    before = tuple(one for one in said[:at] if not isinstance(one.what, Claim))
    game = scenario.header.game
    title = name.partition("-")[2].replace("-", " ") or name
    ends = table is not None and not table.round_is_on
    lesson = Lesson(f"{game}/{name}", game, clause, code, title, scenario.header, before, said[at], after, goal, ends)
    return lesson if _can_be_dealt(lesson) else None


def _holds(claim: Claim, table: Table | None) -> bool:
    """Whether a claim holds at the end; a ruling may have become another on the way."""
    return table is None or check(claim, table) is None


def _error_told(scenario: Scenario) -> Error | None:
    """What is done before the first finding that is expected, and that finding."""
    last = None
    for at, statement in enumerate(scenario.statements):
        match statement.what:
            case FindingIs(code, str(clause)):
                return None if last is None else (last, code, clause, None)
            case what if not isinstance(what, Claim):
                last = at
            case _:
                pass
    return None


def _error_in(scenario: Scenario) -> Error | None:
    """The error, found by playing; None if nothing is found, or something else too, or the file does not hold."""
    venue = InProcess(scenario.header, GAMES[scenario.header.game])
    player = Player(scenario.header, GAMES[scenario.header.game], venue)
    found: Error | None = None
    try:
        for at, statement in enumerate(scenario.statements):
            player.play(statement)
            findings = venue.table.view().round.findings
            if found is None and findings:
                found = (at, findings[0].code, findings[0].clause, venue.table)
            elif len(findings) > 1:
                return None
    except NotationError:
        return None
    return None if player.failures else found


def _can_be_dealt(lesson: Lesson) -> bool:
    """Whether hands at a table can play it."""
    said = (*lesson.before, lesson.error, *lesson.after)
    rounds = sum(isinstance(one.what, ev.PlaceBets) for one in said)
    begun = any(isinstance(one.what, ev.PlaceBets) for one in lesson.before)
    by_hand = all(isinstance(one.what, BY_HAND) for one in said)
    fits = 0 < lesson.acts <= MOST_ACTS and rounds == 1 and not lesson.header.confirm
    codes = {one.what.code for one in lesson.goal if isinstance(one.what, FindingIs)}
    return fits and begun and by_hand and len(codes) <= 1 and bool(lesson.goal) and "panel" in lesson.header.sensors
