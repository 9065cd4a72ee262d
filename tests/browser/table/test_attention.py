"""What draws attention to a table: its name everywhere, the title and the sign of the tab, the tone of an alarm."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.browsing import PATIENCE_MS, PHONE, TOUCH
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, TEXTS

NAME = "SIM 1"
READY = "game: mbs-blackjack-v6\nfresh: no\n\n"
#: Tell the console of the browser each time the tone changes.
_TELL_TONE = """
new MutationObserver(() => console.log(`tone ${document.body?.dataset.tone}`))
  .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-tone"] });
"""


def icon(user: PageUser) -> str:
    """The sign of the tab."""
    return str(user.page.locator("link[rel=icon]").get_attribute("href"))


def test_the_name_of_the_table_is_in_header_title_and_alarm(house: House, visit: Visit) -> None:
    """The tab tells which table, and in an alarm which alarm; its sign is marked until the alarm is over."""
    house.play(READY)
    user = visit(role="dealer")
    expect(user.test("table-name")).to_have_text(NAME)
    expect(user.page).to_have_title(f"{NAME} · Table · truedeal")
    assert "/static/style/icon.svg" == icon(user)
    house.play(SEVERAL_MOVES)
    expect(user.test("alarm-table")).to_have_text(NAME)
    title = user.get(TEXTS)["code.misdealt-card"]["en"]
    expect(user.page).to_have_title(f"⚠ {NAME}: {title} · truedeal")
    assert "/static/style/icon-alarm.svg" == icon(user)
    house.play(READY)
    expect(user.page).to_have_title(f"{NAME} · Table · truedeal")
    assert "/static/style/icon.svg" == icon(user)


def test_history_is_read_while_an_alarm_is_open(house: House, visit: Visit) -> None:
    """Show the table, then the tab of History: the Alarm is a strip there, and leads back to itself."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor", size=TOUCH)
    expect(user.test("alarm-advice")).to_be_visible()
    user.test("look-behind").tap()
    expect(user.test("advice")).to_be_visible()
    user.page.locator("nav .tab[data-route=history]").tap()
    expect(user.test("round").first).to_be_visible()
    expect(user.test("alarm")).to_have_class(re.compile("is-small"))
    user.test("look-behind").tap()
    expect(user.test("alarm-advice")).to_be_visible()
    expect(user.page.locator("#page[data-route=table]")).to_be_attached()


def untouched(user: PageUser) -> PageUser:
    """A second page of this user, opened and not looked at before its tone is blocked.

    Playwright looks at a page as somebody who touches it, and a page that was touched may sound.
    """
    other = PageUser(user.watched)
    other.page.add_init_script(_TELL_TONE)
    with other.page.expect_console_message(lambda said: said.text == "tone blocked", timeout=PATIENCE_MS):
        other.page.goto(f"{user.watched.address}/#/table")
    return other


def test_the_tone_sounds_is_turned_down_and_never_off(house: House, visit: Visit) -> None:
    """A browser that blocks sound says so in the Alarm; after a tap it sounds, loud, middle, low, and loud again."""
    house.play(SEVERAL_MOVES)
    user = untouched(visit(role="pit-supervisor", size=TOUCH))
    body, control = user.page.locator("body"), user.test("tone")
    expect(body).to_have_attribute("data-tone", "blocked")
    expect(control).to_contain_text("Sound is blocked: tap")
    control.click()
    expect(body).to_have_attribute("data-tone", "sounding")
    for level in ("loud", "middle", "low", "loud", "middle"):
        expect(control).to_have_attribute("data-level", level)
        expect(body).to_have_attribute("data-tone", "sounding")
        control.click()
    expect(control).to_have_attribute("data-level", "low")
    user.page.reload()
    expect(user.test("tone")).to_have_attribute("data-level", "low")
    house.play(READY)
    expect(user.page.locator("body[data-tone]")).to_have_count(0)


def test_who_only_reads_hears_no_tone(house: House, visit: Visit) -> None:
    """Surveillance sees the alarm and is not asked for a sound; nor is a trainee."""
    house.play(SEVERAL_MOVES)
    user = visit(role="surveillance")
    expect(user.test("alarm")).to_be_visible()
    expect(user.page.locator("body[data-tone]")).to_have_count(0)
    expect(user.test("tone")).to_be_hidden()


def test_anybody_looks_behind_the_alarm(house: House, visit: Visit) -> None:
    """A supervisor reads the history while the alarm is a red strip above it; one press leads back to it."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor", route="history", size=PHONE)
    expect(user.test("history")).to_be_visible()
    strip = user.test("alarm")
    expect(strip).to_contain_text("SIM 1")
    expect(strip).to_contain_text("Misdealt card")
    header, above = user.page.locator(".header").bounding_box(), strip.bounding_box()
    assert header is not None
    assert above is not None
    assert header["y"] >= above["y"] + above["height"]
    user.test("look-behind").click()
    expect(user.page.locator("#page[data-route=table]")).to_be_attached()
    expect(user.page.locator(".alarm-foot button").first).to_be_visible()
    assert user.page.evaluate("document.getElementById('shell').inert")


def test_the_header_has_room_on_a_small_screen(house: House, visit: Visit) -> None:
    """At 800 pixels with somebody logged in the help, the game and every page can be reached."""
    house.play(READY)
    user = visit(role="pit-supervisor", size=TOUCH)
    expect(user.test("logout")).to_be_visible()
    for reached in ("header .icon-button:not(.menu)", "[data-test=logout]", "nav [data-route=games]"):
        box = user.page.locator(reached).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= TOUCH[0]
    game = user.page.locator(".header-game")
    assert game.evaluate("node => node.scrollWidth <= node.clientWidth")
    expect(game).to_contain_text("Blackjack (MBS)")
