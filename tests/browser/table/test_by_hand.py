"""What a Dealer says beside the grid: insurance of another amount, a statement typed on the screen, a report."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.access.test_touch import fits
from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_dealer import CLOSED, DEALT, loud

_EXAMPLE = re.compile(r"such as: (.+)$")


def insured(house: House) -> dict[int, str]:
    """The amount of insurance by box."""
    return {box["number"]: one["amount"] for box in house.scene()["boxes"] for one in box["insurance"]}


def types(user: PageUser, text: str) -> None:
    """Type with the keys on the screen."""
    for sign in text:
        name = "Space" if sign == " " else sign
        user.page.locator(".keypad").get_by_role("button", name=name, exact=True).click()


def test_insurance_of_another_amount_and_for_another_player(house: House, visit: Visit) -> None:
    """By a long press on the pill, or from the details of the box; too much is refused there, with its clause."""
    house.play(f"{DEALT}offer insurance\n")
    user = visit(role="dealer", size=TOUCH)
    user.sees(house.scene())
    user.page.locator(".pill[data-box='2'] .pill-say").click(button="right")
    user.test("insure-amount").fill("60")
    with user.page.expect_response("**/api/say"):
        user.test("insure-say").click()
    expect(user.test("insure-refused")).to_contain_text("Refused")
    user.test("insure-amount").fill("")
    types(user, "30")
    user.press(user.test("insure-say"))
    user.sees(house.scene())
    assert {2: "30.00"} == insured(house)
    user.page.locator("g[data-box='3']").click()
    user.test("insure-other").click()
    user.test("insure-amount").fill("20")
    user.test("insure-name").focus()
    types(user, "ann")
    user.press(user.test("insure-say"))
    assert {2: "30.00", 3: "20.00"} == insured(house)


def test_a_statement_is_typed_on_the_screen(house: House, visit: Visit) -> None:
    """The example is taken as it stands; a refusal stands above the keys, and lists no words."""
    house.play(CLOSED)
    user = visit(role="dealer", size=TOUCH)
    user.test("more").click()
    user.test("say-open").click()
    field = user.test("say-field")
    example = _EXAMPLE.search(user.page.locator("label[for=say-field]").inner_text())
    assert example is not None
    user.watched.allow("status of 400")
    types(user, "draw=")
    with user.page.expect_response("**/api/say"):
        user.test("say-send").click()
    refused = user.test("say-refused")
    expect(refused).to_contain_text("Refused")
    expect(refused).not_to_contain_text("expected one of")
    assert user.page.evaluate(
        "() => document.querySelector('[data-test=say-refused]').getBoundingClientRect().bottom"
        " <= document.querySelector('.keypad').getBoundingClientRect().top"
    )
    expect(user.page.locator("#toasts .toast")).to_have_count(0)
    field.fill("")
    types(user, example[1])
    assert example[1] == field.input_value()
    user.press(user.test("say-send"))
    expect(field).to_have_count(0)


def test_a_report_can_be_thought_over(house: House, visit: Visit) -> None:
    """From the place there is a way back to the list of irregularities."""
    house.play(CLOSED)
    user = visit(role="dealer", size=TOUCH)
    user.test("more").click()
    user.test("report").click()
    user.test("report-code", value="missing-burn").click()
    expect(user.test("report-place", value="dealer")).to_be_visible()
    user.test("report-back").click()
    expect(user.test("report-code", value="missing-burn")).to_be_visible()
    expect(user.test("report-place")).to_have_count(0)


def test_bets_wait_for_the_shuffle(house: House, visit: Visit) -> None:
    """Cards that were loaded as they are: the line says to shuffle, and Bets says so too instead of opening them."""
    stands = "; ".join(f"stand {box}" for box in range(1, 8) if box != 4)
    house.play(f"{CLOSED}{stands}; draw dealer\nsettle\nload\n")
    user = visit(role="dealer", size=TOUCH)
    user.sees(house.scene())
    if user.test("alarm").count():
        user.test("look-behind").click()
    assert "Shuffle and load first" == loud(user)
    expect(user.page.locator(".cell-bets")).to_have_attribute("data-look", "dim")
    user.page.locator(".cell-bets").dispatch_event("click")
    expect(user.page.locator("#toasts")).to_contain_text("Shuffle and load first")
    assert "betting" != house.scene()["state"]
    house.let_happen("shuffle machine", "load")
    house.clear()
    user.sees(house.scene())
    assert "Open bets" == loud(user)
    expect(user.page.locator(".cell-bets")).to_have_attribute("data-look", "loud")
    fits(user)
