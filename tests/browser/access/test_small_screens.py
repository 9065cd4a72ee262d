"""Desk, touch, phone, a zoomed window, bright and dark, larger text: what can be pressed is there and can be read."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from firmware_bridge.shown.advice import texts
from tests.browser.browsing import DESK, PHONE, SIZES, TOUCH, ZOOMED
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, raised
from tests.browser.test_screenshots import SCENES
from tests.places import ROOT

PAGES = ("firmware_bridge/console/static", "hal_sim/harness/static", "hal_sim/training/static")
COLOURED = ("tokens.css", "print.css")
"""The sheets that may name colours: the names themselves, and paper."""
_COLOUR = r"(?<![\w&/])#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\b(?!/)|rgba?\("
_OUTSIDE = """
(chosen) => [...document.querySelectorAll(chosen)]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).visibility === "visible")
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, at]) => at.left < -1 || at.right > innerWidth + 1 || at.top < -1 || at.bottom > innerHeight + 1)
  .map(([one, at]) => `${one.textContent} ${at.left}..${at.right} ${at.top}..${at.bottom}`)
"""
_CUT = """
(chosen) => [...document.querySelectorAll(chosen)]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.textContent} ${one.scrollWidth} > ${one.clientWidth}`)
"""
#: The class and the size of every text that is seen there, outside the picture; signs and arrows are no texts.
_SIZES = """
(chosen) => [...document.querySelectorAll(`${chosen} *`)]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((one) => one.checkVisibility() && !one.closest("svg, [aria-hidden], .icon-button, .unseen"))
  .map((one) => [one.classList[0] || one.tagName, parseFloat(getComputedStyle(one).fontSize)])
"""
LONGEST = {
    "place": "the Dealer", "asked": "Box 7.4", "who": "Pit Supervisor", "device": "Table sensor", "card": "10H",
    "from": "the Dealer", "to": "discards", "wager": "RWS Pairs", "total": "soft 20", "clause": "5.25.1", "why": "",
    "boxes": "1, 2, 3, 4, 5, 6, 7",
}  # fmt: skip
#: Which lines would not be whole on the Table, with a finding beside them.
_LINES_CUT = """
(lines) => {
  const next = document.querySelector("[data-test=advice]");
  const strip = next.closest(".strip");
  const before = next.textContent;
  const cut = lines.filter((line) => {
    next.textContent = `▶ ${line}`;
    const [at, above] = [next.getBoundingClientRect(), strip.getBoundingClientRect()];
    return next.scrollWidth > next.clientWidth + 1 || at.top < above.top - 1 || at.bottom > above.bottom + 1;
  });
  next.textContent = before;
  return cut;
}
"""


def played(house: House) -> None:
    """Put a round in place, in a Player's turn."""
    house.play((SCENES / "mbs-free-bet-v3.deal").read_text(encoding="utf-8"))


def usable(user: PageUser, *chosen: str) -> None:
    """Whether what is chosen is on the screen, and its words are whole."""
    for one in chosen:
        expect(user.page.locator(one).first).to_be_visible()
        assert [] == user.page.evaluate(_OUTSIDE, one)
        assert [] == user.page.evaluate(_CUT, one)
    assert 0 == user.page.evaluate("document.documentElement.scrollWidth - innerWidth")


EACH = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)


@EACH
def test_loud_line_and_commands_never_leave_the_screen(size: tuple[int, int], house: House, visit: Visit) -> None:
    """The next thing to do and all fourteen places of the grid are there, and their words are whole."""
    played(house)
    user = visit(role="dealer", size=size)
    user.stands("player-turn")
    if size == PHONE:
        turn = house.scene()["turn"].split(".")[0]
        expect(user.page.locator(".box-row.is-turn")).to_have_attribute("data-row", turn)
        expect(user.page.locator(".box-row.is-turn")).to_be_in_viewport()
        user.page.locator(".box-row").first.click()
        expect(user.page.locator("[role=dialog]")).to_be_visible()
        user.page.keyboard.press("Escape")
        user.test("all-commands").click()
    else:
        box = user.page.locator(".table-view").bounding_box()
        assert box is not None
        assert 200 <= box["height"]
    usable(user, "[data-test=advice]", ".grid .command:not(.is-empty, .grid-all)", ".header button:not(.menu)")
    expect(user.page.locator(".grid .cell:visible")).to_have_count(14)
    lines = [text["en"].format_map(LONGEST) for key, text in texts().items() if "." not in key]
    assert [] == user.page.evaluate(_LINES_CUT, lines)


@pytest.mark.parametrize("size", [PHONE, ZOOMED], ids=["phone", "zoomed"])
def test_every_page_is_reached_from_the_menu(size: tuple[int, int], visit: Visit) -> None:
    """Where there is no room for tabs they are behind a button, and a press elsewhere shuts the list again."""
    user = visit(role="dealer", size=size)
    user.test("menu").click()
    usable(user, "nav .tab")
    user.page.locator("[data-test=table-name]").click()
    expect(user.page.locator("nav .tab").first).to_be_hidden()
    for route in ("games", "table"):
        user.test("menu").click()
        user.go(route)
    expect(user.test("advice")).to_be_visible()


@EACH
def test_an_alarm_is_answered_at_every_size(size: tuple[int, int], house: House, visit: Visit) -> None:
    """What it is, what to do, every answer and the login are on the screen; somebody logs in there and answers it."""
    house.play(SEVERAL_MOVES)
    user = visit(size=size)
    expect(user.page.locator(".alarm-head h1")).to_have_text("Misdealt card")
    usable(user, "[data-test=alarm-advice]", ".alarm-head h1, .alarm-head button", ".alarm-foot button")
    if size != ZOOMED:
        expect(user.test("step").first).to_be_in_viewport()
    user.test("alarm-login").click()
    user.fill_login("pit-supervisor")
    expect(user.test("alarm-login")).to_contain_text("Supervisor")
    for card, source, target in (("KH", "3", "1"), ("8D", "5", "3"), ("5S", "1", "5")):
        house.move(card, source, target)
    expect(user.test("move", done="true")).to_have_count(3)
    user.press(user.test("duty", statement="reconstructed"))
    user.test("clear-open").click()
    assert user.sent(user.test("clear").first, "clear")["ok"] is True
    expect(user.test("alarm")).to_have_count(0)


@EACH
def test_in_an_alarm_the_next_thing_to_do_is_the_loudest(size: tuple[int, int], house: House, visit: Visit) -> None:
    """24 pixels, 32 on a desk, 22 on a phone; title, what happened, ruling and question are smaller at every size."""
    wanted = {DESK: 32, PHONE: 22}.get(size, 24)
    user = visit(role="pit-manager", size=size)
    for code in ("misdealt-card", "double-draw", "power-failure"):
        raised(house, code)
        expect(user.test("alarm", code=code)).to_be_visible()
        sizes = user.page.evaluate(_SIZES, ".alarm")
        loud = [at for name, at in sizes if name == "alarm-loud"]
        assert [wanted] == loud
        assert [] == [(name, at) for name, at in sizes if name != "alarm-loud" and at >= wanted]
        assert {"alarm-question", "alarm-rule"} & {name for name, _ in sizes}


def test_the_theme_follows_the_system_or_what_was_chosen(house: House, visit: Visit) -> None:
    """Bright where the system is bright; a choice in the help outlives a reload."""
    played(house)
    user = visit(role="dealer")
    html = user.page.locator("html")
    ground = "getComputedStyle(document.body).backgroundColor"
    user.page.emulate_media(color_scheme="light")
    expect(html).to_have_attribute("data-theme", "bright")
    assert "rgb(244, 246, 243)" == user.page.evaluate(ground)
    user.page.emulate_media(color_scheme="dark")
    expect(html).to_have_attribute("data-theme", "dark")
    assert "rgb(10, 22, 18)" == user.page.evaluate(ground)
    user.page.keyboard.press("?")
    user.test("theme", value="bright").click()
    expect(html).to_have_attribute("data-theme", "bright")
    expect(user.test("theme", value="bright")).to_be_focused()
    user.page.reload()
    expect(html).to_have_attribute("data-theme", "bright")


def test_larger_text_is_kept_and_leaves_everything_usable(house: House, visit: Visit) -> None:
    """At 150 % the words are larger, and neither the loud line nor a command leaves the small screen."""
    played(house)
    user = visit(role="dealer", size=TOUCH)
    word = user.page.locator(".grid .command-word").first
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    before = word.evaluate(size)
    user.page.keyboard.press("?")
    user.test("text", value="150").click()
    user.page.keyboard.press("Escape")
    assert 1.5 * before == word.evaluate(size)
    usable(user, "[data-test=advice]", ".grid .command:not(.is-empty)")
    user.page.reload()
    expect(user.page.locator("html")).to_have_attribute("data-text", "150")


def test_colours_are_named_in_one_place() -> None:
    """Every sheet and script of the pages uses the names of tokens.css; only paper has colours of its own."""
    files = [file for page in PAGES for file in (ROOT / page).rglob("*") if file.suffix in {".css", ".js"}]
    screen = {
        file.name: file.read_text(encoding="utf-8").partition("@media print")[0]
        for file in files
        if file.name not in COLOURED and "vendor" not in file.parts
    }
    assert {} == {name: found for name, text in screen.items() if (found := re.findall(_COLOUR, text))}
