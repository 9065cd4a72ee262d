"""The view of a table: frozen, made once for each event, and without anything of the live state in it."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from enum import Enum
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.model import cardset, hands, machine, round, state  # noqa: A004  the module of the round of play
from gamecore.model.cards import UNREAD, Card, card
from gamecore.model.events.events import Answer, CardDrawn, CardsDisclosed, CardsPulled, Hit, Loaded, Settle, Shuffled
from gamecore.model.events.outputs import Advised, IrregularityFound
from gamecore.model.events.refusals import Refused
from gamecore.model.places import Place
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table
from gamecore.view.keeping import plain
from tests.firmware_bridge.positions import held_table, table_after, table_of_chance
from tests.gamecore.play.candidates import commands
from tests.gamecore.play.random_dealer import Robot

LIVE = tuple(
    kind
    for module in (cardset, hands, machine, round, state)
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__ and not getattr(kind, "_fields", None)
)
FROZEN_LEAVES = (str, int, bool, type(None), Enum, Card, Ruleset)
DEALT = "shoe: 9H 7D 6S KC TD 2C 8H\nfresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
FACTORY = (
    "shoe: AS 2S 3S 4S 5S 6S 7S 8S | KC 9C\n\nplace-bets\nbet 1 main 100; bet 2 main 50\nno-more-bets\ndraw burn\n"
)

games = st.sampled_from(sorted(GAMES))
seeds = st.integers(0, 2**32)
tables = st.one_of(
    st.builds(table_of_chance, games, seeds, st.integers(0, 120)),
    st.builds(held_table, games, seeds),
)


def parts(value: object) -> Iterator[object]:
    """A value and everything in it that can be reached."""
    yield value
    if isinstance(value, FROZEN_LEAVES):
        return
    match value:
        case MappingProxyType():
            for key, item in value.items():
                yield from parts(key)
                yield from parts(item)
        case tuple() | frozenset():
            for item in value:
                yield from parts(item)
        case _:
            for name in getattr(type(value), "__slots__", ()):
                yield from parts(getattr(value, name))


def reachable(start: object) -> Iterator[object]:
    """Every object that the interpreter itself can reach, but for classes, modules and the rules of the game."""
    seen, open_ = {id(start)}, [start]
    while open_:
        value = open_.pop()
        yield value
        for other in gc.get_referents(value):
            if id(other) not in seen and not isinstance(other, (type, Ruleset, Enum)):
                seen.add(id(other))
                open_.append(other)


@settings(max_examples=60)
@given(tables)
def test_nothing_live_can_be_reached_through_a_view(table: Table) -> None:
    """Neither by its names nor by what the interpreter knows of it, in any state, held or not."""
    for seen in (table.view(), table.allowed()):
        assert [] == [one for one in reachable(seen) if isinstance(one, LIVE)]


@settings(max_examples=60)
@given(tables)
def test_a_view_is_made_of_frozen_values(table: Table) -> None:
    """Tuples, read-only mappings, sets that do not change, frozen dataclasses."""
    for seen in (table.view(), table.allowed()):
        for one in parts(seen):
            assert not isinstance(one, (list, dict, set, bytearray)), one
            if not isinstance(one, (*FROZEN_LEAVES, tuple, frozenset, MappingProxyType)):
                assert type(one).__dataclass_params__.frozen, one  # type: ignore[attr-defined]  # of a dataclass


@settings(max_examples=40)
@given(game=games, seed=seeds)
def test_a_view_stays_as_it_was(game: str, seed: int) -> None:
    """Whatever happens later, what was seen is what was seen."""
    robot, kept = Robot(GAMES[game], random.Random(seed), seed), []

    def keep_view() -> None:
        view = robot.table.view()
        kept.append((view, repr(plain(view))))

    robot.watch = keep_view
    robot.play_round()
    assert kept
    assert [] == [view.events for view, was in kept if repr(plain(view)) != was]


@settings(max_examples=40)
@given(tables)
def test_looking_changes_nothing(table: Table) -> None:
    """Neither the view nor what is allowed is tried on the table and put back."""
    before = plain(table.snapshot())
    table.view()
    table.allowed()
    assert before == plain(table.snapshot())


def test_one_event_has_one_view() -> None:
    """The same object until something happens; a command that is refused is nothing."""
    table = table_after(DEALT)
    view, allowed = table.view(), table.allowed()
    assert (view, allowed) == (table.view(), table.allowed())
    assert view is table.view()
    assert allowed is table.allowed()
    assert isinstance(table.apply(Settle())[0], Refused)
    assert view is table.view()
    assert allowed is table.allowed()
    table.apply(CardDrawn(card("9H")))
    assert view is not table.view()
    assert table.view().events == view.events + 1 == table.events


def test_a_pull_that_is_disclosed_is_seen_anew() -> None:
    """It happens again with the same number, and yet as something else."""
    table = table_after(DEALT)
    pulled = (card("9H"), card("7D"))
    table.apply(CardsPulled(pulled))
    hidden = table.view()
    assert table.allowed().discloses
    table.apply(CardsDisclosed(pulled[:1]))
    shown = table.view()
    assert hidden.events + 1 == shown.events
    assert ((), pulled[:1]) == (hidden.matters[0].disclosed, shown.matters[0].disclosed)


def test_what_the_view_says_is_what_the_table_says() -> None:
    """Its cheap properties and its view agree, at every position of a round."""
    robot = Robot(GAMES["mbs-pontoon-v5"], random.Random(5), 5)

    def agree() -> None:
        table, view = robot.table, robot.table.view()
        told = (table.state, table.next_place, table.events, table.round_number, table.round_is_on)
        assert told == (view.state, view.next_place, view.events, view.round.number, view.round_is_on)
        for box in view.round.boxes.values():
            for index, hand in enumerate(box.hands):
                if hand.cards:
                    assert (hand.total, hand.soft) == table.total(box.place_of(index))

    robot.watch = agree
    for _ in range(5):
        robot.play_round()


@pytest.mark.parametrize("sensors", ["shoe positions bets discard panel", "shoe panel"])
def test_what_is_allowed_is_what_the_table_takes(sensors: str) -> None:
    """Also where places are told and a decision ends the initial deal: supposed, not tried."""
    table = table_after(f"sensors: {sensors}\n{DEALT}draw 1; draw dealer; draw 1\n")
    said = table.allowed().commands
    assert Hit(Place(1, 1, 1)) in said
    assert set(said) <= set(commands(table))


def test_a_finding_that_came_out_does_not_change() -> None:
    """What is found is told as it stood; the view has it as it stands, under the same key."""
    table = table_after(f"{DEALT}draw 1; draw dealer; draw 1\n")
    outputs = table.apply(CardDrawn(UNREAD))
    (found,) = [output.finding for output in outputs if isinstance(output, IrregularityFound)]
    was = repr(found)
    assert ("pit-decides", table.events) == (found.ruling, found.event)
    table.apply(Answer("pit", ("unknown",)))
    (listed,) = table.view().round.findings
    assert "refer" == listed.ruling
    assert (was, found.key) == (repr(found), listed.key)


def test_advice_is_seen_until_other_cards_are_loaded() -> None:
    """The order of the cards is strange: nothing is decided on it, and yet everybody can see it."""
    table = table_after(FACTORY)
    assert () == table.view().watch
    outputs = [output for text in ("2S", "3S", "4S") for output in table.apply(CardDrawn(card(text)))]
    advised = tuple(output.what for output in outputs if isinstance(output, Advised))
    assert ("factory",) == advised == table.view().watch
    size = table.view().cards.size
    table.apply(Shuffled("machine"))
    table.apply(Loaded(size))
    assert () == table.view().watch
