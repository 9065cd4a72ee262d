"""A full round of each game, with everything that the Dealer says pressed on the Table page."""

from __future__ import annotations

import pytest

from gamecore.model.events.events import Command
from gamecore.notation.parser import parse
from gamecore.notation.playing.links import carrier
from gamecore.notation.syntax import Claim
from gamecore.rules.games import GAMES
from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.served_table import House
from tests.places import TESTS

DEMO = TESTS.parent / "deploy" / "demo"


def worded(house: House, statement: str) -> str:
    """A statement in the words of the console, which names the hand whose turn it is as exactly as is needed."""
    scene = house.scene()
    offered = {can["statement"] for can in scene["can"]}
    return statement if statement in offered else f"{statement.split(maxsplit=1)[0]} {scene['turn']}"


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_from_the_table_page(game: str, house: House, visit: Visit) -> None:
    """What the Dealer commands is pressed at 800x480, cards and chips move before the sensors; all settles so."""
    scenario = parse((DEMO / f"{game}.deal").read_text(encoding="utf-8"), GAMES)
    house.set_up(scenario)
    user = visit(role="dealer", size=TOUCH)
    user.stands("idle")
    pressed = []
    for number, statement in enumerate(scenario.statements):
        what = statement.what
        if isinstance(what, Command) and carrier(what, scenario.header.sensors) == "panel":
            user.say(worded(house, statement.text))
            pressed.append(statement.text)
        elif not isinstance(what, Claim):
            house.go_on(scenario, [number])
    user.stands("complete")
    assert {"place-bets", "no-more-bets", "settle"} <= set(pressed)
    assert [] == [claim for claim in scenario.statements if isinstance(claim.what, Claim) and house.fails(claim.text)]
