"""What if: the same text and one statement more, played at a table of its own.

1. The answer says whether the statement would be taken, and if not, why and by which clause; what would be found, with
   ruling and clause; who would be asked; and the next step that the table would show.
2. The text stays as it is. A card that is named comes out instead of the next one of the shoe.
"""

from __future__ import annotations

from firmware_bridge.shown.scene import scene
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line
from gamecore.notation.parser import read_statement
from gamecore.notation.syntax import Claim, Header, NotationError, Statement
from gamecore.rules.games import GAMES
from hal_sim.editor.looked import finding_told, findings, play
from hal_sim.editor.position import PositionError
from hal_sim.table.next_step import next_step


def stated(header: Header, statement: str) -> Statement:
    """A statement as it can be said at a table.

    Raises:
        PositionError: it is none.
    """
    try:
        said = read_statement(Line(1, statement.strip() or "?"), layout_of(GAMES[header.game], header.boxes))
    except NotationError as error:
        raise PositionError(error.message) from error
    if isinstance(said.what, Claim):
        raise PositionError("an expectation changes nothing: it is checked in the text")
    return said


def what_if(text: str, statement: str) -> dict[str, object]:
    """What would follow.

    Raises:
        PositionError: the text cannot be played, or the statement is none.
    """
    played = play(text)
    if played.problem:
        raise PositionError(f"line {played.line}: {played.problem}")
    said = stated(played.header, statement)
    before = {(found.key, found.code) for found in findings(played.table)}
    refused = ""
    try:
        played.player.play(said)
    except NotationError as error:
        refused = error.message
    fresh = [found for found in findings(played.table) if (found.key, found.code) not in before]
    now = scene(played.table)
    return {
        "statement": said.text,
        "refused": refused,
        "findings": [finding_told(found) for found in fresh],
        "asks": now["asks"],
        "next": next_step(played.table),
        "scene": now,
    }
