"""The pictures of the README: the five games in mid-round, and an alarm.

1. They are made by the test from the files in `scenes`, without motion and without anything that depends on the time of
   day: the same software gives the same picture on the same machine. A page of 1280x800 is drawn at three quarters of
   its size, so that a reader's page holds it and soon has it.
2. Usually they go into a temporary folder. With TRUEDEAL_SCREENSHOTS=1 they go to where the README shows them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gamecore.rules.games import GAMES
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES
from tests.places import TESTS

SCENES = Path(__file__).parent / "scenes"
SHOWN = TESTS.parent / "firmware_bridge" / "console" / "pictures"
LARGEST = 150_000
SIZE = (1280, 800)
SCALE = 0.75
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
