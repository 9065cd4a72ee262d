"""Every scenario file plays as it says: by clause, from public incidents, and the rounds of the demonstration."""

from pathlib import Path

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from tests.places import ROOT

FOLDERS = ("tests/scenarios", "tests/incidents", "deploy/demo")
FILES = sorted(file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*.deal"))


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_scenario_holds(file: Path) -> None:
    """All statements are legal where they stand, and all expectations hold."""
    played = play_text((ROOT / file).read_text(encoding="utf-8"), str(file), GAMES)
    assert (None, ()) == (played.error, played.failures)


def test_every_game_has_scenarios() -> None:
    """No game is left out."""
    assert set(GAMES) <= {file.parent.name for file in FILES}
