"""No serious finding of axe: Table and Alarm at every size, in both languages and themes; every other page once."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.axe import grave
from tests.browser.browsing import DESK, PHONE, TOUCH, ZOOMED
from tests.browser.conftest import Visit
from tests.browser.harness_user import Hands
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, raised

Theme = Literal["light", "dark"]
CROSS: dict[tuple[int, int], list[tuple[str, Theme]]] = {
    TOUCH: [("en", "dark"), ("en", "light"), ("zh", "light"), ("zh", "dark")],
    DESK: [("zh", "dark"), ("en", "light")],
    PHONE: [("en", "light"), ("zh", "dark")],
    ZOOMED: [("zh", "dark"), ("en", "light")],
}
"""Which languages and themes are looked at in each size."""
DEALT = """game: mbs-free-bet-v3
shoe: 9C | 8H TD 6S 8C 7D | 3S

place-bets
bet 2 main 100; bet 2 pot-of-gold 5; bet 2 busted 10
bet 4 main 40; bet 4/2 main 25
no-more-bets
draw burn
draw 2; draw 4; draw dealer; draw 2; draw 4
offer surrender; close surrender
free-split 2
draw 2.1
"""


def resize(user: PageUser, size: tuple[int, int]) -> None:
    """Give the window another size."""
    user.page.set_viewport_size({"width": size[0], "height": size[1]})


def looked_at(user: PageUser, lang: str, theme: Theme) -> list[str]:
    """What axe finds in a language and a theme."""
    user.page.emulate_media(color_scheme=theme)
    html, button = user.page.locator("html"), user.page.locator(f"[data-lang={lang}]:visible")
    expect(html).to_have_attribute("data-theme", "bright" if theme == "light" else "dark")
    if button.count():
        button.first.click()
    expect(html).to_have_attribute("lang", "zh-Hans" if lang == "zh" else "en")
    return grave(user.page)


def everywhere(user: PageUser) -> dict[tuple[tuple[int, int], str, Theme], list[str]]:
    """What axe finds at every size."""
    found = {}
    for size, looks in CROSS.items():
        resize(user, size)
        for lang, theme in looks:
            found[size, lang, theme] = looked_at(user, lang, theme)
    return {key: wrong for key, wrong in found.items() if wrong}


def test_every_page(house: House, visit: Visit) -> None:
    """Table in mid-round; History with a round, Health, Games and the login, each at another size."""
    house.play(DEALT)
    user = visit(role="pit-manager")
    user.stands("player-turn")
    assert {} == everywhere(user)
    routes: list[tuple[str, tuple[int, int], str, Theme]] = [
        ("history", PHONE, "en", "light"), ("health", TOUCH, "zh", "light"), ("games", DESK, "en", "light"),
        ("history", DESK, "zh", "dark"), ("health", ZOOMED, "en", "dark"), ("games", PHONE, "zh", "dark"),
    ]  # fmt: skip
    for route, size, lang, theme in routes:
        resize(user, size)
        user.open(route)
        user.page.wait_for_load_state("networkidle")
        assert [] == looked_at(user, lang, theme), (route, size)
    resize(user, TOUCH)
    user.page.locator("[data-lang=en]").click()
    user.logout()
    user.test("login").click()
    expect(user.test("login-form")).to_be_visible()
    assert [] == grave(user.page)


def test_the_alarm(house: House, visit: Visit) -> None:
    """With moves to be made, for a person who acts; and for one who only reads or has not logged in."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor")
    expect(user.test("alarm", code="misdealt-card")).to_be_visible()
    assert {} == everywhere(user)
    for role, size in (("", PHONE), ("surveillance", TOUCH)):
        other = visit(role=role, size=size)
        expect(other.test("alarm", code="misdealt-card")).to_be_visible()
        assert [] == grave(other.page)
    resize(user, TOUCH)
    user.open("health")
    expect(user.test("health")).to_be_visible()
    assert [] == grave(user.page)


@pytest.mark.parametrize("code", ["double-draw", "unreadable-card", "foreign-card"])
def test_what_an_alarm_asks(code: str, house: House, visit: Visit) -> None:
    """Answers, the naming of a card, the login within the Alarm, reasons to clear."""
    raised(house, code)
    user = visit(size=TOUCH)
    user.test("alarm-login").click()
    assert [] == grave(user.page)
    user.fill_login("pit-manager")
    expect(user.test("alarm").locator("button.command:enabled").first).to_be_visible()
    assert [] == grave(user.page)
    for panel in ("answer-card", "clear-open", "own"):
        if user.test(panel).count():
            user.test(panel).click()
            assert [] == grave(user.page)


@pytest.mark.parametrize("size", [TOUCH, DESK], ids=["touch", "user"])
def test_the_harness(size: tuple[int, int], hands: Hands) -> None:
    """All of its parts, in both languages."""
    resize(hands.user, size)
    hands.page.wait_for_load_state("load")
    expect(hands.user.test("shoe")).to_be_visible()
    assert [] == looked_at(hands.user, "en", "dark")
    assert [] == looked_at(hands.user, "zh", "light")


def test_the_page_that_is_open_is_marked_in_forced_colours(house: House, visit: Visit) -> None:
    """Where the system takes the colours away, a line under its name tells which page this is."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    user = visit(role="dealer")
    user.page.emulate_media(forced_colors="active")
    lined = user.page.locator("nav .tab").evaluate_all(
        "(tabs) => tabs.filter((one) => getComputedStyle(one).textDecorationLine === 'underline')"
        ".map((one) => one.dataset.route)"
    )
    assert ["table"] == lined
