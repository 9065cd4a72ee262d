"""The robot dealer: regular without errors, never stuck with them, the same for the same seed, on wires as in process.

TRUEDEAL_ROBOT is the number of rounds with errors of each game; every failure names its seed.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gamecore.model.events import events as ev
from gamecore.model.states import State
from gamecore.notation.playing.player import Player, play_text
from gamecore.notation.syntax import Header, Scenario, Statement, What
from gamecore.notation.writer import write
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from hal_sim.dealer.error_plan import KINDS, Errors, Kind, UnknownError, kinds_named
from hal_sim.dealer.robot_dealer import Robot, a_header
from hal_sim.devices.remote import RemoteDevice
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from tests.hal_sim.table.test_scenarios_on_hardware import playable

REGULAR_TABLES, REGULAR_ROUNDS = 5, 50
WITH_ERRORS = int(os.environ.get("TRUEDEAL_ROBOT", "200"))
SOAK = int(os.environ.get("TRUEDEAL_ROBOT", "20000"))
AT_A_TABLE = 12
MOST_TABLES = 40
ON_WIRES = 12
SCENARIOS = 100
OVER = {State.COMPLETE, State.VOID}


def a_robot(game: str, seed: int, errors: Errors | None = None, left: int | None = None) -> Robot:
    """A robot at a table of its own; `left` cards are in the shoe, in mid-use."""
    header = a_header(GAMES, game, seed)
    if left is not None:
        header = replace(header, left=left, fresh=False)
    return Robot(GAMES[game], header, seed, errors)


def played(robot: Robot, rounds: int) -> list[Statement]:
    """The statements of some rounds."""
    return [statement for _ in range(rounds) for statement in robot.play_round()]


def rounds_of(robot: Robot) -> list[dict[str, Any]]:
    """The rounds that the robot's table knows, as it reports them."""
    rounds = robot.table.report()["rounds"]
    assert isinstance(rounds, list)
    return rounds


def check_sound(robot: Robot) -> None:
    """Every round has ended, nothing was refused, nobody was called for a round that did not end."""
    assert [] == robot.shadow.refused
    assert [] == robot.abandoned
    assert "" == robot.stuck
    assert robot.table.state in OVER
    assert {"settled", "void", "concluded"} >= {one["outcome"] for one in rounds_of(robot)}


@pytest.mark.parametrize("game", GAMES)
def test_regular_rounds_have_no_finding(game: str, seed: int) -> None:
    """Without errors some hundred rounds are dealt by the rules, over several shoes."""
    for number in range(REGULAR_TABLES):
        robot = a_robot(game, seed + number)
        loads = sum(statement.text == "load" for statement in played(robot, REGULAR_ROUNDS))
        check_sound(robot)
        assert [] == [(seed + number, finding) for finding in robot.shadow.found]
        assert loads > 0


@pytest.mark.parametrize("game", GAMES)
def test_every_dial_leads_to_its_finding(game: str, seed: int) -> None:
    """Each kind of error that the game knows is committed and found, and the round goes on and ends."""
    rules = GAMES[game]
    for kind in [kind for kind in KINDS if kind.possible(rules)]:
        assert kind.name == committed_and_found(game, kind, seed)


def committed_and_found(game: str, kind: Kind, seed: int) -> str:
    """The name of the kind, once it was committed and its finding made."""
    for number in range(seed, seed + MOST_TABLES):
        left = 60 if kind.name == "insufficient-cards" else None
        robot = a_robot(game, number, Errors({kind.name: 1.0}), left)
        played(robot, AT_A_TABLE)
        check_sound(robot)
        found = {finding.code for finding in robot.shadow.found}
        if kind in robot.committed and (kind.code in found or not kind.code):
            return kind.name
    return f"{kind.name} was never found from seed {seed} on"


def test_every_code_has_a_kind() -> None:
    """No finding is left out."""
    assert set(CODES) == {kind.code for kind in KINDS if kind.code}
    assert len(KINDS) == len({kind.name for kind in KINDS})


def test_a_dial_is_known_by_name_and_by_finding() -> None:
    """A code stands for all of its kinds; what nobody knows is named with what there is."""
    assert ["card-in-error"] == [kind.name for kind in kinds_named("card-in-error")]
    assert ["shoe-opened", "card-pushed-back"] == [kind.name for kind in kinds_named("uncovered")]
    assert ["unplugged"] == [kind.name for kind in kinds_named("link-lost")]
    with pytest.raises(UnknownError, match="'coffee' is no error: expected one of absent-player, "):
        kinds_named("coffee")
    with pytest.raises(UnknownError):
        kinds_named("")


def with_errors(game: str, seed: int, rounds: int) -> None:
    """This many rounds with every error at once."""
    for number in range(seed, seed + rounds // AT_A_TABLE + 1):
        robot = a_robot(game, number, Errors({kind.name: 0.1 for kind in KINDS}, any_rate=0.3))
        try:
            played(robot, AT_A_TABLE)
            check_sound(robot)
        except Exception as error:
            error.add_note(f"{game}, seed {number}")
            raise


@pytest.mark.parametrize("game", GAMES)
def test_errors_on_errors_do_not_stop_it(game: str, seed: int) -> None:
    """Several errors a round: each round ends, and nothing that the robot does is refused."""
    with_errors(game, seed, WITH_ERRORS)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_errors_on_errors_do_not_stop_it_for_long(game: str, seed: int) -> None:
    """The same, for many more rounds."""
    with_errors(game, seed + 1, SOAK)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_statements(game: str, seed: int) -> None:
    """All chance comes from the seed, and another one plays another game."""
    errors = Errors(any_rate=0.5)
    first, again = (played(a_robot(game, seed, errors), AT_A_TABLE) for _ in range(2))
    assert first == again
    assert first != played(a_robot(game, seed + 1, errors), AT_A_TABLE)


@pytest.mark.parametrize("game", GAMES)
def test_a_script_names_errors_by_round(game: str, seed: int) -> None:
    """An error of the script is committed in its round, or the first after it that gives a chance; others are not."""
    robot = a_robot(game, seed, Errors(script={3: ("foreign-card",), 5: ("late-wager", "over-maximum")}))
    played(robot, AT_A_TABLE)
    check_sound(robot)
    rounds = [one for one in rounds_of(robot) if one["findings"]]
    listed = {one["number"]: sorted(finding["code"] for finding in one["findings"]) for one in rounds}
    assert ["foreign-card", "late-wager", "over-maximum"] == sorted(code for codes in listed.values() for code in codes)
    assert ["foreign-card"] == listed[3]
    assert "late-wager" in listed[5]


@pytest.mark.parametrize("game", GAMES)
def test_what_was_played_plays_again(game: str, seed: int) -> None:
    """The statements with the header are a file that ends in the same report."""
    robot = a_robot(game, seed, Errors(any_rate=0.7))
    text = write(Scenario(robot.shadow.header, tuple(played(robot, AT_A_TABLE))))
    again = play_text(text, "robot", GAMES)
    assert None is again.error
    assert {"file": "robot", "game": game, **robot.table.report(), "failures": []} == again.report


def test_a_round_that_does_not_end_is_given_to_the_shift_manager(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot that does not know what to do calls somebody, who voids the round; the next one is played."""
    robot = a_robot("mbs-blackjack-v6", seed)
    nothing: list[What] = []
    with monkeypatch.context() as patched:
        patched.setattr(Robot, "_step", lambda _: nothing)
        assert ["call uncovered", "answer house void"] == [s.text for s in played(robot, 1)][-2:]
    assert (1, "") == (len(robot.abandoned), robot.stuck)
    assert State.VOID is robot.table.state
    played(robot, 1)
    assert "complete" == robot.table.report()["state"]


def test_a_table_that_hangs_is_told(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody answers what is asked, the robot says where the table hangs and plays no further round."""
    robot = a_robot("mbs-blackjack-v6", seed, Errors(script={1: ("unreadable-card",)}))
    nothing: list[What] = []
    monkeypatch.setattr(Robot, "answer", lambda _, __: nothing)
    played(robot, 1)
    assert "round 1: held, unreadable-card, pit-value" == robot.stuck
    assert [] == played(robot, 1)


# --- on wires --------------------------------------------------------------------------------------------------------


def test_simulated_hardware_gives_the_same_report(seed: int) -> None:
    """Rounds of each game with errors, pressed in one press: the daemon's report is that of the table in process."""
    rates = {kind.name: 0.06 for kind in KINDS}
    with SimTable(seed=seed) as table:
        for game, rules in GAMES.items():
            robot = a_robot(game, seed, Errors(rates, any_rate=0.2))
            venue = Hardware(table, robot.shadow.header, one_press=True)
            player = Player(robot.shadow.header, rules, venue)
            for statement in (said for _ in range(ON_WIRES) for said in robot.play_round()):
                player.play(statement)
            check_sound(robot)
            assert (game, robot.table.report()) == (game, venue.report())


def test_one_press_is_enough(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """BETS, and a decision about the hand whose turn it is, are pressed without option and place."""
    pressed: list[tuple[object, ...]] = []
    event = RemoteDevice.event

    def spied(device: RemoteDevice, name: str, /, **fields: object) -> int:
        if name == "Press":
            pressed.append((fields["button"], fields["option"], fields["place"]))
        return event(device, name, **fields)

    monkeypatch.setattr(RemoteDevice, "event", spied)
    robot = a_robot("mbs-blackjack-v6", seed)
    with SimTable(seed=seed) as table:
        venue = Hardware(table, robot.shadow.header, one_press=True)
        player = Player(robot.shadow.header, GAMES["mbs-blackjack-v6"], venue)
        for statement in (said for _ in range(15) for said in robot.play_round()):
            player.play(statement)
        assert robot.table.report() == venue.report()
    for button in ("bets", "hit", "stand"):
        assert {(0, (0, 0, 0))} == {(option, tuple(place)) for name, option, place in pressed if name == button}  # type: ignore[arg-type]
    said = {option for name, option, _ in pressed if name in {"offer", "close"}}
    assert said <= {0, 2}  # surrender before insurance has to be said


def test_scenarios_pressed_in_one_press(seed: int) -> None:
    """Whatever the round, a press without option and place is sent only where it means the same."""
    wrong = []
    with SimTable(seed=seed) as table:

        def venue(header: Header, rules: Ruleset) -> Hardware:
            del rules
            return Hardware(table, header, one_press=True)

        for file in random.Random(seed).sample(playable(), SCENARIOS):
            text, name = file.read_text(encoding="utf-8"), Path(file).name
            if play_text(text, name, GAMES).report != play_text(text, name, GAMES, venue).report:
                wrong.append(name)
    assert [] == wrong


def test_a_line_is_quiet_again_after_its_round(seed: int) -> None:
    """Noise is an error of one round: it ends with it, at the rate that the table has anyway."""
    robot = Robot(
        GAMES["mbs-blackjack-v6"],
        a_header(GAMES, "mbs-blackjack-v6", seed),
        seed,
        Errors(script={1: ("noisy-line",)}),
        "0.5",
    )
    noises = [statement.text.split()[1:] for statement in played(robot, 2) if statement.text.startswith("noise")]
    assert 2 == len(noises)
    assert noises[0][0] == noises[1][0]
    assert "0.5" == noises[1][1]
    assert ev.PlaceBets() in [statement.what for statement in played(robot, 1)]
