"""`Round.out_of_order` is a short cut and no rule: where it is set from the start, every round comes out the same.

1. It may say that a card left the regular way although none did: then more is looked at, and nothing else follows.
2. So no rule may be told by it: whatever reads it would find the same by looking at the cards.
3. The scenarios are played both ways, and tables by chance, whose every output is compared.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gamecore.model.events.outputs import Output
from gamecore.model.round import Round
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.gamecore.properties.harness import play_table
from tests.gamecore.properties.laws.every_state import EveryState
from tests.gamecore.properties.laws.there_and_back import standing
from tests.gamecore.properties.tables import Play
from tests.places import ROOT
from tests.test_scenarios import FILES

TABLES = 300


def take_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round is out of order from its start, whatever anybody says of it."""
    monkeypatch.setattr(Round, "out_of_order", property(lambda _: True, lambda _, __: None))
    assert Round(1).out_of_order


@pytest.mark.parametrize("file", FILES, ids=str)
def test_a_scenario_comes_out_the_same_by_the_long_way(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same report, and the same expectations hold."""
    text = (ROOT / file).read_text(encoding="utf-8")
    by_short_cut = play_text(text, str(file), GAMES)
    take_the_long_way(monkeypatch)
    by_long_way = play_text(text, str(file), GAMES)
    assert (by_short_cut.report, None, ()) == (by_long_way.report, by_long_way.error, by_long_way.failures)


def test_tables_by_chance_come_out_the_same_by_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every output, and all that stands in the end."""
    plays = [play_table(random.Random(seed), [EveryState])[0] for seed in range(TABLES)]
    by_short_cut = [outcome(play) for play in plays]
    take_the_long_way(monkeypatch)
    for seed, play in enumerate(plays):
        assert (seed, by_short_cut[seed]) == (seed, outcome(play))


def outcome(play: Play) -> tuple[list[tuple[Output, ...]], dict[str, object], dict[str, object]]:
    """What comes of the events of a table."""
    table = Table(play.rules, table_config(play.header))
    outputs = [table.apply(event) for event in play.heard]
    return outputs, table.round_report(), standing(table._state)
