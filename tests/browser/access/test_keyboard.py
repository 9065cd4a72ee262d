"""Everything by the keyboard: a round without a pointer, an alarm by number keys, a visible focus, help."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.page_user import Desk
from tests.browser.served_table import PIN, House
from tests.browser.table.test_alarms import SEVERAL_MOVES

READY = "game: mbs-blackjack-v6\nfresh: no\nshoe: 9H 7D 6S 2C TD | 8C KD TC\n\n"


def by_key(desk: Desk, house: House, key: str) -> None:
    """Press a key that says something, once the page is up to date, and hear that the table has taken it."""
    desk.sees(house.scene())
    with desk.page.expect_response("**/api/say") as answer:
        desk.page.keyboard.press(key)
    assert {"ok": True} == answer.value.json()


def tab_to(desk: Desk, wanted: str) -> None:
    """Go on with Tab until what is wanted has the focus."""
    for _ in range(60):
        desk.page.keyboard.press("Tab")
        if desk.page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


def test_a_round_without_a_pointer(house: House, visit: Visit) -> None:
    """Login, announcements and decisions, all by keys; the cards are dealt by the Dealer's hands."""
    house.play(READY)
    desk = visit()
    desk.stands("idle")
    tab_to(desk, "[data-test=login]")
    desk.page.keyboard.press("Enter")
    desk.page.keyboard.type("Dealer")
    tab_to(desk, "[name=pin]")
    desk.page.keyboard.type(PIN)
    desk.page.keyboard.press("Enter")
    expect(desk.test("login-form")).to_have_count(0)
    expect(desk.test("say", statement="place-bets")).to_be_enabled()
    by_key(desk, house, "b")
    house.do("bet 1 main 100", "bet 3 main 50")
    by_key(desk, house, "b")
    house.draw("1", "3", "dealer", "1", "3")
    desk.stands("offers")
    by_key(desk, house, "o")
    by_key(desk, house, "c")
    desk.stands("player-turn")
    by_key(desk, house, "h")
    house.draw("1")
    expect(desk.test("say", statement="stand 1")).to_be_visible()
    by_key(desk, house, "s")
    expect(desk.test("say", statement="stand 3")).to_be_visible()
    tab_to(desk, "[data-statement='stand 3']")
    by_key(desk, house, "Enter")
    house.draw("dealer", "dealer")
    desk.stands("settlement")
    by_key(desk, house, "e")
    desk.stands("complete")


def test_an_alarm_is_answered_by_number_keys(house: House, visit: Visit) -> None:
    """Numbers choose among the buttons as they stand, and the focus stays within."""
    house.play(SEVERAL_MOVES)
    desk = visit(role="pit-supervisor")
    expect(desk.test("alarm")).to_be_focused()
    for card, source, target in (("KH", "3", "1"), ("8D", "5", "3"), ("5S", "1", "5")):
        house.move(card, source, target)
    expect(desk.test("move", done="true")).to_have_count(3)
    number = desk.test("duty", statement="reconstructed").get_attribute("aria-keyshortcuts")
    by_key(desk, house, str(number))
    expect(desk.test("alarm")).to_have_attribute("data-kind", "alarm")
    with desk.page.expect_response("**/api/clear"):
        desk.page.keyboard.press("1")
    expect(desk.test("alarm")).to_have_count(0)
    desk.stands("initial-deal")


def test_the_focus_is_seen_and_help_is_there(house: House, visit: Visit) -> None:
    """Whatever Tab reaches is marked; the question mark tells the keys; Escape closes it."""
    house.play(READY)
    desk = visit(role="dealer")
    desk.stands("idle")
    tab_to(desk, "[data-statement='place-bets']")
    style = "(name) => getComputedStyle(document.activeElement)[name]"
    assert "none" != desk.page.evaluate(style, "outlineStyle")
    assert 2 <= float(desk.page.evaluate(style, "outlineWidth").removesuffix("px"))
    desk.page.keyboard.press("?")
    dialog = desk.page.locator("[role=dialog]")
    expect(dialog).to_contain_text("B")
    desk.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_what_comes_next_is_announced(house: House, visit: Visit) -> None:
    """Who hears the page hears where the next card belongs, and that there is an alarm."""
    house.play(f"{READY}place-bets; bet 1 main 100; bet 3 main 50; no-more-bets\n")
    desk = visit()
    desk.stands("bets-closed")
    house.draw("1")
    expect(desk.page.locator("#live[aria-live=polite]")).to_contain_text("Next card to Box 3")
    house.draw("1")
    expect(desk.page.locator("[role=alertdialog]")).to_have_accessible_name("Misdealt card")
