"""Every scenario that ends settled: the table's rows and a re-count that shares no code with it agree to the cent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from tests.places import TESTS
from tests.recount.engine import record
from tests.recount.rows import differences

ROOT = TESTS
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


def test_a_wrong_row_is_seen() -> None:
    """A cent more, another result or a wager given back without a reason is a difference."""
    text = "game: mbs-blackjack-v6\nfresh: no\nshoe: 9H 6S KC TD 7C\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    text += "draw 1; draw dealer; draw 1\nstand 1\ndraw dealer; draw dealer\nsettle\n"
    played = play_text(text, "a round", GAMES)
    assert played.header is not None
    steps, _ = record(played.header, played.events)
    assert [] == differences(played.header.game, {}, steps)
    row = steps[-1].report["wagers"][0]
    for wrong in ({"net": "100.01"}, {"result": "lose"}, {"result": "returned", "net": "0.00"}, {"stake": "99.00"}):
        last = replace(steps[-1], report={**steps[-1].report, "wagers": [{**row, **wrong}]})
        assert 1 == len(differences(played.header.game, {}, [*steps[:-1], last]))
