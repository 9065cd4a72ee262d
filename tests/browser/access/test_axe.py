"""No serious finding of axe on any page: in both languages, at both sizes, with an alarm and without."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import grave
from tests.browser.browsing import DESK, TOUCH
from tests.browser.conftest import Visit
from tests.browser.harness_user import Hands
from tests.browser.page_user import Desk
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, raised

SIZES = pytest.mark.parametrize("size", [TOUCH, DESK], ids=lambda size: f"{size[0]}x{size[1]}")
LANGS = ("en", "zh")
DEALT = """game: mbs-free-bet-v3
shoe: 9C | 8H TD 6S 8C 7D | 3S

place-bets
bet 2 main 100; bet 2 pot-of-gold 5; bet 2 busted 10
bet 4 main 40; bet 4/2 main 25
no-more-bets
draw burn
draw 2; draw 4; draw dealer; draw 2; draw 4
offer surrender; close surrender
free-split 2
draw 2.1
"""


def in_both_languages(desk: Desk) -> dict[str, list[str]]:
    """What axe finds on the page as it is, by language."""
    found = {}
    for lang in LANGS:
        choice = desk.page.locator(f"[data-lang={lang}]:visible")
        if choice.count():
            choice.first.click()
        expect(desk.page.locator("html")).to_have_attribute("lang", "zh-Hans" if lang == "zh" else "en")
        found[lang] = grave(desk.page)
    return found


NOTHING: dict[str, list[str]] = {lang: [] for lang in LANGS}


@SIZES
def test_every_page(size: tuple[int, int], house: House, visit: Visit) -> None:
    """Table in mid-round, History with a round, Health, Games, the login."""
    house.play(DEALT)
    desk = visit(role="pit-manager", size=size)
    desk.stands("player-turn")
    assert NOTHING == in_both_languages(desk)
    for route in ("history", "health", "games"):
        desk.go(route)
        desk.page.wait_for_load_state("networkidle")
        assert NOTHING == in_both_languages(desk)
    desk.page.locator("[data-lang=en]").click()
    desk.logout()
    desk.test("login").click()
    expect(desk.test("login-form")).to_be_visible()
    assert [] == grave(desk.page)


@SIZES
@pytest.mark.parametrize("role", ["", "pit-supervisor", "surveillance"])
def test_the_alarm(size: tuple[int, int], role: str, house: House, visit: Visit) -> None:
    """With moves to be made, whoever looks at it."""
    house.play(SEVERAL_MOVES)
    desk = visit(role=role, size=size)
    expect(desk.test("alarm", code="misdealt-card")).to_be_visible()
    assert NOTHING == in_both_languages(desk)


@pytest.mark.parametrize("code", ["double-draw", "unreadable-card", "foreign-card"])
def test_what_an_alarm_asks(code: str, house: House, visit: Visit) -> None:
    """Answers, the naming of a card, the login within the Alarm, reasons to clear."""
    raised(house, code)
    desk = visit(size=TOUCH)
    desk.test("alarm-login").click()
    assert [] == grave(desk.page)
    desk.fill_login("pit-manager")
    expect(desk.test("alarm").locator("button.command:enabled").first).to_be_visible()
    assert [] == grave(desk.page)
    for panel in ("answer-card", "own"):
        if desk.test(panel).count():
            desk.test(panel).click()
            assert [] == grave(desk.page)


@SIZES
def test_the_harness(size: tuple[int, int], hands: Hands) -> None:
    """All of its parts."""
    hands.page.set_viewport_size({"width": size[0], "height": size[1]})
    hands.page.wait_for_load_state("load")
    expect(hands.desk.test("shoe")).to_be_visible()
    assert NOTHING == in_both_languages(hands.desk)
