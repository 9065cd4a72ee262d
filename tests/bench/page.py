"""The page in a real browser: when the first picture is there, and whether 20 events a second all arrive.

1. The first picture: from the start of the navigation to the first frame in which cards lie on the table. `cold` is a
   browser that has nothing of the page, `again` the same page loaded once more.
2. Events: chips that arrive at a steady pace, from the moment when the sensor reports them to the moment when the page
   has it. `lost` counts those that never came.
3. Console, daemon and devices are processes of their own, as at a table; the browser is Debian's chromium, headless.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

from tests.browser.browsing import Chromium, Watched, found
from tests.browser.page_timing import FIRST, HEAR
from tests.browser.page_user import PageUser
from tests.browser.served_table import House

DEALT = """game: mbs-blackjack-v6
fresh: no
limits: none
shoe: 9H 7D 6S KC TD 2C

place-bets
bet 1 main 100; bet 3 main 50; bet 5 main 25
no-more-bets
draw 1; draw 3; draw 5; draw dealer; draw 1
"""
BETTING = "game: mbs-blackjack-v6\nfresh: no\nlimits: none\n\nplace-bets\n"


def figures(values: Sequence[float]) -> str:
    """Median, 95th percentile and highest."""
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):7.0f} {high:7.0f} {ordered[-1]:7.0f}"


def first_pictures(house: House, chromium: Chromium, loads: int) -> tuple[list[float], list[float]]:
    """Milliseconds to the first picture, cold and again."""
    house.play(DEALT)
    cold, again = [], []
    for _ in range(loads):
        watched = Watched(chromium.browser, house.address)
        watched.context.add_init_script(FIRST)
        user = PageUser(watched)
        user.open("table")
        cold.append(float(user.page.evaluate("() => window.drawn")))
        user.page.reload()
        again.append(float(user.page.evaluate("() => window.drawn")))
        watched.close()
    return cold, again


def events(house: House, chromium: Chromium, rate: float, seconds: float) -> tuple[list[float], int]:
    """Milliseconds from the sensor to the page for each event that came there, and how many did not."""
    house.play(BETTING)
    watched = Watched(chromium.browser, house.address)
    user = PageUser(watched)
    user.open("table")
    user.stands("betting")
    count = int(rate * seconds)
    user.page.evaluate(HEAR, [count, 1000 * (seconds + 20)])
    hub, sent = house.table.device("hub"), {}
    began = time.monotonic()
    for turn in range(count):
        time.sleep(max(0.0, began + turn / rate - time.monotonic()))
        at = 1000 * time.time()
        sent[hub.event("Chips", place=[1 + turn % 7, 0, 1], kind="main", change=2500)] = at
    heard = {one["number"]: float(one["heard"]) for one in user.page.evaluate("() => window.all")}
    watched.close()
    return [heard[number] - at for number, at in sent.items() if number in heard], len(sent.keys() - heard.keys())


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="The page in a real browser.")
    parser.add_argument("--loads", type=int, default=15, help="pages that are loaded")
    parser.add_argument("--rate", type=float, default=20.0, help="events a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="for how long")
    args = parser.parse_args()
    if found() is None:
        print("chromium is not installed: nothing is measured")
        return 0
    with House(seed=1) as house:
        chromium = Chromium()
        try:
            with chromium.used():
                cold, again = first_pictures(house, chromium, args.loads)
                took, lost = events(house, chromium, args.rate, args.seconds)
        finally:
            chromium.close()
    print(f"{'milliseconds':44} median     95%    most")
    print(f"{f'first picture, cold ({len(cold)} loads)':43} {figures(cold)}")
    print(f"{f'first picture, again ({len(again)} loads)':43} {figures(again)}")
    print(f"{f'sensor to page, {args.rate:g} events a second ({len(took)} events)':43} {figures(took)}")
    print(f"lost events: {lost}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
