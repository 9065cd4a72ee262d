"""Every scenario that ends settled: the table's rows and a re-count that shares no code with it agree to the cent."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamecore.notation.player import play_text
from gamecore.rules.games import GAMES
from tests.recount.engine import record
from tests.recount.rows import differences

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(
    file.relative_to(ROOT) for folder in ("scenarios", "incidents") for file in (ROOT / folder).rglob("*.deal")
)


def differences_of(file: Path) -> list[str]:
    """What the table and the re-count see differently in a file."""
    played = play_text((ROOT / file).read_text(encoding="utf-8"), str(file), GAMES)
    assert played.header is not None
    steps, _ = record(played.header, played.events)
    limits = {kind: (least, most) for kind, least, most in played.header.limits}
    return differences(played.header.game, limits, steps)


@pytest.mark.parametrize("game", [*GAMES, "incidents"])
def test_the_money_of_every_scenario_is_counted_again(game: str) -> None:
    """No row of a settled round differs."""
    files = [file for file in FILES if file.parent.name == game]
    found = [f"{file}: {text}" for file in files for text in differences_of(file)]
    assert files
    assert [] == found
