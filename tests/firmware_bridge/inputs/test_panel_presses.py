"""What the buttons of the Dealer's panel mean, in every state of a round of each game."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.panel.messages import BUTTONS, CATALOGUE, LINE_LENGTH, Press, Text
from drivers.wire import Spot
from firmware_bridge.inputs.panel_presses import command, turns_page
from firmware_bridge.texts.refusal_words import on_two_lines
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.places import BURN, Place
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.drivers.values import messages_of
from tests.firmware_bridge.positions import table_after, table_of_chance, watch_rounds
from tests.gamecore.play.candidates import commands
from tests.gamecore.play.random_dealer import Robot

#: The buttons that speak of the table or of whichever hand it is about, and every command that each may mean.
ABOUT_THE_TABLE: dict[str, tuple[type, ...]] = {
    "bets": (ev.PlaceBets, ev.NoMoreBets),
    "offer": (ev.Offer,),
    "close": (ev.Close,),
    "interim": (ev.Interim,),
    "settle": (ev.Settle,),
    "collect": (ev.Collect,),
    "pay": (ev.Pay,),
    "insure": (ev.EvenMoney, ev.Insure),
    "surrender": (ev.Rescue,),
}
DECISIONS: dict[str, type] = {
    "hit": ev.Hit,
    "stand": ev.Stand,
    "double": ev.Double,
    "split": ev.Split,
    "free-double": ev.FreeDouble,
    "free-split": ev.FreeSplit,
}
UP_TO_OFFERS = "\nplace-bets\nbet 1 main 100\nbet 3 main 50\nno-more-bets\ndraw burn\n"
DEAL = "draw 1; draw 3; draw dealer; draw 1; draw 3\n"
PLAIN = f"shoe: 5C | 9H 7D 6S KC TD 2C 8H 3S JD\n{UP_TO_OFFERS}{DEAL}"
ACE = f"shoe: 5C | 9H 7D AS KC TD 2C 8H 3S JD\n{UP_TO_OFFERS}{DEAL}"


def press(button: str, option: int = 0, place: Spot = Spot(0), amount: int = 0) -> Press:  # noqa: B008  a plain tuple
    """One press of a button."""
    return Press(1, button, option, place, amount)


def wrong_presses(table: Table) -> list[str]:
    """Buttons of which a single press is refused, though a command that it may mean is allowed here."""
    can = commands(table)
    wrong = []
    for button, kinds in ABOUT_THE_TABLE.items():
        meant = command(table, press(button))
        if any(isinstance(other, kinds) for other in can) and not table.can(meant):
            wrong.append(f"{button} in {table.state}: {meant}")
    game_round = table.view().round
    if table.state is State.PLAYER_TURN and game_round.turn is not None:
        turn = game_round.turn
        for button, kind in DECISIONS.items():
            meant = command(table, press(button))
            whole = kind(Place(turn.number, game_round.turn_hand + 1, turn.controller))
            if table.can(whole) and not table.can(meant):
                wrong.append(f"{button}: {meant} is refused, {whole} is not")
    return wrong


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_one_press_means_what_the_state_allows(game: str, seed: int) -> None:
    """In every position of rounds of each game, what may be commanded can be commanded with a single press."""
    wrong: list[str] = []

    def watch(robot: Robot) -> None:
        wrong.extend(wrong_presses(robot.table))

    watch_rounds(game, seed, 2, watch)
    assert [] == wrong


@pytest.mark.parametrize("game", GAMES)
def test_the_rounds_of_each_game_show_every_state(game: str, seed: int) -> None:
    """The positions of the test above are of every state in which a round can be without an irregularity."""
    seen: Counter[State] = Counter()

    def watch(robot: Robot) -> None:
        seen[robot.table.state] += 1

    for number in range(12):
        watch_rounds(game, seed + number, 2, watch)
    expected = {State.BETS_CLOSED, State.INITIAL_DEAL, State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN}
    assert expected | {State.SETTLEMENT, State.COMPLETE} <= set(seen)


# --- a press that says no more than its button -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "button", "meant"),
    [
        ("\n", "bets", ev.PlaceBets()),
        ("\nplace-bets\n", "bets", ev.NoMoreBets()),
        ("\nplace-bets\nbet 1 main 50\nno-more-bets\n", "bets", ev.PlaceBets()),
        (PLAIN, "offer", ev.Offer("surrender")),
        (PLAIN, "close", ev.Close("insurance")),
        (f"{PLAIN}offer surrender\n", "close", ev.Close("surrender")),
        (f"{PLAIN}offer surrender\n", "surrender", ev.Surrender(Place(1))),
        (ACE, "offer", ev.Offer("insurance")),
        (f"{PLAIN}offer surrender; close surrender\n", "hit", ev.Hit(Place(1))),
        (f"{PLAIN}offer surrender; close surrender\n", "stand", ev.Stand(Place(1))),
        (f"{PLAIN}offer surrender; close surrender\n", "double", ev.Double(Place(1))),
        (f"{PLAIN}offer surrender; close surrender\n", "split", ev.Split(Place(1))),
        (f"{PLAIN}offer surrender; close surrender\nstand 1\n", "stand", ev.Stand(Place(3))),
        (f"{PLAIN}offer surrender; close surrender\n", "free-double", ev.FreeDouble(Place(1))),
        (f"{PLAIN}offer surrender; close surrender\n", "free-split", ev.FreeSplit(Place(1))),
        (PLAIN, "interim", ev.Interim()),
        (PLAIN, "settle", ev.Settle()),
        (PLAIN, "done", ev.Reconstructed()),
        (PLAIN, "call", ev.Call("uncovered")),
    ],
)
def test_a_single_press_speaks_of_what_is_on(text: str, button: str, meant: Command) -> None:
    """The offer that is due or open, the hand whose turn it is."""
    assert meant == command(table_after(text), press(button))


def test_collect_and_pay_find_the_hand_that_is_over() -> None:
    """A bust hand is collected though the turn has passed on to another box."""
    bust = f"{PLAIN.replace('2C 8H', 'TS 8H')}offer surrender; close surrender\ndraw 1\n"
    table = table_after(bust)
    assert Place(3) == table.next_place
    assert ev.Collect(Place(1)) == command(table, press("collect"))


def test_even_money_finds_the_natural() -> None:
    """The box with the natural is meant, not the one whose turn is first."""
    table = table_after(f"{ACE.replace('7D', 'AD')}offer insurance\n")
    assert Place(1) == table.next_place
    assert ev.EvenMoney(Place(3)) == command(table, press("insure"))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (press("insure", 0, Spot(1)), ev.Insure(Place(1), 50_00)),
        (press("insure", 1, Spot(1)), ev.Insure(Place(1), 50_00)),
        (press("insure", 0, Spot(3)), ev.EvenMoney(Place(3))),
        (press("insure", 1, Spot(3)), ev.Insure(Place(3), 25_00)),
        (press("insure", 2, Spot(1)), ev.EvenMoney(Place(1))),
        (press("insure", 0, Spot(1), 20_00), ev.Insure(Place(1), 20_00)),
    ],
)
def test_insure_and_a_box_is_half_the_wager(said: Press, meant: Command) -> None:
    """Even money is option 2 alone, except on a natural."""
    assert meant == command(table_after(f"{ACE.replace('7D', 'AD')}offer insurance\n"), said)


def test_insure_without_a_box_is_the_first_that_may_have_it() -> None:
    """A box that is insured is passed over."""
    table = table_after(f"{ACE}offer insurance\ninsure 1 50\n")
    assert ev.Insure(Place(3), 25_00) == command(table, press("insure"))


def test_done_turns_the_pages_of_a_settlement_and_nothing_else() -> None:
    """Where it carries something on, it does that."""
    ready = f"{PLAIN}offer surrender; close surrender\nstand 1; stand 3; draw dealer; draw dealer; draw dealer\n"
    expected = [True, False, False, True, False]
    found = [
        turns_page(table_after(ready), press("done")),
        turns_page(table_after(ready), press("done", 2)),
        turns_page(table_after(ready), press("settle")),
        turns_page(table_after(f"{ready}settle\n"), press("done")),
        turns_page(table_after(PLAIN), press("done")),
    ]
    assert expected == found


def test_a_double_is_rescued_after_its_card() -> None:
    """In Pontoon SURRENDER after a double means the doubled hand, though the turn has passed on."""
    deal = "shoe: 5C | 4H 7D 6S 6C 9D 2C 8H 3S JD\n"
    table = table_after(f"{deal}{UP_TO_OFFERS}{DEAL}double 1; draw 1\n", "mbs-pontoon-v5")
    assert Place(3) == table.next_place
    assert ev.Rescue(Place(1)) == command(table, press("surrender"))


# --- a press that says more ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (press("bets", 1), ev.PlaceBets()),
        (press("bets", 2), ev.NoMoreBets()),
        (press("offer", 1), ev.Offer("insurance")),
        (press("offer", 2), ev.Offer("surrender")),
        (press("offer", 255), ev.Offer("surrender")),
        (press("close", 1), ev.Close("insurance")),
        (press("close", 2), ev.Close("surrender")),
        (press("surrender", 1), ev.Surrender(Place(1))),
        (press("surrender", 2, Spot(3, 1, 2)), ev.Rescue(Place(3, 1, 2))),
        (press("insure", 1, Spot(3), 25_00), ev.Insure(Place(3), 25_00)),
        (press("insure", 0, Spot(3), 25_00), ev.Insure(Place(3), 25_00)),
        (press("insure", 2, Spot(3), 25_00), ev.EvenMoney(Place(3))),
        (press("done", 1), ev.Reconstructed()),
        (press("done", 2), ev.CannotReconstruct()),
        (press("stand", 0, Spot(3, 2)), ev.Stand(Place(3, 2))),
        (press("double", 0, Spot(3, 0, 2), 50_00), ev.Double(Place(3, 0, 2), 50_00)),
        (press("collect", 0, Spot(3)), ev.Collect(Place(3))),
        (press("pay", 0, Spot(3)), ev.Pay(Place(3))),
        (press("hit", 0, Spot(-1)), ev.Hit(BURN)),
        (press("call", 0, Spot(3)), ev.Call("uncovered", Place(3))),
    ],
)
@pytest.mark.parametrize("text", ["\n", "\nplace-bets\n", PLAIN, f"{PLAIN}offer surrender; close surrender\n"])
def test_what_a_press_says_is_meant(text: str, said: Press, meant: Command) -> None:
    """An option, a place and an amount win over what the state suggests."""
    table = table_after(text)
    expected = meant if text not in {"\n", "\nplace-bets\n"} else _without_turn(meant, said)
    assert expected == command(table, said)


def _without_turn(meant: Command, said: Press) -> Command:
    """Before any hand is dealt, a press without a place speaks of where the next card belongs."""
    return ev.Surrender(BURN) if said.button == "surrender" and not said.place.box else meant


# --- any press at all ------------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(
    game=st.sampled_from(sorted(GAMES)),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 80),
    presses=st.lists(messages_of(Press), min_size=1, max_size=12),
)
def test_no_press_raises_and_a_refusal_fits_the_display(game: str, seed: int, steps: int, presses: list[Press]) -> None:
    """In any position any press is a command; the table takes it, or the display can show why it does not."""
    table = table_of_chance(game, seed, steps)
    for said in presses:
        meant = command(table, said)
        refused = table.verify(meant)
        if refused is None:
            table.apply(meant)
            continue
        upper, lower = on_two_lines(str(refused))
        assert [] == [line for line in (upper, lower) if len(line) > LINE_LENGTH]
        assert str(refused).replace(" ", "").startswith(f"{upper}{lower}".replace(" ", ""))
        assert Text(upper, lower) == CATALOGUE.decode_command(*CATALOGUE.encode(Text(upper, lower)))


@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("game", GAMES)
def test_every_button_means_something_before_the_first_round(game: str, button: str) -> None:
    """On a table where nothing has happened yet a press is a command too, and nothing but bets and calls is taken."""
    table = table_after("\n", game)
    meant = command(table, press(button))
    assert (button in {"bets", "call"}) == table.can(meant)
