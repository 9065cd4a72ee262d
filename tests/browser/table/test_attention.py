"""What draws attention to a table: its name everywhere, the title and the sign of the tab, the tone of an alarm."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.page_user import Desk
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, TEXTS

NAME = "SIM 1"
READY = "game: mbs-blackjack-v6\nfresh: no\n\n"


def icon(desk: Desk) -> str:
    """The sign of the tab."""
    return str(desk.page.locator("link[rel=icon]").get_attribute("href"))


def test_the_name_of_the_table_is_in_header_title_and_alarm(house: House, visit: Visit) -> None:
    """The tab tells which table, and in an alarm which alarm; its sign is marked until the alarm is over."""
    house.play(READY)
    desk = visit(role="dealer")
    expect(desk.test("table-name")).to_have_text(NAME)
    expect(desk.page).to_have_title(f"{NAME} · Table · truedeal")
    assert "/static/style/icon.svg" == icon(desk)
    house.play(SEVERAL_MOVES)
    expect(desk.test("alarm-table")).to_have_text(NAME)
    title = desk.get(TEXTS)["code.misdealt-card"]["en"]
    expect(desk.page).to_have_title(f"⚠ {NAME}: {title} · truedeal")
    assert "/static/style/icon-alarm.svg" == icon(desk)
    house.play(READY)
    expect(desk.page).to_have_title(f"{NAME} · Table · truedeal")
    assert "/static/style/icon.svg" == icon(desk)


def test_the_tone_sounds_is_turned_down_and_never_off(house: House, visit: Visit) -> None:
    """A browser that blocks sound says so in the Alarm; after a tap it sounds, loud, middle, low, and loud again."""
    house.play(SEVERAL_MOVES)
    desk = visit(role="pit-supervisor", size=TOUCH)
    body, control = desk.page.locator("body"), desk.test("tone")
    expect(body).to_have_attribute("data-tone", "blocked")
    expect(control).to_contain_text("Sound is blocked: tap")
    control.click()
    expect(body).to_have_attribute("data-tone", "sounding")
    for level in ("loud", "middle", "low", "loud", "middle"):
        expect(control).to_have_attribute("data-level", level)
        expect(body).to_have_attribute("data-tone", "sounding")
        control.click()
    expect(control).to_have_attribute("data-level", "low")
    desk.page.reload()
    expect(desk.test("tone")).to_have_attribute("data-level", "low")
    house.play(READY)
    expect(desk.page.locator("body[data-tone]")).to_have_count(0)


def test_who_only_reads_hears_no_tone(house: House, visit: Visit) -> None:
    """Surveillance sees the alarm and is not asked for a sound; nor is a trainee."""
    house.play(SEVERAL_MOVES)
    desk = visit(role="surveillance")
    expect(desk.test("alarm")).to_be_visible()
    expect(desk.page.locator("body[data-tone]")).to_have_count(0)
    expect(desk.test("tone")).to_be_hidden()


def test_anybody_looks_behind_the_alarm(house: House, visit: Visit) -> None:
    """A supervisor reads the history while the alarm stays as a red strip, and goes back to it."""
    house.play(SEVERAL_MOVES)
    desk = visit(role="pit-supervisor")
    desk.test("look-behind").click()
    assert not desk.page.evaluate("document.getElementById('shell').inert")
    desk.go("history")
    expect(desk.test("history")).to_be_visible()
    expect(desk.test("alarm")).to_be_visible()
    desk.test("look-behind").click()
    expect(desk.page.locator(".alarm-foot button").first).to_be_visible()
    assert desk.page.evaluate("document.getElementById('shell').inert")


def test_the_header_has_room_on_a_small_screen(house: House, visit: Visit) -> None:
    """At 800 pixels with somebody logged in the help, the game and every page can be reached."""
    house.play(READY)
    desk = visit(role="pit-supervisor", size=TOUCH)
    expect(desk.test("logout")).to_be_visible()
    for reached in ("header .icon-button", "[data-test=logout]", "nav [data-route=games]"):
        box = desk.page.locator(reached).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= TOUCH[0]
    game = desk.page.locator(".header-game")
    assert game.evaluate("node => node.scrollWidth <= node.clientWidth")
    expect(game).to_contain_text("Blackjack (MBS)")
