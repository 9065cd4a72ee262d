"""What a text comes to: played in process up to its end or its first error, and shown.

1. The picture is the scene of the table as the text leaves it, as every screen shows it.
2. A text is legal if nothing in it is refused and no expectation fails. `problem` says what is wrong, with its line.
3. `plain` says that the text has nothing but the position, as `arranged` would write it: then it can be changed by hand
   without losing anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.shown.scene import scene
from gamecore.model.events.outputs import FindingView
from gamecore.notation.parser import read
from gamecore.notation.playing.player import Player, play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.games import GAMES
from gamecore.table import Table
from hal_sim.editor.arranged import arranged
from hal_sim.editor.position import PositionError, position_of
from hal_sim.table.next_step import next_step

LONGEST = 65_536
"""Characters of the longest text that is played here."""


@dataclass(frozen=True, slots=True)
class Played:
    """A text that was played: its header, its table, the player that can continue it, what is wrong in which line."""

    header: Header
    table: Table
    venue: InProcess
    player: Player
    line: int
    problem: str


def play(text: str) -> Played:
    """Play a text in process.

    Raises:
        PositionError: nothing of it can be played.
    """
    if len(text) > LONGEST:
        raise PositionError(f"the text is longer than {LONGEST} characters")
    try:
        scenario = read(text, GAMES)
    except NotationError as error:
        raise PositionError(f"line {error.line}: {error.message}") from error
    venue = InProcess(scenario.header, GAMES[scenario.header.game])
    player = Player(scenario.header, GAMES[scenario.header.game], venue)
    wrong = player.run(scenario)
    line, problem = (0, "") if wrong is None else (wrong.line, wrong.message)
    if wrong is None and player.failures:
        said, _, problem = player.failures[0].partition(": ")
        line = int(said.removeprefix("line "))
    return Played(scenario.header, venue.table, venue, player, line, problem)


def view_of_text(text: str) -> dict[str, object]:
    """What a text comes to, as JSON has it.

    Raises:
        PositionError: nothing of it can be played.
    """
    played = play(text)
    position = position_of(played.table, played.header.boxes)
    return {
        "text": text,
        "scene": scene(played.table),
        "position": position.as_json(),
        "plain": not played.problem and _is_plain(played, arranged(position).text),
        "legal": not played.problem,
        "line": played.line,
        "problem": played.problem,
        "findings": [finding_told(one) for one in findings(played.table)],
        "next": next_step(played.table),
        "left": [],
    }


def _is_plain(played: Played, text: str) -> bool:
    """Whether another text lets the same happen at the same table."""
    again = play_text(text, "again", GAMES)
    return again.events == played.venue.events and again.error is None and _cloth(again.header) == _cloth(played.header)


def _cloth(header: Header | None) -> tuple[object, ...]:
    """What of a header a position keeps."""
    return () if header is None else (header.game, header.boxes, header.decks, header.limits, header.sensors)


def findings(table: Table) -> tuple[FindingView, ...]:
    """What is found in the round, and what waits for the next one."""
    view = table.view()
    return (*view.round.findings, *view.for_later)


def finding_told(found: FindingView) -> dict[str, object]:
    """A finding with its ruling and clause."""
    places = [str(place) for place in found.places]
    return {"code": found.code, "clause": found.clause, "ruling": found.ruling, "places": places}
