"""The properties of the core over random tables.

1. Tables by chance have every property watching; TRUEDEAL_TABLES is their number. A failure prints the seed, and the
   table made short in deal notation.
2. Hypothesis draws every choice at further tables, one property at a time, so that a failure shrinks by itself.
   Both play the same tables in every run: a change is judged by tables that were right before it.
3. `python -m tests.gamecore.properties` plays as many tables as one likes; `sh tests/run.sh --soak` plays 200,000.
"""

from __future__ import annotations

import os
import random
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamecore.model.events import events
from gamecore.model.events.events import Command, Event
from gamecore.rules.games import GAMES
from gamecore.table import COMMANDS
from tests.gamecore.play.arbitrary_events import MAKERS
from tests.gamecore.properties.__main__ import SPAN
from tests.gamecore.properties.harness import PROPERTIES, Figures, play_table
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.shrink import as_notation, shrunk

FIRST = 1117 * SPAN
"""The seed of the first table."""
TABLES = int(os.environ.get("TRUEDEAL_TABLES", "1000"))
PARTS = 5


def test_every_event_can_happen_here() -> None:
    """The makers know every class of event."""
    assert set(get_args(Event)) == set(MAKERS)
    assert set(get_args(Command)) == {*COMMANDS, events.CardsDisclosed, events.Retract, events.TakeBack}


@pytest.mark.parametrize("part", range(PARTS))
def test_every_property_holds_at_random_tables(part: int) -> None:
    """Whatever happens, at tables of every game and fitting."""
    figures = Figures()
    first = FIRST + part * TABLES
    for number in range(first, first + TABLES // PARTS):
        try:
            figures.add(play_table(random.Random(number))[1])
        except Exception as error:
            error.add_note(f"python -m tests.gamecore.properties --tables 1 --seed {number}")
            error.add_note(as_notation(shrunk(error.failure)))  # type: ignore[attr-defined]
            raise
    assert set(GAMES) == {name.split()[0] for name in figures.games}
    assert {kind.name for kind in PROPERTIES} == {name for name, number in figures.exercised.items() if number}


@pytest.mark.parametrize("kind", PROPERTIES, ids=lambda kind: kind.name)
@settings(max_examples=15, derandomize=True, suppress_health_check=list(HealthCheck))
@given(chance=st.randoms(use_true_random=False))
def test_a_property_holds_whatever_is_chosen(kind: type[Property], chance: random.Random) -> None:
    """Hypothesis makes every choice at the table."""
    play, _ = play_table(chance, [kind])
    assert play.heard
