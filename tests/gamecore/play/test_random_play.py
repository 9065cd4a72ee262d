"""Properties of random rounds that keep to the rules, in all five games.

1. TRUEDEAL_ROUNDS rounds are looked at from all sides: refusals, cards, chips, and the replay of their own record.
2. TRUEDEAL_PLAIN_ROUNDS more are played for their findings and their chips alone. None may have a finding: with the
   others they are 10,000 in the suite and 1,000,000 in the soak.
3. Every failure names the seed that repeats it.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.model.events.outputs import Settled
from gamecore.model.hands import Hand
from gamecore.model.states import State
from gamecore.notation.export import scenario_of
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import play
from gamecore.notation.writer import write
from gamecore.rules.clauses import TRACES
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import SILENT
from tests.gamecore.play.candidates import refusals
from tests.gamecore.play.chip_count import Ledger, faults
from tests.gamecore.play.random_dealer import Robot
from tests.gamecore.play.table_comparison import look, report_bytes

ROUNDS = int(os.environ.get("TRUEDEAL_ROUNDS", "2500"))
SOAK_ROUNDS = int(os.environ.get("TRUEDEAL_ROUNDS", "50000"))
PLAIN_ROUNDS = int(os.environ.get("TRUEDEAL_PLAIN_ROUNDS", "7500"))
SOAK_PLAIN_ROUNDS = int(os.environ.get("TRUEDEAL_PLAIN_ROUNDS", "950000"))
ROUNDS_A_TABLE = 4
PLAIN_ROUNDS_A_TABLE = 20
LOOKS = 0.02
"""In how many of the robot's positions every refusal is tried out."""

games = st.sampled_from(sorted(GAMES))
shoes = st.integers(0, 2**32)


def refusals_that_do_something(robot: Robot) -> list[str]:
    """Commands that are refused here and yet change the table."""
    table = robot.table
    wrong: list[str] = []
    before = look(table)
    for command, refused in refusals(table):
        if (refused,) != table.apply(command):
            wrong.append(f"{command} is not refused as foretold")
    if before != look(table):
        wrong.append(f"a refused command changed the table in {table.state}")
    return wrong


def check_settlement(robot: Robot, ledger: Ledger) -> None:
    """The round is settled, without a finding, to the chip, each row by a clause."""
    game_round = robot.table.view().round
    assert State.COMPLETE is robot.table.state
    assert "settled" == game_round.outcome
    assert () == game_round.findings
    assert [] == faults(ledger, game_round.rows)
    assert [] == [row for row in game_round.rows if row.clause in {None, SILENT}]
    assert game_round.rows == next(output.rows for output in reversed(robot.outputs) if isinstance(output, Settled))


def check_cards(robot: Robot) -> None:
    """Every hand got its second card, and the Dealer drew as long as the document says and where it mattered."""
    rules, game_round = robot.rules, robot.table.view().round
    hands = [hand for _, box in sorted(game_round.boxes.items()) for hand in box.hands]
    assert [] == [hand.cards for hand in hands if len(hand.cards) < 2]
    dealer = Hand()
    drew = []
    for card in game_round.dealer.cards:
        drew.append(len(dealer.cards) < 2 or rules.dealer_draws.value(dealer.total, dealer.soft))
        dealer.add(card)
    assert all(drew), game_round.dealer.cards
    sides = {side.kind for box in game_round.boxes.values() for side in box.sides}
    compared = [
        hand
        for hand in hands
        if hand.in_play and not (hand.bust or hand.natural or (rules.twenty_one_wins.value and hand.total == 21))
    ]
    if compared or sides & {"busted", "boom-busted"}:
        assert len(dealer.cards) >= 2
        assert not rules.dealer_draws.value(dealer.total, dealer.soft)
    else:
        assert len(dealer.cards) <= 2


def check_replay(robot: Robot) -> None:
    """What was recorded, written as text and read again, gives the same report."""
    scenario = scenario_of(robot.header, robot.events)
    text = write(scenario)
    again = parse(text, GAMES)
    assert scenario == again
    played = play(again, "random", GAMES)
    assert None is played.error, text
    assert report_bytes(robot.table.report()) == report_bytes(played.report), text


def play_table(game: str, chance: random.Random, shoe: int, rounds: int) -> Robot:
    """Play some rounds at one table and check every property on the way."""
    robot, ledger, seen = Robot(GAMES[game], chance, shoe), Ledger(), 0
    wrong: list[str] = []

    def watch() -> None:
        if chance.random() < LOOKS:
            wrong.extend(refusals_that_do_something(robot))

    robot.watch = watch
    for _ in range(rounds):
        robot.play_round()
        for event in robot.meant[seen:]:
            ledger.see(event)
        seen = len(robot.meant)
        check_settlement(robot, ledger)
        check_cards(robot)
    assert [] == wrong
    check_replay(robot)
    return robot


def play_tables(game: str, seed: int, rounds: int) -> None:
    """Play this many rounds of a game at tables of their own; a failure says which table it was."""
    for number in range(max(1, rounds // len(GAMES) // ROUNDS_A_TABLE)):
        try:
            play_table(game, random.Random(f"{seed}/{game}/{number}"), seed + number, ROUNDS_A_TABLE)
        except Exception as error:
            error.add_note(f"TRUEDEAL_SEED={seed}, {game}, table {number}")
            raise


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_are_settled_to_the_chip_and_replay_to_the_byte(game: str, seed: int) -> None:
    """Regular rounds reach their end without a finding, balance, and give the same report from their own record."""
    play_tables(game, seed, ROUNDS)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_many_random_rounds_are_settled_to_the_chip_and_replay_to_the_byte(game: str, seed: int) -> None:
    """The same, for many more rounds."""
    play_tables(game, seed + 1, SOAK_ROUNDS)


def play_plainly(game: str, seed: int, rounds: int) -> None:
    """Play this many rounds, more at each table, and look only at what was found and at the chips."""
    for number in range(max(1, rounds // len(GAMES) // PLAIN_ROUNDS_A_TABLE)):
        chance = random.Random(f"{seed}/{game}/plain/{number}")
        robot, ledger, seen = Robot(GAMES[game], chance, seed + number), Ledger(), 0
        robot.in_haste = True
        try:
            for _ in range(PLAIN_ROUNDS_A_TABLE):
                robot.play_round()
                for event in robot.meant[seen:]:
                    ledger.see(event)
                seen = len(robot.meant)
                assert () == robot.table.view().round.findings
                assert [] == faults(ledger, robot.table.view().round.rows)
        except Exception as error:
            error.add_note(f"TRUEDEAL_SEED={seed}, {game}, plain table {number}")
            raise


@pytest.mark.parametrize("game", GAMES)
def test_no_regular_round_has_a_finding(game: str, seed: int) -> None:
    """Where nothing is wrong, nothing is found."""
    play_plainly(game, seed, PLAIN_ROUNDS)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_no_regular_round_of_very_many_has_a_finding(game: str, seed: int) -> None:
    """The same, for many more rounds."""
    play_plainly(game, seed + 1, SOAK_PLAIN_ROUNDS)


@settings(max_examples=60)
@given(game=games, chance=st.integers(0, 2**32), shoe=shoes)
def test_whatever_the_people_choose_the_round_ends_and_balances(game: str, chance: int, shoe: int) -> None:
    """Whatever is chosen among what is allowed, the round reaches its end, balances and replays."""
    play_table(game, random.Random(chance), shoe, 1)


@settings(max_examples=25)
@given(game=games, chance=st.integers(0, 2**32), shoe=shoes)
def test_a_refused_command_changes_nothing(game: str, chance: int, shoe: int) -> None:
    """In every position of a round, each refused command leaves report and state as they are."""
    robot = Robot(GAMES[game], random.Random(chance), shoe)
    wrong: list[str] = []
    robot.watch = lambda: wrong.extend(refusals_that_do_something(robot))
    robot.play_round()
    wrong.extend(refusals_that_do_something(robot))
    assert [] == wrong


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_names_a_clause_of_the_document(game: str, seed: int) -> None:
    """In every position of some rounds, each refused command is refused by a clause that the document has."""
    known = {trace.clause for trace in TRACES[game]}
    robot = Robot(GAMES[game], random.Random(f"{seed}/{game}"), seed)
    named: set[tuple[str, str]] = set()

    def watch() -> None:
        named.update((type(command).__name__, refused.clause) for command, refused in refusals(robot.table))

    robot.watch = watch
    for _ in range(20):
        robot.play_round()
    assert [] == sorted(entry for entry in named if entry[1] not in known)


@settings(max_examples=25)
@given(game=games, chance=st.integers(0, 2**32), shoe=shoes)
def test_the_same_chance_gives_the_same_events_and_report(game: str, chance: int, shoe: int) -> None:
    """Two tables that hear the same events end alike to the byte."""
    robot = Robot(GAMES[game], random.Random(chance), shoe)
    robot.play_round()
    twin = Robot(GAMES[game], random.Random(chance), shoe)
    outputs = [output for event in robot.events for output in twin.table.apply(event)]
    assert robot.outputs == outputs
    assert look(robot.table) == look(twin.table)
