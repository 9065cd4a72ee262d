"""Logging in at the table's own screen: by the list of those on duty, by a badge that types, moved from elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.served_table import PIN, House, name_of
from tests.browser.table.test_alarms import SEVERAL_MOVES

READY = "game: mbs-blackjack-v6\nfresh: no\n\n"


@pytest.fixture(autouse=True)
def _a_table_that_waits(house: House) -> None:
    """Put a table in place at which nothing is wrong."""
    house.play(READY)


def test_who_is_on_duty_taps_their_name_and_types_the_pin(visit: Visit) -> None:
    """Six taps: the button to log in, the initials, four digits, and Enter is the seventh."""
    visit(role="pit-supervisor")
    user = visit(size=TOUCH)
    user.watched.allow("status of 403")
    user.test("login").click()
    person = user.test("on-duty", number=name_of("pit-supervisor"))
    expect(person).to_contain_text("PS")
    person.click()
    form = user.test("login-form")
    for digit in PIN:
        form.get_by_role("button", name=digit, exact=True).click()
    user.test("login-enter").click()
    user.test("login-move").click()
    expect(user.test("logout")).to_contain_text(name_of("pit-supervisor"))


_CLOCKED = """
() => {
  window.pressed = [];
  document.addEventListener("click", () => window.pressed.push(performance.now()), true);
  const seen = new MutationObserver(() => {
    if (!document.querySelector("[data-test=logout]") || window.inside) return;
    window.inside = performance.now();
    seen.disconnect();
  });
  seen.observe(document.body, { childList: true, subtree: true });
}
"""
BUSY_MS = 60_000
"""What a machine that is busy with a dozen other things may take; a quiet one takes a few hundred milliseconds."""


def test_logging_in_takes_seven_presses_and_hardly_a_wait(
    visit: Visit, record_testsuite_property: Callable[..., None]
) -> None:
    """Button, name, four digits, Enter: a hand needs no five seconds for that, and the page adds what is recorded."""
    visit(role="engineer").logout()
    user = visit(size=TOUCH)
    user.page.evaluate(_CLOCKED)
    user.test("login").tap()
    user.test("on-duty", number=name_of("engineer")).tap()
    form = user.test("login-form")
    for digit in PIN:
        form.get_by_role("button", name=digit, exact=True).tap()
    user.test("login-enter").tap()
    expect(user.test("logout")).to_contain_text(name_of("engineer"))
    pressed, inside = user.page.evaluate("() => [window.pressed, window.inside]")
    assert 7 == len(pressed)
    waited = inside - pressed[-1]
    record_testsuite_property("milliseconds from the last press until somebody is logged in", round(waited))
    assert 0 < waited < BUSY_MS


def test_a_name_is_typed_in_any_case(visit: Visit) -> None:
    """The touch keyboard begins with small letters, and that is enough."""
    user = visit()
    user.test("login").click()
    user.test("login-form").locator("[name=name]").fill("engineer")
    user.test("login-form").locator("[name=pin]").fill(PIN)
    user.test("login-enter").click()
    expect(user.test("logout")).to_contain_text(name_of("engineer"))


def test_a_login_elsewhere_is_named_and_moved_only_when_asked(visit: Visit) -> None:
    """The other page stays logged in until somebody moves the login; then it is told why it ended."""
    other = visit(role="pit-manager")
    user = visit()
    user.watched.allow("status of 403")
    other.watched.allow("status of 401")
    user.test("login").click()
    form = user.test("login-form")
    form.locator("[name=name]").fill(name_of("pit-manager"))
    form.locator("[name=pin]").fill(PIN)
    user.test("login-enter").click()
    expect(user.page.locator(".login-said")).to_contain_text("the console's own screen")
    expect(other.test("logout")).to_be_visible()
    user.test("login-move").click()
    expect(user.test("logout")).to_contain_text(name_of("pit-manager"))
    expect(other.test("toast")).to_contain_text("logged in elsewhere")


def test_a_badge_types_a_number_and_no_key_of_it_reaches_the_page(house: House, visit: Visit) -> None:
    """From its sign to Enter every key is swallowed, in an alarm too; the PIN is asked for."""
    user = visit(role="dealer")
    user.say("place-bets")
    for key in ["%", *"Surveillance", "Enter"]:
        user.page.keyboard.press(key)
    form = user.test("login-form")
    expect(form.locator("[name=name]")).to_have_value("Surveillance")
    expect(form.locator("[name=pin]")).to_be_focused()
    assert "betting" == house.scene()["state"]
    form.locator("[name=pin]").fill(PIN)
    user.page.keyboard.press("Enter")
    expect(user.test("logout")).to_contain_text("Surveillance")


def test_a_badge_is_read_in_an_alarm(house: House, visit: Visit) -> None:
    """The login opens within the Alarm with the name on it; no key of the badge chooses an answer."""
    house.play(SEVERAL_MOVES)
    user = visit(role="dealer", size=TOUCH)
    expect(user.test("alarm")).to_be_visible()
    before = house.scene()["n"]
    for key in ["%", *"Pit-Supervisor 1 2", "Enter"]:
        user.page.keyboard.press(key)
    for key in ["%", *name_of("pit-supervisor"), "Enter"]:
        user.page.keyboard.press(key)
    form = user.test("login-form")
    expect(form.locator("[name=name]")).to_have_value(name_of("pit-supervisor"))
    assert before == house.scene()["n"]
    form.locator("[name=pin]").fill(PIN)
    user.page.keyboard.press("Enter")
    expect(user.test("alarm-login")).to_contain_text("Supervisor")


def test_logging_in_as_another_in_an_alarm_is_no_logout(house: House, visit: Visit) -> None:
    """The page says who is there now, and nothing of an end of the session before."""
    house.play(SEVERAL_MOVES)
    user = visit(role="dealer")
    user.test("alarm-login").click()
    user.fill_login("pit-supervisor")
    expect(user.test("alarm-login")).to_contain_text("Supervisor")
    expect(user.test("toast")).to_have_count(0)
