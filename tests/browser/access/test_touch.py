"""The small screen at the table: only the course of an alarm scrolls, buttons fit a finger, texts can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gamecore.rules.games import GAMES
from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, raised
from tests.browser.test_screenshots import SCENES

FINGER = 44
LEAST = 14
"""Pixels of the smallest letters, at 100 %."""
_SCROLLED = """
() => [...document.querySelectorAll("html, body, #page, #page *, .alarm, .alarm *")]
  .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.getClientRects().length)
  .filter((one) => one.scrollHeight > one.clientHeight + 1 && !one.matches(".alarm-side"))
  .map((one) => `${one.tagName} ${one.className} ${one.scrollHeight} > ${one.clientHeight}`)
"""
_BEYOND = (
    "() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
)
_SMALL = """
(least) => [...document.querySelectorAll("button, nav a, [role=button]")]
  .filter((one) => !one.closest("[inert]") && one.checkVisibility())
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, at]) => at.width && (at.width < least || at.height < least))
  .map(([one, at]) => `${one.textContent || one.getAttribute("aria-label")} ${at.width}x${at.height}`)
"""


#: Every text that is seen, smaller than that many pixels; the face of a card is a picture.
_TINY = """
(least) => [...document.querySelectorAll("body *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((one) => one.checkVisibility() && !one.closest(".unseen, [inert], title, .card, [aria-live]"))
  .map((one) => [one, (one.getScreenCTM ? one.getScreenCTM().a : 1) * parseFloat(getComputedStyle(one).fontSize)])
  .filter(([, size]) => size < least - 0.1)
  .map(([one, size]) => `${one.getAttribute("class")} ${one.textContent} ${size}`)
"""


def fits(user: PageUser) -> None:
    """Whether everything is on the screen, and large enough."""
    assert [] == user.page.evaluate(_SCROLLED)
    assert [0, 0] == user.page.evaluate(_BEYOND)
    assert [] == user.page.evaluate(_SMALL, FINGER)
    assert [] == user.page.evaluate(_TINY, LEAST)


@pytest.mark.parametrize("game", GAMES)
def test_the_table(game: str, house: House, visit: Visit) -> None:
    """In mid-round, with splits, side wagers and several Players on a box."""
    house.play((SCENES / f"{game}.deal").read_text(encoding="utf-8"))
    user = visit(role="dealer", size=TOUCH)
    user.stands("player-turn")
    user.sees(house.scene())
    fits(user)


def test_the_alarm_with_moves(house: House, visit: Visit) -> None:
    """Three moves, their buttons, and the login within the Alarm."""
    house.play(SEVERAL_MOVES)
    user = visit(size=TOUCH)
    expect(user.test("move")).to_have_count(3)
    fits(user)
    user.test("alarm-login").click()
    fits(user)


@pytest.mark.parametrize("code", ["double-draw", "foreign-card", "power-failure", "unreadable-card"])
def test_what_an_alarm_asks(code: str, house: House, visit: Visit) -> None:
    """Questions with their answers, and what only waits to be cleared."""
    raised(house, code)
    user = visit(role="pit-manager", size=TOUCH)
    expect(user.test("alarm", code=code)).to_be_visible()
    fits(user)


def test_a_finger_holds_what_cannot_be_undone(house: House, visit: Visit) -> None:
    """A finger that rests on the button until the ring is full says it; a tap says nothing."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor", size=TOUCH)
    button = user.test("duty", statement="cannot-reconstruct")
    button.tap()
    expect(user.test("toast")).to_contain_text("Hold the button longer")
    box = button.bounding_box()
    assert box is not None
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = user.watched.context.new_cdp_session(user.page)
    with user.page.expect_response("**/api/say") as answer:
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert {"ok": True} == answer.value.json()
    expect(user.test("wait", wait="approval pit-manager")).to_be_visible()
