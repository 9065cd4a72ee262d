"""The two languages of the page."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES

CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORDS = """async (answer) => {
  const [{ app }, { REFUSALS, refusalWords }, { addTexts }] = await Promise.all(
    ["app", "refusals", "texts"].map((name) => import(`/static/${name}.js`)),
  );
  await addTexts([REFUSALS]);
  return refusalWords(answer, app);
}"""
"""The words that the page has for an answer, once their texts are there."""


def test_the_language_is_switched_and_kept(house: House, visit: Visit) -> None:
    """One press changes every word of the page, its title and its language; it stays so after a reload."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\nplace-bets\nbet 1 main 100\n")
    user = visit(role="dealer")
    state, html = user.test("state"), user.page.locator("html")
    user.stands("betting")
    assert not CHINESE.search(state.inner_text())
    user.page.locator("[data-lang=zh]").click()
    expect(html).to_have_attribute("lang", "zh-Hans")
    for shown in (state, user.test("advice"), user.test("say").first, user.page.locator("nav a").first):
        expect(shown).to_have_text(CHINESE)
    assert CHINESE.search(user.page.title())
    user.page.reload()
    expect(html).to_have_attribute("lang", "zh-Hans")
    expect(state).to_have_text(CHINESE)
    user.page.locator("[data-lang=en]").click()
    expect(html).to_have_attribute("lang", "en")
    expect(state).not_to_have_text(CHINESE)


def test_an_alarm_in_chinese(house: House, visit: Visit) -> None:
    """What happened, the ruling and the buttons are in the language that is set; the Alarm itself can be switched."""
    house.play(SEVERAL_MOVES)
    user = visit(lang="zh", role="pit-supervisor")
    alarm = user.test("alarm")
    for shown in (alarm.locator("h1"), alarm.locator("h2").first, user.test("ruling"), user.test("duty").first):
        expect(shown).to_have_text(CHINESE)
    alarm.locator("[data-lang=en]").click()
    expect(alarm.locator("h1")).to_have_text("Misdealt card")


def test_a_refusal_of_the_rules_in_chinese(house: House, visit: Visit) -> None:
    """What the rules refuse is said in the language that is set, with its place and its clause."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\nplace-bets\nbet 1 main 100\n")
    user = visit(lang="zh", role="dealer")
    user.stands("betting")
    _, answer = user.post("/api/say", {"id": "a-fresh-id", "statement": "collect 1"}, user.token)
    shown = user.page.evaluate(WORDS, answer)
    assert re.fullmatch(r"1号位没有可结算的手牌\W第 [\d.]+ 条\W", shown)
    user.page.locator("[data-lang=en]").click()
    assert re.fullmatch(r"there is no hand to settle at Box 1 \([\d.]+\)", user.page.evaluate(WORDS, answer))
