"""The harness: the whole table worked on its page, with the pointer, by scenarios, and by the robot."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gamecore.notation.parser import parse
from gamecore.notation.playing.player import play_text
from gamecore.notation.syntax import Claim
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from tests.browser.harness_user import Hands
from tests.browser.table.test_rounds import DEMO

HEADER = "game: mbs-blackjack-v6\nfresh: no\nshoe: 9H 7D 6S KC TD 2C"


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_from_the_harness(game: str, hands: Hands) -> None:
    """Chips on spots, cards from the shoe, the panel's buttons, the meter; and what was recorded settles as it must."""
    scenario = parse((DEMO / f"{game}.deal").read_text(encoding="utf-8"), GAMES)
    hands.prepare(write_header(scenario.header))
    hands.user.stands("idle")
    for statement in scenario.statements:
        if not isinstance(statement.what, Claim):
            hands.play(statement)
    hands.user.stands("complete")
    claims = "".join(f"{one.text}\n" for one in scenario.statements if one.text.startswith("expect wager"))
    again = play_text(hands.recording() + claims, game, GAMES)
    assert ((), None) == (again.failures, again.error)


def test_cards_and_chips_are_dragged(hands: Hands) -> None:
    """With the pointer: chips onto a box, a card that was chosen onto a hand, then the next of the shoe."""
    hands.prepare(HEADER)
    user = hands.user
    hands.does(user.test("press", button="bets"), "press")
    hands.drag(user.test("chip", amount="100"), hands.target("1"))
    hands.drag(user.test("chip", amount="25"), hands.target("3"))
    hands.does(user.test("press", button="bets"), "press")
    hands.pick("AS")
    hands.drag(user.test("shoe"), hands.target("1"))
    hands.lies("1", ["AS"])
    hands.drag(user.test("shoe"), hands.target("3"))
    hands.lies("3", ["7D"])
    assert "shoe: AS 7D" in hands.recording()


def test_two_cards_at_once_and_the_reconstruction_by_hand(hands: Hands) -> None:
    """Cards are carried while the Alarm covers the page; it goes with the hold, because nobody has a role here."""
    hands.prepare("game: mbs-blackjack-v6\nfresh: no\nshoe: KH 8D 5S 9C")
    for statement in parse(
        "game: mbs-blackjack-v6\n\nplace-bets\nbet 1 main 100; bet 3 main 50\nno-more-bets\n", GAMES
    ).statements:
        hands.play(statement)
    user = hands.user
    user.test("shoe").click()
    hands.does(hands.target("3"), "act")
    alarm = user.test("alarm", code="misdealt-card")
    expect(alarm).to_be_visible()
    hands.does(user.test("do-move").first, "act")
    expect(user.test("move", done="true")).to_have_count(1)
    user.press(user.test("duty", statement="reconstructed"))
    expect(alarm).to_have_count(0)
    hands.lies("1", ["KH"])
    user.test("count", value="2").click()
    hands.does(user.test("pull"), "pull")
    expect(user.test("alarm", code="double-draw")).to_be_visible()
    user.press(user.test("answer", option="first"))
    expect(user.test("alarm")).to_have_count(0)


def test_cables_and_power(hands: Hands) -> None:
    """A cable that is out, the power that is cut and comes back: told on the page, and by the clause."""
    hands.prepare(HEADER)
    for statement in parse(
        "game: mbs-blackjack-v6\n\nplace-bets\nbet 1 main 100\nno-more-bets\ndraw\n", GAMES
    ).statements:
        hands.play(statement)
    user = hands.user
    user.watched.allow("status of 503")
    hands.does(user.test("cable", device="meter"), "cable")
    expect(user.test("cable", device="meter")).to_have_attribute("data-state", "out")
    hands.does(user.test("cable", device="meter"), "cable")
    expect(user.test("cable", device="meter")).to_have_attribute("data-state", "up")
    hands.does(user.test("power"), "power")
    expect(user.test("banner", kind="gone")).to_be_visible()
    hands.does(user.test("power"), "power")
    expect(user.test("alarm", code="power-failure")).to_be_visible()
    user.press(user.test("answer", option="continue").first)
    expect(user.test("alarm")).to_have_count(0)
    hands.lies("1", ["9H"])


def test_a_scenario_is_opened_stepped_and_played(hands: Hands) -> None:
    """From the list, one step, then by itself as fast as it goes: every expectation holds."""
    user = hands.user
    user.test("speed").select_option("max")
    user.test("scenario-search").fill("demo mbs-pontoon")
    hands.replaces(user.test("scenario").first, "scenario")
    hands.does(user.test("scenario-step"), "scenario")
    user.stands("betting")
    hands.does(user.test("scenario-play"), "scenario")
    expect(user.test("scenario-came-to")).to_have_attribute("data-over", "true")
    expect(user.test("scenario-came-to")).to_have_attribute("data-failed", "0")
    user.stands("complete")


def test_the_robot_plays_with_an_error_that_is_dialled(hands: Hands) -> None:
    """Started on the page, it plays rounds by itself, commits what its dial says, and stops when it is told to."""
    hands.prepare("game: mbs-blackjack-v6\nseed: 7")
    user = hands.user
    user.test("speed").select_option("max")
    dial = user.test("dial", error="late-wager")
    dial.focus()
    with hands.page.expect_response("**/api/harness/robot"):
        dial.press("End")
    hands.does(user.test("robot"), "robot")
    expect(user.page.locator("[data-test=record] li", has_text="settle").nth(1)).to_be_attached()
    hands.does(user.test("robot"), "robot")
    expect(user.test("playing")).to_have_attribute("data-playing", "nobody")
    hands.post("robot", any=0, rates={})
    codes = {code for one in user.get("/api/rounds?count=5")["rounds"] for code in one["findings"]}
    assert "late-wager" in codes


def test_another_table_with_roles(hands: Hands) -> None:
    """The table is set up in a dialog; people are shown with their PINs, and their badges can be read."""
    user = hands.user
    user.watched.allow("status of 503", "status of 401", "ERR_")
    user.test("new-table").click()
    user.test("table-game").select_option("rws-free-bet-2025")
    user.test("table-boxes").select_option("4")
    user.test("table-roles").check()
    hands.does(user.test("table-set"), "table")
    expect(user.page.locator("[data-box]")).to_have_count(4)
    user.test("people").click()
    pin = user.page.locator("[data-test=people-table] [data-role=dealer] code").inner_text()
    assert "1111" == pin
    user.page.locator("[data-test=people-table] [data-role=dealer] [data-test=badge]").click()
    form = user.test("login-form")
    expect(form.locator("[name=name]")).not_to_have_value("")
    expect(form.locator("[name=pin]")).to_be_focused()
    form.locator("[name=pin]").fill(pin)
    hands.page.keyboard.press("Enter")
    expect(user.test("logout")).to_contain_text("Dealer")
    hands.post("table", game="mbs-blackjack-v6", roles=False)
