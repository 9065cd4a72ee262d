"""What happens at the table is seen on every page: soon, the same everywhere, and without a gap."""

from __future__ import annotations

from statistics import median

from tests.browser.browsing import PATIENCE_MS, Chromium, Watched
from tests.browser.conftest import Visit
from tests.browser.page_timing import FIRST, HEAR
from tests.browser.page_user import Desk
from tests.browser.served_table import House

WITHIN_MS = 1000
"""In which a second browser sees what a first one has done."""
SLOWEST_MS = 5000
"""In which the first picture must be there on a busy machine; `tests.bench.page` prints what it takes."""
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

#: Note when the page shows another state of the round.
_NOTE_STATES = """
() => {
  window.states = {};
  const look = () => {
    const state = document.querySelector("[data-test=state]")?.dataset.state;
    if (state && !(state in window.states)) window.states[state] = Date.now();
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}
"""


def test_the_first_picture_is_soon_there(house: House, chromium: Chromium) -> None:
    """From the start of the navigation to cards on the table, with nothing in the browser's cache."""
    house.play(DEALT)
    watched = Watched(chromium.browser, house.address)
    watched.context.add_init_script(FIRST)
    desk = Desk(watched)
    desk.open("table")
    assert SLOWEST_MS > desk.page.evaluate("() => window.drawn")
    assert [] == watched.close()


def test_a_second_browser_sees_the_same_within_a_second(house: House, visit: Visit) -> None:
    """What is pressed on one page is drawn on another before a second is over."""
    took = []
    first, second = visit(role="dealer"), visit()
    for _ in range(3):
        house.play(READY)
        second.stands("idle")
        second.page.evaluate(_NOTE_STATES)
        pressed = first.page.evaluate("Date.now()")
        first.say("place-bets")
        for desk in (first, second):
            desk.stands("betting")
        took.append(second.page.evaluate("window.states.betting") - pressed)
    assert WITHIN_MS > median(took)


def test_both_browsers_draw_the_same_table(house: House, visit: Visit) -> None:
    """Cards, chips and the next place are the same, whoever looks."""
    house.play(DEALT)
    pictures = []
    for desk in (visit(role="dealer"), visit(role="surveillance"), visit()):
        desk.lies("1", ["9H", "KC"])
        desk.lies("3", ["7D"])
        desk.lies("dealer", ["6S"])
        pictures.append(desk.page.locator(".table-picture").inner_html())
    assert [pictures[0]] * 3 == pictures


def test_no_event_is_lost_in_a_burst(house: House, visit: Visit) -> None:
    """A page hears every event, in order, much faster than a table can bring them about."""
    house.play(f"{READY}place-bets\n")
    desk = visit()
    desk.stands("betting")
    desk.page.evaluate(HEAR, [BURST, PATIENCE_MS])
    chips = [("Chips", {"place": [1 + turn % 7, 0, 1], "kind": "main", "change": 2500}) for turn in range(BURST)]
    numbers = house.table.device("hub").events(chips)
    heard = desk.page.evaluate("() => window.all")
    assert [("hub", number) for number in numbers] == [(one["device"], one["number"]) for one in heard]
    assert sorted(one["n"] for one in heard) == [one["n"] for one in heard]
    assert "375.00" == house.scene()["boxes"][0]["mains"][0]["amount"]


def test_a_console_that_was_killed_comes_back(house: House, visit: Visit) -> None:
    """The page says that it is cut off, and hears what it has missed when the console is there again."""
    house.play(f"{READY}place-bets\n")
    desk = visit()
    desk.stands("betting")
    desk.watched.allow("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET")
    house.console.kill()
    desk.test("banner", kind="lost").wait_for()
    house.do("bet 2 main 25", "no-more-bets")
    house.console.start()
    desk.stands("bets-closed")
    desk.test("banner").wait_for(state="detached")
