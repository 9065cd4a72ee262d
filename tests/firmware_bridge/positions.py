"""Tables for the tests of the bridge: played to a position by deal notation, by the robot, or by anything at all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

from gamecore.model.events import events as ev
from gamecore.model.states import State
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import InProcess
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.gamecore.play.random_dealer import Robot
from tests.gamecore.properties.acts import an_event
from tests.gamecore.properties.tables import Play, a_header

LONGEST = 300
"""Events after which chance alone will hold no round."""


def table_after(text: str, game: str = "mbs-blackjack-v6") -> Table:
    """Return the table after a scenario; its header is parted from its statements by an empty line."""
    scenario = parse(f"game: {game}\n{text}", GAMES)
    venue = InProcess(scenario.header, GAMES[game])
    player = Player(scenario.header, GAMES[game], venue)
    for statement in scenario.statements:
        player.play(statement)
    return venue.table


def watch_rounds(game: str, seed: int, rounds: int, watch: Callable[[Robot], None]) -> None:
    """Let the robot play rounds by the rules, and look at every position on the way."""
    robot = Robot(GAMES[game], random.Random(seed), seed)
    robot.watch = lambda: watch(robot)
    for _ in range(rounds):
        robot.play_round()
        watch(robot)


def _of_chance(game: str, seed: int) -> tuple[Table, Iterator[None]]:
    """Return a table and what lets one thing after another happen there: due, irregular and wild ones."""
    chance = random.Random(seed)
    play = Play(a_header(chance, game), chance)
    wild = chance.choice((0.0, 0.02, 0.3))

    def happen() -> Iterator[None]:
        while True:
            play.happen(an_event(play, 0.15, wild))
            yield

    return play.table, happen()


def table_of_chance(game: str, seed: int, steps: int) -> Table:
    """Return a table where this many things have happened."""
    table, happening = _of_chance(game, seed)
    for _ in islice(happening, steps):
        pass
    return table


def held_table(game: str, seed: int) -> Table:
    """Return a table where things have happened until the round was held; by a call if nothing else did."""
    table, happening = _of_chance(game, seed)
    for _ in islice(happening, LONGEST):
        if table.state is State.HELD:
            return table
    table, _ = _of_chance(game, seed)
    table.apply(ev.PlaceBets())
    table.apply(ev.Call("uncovered"))
    return table
