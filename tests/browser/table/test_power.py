"""The daemon goes and comes back: what the page says meanwhile, and what it shows afterwards."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.alarm_answerer import Pit
from tests.browser.conftest import Visit
from tests.browser.served_table import House

DEALT = """game: mbs-blackjack-v6
fresh: no
shoe: 9H 7D 6S KC TD

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer; draw 1
"""


def test_a_power_cut_and_the_return(house: House, visit: Visit) -> None:
    """In the dark the page says so and takes no command; then the cards lie as before, and it asks by the clause."""
    house.play(DEALT)
    desk = visit(role="dealer")
    desk.lies("1", ["9H", "KC"])
    desk.watched.allow("status of 401", "status of 403", "status of 503")
    house.do("power-cut")
    banner = desk.test("banner", kind="gone")
    expect(banner).to_be_visible()
    expect(desk.page.locator("main [data-statement]:enabled")).to_have_count(0)
    house.do("power-on")
    expect(banner).to_have_count(0)
    expect(desk.test("alarm", code="power-failure")).to_be_visible()
    expect(desk.test("clause")).to_contain_text("5.29.1")
    Pit(desk, house, "continue").deal_with()
    desk.stands("initial-deal")
    desk.lies("1", ["9H", "KC"])
    desk.lies("3", ["7D"])
    house.do("draw 3 = TD")
    desk.lies("3", ["7D", "TD"])


def test_a_restart_of_the_daemon_is_no_power_cut(house: House, visit: Visit) -> None:
    """The round goes on where it was; whoever was logged in logs in again."""
    house.play(DEALT)
    desk = visit(role="dealer")
    desk.lies("1", ["9H", "KC"])
    desk.watched.allow("status of 401", "status of 503")
    house.do("restart")
    expect(desk.test("login")).to_be_visible()
    desk.lies("1", ["9H", "KC"])
    desk.stands("initial-deal")
    expect(desk.test("alarm")).to_have_count(0)
    house.do("draw 3 = TD", "offer surrender", "close surrender")
    desk.login("dealer")
    desk.say("stand 1")
    expect(desk.test("next")).to_have_attribute("data-next", "3")
