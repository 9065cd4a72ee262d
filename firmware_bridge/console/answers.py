"""The shapes of what the console answers beside the scene: the session, the list of rounds, the steps of a round.

``python -m firmware_bridge.console.answers`` writes them down for the page, as `firmware_bridge.shown.typedefs` does
the scene.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypedDict

from firmware_bridge.shown import typedefs
from firmware_bridge.shown.scene_type import Scene
from gamecore.view.report import RefusalReport


class PageExtra(TypedDict):
    """A module that a console with simulated devices adds to the page."""

    name: str
    script: str


class PageSession(TypedDict):
    """What a page must know of its session."""

    roles: Annotated[bool, "people must log in to command"]
    name: str | None
    role: str | None
    token: Annotated[str, "goes with every command"]
    must_login: Annotated[bool, "nothing is shown before a login"]
    extras: list[PageExtra]
    version: str
    lang: str


class RoundRow(TypedDict):
    """One line of the list of rounds."""

    id: int
    number: int
    game: str
    first: Annotated[int, "the row of the journal with which it began"]
    last: int
    began: str
    ended: str
    outcome: str
    boxes: str
    findings: list[str]
    segment: str
    staked: Annotated[str | None, "null where the record cannot be read"]
    net: str | None


class RoundsPage(TypedDict):
    """A page of the list of rounds."""

    rounds: list[RoundRow]
    next: Annotated[str | None, "what continues it, null after the last"]
    back_to: Annotated[str | None, "back to when was looked"]
    unread: Annotated[list[str], "segments that cannot be read"]


class Speaker(TypedDict):
    """The person who said something."""

    name: str
    role: str


class PastStep(TypedDict):
    """One event of a round, what it brought, and the table after it."""

    n: int
    at: str
    device: str
    event: str
    by: Speaker | None
    refused: Annotated[str | None, "in English"]
    refusal: RefusalReport | None
    brought: Annotated[list[dict[str, Any]], "`is` tells which other fields there are"]
    scene: Scene


ROOTS: tuple[type, ...] = (PageSession, RoundsPage, PastStep)
TARGET = Path(__file__).parent / "static" / "types" / "answers.d.ts"
_HEADER = """\
/* What the console answers beside the scene. Made by `python -m firmware_bridge.console.answers`: change the types of
   the program, not this file. */
"""


def declarations() -> str:
    """The text of the file; what a scene holds is declared there."""
    return typedefs.declarations(ROOTS, _HEADER, declared=typedefs.ROOTS)


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
