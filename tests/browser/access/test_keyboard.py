"""Everything by the keyboard: a round without a pointer, an alarm by number keys, a visible focus, help."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import PIN, House
from tests.browser.table.test_alarms import SEVERAL_MOVES

READY = "game: mbs-blackjack-v6\nfresh: no\nshoe: 9H 7D 6S 2C TD | 8C KD TC\n\n"


def by_key(user: PageUser, house: House, key: str) -> None:
    """Press a key that says something, once the page is up to date, and hear that the table has taken it."""
    user.sees(house.scene())
    expect(user.page.locator("[data-fresh]")).to_have_count(0)
    with user.page.expect_response("**/api/say") as answer:
        user.page.keyboard.press(key)
    assert {"ok": True} == answer.value.json()


def tab_to(user: PageUser, wanted: str) -> None:
    """Go on with Tab until what is wanted has the focus."""
    for _ in range(60):
        user.page.keyboard.press("Tab")
        if user.page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


def test_a_round_without_a_pointer(house: House, visit: Visit) -> None:
    """Login, announcements and decisions, all by keys; the cards are dealt by the Dealer's hands."""
    house.play(READY)
    user = visit()
    user.stands("idle")
    tab_to(user, "[data-test=login]")
    user.page.keyboard.press("Enter")
    user.page.keyboard.type("Dealer")
    tab_to(user, "[name=pin]")
    user.page.keyboard.type(PIN)
    user.page.keyboard.press("Enter")
    expect(user.test("login-form")).to_have_count(0)
    expect(user.test("say", statement="place-bets")).to_be_enabled()
    by_key(user, house, "b")
    house.let_happen("bet 1 main 100", "bet 3 main 50")
    by_key(user, house, "b")
    house.draw("1", "3", "dealer", "1", "3")
    user.stands("offers")
    by_key(user, house, "o")
    by_key(user, house, "c")
    user.stands("player-turn")
    by_key(user, house, "h")
    house.draw("1")
    expect(user.test("say", statement="stand 1")).to_be_visible()
    by_key(user, house, "s")
    expect(user.test("say", statement="stand 3")).to_be_visible()
    tab_to(user, "[data-statement='stand 3']")
    by_key(user, house, "Enter")
    house.draw("dealer", "dealer")
    user.stands("settlement")
    by_key(user, house, "e")
    user.stands("complete")


def test_an_alarm_is_answered_by_number_keys(house: House, visit: Visit) -> None:
    """Numbers choose among the buttons as they stand, and the focus stays within."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor")
    expect(user.test("alarm")).to_be_focused()
    for card, source, target in (("KH", "3", "1"), ("8D", "5", "3"), ("5S", "1", "5")):
        house.move(card, source, target)
    expect(user.test("move", done="true")).to_have_count(3)
    number = user.test("duty", statement="reconstructed").get_attribute("aria-keyshortcuts")
    by_key(user, house, str(number))
    expect(user.test("alarm")).to_have_attribute("data-kind", "alarm")
    user.page.keyboard.press(str(user.test("clear-open").get_attribute("aria-keyshortcuts")))
    expect(user.test("clear").first).to_be_focused()
    with user.page.expect_response("**/api/clear"):
        user.page.keyboard.down("Enter")
    user.page.keyboard.up("Enter")
    expect(user.test("alarm")).to_have_count(0)
    user.stands("initial-deal")


def test_the_focus_is_seen_and_help_is_there(house: House, visit: Visit) -> None:
    """Whatever Tab reaches is marked; the question mark tells the keys; Escape closes it."""
    house.play(READY)
    user = visit(role="dealer")
    user.stands("idle")
    tab_to(user, "[data-statement='place-bets']")
    style = "(name) => getComputedStyle(document.activeElement)[name]"
    assert "none" != user.page.evaluate(style, "outlineStyle")
    assert 2 <= float(user.page.evaluate(style, "outlineWidth").removesuffix("px"))
    user.page.keyboard.press("?")
    dialog = user.page.locator("[role=dialog]")
    expect(dialog).to_contain_text("B")
    user.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_what_comes_next_is_announced(house: House, visit: Visit) -> None:
    """People who hear the page hear where the next card belongs, and that there is an alarm."""
    house.play(f"{READY}place-bets; bet 1 main 100; bet 3 main 50; no-more-bets\n")
    user = visit()
    user.stands("bets-closed")
    house.draw("1")
    expect(user.page.locator("#live[aria-live=polite]")).to_contain_text("Next card to Box 3")
    house.draw("1")
    expect(user.page.locator("[role=alertdialog]")).to_have_accessible_name("Misdealt card")
