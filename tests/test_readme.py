"""The README says what is so."""

import re
from pathlib import Path

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from gamecore.view.diagram import mermaid

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_diagram_is_the_machine() -> None:
    """The drawing of the round is made from the table of transitions."""
    drawn = re.search(r"<!-- machine -->\n```mermaid\n(.*?)\n```", README, re.DOTALL)
    assert drawn is not None
    assert mermaid() == drawn[1]


def test_the_round_that_is_shown_can_be_played() -> None:
    """The example of the README plays and its expectations hold."""
    example = re.search(r"```\n(game: .*?)```", README, re.DOTALL)
    assert example is not None
    played = play_text(example[1], "README.md", GAMES)
    assert (None, ()) == (played.error, played.failures)


def test_every_game_is_named() -> None:
    """The five games stand in the README."""
    assert [] == [game for game in GAMES if f"`{game}`" not in README]
