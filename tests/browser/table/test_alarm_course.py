"""The course of an alarm on the page: what happened, the ruling in force, steps, questions, what was done, clearing."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.served_table import House
from tests.browser.table.test_alarms import SEVERAL_MOVES, raised

PULLED = """game: mbs-blackjack-v6
fresh: no
shoe: KH 7D 9S QC 8H 2C 3C

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
pull 2
"""
WRONG_BOX = """game: mbs-blackjack-v6
fresh: no
shoe: KH 8D 5S 9C

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
draw 3
"""


def test_the_ruling_in_force_stands_after_it_has_changed(house: House, visit: Visit) -> None:
    """Cards that cannot be put back: a short press does nothing, a held one voids, and the alarm says so."""
    house.play(WRONG_BOX)
    user = visit(role="pit-supervisor", size=TOUCH)
    expect(user.test("alarm-told")).to_have_text("King of Hearts lies at Box 3. It belongs to Box 1.")
    expect(user.page.locator("[data-test=step][aria-current=step]")).to_contain_text("Move the cards")
    expect(user.test("wait", wait="moves")).to_be_visible()
    cannot = user.test("duty", statement="cannot-reconstruct")
    cannot.click()
    expect(user.test("toast")).to_contain_text("Hold the button longer")
    assert "held" == house.scene()["state"]
    user.press(cannot)
    expect(user.test("wait", wait="approval pit-manager")).to_be_visible()
    user.test("alarm-login").click()
    user.fill_login("pit-manager")
    user.press(user.test("duty", statement="approve pit-manager"))
    expect(user.test("ruling")).to_have_attribute("data-ruling", "void")
    expect(user.test("ruling")).to_contain_text("The round of play is void.")
    expect(user.test("was")).to_contain_text("The cards are put back where they belong.")
    expect(user.test("was")).to_contain_text("changed by Pit-Supervisor")
    expect(user.test("act", what="cannot-reconstruct")).to_contain_text("said by Pit-Supervisor")
    expect(user.test("wait")).to_contain_text("Pit Manager clears the alarm")


def test_one_pull_is_one_alarm_whatever_showed(house: House, visit: Visit) -> None:
    """When cards are disclosed the ruling is another, and the alarm the same; at the end one is to be cleared."""
    house.play(PULLED)
    user = visit(role="pit-supervisor")
    expect(user.test("alarm-told")).to_contain_text("2 cards left the shoe together")
    user.test("disclose").click()
    user.test("rank", value="7").click()
    user.test("suit", value="D").click()
    user.press(user.test("pick"))
    expect(user.test("ruling")).to_have_attribute("data-ruling", "as-next-card")
    expect(user.test("was")).to_have_count(1)
    expect(user.test("alarm-count")).to_have_count(0)
    assert 1 == len(house.scene()["alarms"])


def test_every_open_question_says_who_and_what(house: House, visit: Visit) -> None:
    """The Player who chooses, and each who may take the wager back; the frame is on the box that is asked."""
    house.play(PULLED)
    user = visit(role="dealer", size=TOUCH)
    asked = user.test("ask")
    assert [ask["who"] for ask in house.scene()["asks"]] == [one.get_attribute("data-who") for one in asked.all()]
    expect(asked.first).to_contain_text("Player at Box 1: which card?")
    expect(asked.last).to_contain_text("Player at Box 3: continue, or take the wager back?")
    expect(user.page.locator(".box.is-lit")).to_have_attribute("aria-label", "Box 1, Main wager 100.00")
    user.test("alarm-more").click()
    withdraw = user.page.locator("[data-statement='answer 3 withdraw']")
    user.press(withdraw)
    expect(user.test("ask", who="3")).to_have_count(0)


def test_one_card_that_is_left_is_offered_and_not_chosen(house: House, visit: Visit) -> None:
    """MBS 5.23.3: after the first Player's choice one card is left, and the next is asked whether they take it."""
    house.play(f"{PULLED.rpartition('pull')[0]}draw 1; draw 3; draw dealer; draw 1; draw 3\n")
    house.let_happen("offer surrender", "close surrender", "pull 2 show 2")
    user = visit(role="dealer", size=TOUCH)
    expect(user.test("ask").first).to_contain_text("Player at Box 1: which card?")
    user.press(user.test("answer", option="2C"))
    expect(user.test("alarm-advice")).to_contain_text("Box 3: take the card?")
    expect(user.test("ask").first).to_contain_text("Player at Box 3: take this card?")
    user.page.locator(".alarm [data-lang=zh]").click()
    expect(user.test("alarm-advice")).to_contain_text("要这张牌吗")
    expect(user.test("ask").first).to_contain_text("是否接受这张牌")


def test_what_players_may_still_do_stands_under_its_own_words(open_house: House, visit: Visit) -> None:
    """The Alarm is over and wagers may still be taken back: the line says so, and More has the answer under that."""
    open_house.play(f"{PULLED}answer 1 first\n")
    user = visit(at=open_house.address, size=TOUCH)
    expect(user.test("after")).to_contain_text("Players may take wagers back (5.25)")
    user.test("more").click()
    part = user.page.locator(".drawer-part:has([data-statement='answer all continue'])")
    expect(part.locator("h2")).to_have_text("Players may take wagers back (5.25)")
    user.press(part.locator("button"))
    expect(user.test("after")).to_have_count(0)


def test_cards_that_the_sensors_see_elsewhere_are_not_called_put_back(house: House, visit: Visit) -> None:
    """The button is there only when each card lies where it belongs, and one sent past the page is refused."""
    house.play(WRONG_BOX)
    user = visit(role="pit-supervisor")
    house.move("KH", "3", "5")
    expect(user.test("alarm-advice")).to_contain_text("Move KH from Box 5 to Box 1")
    expect(user.test("duty", statement="reconstructed")).to_have_count(0)
    _, answer = user.post("/api/say", {"id": "past-the-page", "statement": "reconstructed"}, user.token)
    assert "refused" in answer
    house.move("KH", "5", "1")
    expect(user.test("duty", statement="reconstructed")).to_be_enabled()


def test_clearing_is_a_step_of_its_own(house: House, visit: Visit) -> None:
    """It asks why, offers what fits the code, and is held; what no device has seen is not called done."""
    raised(house, "foreign-card")
    user = visit(role="pit-manager", size=TOUCH)
    expect(user.test("alarm-what")).to_contain_text("does not belong to this set")
    expect(user.test("wait", wait="load")).to_contain_text("shuffled set")
    expect(user.test("alarm")).not_to_contain_text("carried out")
    expect(user.test("clear")).to_have_count(0)
    user.test("clear-open").click()
    expect(user.page.locator(".panel-title")).to_have_text("Clear the alarm: why?")
    reasons = [one.get_attribute("data-reason") for one in user.test("clear").all()]
    assert ["carried-out", "counted", "kept", "explained"] == reasons
    assert user.sent(user.test("clear", reason="kept"), "clear")["ok"] is True
    expect(user.test("alarm")).to_have_count(0)


def test_a_lost_device_is_named_until_it_is_back(house: House, visit: Visit) -> None:
    """The alarm says which one and what to do, and ticks it off when it answers again."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\nplace-bets\nbet 1 main 100\n")
    user = visit(role="engineer")
    house.let_happen("unplug shoe")
    expect(user.test("alarm-told")).to_have_text("Shoe does not answer.")
    shoe = user.page.locator(".alarm .shoe")
    expect(shoe).to_contain_text("Away")
    expect(shoe).not_to_contain_text("ocked")
    expect(user.test("wait", wait="device shoe")).to_be_visible()
    house.let_happen("plug shoe")
    expect(user.test("wait", wait="device shoe")).to_have_count(0)
    expect(shoe).to_contain_text("ocked")
    expect(user.test("step").first).to_have_attribute("data-done", "true")
    expect(user.test("act", what="back shoe")).to_contain_text("Shoe is back")


def test_a_report_is_retracted_first_of_all(house: House, visit: Visit) -> None:
    """While a mistaken report holds the round, the first button takes it back; the foot has five at most."""
    house.play(f"{PULLED.rpartition('pull')[0]}draw 1; draw 3; draw dealer; draw 1; draw 3\n")
    house.let_happen("call uncovered")
    user = visit(role="shift-manager", size=TOUCH)
    expect(user.test("alarm")).to_be_visible()
    assert 5 >= user.page.locator(".alarm-foot button").count()
    user.test("alarm-more").click()
    expect(user.page.locator(".alarm [data-statement=take-back]")).to_contain_text(
        "Undo: Report: Not covered by a clause"
    )
    first = user.page.locator(".alarm-foot button").first
    expect(first).to_have_attribute("data-statement", "retract uncovered")
    user.press(first)
    assert "held" != house.scene()["state"]


def test_the_foot_keeps_the_login_on_the_screen(house: House, visit: Visit) -> None:
    """At 800x480 with roles and many answers nothing leaves the screen, and the login is at the right end."""
    house.play(SEVERAL_MOVES)
    user = visit(role="dealer", size=TOUCH)
    box = user.test("alarm-login").bounding_box()
    assert box is not None
    assert TOUCH[0] >= box["x"] + box["width"] >= TOUCH[0] - 40
    for button in user.page.locator(".alarm-foot button").all():
        at = button.bounding_box()
        assert at is not None
        assert at["x"] >= 0
        assert at["x"] + at["width"] <= TOUCH[0]
        assert button.evaluate("node => node.scrollWidth <= node.clientWidth")
