"""What happens at the table is seen on every page: soon, the same everywhere, and without a gap."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.browsing import PATIENCE_MS, Chromium, Watched
from tests.browser.conftest import Visit
from tests.browser.page_timing import FIRST, HEAR
from tests.browser.page_user import PageUser
from tests.browser.served_table import House

BURST = 100
READY = "game: mbs-blackjack-v6\nfresh: no\nlimits: none\n\n"
DEALT = """game: mbs-blackjack-v6
fresh: no
shoe: 9H 7D 6S KC TD

place-bets
bet 1 main 100; bet 3 main 50; bet 3 pair 10
no-more-bets
draw 1; draw 3; draw dealer; draw 1
"""

#: Everything that a picture of the table draws, in its order: what it is and what it says, without where and how large.
_DRAWN = """
(picture, sized) => [...picture.querySelectorAll("*")].map((one) => {
  const said = [...one.attributes].filter(({ name }) => sized || /^(class|role|aria-|data-)/.test(name));
  const words = one.childElementCount ? "" : one.textContent;
  return [one.tagName, words, ...said.map(({ name, value }) => `${name}=${value}`)].join(" ");
})
"""


def test_the_first_picture_has_the_cards(house: House, chromium: Chromium) -> None:
    """With nothing in the browser's cache cards lie on the table; `tests.bench.page` prints how soon."""
    house.play(DEALT)
    watched = Watched(chromium.browser, house.address)
    watched.context.add_init_script(FIRST)
    user = PageUser(watched)
    user.open("table")
    assert 0 < user.page.evaluate("() => window.drawn")
    assert [] == watched.close()


def test_a_second_browser_sees_the_same(house: House, visit: Visit) -> None:
    """What is pressed on one page is drawn on another; without a reload."""
    first, second = visit(role="dealer"), visit()
    house.play(READY)
    second.stands("idle")
    first.say("place-bets")
    for user in (first, second):
        user.stands("betting")
        expect(user.test("last-events").locator("li").first).to_contain_text("Bets are opened")


def test_both_browsers_draw_the_same_table(house: House, visit: Visit) -> None:
    """Cards, chips and the next place are the same for everyone, and to the pixel for all who have the commands."""
    house.play(DEALT)
    pictures, sized = [], []
    for role in ("dealer", "pit-supervisor", "surveillance", ""):
        user = visit(role=role)
        user.lies("1", ["9H", "KC"])
        user.lies("3", ["7D"])
        user.lies("dealer", ["6S"])
        picture = user.page.locator(".table-picture")
        pictures.append(picture.evaluate(_DRAWN, False))
        sized.append(picture.evaluate(_DRAWN, True))
    assert [pictures[0]] * 4 == pictures
    assert sized[0] == sized[1]


def test_no_event_is_lost_in_a_burst(house: House, visit: Visit) -> None:
    """A page hears every event, in order, much faster than a table can bring them about."""
    house.play(f"{READY}place-bets\n")
    user = visit()
    user.stands("betting")
    user.page.evaluate(HEAR, [BURST, PATIENCE_MS])
    chips = [("Chips", {"place": [1 + turn % 7, 0, 1], "kind": "main", "change": 2500}) for turn in range(BURST)]
    numbers = house.table.device("hub").events(chips)
    heard = user.page.evaluate("() => window.all")
    assert [("hub", number) for number in numbers] == [(one["device"], one["number"]) for one in heard]
    assert sorted(one["n"] for one in heard) == [one["n"] for one in heard]
    assert "375.00" == house.scene()["boxes"][0]["mains"][0]["amount"]


def test_a_console_that_was_killed_comes_back(house: House, visit: Visit) -> None:
    """The page says that it is cut off, and hears what it has missed when the console is there again."""
    house.play(f"{READY}place-bets\n")
    user = visit()
    user.stands("betting")
    user.watched.allow("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET")
    house.console.kill()
    expect(user.test("banner", kind="lost")).to_contain_text("This view is out of date. Continue with the panel.")
    house.let_happen("bet 2 main 25", "no-more-bets")
    house.console.start()
    user.stands("bets-closed")
    user.test("banner").wait_for(state="detached")
