"""How many presses five cases take on the page of a table without roles.

1. A case is a table with its cards, what happens there, and what is pressed (lines that begin with `press`). Cards,
   chips, cables and power go before the simulated sensors. Only presses are counted.
2. What is pressed is a button that stands on the page; where it stands in a drawer or sheet, opening that counts too.
   Of several ways to say something (`press A | B`) the first that the page has is taken.
3. This file uses nothing of the product: it counts at an earlier commit as well. `BEFORE` was counted so at 98a0b4f.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from playwright.sync_api import Locator, Page

_ALL = range(1, 8)
_HEADER = "game: mbs-blackjack-v6\nfresh: no\nshoe: {cards}\n\n"
_BETS = "; ".join(f"bet {box} main 100" for box in _ALL)
_ROW = "; ".join(f"draw {box}" for box in _ALL)
_DEAL = f"{_ROW}; draw dealer; {_ROW}"
_PLAIN = "TH 9H 8D KD 7C TS 9D 6S KC TD 9C KS TC 9S TH TD 5C"
_ACE = "TH 9H 8D 5D 7C 6S 5D AS KC TD 2C KD 3S JD 4C 9C 9S 8S"

#: name → the table, and what happens there
CASES: dict[str, tuple[str, list[str]]] = {
    "a plain round with seven boxes": (
        _HEADER.format(cards=_PLAIN),
        [
            "press place-bets",
            _BETS,
            "press no-more-bets",
            _DEAL,
            "press offer surrender",
            "press close surrender",
            *(f"press stand {box}" for box in _ALL),
            "draw dealer; draw dealer",
            "press settle",
        ],
    ),
    "insurance on all seven": (
        f"{_HEADER.format(cards=_ACE)}place-bets\n{_BETS}\nno-more-bets\n{_DEAL}\n",
        ["press offer insurance", *(f"press insure {box} 50" for box in _ALL), "press close insurance"],
    ),
    "a double draw": (
        f"{_HEADER.format(cards=_PLAIN)}place-bets\n{_BETS}\nno-more-bets\n{_DEAL}\noffer surrender; close surrender\n",
        ["press hit 1", "pull 2", "press answer 1 first", "lay TD 1"],
    ),
    "a misdeal": (
        f"{_HEADER.format(cards=_PLAIN)}place-bets\n{_BETS}\nno-more-bets\n",
        ["draw 2", "move TH 2 1", "press reconstructed"],
    ),
    "a power cut": (
        f"{_HEADER.format(cards=_PLAIN)}place-bets\n{_BETS}\nno-more-bets\n{_DEAL}\noffer surrender; close surrender\n",
        ["power-cut", "power-on", "press answer all continue | answer 1 continue"],
    ),
}
#: The same cases at commit 98a0b4f.
BEFORE: dict[str, int] = {
    "a plain round with seven boxes": 12,
    "insurance on all seven": 15,
    "a double draw": 2,
    "a misdeal": 1,
    "a power cut": 1,
}

_READY = """
(said) => {
  const one = document.querySelector(`button[data-statement='${said}']`);
  return one && !one.hasAttribute("data-fresh") && !one.disabled;
}
"""


class Presser:
    """A person who presses, and how often they did."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.count = 0

    def press(self, *ways: str) -> None:
        """Press what says one of these, wherever it is."""
        alone = {said: self._page.locator(f"button[data-statement='{said}']") for said in ways}
        among = {said: self._page.locator(f"button[data-statements*='|{said}|']") for said in ways}
        anywhere = [*alone.values(), *among.values()]
        reduce(lambda one, other: one.or_(other), anywhere).first.wait_for(state="attached")
        said = next(said for said in ways if alone[said].count() or among[said].count())
        button = alone[said].first
        if not button.count():
            self._click(among[said].first)
        elif not button.is_visible():
            self._click(self._page.locator("[data-test=more]").first)
        self._page.wait_for_function(_READY, arg=said)
        with self._page.expect_response("**/api/say") as answer:
            self._click(button)
        assert answer.value.json().get("ok") is True, answer.value.json()

    def _click(self, button: Locator) -> None:
        self.count += 1
        button.click()


def counted(name: str, page: Page, play: Callable[[str], None], do: Callable[[str], None]) -> int:
    """Play a case, and count its presses."""
    table, steps = CASES[name]
    play(table)
    presser = Presser(page)
    for step in steps:
        if step.startswith("press "):
            presser.press(*step.removeprefix("press ").split(" | "))
        else:
            do(step)
    return presser.count
