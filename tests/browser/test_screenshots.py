"""The pictures of the documents: the five games in mid-round, an alarm, pay and take, the history, the harness.

1. The tests make them without motion. Those of the Table hold nothing that depends on the time of day: the same
   software gives the same picture on the same machine. A page of 1280x800 is drawn at three quarters of its size, so
   that it loads quickly and fits a reader's page.
2. They usually go into a temporary folder. With TRUEDEAL_SCREENSHOTS=1 they go to where the documents show them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gamecore.notation.parser import parse
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from tests.browser.browsing import Chromium, Watched
from tests.browser.conftest import Visit
from tests.browser.harness_user import Hands, Sim
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES
from tests.places import TESTS

SCENES = Path(__file__).parent / "scenes"
SHOWN = TESTS.parent / "firmware_bridge" / "console" / "pictures"
LARGEST = 220_000
SIZE = (1280, 800)
SCALE = 0.75
PAYING = """game: mbs-blackjack-v6
fresh: no
shoe: 6H 9H 8D AD TC QS 9D AS 5C TD 9S KD 7S JD 9C 9C 5S QD 2H

place-bets
bet 1 main 100; bet 2 main 100; bet 2 pair 10; bet 3 main 200; bet 4 main 50
bet 5 main 100; bet 6 main 75; bet 7 main 300; bet 7 pair 10
no-more-bets
draw 1; draw 2; draw 3; draw 4; draw 5; draw 6; draw 7; draw dealer
draw 1; draw 2; draw 3; draw 4; draw 5; draw 6; draw 7
offer insurance; insure 2 50; even-money 4; close insurance
double 1; draw 1; stand 2; stand 3; stand 5; stand 6; stand 7
draw dealer; draw dealer; draw dealer
"""
"""Every card lies, and the wagers are to be settled."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where the pictures go."""
    if os.environ.get("TRUEDEAL_SCREENSHOTS") != "1":
        return tmp_path
    SHOWN.mkdir(exist_ok=True)
    return SHOWN


def taken(user: PageUser, path: Path) -> bytes:
    """Take a picture of the page as it is, with nothing under the pointer."""
    user.page.mouse.move(0, 0)
    user.page.evaluate("document.fonts.ready.then(() => null)")
    return user.page.screenshot(path=path, animations="disabled", caret="hide")


def checked(picture: bytes) -> None:
    """Whether a picture can be shown: it is one, of the right size, and soon loaded."""
    assert picture.startswith(SIGNATURE)
    assert tuple(side * SCALE for side in SIZE) == (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24]))
    assert LARGEST > len(picture)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_in_mid_round(game: str, pictures: Path, house: House, visit: Visit) -> None:
    """The Table in the hands of the Dealer, with everything that a game has on its layout."""
    house.play((SCENES / f"{game}.deal").read_text(encoding="utf-8"))
    user = visit(role="dealer", size=SIZE, scale=SCALE)
    user.stands("player-turn")
    user.sees(house.scene())
    checked(taken(user, pictures / f"{game}.png"))


def test_an_alarm(pictures: Path, house: House, visit: Visit) -> None:
    """A reconstruction of which one move is made; a second picture of the same is the same to the byte."""
    house.play(SEVERAL_MOVES)
    house.move("KH", "3", "1")
    user = visit(role="pit-supervisor", size=SIZE, scale=SCALE)
    expect(user.test("move", done="true")).to_have_count(1)
    user.sees(house.scene())
    picture = taken(user, pictures / "alarm.png")
    checked(picture)
    assert picture == taken(user, pictures / "alarm.png")


def test_pay_and_take(pictures: Path, house: House, visit: Visit) -> None:
    """The cards lie and the Dealer is told, box by box, what to pay and what to take, each with its clause."""
    house.play(PAYING)
    user = visit(role="dealer", size=SIZE, scale=SCALE)
    user.sees(house.scene())
    expect(user.test("payment").first).to_be_visible()
    checked(taken(user, pictures / "pay-and-take.png"))


def test_a_round_in_the_history(pictures: Path, house: House, visit: Visit) -> None:
    """A settled round, at the step where the last card came."""
    house.play(f"{PAYING}settle\n")
    user = visit(role="surveillance", route="history", size=SIZE, scale=SCALE)
    user.test("round").first.click()
    expect(user.test("scrubber")).to_be_visible()
    user.page.keyboard.press("ArrowLeft")
    checked(taken(user, pictures / "history.png"))


def test_the_harness(pictures: Path, chromium: Chromium, sim: Sim) -> None:
    """A simulated table in mid-round, with everything that a hand can do to it."""
    watched = Watched(chromium.browser, sim.address, SIZE, device_scale_factor=SCALE)
    user = PageUser(watched)
    user.open("harness")
    hands = Hands(user)
    scenario = parse((SCENES / "mbs-blackjack-v6.deal").read_text(encoding="utf-8"), GAMES)
    hands.prepare(write_header(scenario.header))
    user.stands("idle")
    for statement in scenario.statements:
        hands.play(statement)
    user.stands("player-turn")
    checked(taken(user, pictures / "harness.png"))
    assert [] == watched.close()
