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
    user = visit(role="dealer")
    user.lies("1", ["9H", "KC"])
    user.watched.allow("status of 401", "status of 403", "status of 503")
    house.let_happen("power-cut")
    banner = user.test("banner", kind="gone")
    expect(banner).to_contain_text("The table computer is not responding. Stop dealing; call the pit.")
    expect(user.page.locator("main [data-statement]:enabled")).to_have_count(0)
    house.let_happen("power-on")
    expect(banner).to_have_count(0)
    expect(user.test("alarm", code="power-failure")).to_be_visible()
    expect(user.test("clause")).to_contain_text("5.29.1")
    Pit(user, house, "continue").deal_with()
    user.stands("initial-deal")
    user.lies("1", ["9H", "KC"])
    user.lies("3", ["7D"])
    house.let_happen("draw 3 = TD")
    user.lies("3", ["7D", "TD"])


def test_a_restart_of_the_daemon_is_no_power_cut(house: House, visit: Visit) -> None:
    """The round goes on where it was; people who were logged in log in again."""
    house.play(DEALT)
    user = visit(role="dealer")
    user.lies("1", ["9H", "KC"])
    user.watched.allow("status of 401", "status of 503")
    house.let_happen("restart")
    expect(user.test("login")).to_be_visible()
    user.lies("1", ["9H", "KC"])
    user.stands("initial-deal")
    expect(user.test("alarm")).to_have_count(0)
    house.let_happen("draw 3 = TD", "offer surrender", "close surrender")
    user.login("dealer")
    user.say("stand 1")
    expect(user.test("advice")).to_have_attribute("data-place", "3")
