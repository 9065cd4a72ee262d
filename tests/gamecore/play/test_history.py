"""What was said can be taken back, and the table is as if it had never been said."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.model.cards import card
from gamecore.model.cardset import CardSet
from gamecore.model.config import TableConfig
from gamecore.model.events import events
from gamecore.model.events.outputs import TakenBack
from gamecore.model.events.refusals import Refused
from gamecore.model.places import DEALER, Place
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import PHYSICAL, Table
from gamecore.view.keeping import plain
from tests.gamecore.properties.acts import an_event
from tests.gamecore.properties.tables import Play, a_header

STEPS = 60
WAGER = events.WagerPlaced(Place(1, 0, 1), "main", 25_00)
chances = st.integers(0, 2**32).map(random.Random)


def seen(table: Table) -> tuple[object, ...]:
    """All that anybody can see of a table: report, what is allowed and why not, what is due."""
    return (
        table.report(),
        table.state,
        table.next_place,
        table.allowed(),
        table.corrections(),
        table.view().moves,
        [(finding.event, finding.whose, finding.cards) for finding in table._state.round.findings],
    )


def is_refused(outputs: tuple[object, ...]) -> bool:
    """Whether a command was refused."""
    return any(isinstance(output, Refused) for output in outputs)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(chance=chances)
def test_a_command_taken_back_was_never_said(game: str, chance: random.Random) -> None:
    """After any command, taken back while it can be: all that can be seen is as it was, and stays so."""
    play = Play(a_header(chance, game), chance)
    table, never = play.table, Table(play.rules, table_config(play.header))
    for _ in range(STEPS):
        event = an_event(play, 0.1, 0.1)
        if isinstance(event, events.TakeBack | events.Retract):
            continue
        before = seen(table)
        outputs = table.apply(event)
        slip = type(event) not in PHYSICAL and not is_refused(outputs) and chance.random() < 0.7
        if slip and table.can(events.TakeBack()):
            (said,) = table.apply(events.TakeBack())
            assert isinstance(said, TakenBack)
            assert event == said.command
            assert before == seen(table), event
        else:
            assert is_refused(outputs) == is_refused(never.apply(event))
            assert (never.report(), never.next_place) == (table.report(), table.next_place)
    assert never.allowed() == table.allowed()


def dealt(
    game: str = "mbs-blackjack-v6", *, sensors: frozenset[str] = frozenset({"shoe", "positions", "bets"})
) -> Table:
    """A table after the initial deal, box 1 to act."""
    rules = GAMES[game]
    table = Table(rules, TableConfig(8, 7, {}, False, False, "machine", sensors))
    for event in (events.PlaceBets(), WAGER, events.NoMoreBets()):
        table.apply(event)
    for text, place in (("5C", Place(1)), ("9H", DEALER), ("7D", Place(1))):
        table.apply(events.CardDrawn(card(text)))
        table.apply(events.CardLaid(card(text), place))
    return table


def reason(table: Table, command: events.Command) -> str:
    """Why a command is refused."""
    refusal = table.verify(command)
    return "" if refusal is None else refusal.why


def test_what_has_come_since_is_named() -> None:
    """A refusal says what stands in the way."""
    table = dealt()
    assert "the last command cannot be taken back: a card was laid since" == reason(table, events.TakeBack())
    table.apply(events.Hit(Place(1)))
    table.apply(events.LinkLost("panel"))
    assert "the last command cannot be taken back: a device was lost since" == reason(table, events.TakeBack())


def test_several_slips_are_taken_back_one_after_the_other() -> None:
    """Until something physical stands in the way; a restart of the software does not."""
    table = dealt()
    before = seen(table)
    for event in (events.Offer("surrender"), events.Close("surrender"), events.Restarted(), events.Stand(Place(1))):
        table.apply(event)
    for _ in range(3):
        assert not is_refused(table.apply(events.TakeBack()))
    assert before == seen(table)
    assert is_refused(table.apply(events.TakeBack()))


def test_what_ended_a_round_stays() -> None:
    """Its record is signed."""
    table = dealt()
    table.apply(events.Stand(Place(1)))
    table.apply(events.CardDrawn(card("KD")))
    table.apply(events.CardLaid(card("KD"), DEALER))
    assert not is_refused(table.apply(events.Settle()))
    assert "nothing was said since the round ended, and its record is signed" == reason(table, events.TakeBack())


def test_findings_of_what_was_taken_back_are_told() -> None:
    """So that their alarms can be cleared."""
    table = dealt()
    table.apply(events.Call("uncovered"))
    (said,) = table.apply(events.TakeBack())
    assert isinstance(said, TakenBack)
    assert [("uncovered", "6.1", "refer")] == [(one.code, one.clause, one.ruling) for one in said.findings]
    assert [] == table._state.round.findings


def test_a_disclosure_outlives_a_restart() -> None:
    """The pull is in the history, not in the memory of the program."""
    table = dealt()
    table.apply(events.CardsPulled((card("8H"), card("2C"))))
    table.apply(events.Restarted())
    assert not is_refused(table.apply(events.CardsDisclosed((card("8H"),))))
    assert ["5.23.2"] == [finding.clause for finding in table._state.round.findings]


def test_a_report_is_retracted_and_stands_on_the_list() -> None:
    """The round goes on as if it had never been made; the finding has no clause."""
    table = dealt()
    before = (table.state, table.next_place, table.allowed())
    table.apply(events.Call("uncovered"))
    table.apply(events.Seat(Place(2, 0, 1)))
    (said,) = table.apply(events.Retract("uncovered"))
    assert isinstance(said, TakenBack)
    assert events.Call("uncovered") == said.command
    assert before == (table.state, table.next_place, table.allowed())
    assert [("uncovered", "", "retracted")] == [(f.code, f.clause, f.ruling) for f in table._state.round.findings]
    assert "uncovered was retracted already" == reason(table, events.Retract("uncovered"))


def test_what_was_carried_out_is_not_retracted() -> None:
    """Nor what the table has found by itself, nor what nobody has reported."""
    table = dealt()
    table.apply(events.Call("uncovered"))
    table.apply(events.Answer("house", ("continue",)))
    assert "uncovered cannot be retracted: something was said since, and the ruling was refer" == reason(
        table, events.Retract("uncovered")
    )
    assert "box-short is not on the list" == reason(table, events.Retract("box-short"))
    table = dealt()
    table.apply(events.CardPushedBack(card("7D")))
    assert "uncovered was not reported by a person since the last round ended" == reason(
        table, events.Retract("uncovered")
    )


def test_numbers_of_events_go_on() -> None:
    """What was taken back and the word that did it are two events, so that every finding keeps its own number."""
    table = dealt()
    count = table._state.events
    table.apply(events.Stand(Place(1)))
    table.apply(events.TakeBack())
    assert count + 2 == table._state.events
    table.apply(events.Call("uncovered"))
    assert [count + 3] == [finding.event for finding in table._state.round.findings]
    table.apply(events.Retract("uncovered"))
    assert [count + 3] == [finding.event for finding in table._state.round.findings]


def marked(value: object, mark: str) -> object:
    """A value that a part of the state does not have by itself."""
    match value:
        case bool():
            return not value
        case list():
            return [mark]
        case set():
            return {mark}
        case dict():
            return {mark: mark}
        case CardSet():
            value.in_shoe -= 1
            return value
    return mark


@pytest.mark.parametrize("name", ["shoe", "fitting", "turn", "people", "hold"])
def test_a_copy_of_a_part_of_the_state_has_all_of_it(name: str) -> None:
    """Every field, and lists of its own."""
    part = getattr(dealt()._state, name)
    for field in fields(part):
        setattr(part, field.name, marked(getattr(part, field.name), field.name))
    copied = part.copied()
    for field in fields(part):
        before, after = getattr(part, field.name), getattr(copied, field.name)
        assert plain(before) == plain(after), field.name
        assert before is not after or not isinstance(before, list | set | dict | CardSet), field.name
