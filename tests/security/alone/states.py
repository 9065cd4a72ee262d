"""The states in which a lone person tries everything: those of all scenarios and of the pairs of irregularities.

1. Every table asks for confirmation. A scenario is played twice: as it is written, and with an approval as soon as
   something waits for one, so that it goes on.
2. States are grouped by game, state and stage of the round, what is open and who is asked, and what is fitted. One of
   each group is enough: what a statement does depends on these. A report joins what is open: for reports it is enough
   to know how the matter that comes first is carried out, and whether there are others.
3. `pairs.txt` names the cells of the table of pairs which together reach every group that all of them reach
   (`python -m tests.security.alone`). The soak plays all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.matters import Matter
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Claim, Header, NotationError
from gamecore.rules.games import GAMES
from gamecore.standing.stage import stage_of
from gamecore.table import Table
from tests.gamecore.pairs import cells
from tests.gamecore.pairs import robot as pair_robot
from tests.gamecore.pairs.cells import Cell
from tests.places import TESTS

SEED = 1117
"""Of the pairs, as in their own tests."""
LIST = Path(__file__).with_name("pairs.txt")
Visit = Callable[[Header, Table], None]
Group = tuple[object, ...]


def group(header: Header, table: Table) -> Group:
    """What a statement's effect depends on."""
    t = table._state
    matters = [*t.hold.matters, *t.hold.beside, *t.hold.pulls]
    asked = sorted({(_who(ask.who), ask.options) for matter in matters[:1] for ask in matter.open_asks})
    opened = tuple(map(_open, matters))
    return header.game, t.machine.state, stage_of(t), opened, tuple(asked), bool(t.hold.rights), header.sensors


def group_for_reports(header: Header, table: Table) -> Group:
    """What the effect of a report depends on."""
    t = table._state
    matters = [*t.hold.matters, *t.hold.beside, *t.hold.pulls]
    first = [(one.procedure, one.pending and one.pending.effect) for one in matters[:1]]
    return header.game, t.machine.state, stage_of(t), tuple(first), len(matters) > 1, header.sensors


def _open(matter: Matter) -> tuple[object, ...]:
    return matter.finding.code, matter.procedure, matter.finding.how, matter.pending and matter.pending.effect


def _who(name: str) -> str:
    return name if name in {"pit", "house", "dealer"} else "Player"


def of_scenarios(game: str, visit: Visit) -> None:
    """Visit every state of the scenarios of a game."""
    for path in sorted(TESTS.rglob("*.deal")):
        text = path.read_text(encoding="utf-8")
        if f"game: {game}" in text:
            for approves in (False, True):
                _play(text, visit, approves=approves)


def _play(text: str, visit: Visit, *, approves: bool) -> None:
    scenario = parse(text, GAMES)
    header = replace(scenario.header, confirm=True)
    venue = InProcess(header, GAMES[header.game])
    player = Player(header, GAMES[header.game], venue)
    for statement in scenario.statements:
        if isinstance(statement.what, Claim):
            continue
        try:
            player.play(statement)
        except NotationError:  # what is pending holds the round, and the scenario does not know of it
            continue
        visit(header, venue.table)
        waiting = [one for one in venue.table.view().pending if one.words] if approves else []
        for one in waiting:
            venue.table.apply(ev.Approve(one.role, one.code))
            visit(header, venue.table)


def of_pairs(chosen: Iterable[Cell], visit: Visit) -> None:
    """Visit every state of some cells of the table of pairs."""

    class Watched(pair_robot.PairRobot):
        """A robot whose every event is looked at."""

        def _let_happen(self, event: Event, meant: Event | None = None) -> None:
            super()._let_happen(event, meant)
            visit(self.header, self.table)

    with patch.object(pair_robot, "CONFIRM", 2.0), patch.object(cells, "PairRobot", Watched):
        for cell in chosen:
            cells.play(cell, SEED)


def listed(game: str) -> Iterator[Cell]:
    """The cells of a game that are listed."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{game} "):
            yield Cell(*line.split())
