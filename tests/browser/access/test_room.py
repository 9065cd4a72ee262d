"""Small screens: nothing lies over a button, cards that matter can be seen, what does not fit has a row of its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.alarm_scenarios import cause
from tests.browser.browsing import PHONE, SIZES, TOUCH, ZOOMED
from tests.browser.conftest import Visit
from tests.browser.harness_user import Hands
from tests.browser.served_table import House
from tests.browser.table.test_alarms import raised

#: Which buttons of the foot lie under a message.
_UNDER = """
() => {
  const toasts = [...document.querySelectorAll(".toast")].map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll(".alarm-foot button, .bar button")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => {
      const at = one.getBoundingClientRect();
      const beside = (over) => over.right <= at.left || over.left >= at.right;
      return toasts.some((over) => over.bottom > at.top && over.top < at.bottom && !beside(over));
    })
    .map((one) => one.textContent);
}
"""
_TOAST = 'async () => (await import("/static/app.js")).app.toast("a message that somebody has to read", "bad")'
STOOD = """game: mbs-blackjack-v6
fresh: no
shoe: TH 9H 8D 5D 6C KC 2D

place-bets
bet 1 main 100; bet 2 main 100; bet 3 main 50
no-more-bets
draw 1; draw 2; draw 3; draw dealer; draw 1; draw 2; draw 3
offer surrender; close surrender
stand 1
"""
SPLIT = """game: mbs-blackjack-v6
fresh: no
shoe: 8H 9H 8D 5D 8C KC 2D 3S TD

place-bets
bet 1 main 100; bet 2 main 100; bet 3 main 50
no-more-bets
draw 1; draw 2; draw 3; draw dealer; draw 1; draw 2; draw 3
offer surrender; close surrender
split 1
draw 1.1
"""
CLAIMED = """game: mbs-blackjack-v6
fresh: no
shoe: TH KH AS KC AD

place-bets
seat 1/1 Ann; seat 2/1 Bob
bet 1 main 100 by Ann; bet 1 pair 10 by Ann; bet 2 main 100 by Bob
no-more-bets
draw 1; draw 2; draw dealer; draw 1; draw 2
offer insurance
insure 1 50 by Bob
insure 1 50 by Cho
"""
EACH = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)


@EACH
def test_a_message_covers_no_button(size: tuple[int, int], house: House, visit: Visit) -> None:
    """Neither a command of the Table nor an answer of the Alarm, also of an Alarm that comes while it stands there."""
    house.play(STOOD)
    user = visit(role="dealer", size=size)
    user.stands("player-turn")
    user.page.evaluate(_TOAST)
    assert [] == user.page.evaluate(_UNDER)
    house.let_happen("pull 2")
    expect(user.test("alarm")).to_be_visible()
    user.sees(house.scene())
    assert [] == user.page.evaluate(_UNDER)
    expect(user.test("toast")).to_be_in_viewport()


@pytest.mark.parametrize("position", [STOOD, SPLIT], ids=["stood", "split"])
@pytest.mark.parametrize("size", [TOUCH, ZOOMED], ids=["touch", "zoomed"])
def test_in_an_alarm_the_cards_of_every_box_can_be_seen(
    size: tuple[int, int], position: str, house: House, visit: Visit
) -> None:
    """They are compared with the table: where a box has no room for both, its total is left out and not its cards."""
    house.play(position)
    house.let_happen("power-cut", "power-on")
    user = visit(role="dealer", size=size)
    user.sees(house.scene())
    cards = user.page.locator(".alarm g[data-box='1'] .card[data-card]")
    assert sum(len(hand["cards"]) for hand in house.scene()["boxes"][0]["hands"]) == cards.count()
    for card in cards.all():
        at = card.bounding_box()
        assert at is not None
        assert at["height"] >= 17


def test_the_tab_of_the_turn_lies_over_the_dealers_frame(house: House, visit: Visit) -> None:
    """The words below the box in turn are drawn last, whatever else reaches there."""
    house.play(STOOD)
    user = visit(role="dealer", size=TOUCH)
    expect(user.page.locator(".table-picture > g:last-child .turn-tab")).to_have_count(1)
    expect(user.page.locator(".table-picture .turn-tab")).to_contain_text("TURN")


@pytest.mark.parametrize("size", [TOUCH, PHONE], ids=["touch", "phone"])
def test_of_two_who_insure_the_same_hand_one_gets_the_chips_back(
    size: tuple[int, int], house: House, visit: Visit
) -> None:
    """MBS 3.27.4: while both lie there the amount can be read; then the line says so, and the picture has the other."""
    house.play(CLAIMED)
    user = visit(role="dealer", size=size)
    user.sees(house.scene())
    if size == TOUCH:
        amount = user.page.locator("g[data-box='1'] [data-wager=insurance] .wager-amount")
        assert amount.evaluate("one => parseFloat(one.getAttribute('font-size'))") >= 14
        user.place("1").click()
        expect(user.test("claim")).to_contain_text("Bob comes first")
        user.page.keyboard.press("Escape")
    user.say("close insurance")
    expect(user.test("after")).to_be_visible()
    expect(user.test("after")).to_have_text("Return wagers: Box 1")
    if size == TOUCH:
        expect(user.page.locator("g[data-box='1'] [data-wager=insurance]")).to_have_attribute("data-amount", "50.00")
    else:
        expect(user.page.locator(".box-row[data-row='1'] .row-wagers")).to_have_text("100 · P 10 · I 50")


@EACH
def test_once_the_name_is_tapped_the_pin_and_its_keys_are_on_the_screen(
    size: tuple[int, int], house: House, visit: Visit
) -> None:
    """Nothing is scrolled for; a press on the name brings the list back."""
    house.play(STOOD)
    user = visit(size=size)
    user.test("login").first.click()
    user.test("on-duty").first.click()
    form = user.test("login-form")
    for digit in "0123456789":
        expect(form.get_by_role("button", name=digit, exact=True)).to_be_in_viewport(ratio=0.95)
    expect(form.locator("[name=pin]")).to_be_in_viewport(ratio=0.95)
    expect(user.test("login-enter")).to_be_in_viewport(ratio=0.95)
    form.locator("[name=name]").click()
    expect(user.test("on-duty").first).to_be_visible()


def test_a_past_round_on_a_phone_can_be_gone_through(house: House, visit: Visit) -> None:
    """Slider, count and every button of the steps are on the screen, and what a step brought is whole."""
    found = cause("foreign-card")
    house.set_up(found.scenario)
    house.go_on(found.scenario, found.statements)
    house.clear()
    user = visit(role="pit-manager", route="history", size=PHONE)
    user.test("round").first.click()
    expect(user.test("step-count")).to_be_in_viewport(ratio=1)
    expect(user.test("scrubber")).to_be_in_viewport(ratio=1)
    for one in user.page.locator(".scrub-button").all():
        expect(one).to_be_in_viewport(ratio=1)
    user.page.keyboard.press("End")
    brought = user.page.locator(".past-step-brought .badge")
    expect(brought.first).to_contain_text("Foreign card (5.1.1): Round void")
    assert 0 == user.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert brought.evaluate_all("(all) => all.every((one) => one.getBoundingClientRect().right <= innerWidth)")


@pytest.mark.parametrize("size", [TOUCH, ZOOMED], ids=["touch", "zoomed"])
def test_the_line_of_the_harness_covers_no_card(size: tuple[int, int], hands: Hands) -> None:
    """On a small screen it stands above the picture."""
    hands.page.set_viewport_size({"width": size[0], "height": size[1]})
    line = hands.page.locator(".h-status").bounding_box()
    picture = hands.page.locator(".h-cloth .table-view").bounding_box()
    assert line is not None
    assert picture is not None
    assert line["y"] + line["height"] <= picture["y"] + 1


def test_the_house_is_asked_with_one_button_for_each_answer(house: House, visit: Visit) -> None:
    """MBS 6.1: to go on is the approval; the Alarm has no third button that says the same."""
    raised(house, "insurance-not-offered")
    user = visit(role="shift-manager", size=TOUCH)
    expect(user.test("answer", option="continue")).to_be_enabled()
    expect(user.test("answer", option="void")).to_be_enabled()
    expect(user.test("alarm").locator("[data-statement^=approve]")).to_have_count(0)
