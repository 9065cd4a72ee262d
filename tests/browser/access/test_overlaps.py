"""Nothing in a picture lies over something else that is to be read, whatever the size of the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import DESK, TOUCH, ZOOMED
from tests.browser.conftest import Visit
from tests.browser.served_table import House
from tests.browser.table.test_alarms import raised
from tests.browser.table.test_dealer import DEALT, READY
from tests.browser.test_screenshots import SCENES

#: What is written on a box and lies over a card or another word there, or leaves the box.
_OVER = """
() => [...document.querySelectorAll(".table-picture g[data-box]")].flatMap((box) => {
  const frame = box.querySelector(".box-frame").getBoundingClientRect();
  const words = [...box.querySelectorAll(".total-note, .total-number, .ribbon text, .wager-amount")]
    .filter((one) => one.textContent && !one.closest(".card"));
  const at = words.map((one) => one.getBoundingClientRect());
  const cards = [...box.querySelectorAll(".card")].map((one) => one.getBoundingClientRect());
  const lies = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 3
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 5;
  const name = (index) => `${box.dataset.box}: ${words[index].textContent}`;
  return at.flatMap((one, index) => [
    ...(one.left < frame.left - 1 || one.right > frame.right + 1 ? [`${name(index)} leaves the box`] : []),
    ...cards.filter((card) => words[index].matches(".total-note") && lies(one, card))
      .map(() => `${name(index)} over a card`),
    ...at.slice(index + 1).filter((other) => lies(one, other)).map(() => `${name(index)} over a word`),
  ]);
})
"""
PUT = {
    "split": (SCENES / "mbs-free-bet-v3.deal").read_text(encoding="utf-8"),
    "insured": f"{DEALT}offer insurance; insure 2 50\n",
    "to-settle": READY,
    "settled": f"{READY}settle\n",
}


@pytest.mark.parametrize("size", [DESK, TOUCH, ZOOMED], ids=["user", "touch", "zoomed"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_word_of_a_box_lies_over_another(size: tuple[int, int], lang: str, house: House, visit: Visit) -> None:
    """In a split, while insurance is open, before and after the settlement; each box shows its main wager."""
    user = visit(role="dealer", size=size, lang=lang)
    for name, text in PUT.items():
        house.play(text)
        user.sees(house.scene())
        assert (name, []) == (name, user.page.evaluate(_OVER))
        wagered = [box["number"] for box in house.scene()["boxes"] if box["mains"]]
        expect(user.page.locator(".table-picture [data-wager=main]")).to_have_count(len(wagered))


@pytest.mark.parametrize("size", [TOUCH, ZOOMED], ids=["touch", "zoomed"])
def test_a_card_in_a_narrow_box_of_the_alarm_can_be_seen(size: tuple[int, int], house: House, visit: Visit) -> None:
    """The foreign card lies in its box, with the word that the wager goes back below it."""
    raised(house, "foreign-card")
    user = visit(role="pit-manager", size=size)
    card = user.page.locator(".alarm [data-card=JOKER]").bounding_box()
    assert card is not None
    assert card["height"] >= 20
    assert [] == user.page.evaluate(_OVER)
