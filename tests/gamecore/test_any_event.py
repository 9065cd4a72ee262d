"""Whatever happens, in whatever order: a table never fails, and every round can be brought to its end.

TRUEDEAL_TABLES is the number of tables of the seeded loop in all; every failure names the seed that repeats it.
"""

from __future__ import annotations

import json
import os
import random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.model import events
from gamecore.model.events import Command, Event
from gamecore.model.outputs import RETRACTED, Output, Refused
from gamecore.model.records import Role
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from gamecore.table import COMMANDS, Table
from tests.gamecore import people
from tests.gamecore.anything import MAKERS, a_config, anything, plausible
from tests.gamecore.looking import look

TABLES = int(os.environ.get("TRUEDEAL_TABLES", "1000"))
SOAK_TABLES = int(os.environ.get("TRUEDEAL_TABLES", "50000"))
LOOKS = 0.03
"""At how many of the refused commands the whole table is compared."""

games = st.sampled_from(sorted(GAMES))
chances = st.integers(0, 2**32)


class Watched:
    """A table that is looked at around every event."""

    def __init__(self, game: str, chance: random.Random) -> None:
        """A table of the game, set up at random."""
        rules = GAMES[game]
        self.chance = chance
        self.table = Table(rules, a_config(rules.boxes.value[1], rules.decks.value, chance))
        self.happened: list[Event] = []

    def happen(self, event: Event) -> tuple[Output, ...]:
        """Let it happen, and look."""
        self.happened.append(event)
        command = type(event) in get_args(Command)
        looks = command and self.chance.random() < LOOKS
        before = look(self.table) if looks else None
        outputs = self.table.apply(event)
        refused = any(isinstance(output, Refused) for output in outputs)
        assert command or not refused, f"{event} is physical and was refused"
        if refused and before is not None:
            assert before == look(self.table), f"{event} was refused and changed the table"
        self.check()
        return outputs

    def check(self) -> None:
        """What holds in every state."""
        view = self.table.view()
        assert isinstance(self.table.state, State)
        assert (self.table.state is State.HELD) == bool(view.matters), self.table.state
        assert [] == people.next_place_faults(self.table)
        assert [] == self.table._state.facts
        given = [r for r in self.table._state.round.records if r.role in {Role.GIVEN, Role.RELAID}]
        assert not given or view.matters
        assert all(ask.who and ask.options and ask.clause for ask in view.asks), view.asks

    def report(self) -> None:
        """The report is plain data."""
        report = self.table.report()
        assert report == json.loads(json.dumps(report))
        for finding in self.table.view().round.findings:
            assert finding.clause or finding.ruling == RETRACTED
            assert finding.ruling

    def check_rows(self) -> None:
        """Nothing is lost that did not lie there, and what was returned or refused is worth nothing."""
        game_round = self.table.view().round
        for row in game_round.rows:
            assert row.net is not None
            assert row.clause
            assert row.net >= -row.stake, row
            assert row.net == 0 or row.result not in {"returned", "refused", "stand-off"}, row
            assert game_round.outcome != "void" or row.result in {"returned", "refused"}, row


def wander(game: str, chance: random.Random, steps: int) -> None:
    """So many events, more or less wild; then the people bring the round to its end, and the next one begins."""
    watched = Watched(game, chance)
    wild = chance.choice((0.02, 0.1, 0.5))
    try:
        for _ in range(steps):
            watched.happen(anything(chance) if chance.random() < wild else plausible(watched.table, chance))
        watched.report()
        people.finish(watched.table, chance, watched.happen)
        watched.report()
        watched.check_rows()
        if not watched.table.can(events.PlaceBets()):
            watched.happen(events.Approve("shift-manager"))
        assert None is watched.table.verify(events.PlaceBets())
    except Exception as error:
        for event in watched.happened[-12:]:
            error.add_note(str(event))
        raise


def wander_much(game: str, seed: int, tables: int) -> None:
    """So many tables of a game; a failure says which table it was."""
    for number in range(max(1, tables // len(GAMES))):
        chance = random.Random(f"{seed}/{game}/{number}")
        try:
            wander(game, chance, chance.choice((20, 60, 150)))
        except Exception as error:
            error.add_note(f"TRUEDEAL_SEED={seed}, {game}, table {number}")
            raise


def test_every_event_can_happen_here() -> None:
    """The makers know every class of event."""
    assert set(get_args(Event)) == set(MAKERS)
    assert set(get_args(Command)) == {*COMMANDS, events.CardsDisclosed, events.Retract, events.TakeBack}


@pytest.mark.parametrize("game", GAMES)
def test_no_order_of_events_breaks_a_table(game: str, seed: int) -> None:
    """Any events in any order raise nothing, leave a state and a report, and let the round be finished."""
    wander_much(game, seed, TABLES)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_no_order_of_events_breaks_a_table_for_long(game: str, seed: int) -> None:
    """The same, for many more tables."""
    wander_much(game, seed + 1, SOAK_TABLES)


@settings(max_examples=60)
@given(game=games, chance=chances, steps=st.integers(0, 120))
def test_whatever_happens_the_round_can_be_finished(game: str, chance: int, steps: int) -> None:
    """Hypothesis chooses where the wandering begins and how long it lasts."""
    wander(game, random.Random(chance), steps)
