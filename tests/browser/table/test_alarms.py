"""Each kind of alarm: raised by what the devices see, read on the page, dealt with there, and cleared."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gamecore.rules.codes import CODES
from tests.browser.alarm_answerer import Pit
from tests.browser.alarm_scenarios import CAUSES, NOTED, Cause, cause
from tests.browser.browsing import TOUCH
from tests.browser.conftest import Visit
from tests.browser.served_table import House

TEXTS = "/static/texts/words.json"
#: The Dealer begins at the second of three boxes and goes on before anybody stops them.
SEVERAL_MOVES = """game: mbs-blackjack-v6
fresh: no
shoe: KH 8D 5S 9C

place-bets
bet 1 main 100; bet 3 main 50; bet 5 main 25
no-more-bets
draw 3; draw 5; draw 1; draw dealer
"""


def test_every_code_is_tried() -> None:
    """Whatever a table can find is here: as an alarm, or as something that is noted."""
    assert set(CODES) == {*CAUSES, *NOTED}


def raised(house: House, code: str) -> Cause:
    """Let it happen."""
    found = cause(code)
    house.set_up(found.scenario)
    house.go_on(found.scenario, found.statements)
    return found


@pytest.mark.parametrize("code", CAUSES)
def test_an_alarm_is_raised_answered_and_cleared(code: str, house: House, visit: Visit) -> None:
    """The page says what happened, by which clause and what is ruled; its buttons lead to the end of it."""
    found = raised(house, code)
    user = visit(size=TOUCH)
    pit = Pit(user, house, named="9H")
    pit.deal_with(up_to=code)
    alarm = user.test("alarm", code=code)
    expect(alarm).to_be_visible()
    expect(alarm).to_have_attribute("role", "alertdialog")
    ruling = alarm.locator(user.test("ruling", ruling=found.ruling))
    expect(ruling).to_be_visible()
    expect(ruling.locator(user.test("clause"))).to_contain_text(found.clause)
    texts = user.get(TEXTS)
    expect(alarm).to_contain_text(texts[f"code.{code}"]["en"])
    expect(alarm).to_contain_text(texts[f"what.{code}"]["en"])
    assert user.page.evaluate("document.getElementById('shell').inert")
    pit.deal_with()
    assert "clear" == pit.did[-1]
    assert not user.page.evaluate("document.getElementById('shell').inert")


@pytest.mark.parametrize("code", NOTED)
def test_what_holds_nothing_up_is_noted(code: str, house: House, visit: Visit) -> None:
    """The Table tells of it, with its clause, and nothing covers the page."""
    found = raised(house, code)
    user = visit()
    user.test("findings").click()
    line = user.page.locator(f"[role=dialog] [data-code={code}]").first
    expect(line).to_contain_text(found.clause)
    expect(user.test("alarm")).to_have_count(0)


def test_a_reconstruction_is_carried_out_move_by_move(house: House, visit: Visit) -> None:
    """Each move is numbered, drawn on the table, made before the sensors and ticked off; then the round goes on."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor", size=TOUCH)
    rows, arrows = user.test("move"), user.page.locator(".table-picture .move")
    expect(rows).to_have_count(3)
    expect(arrows).to_have_count(3)
    for made in range(3):
        row = rows.nth(made)
        expect(row).to_have_attribute("data-done", "false")
        house.move(*(row.get_attribute(f"data-{name}") or "" for name in ("card", "from", "to")))
        expect(row).to_have_attribute("data-done", "true")
        expect(user.page.locator(".table-picture .move-done")).to_have_count(made + 1)
    user.press(user.test("duty", statement="reconstructed"))
    expect(user.test("alarm")).to_have_attribute("data-kind", "alarm")
    Pit(user, house).deal_with()
    user.stands("initial-deal")
    for place, cards in {"1": ["KH"], "3": ["8D"], "5": ["5S"], "dealer": ["9C"]}.items():
        user.lies(place, cards)


def test_who_deals_cannot_clear(house: House, visit: Visit) -> None:
    """The buttons of the Alarm wait for the role; one that logs in within the Alarm may press them."""
    raised(house, "foreign-card")
    user = visit(size=TOUCH)
    user.test("alarm-login").click()
    user.fill_login("dealer")
    expect(user.test("alarm-login")).to_contain_text("Dealer")
    expect(user.test("clear-open")).to_be_disabled()
    user.page.keyboard.press("1")
    _, answer = user.post("/api/clear", {"id": "not-a-button", "n": None, "reason": "it is nothing"}, user.token)
    assert "'clear foreign-card' needs pit-manager: logged in as dealer" == answer["refused"]
    user.test("alarm-login").click()
    user.fill_login("pit-manager")
    user.test("clear-open").click()
    user.test("own").click()
    user.test("own-reason").fill("the joker was left in the shoe")
    user.sent(user.test("clear-own"), "clear")
    expect(user.test("alarm")).to_have_count(0)
    assert [] == house.scene()["alarms"]


def test_surveillance_looks_behind_the_alarm(house: House, visit: Visit) -> None:
    """A reader sees the Alarm without a button, and may look at the table behind it until there is another."""
    house.play(SEVERAL_MOVES)
    user = visit(role="surveillance")
    alarm = user.test("alarm", code="misdealt-card")
    expect(alarm).to_be_visible()
    expect(alarm.locator("[data-statement], [data-test=clear-open]")).to_have_count(0)
    user.test("look-behind").click()
    assert not user.page.evaluate("document.getElementById('shell').inert")
    house.let_happen("unplug meter")
    expect(user.test("alarm-count")).to_be_visible()
    assert user.page.evaluate("document.getElementById('shell').inert")


def test_nothing_behind_the_alarm_can_be_pressed(house: House, visit: Visit) -> None:
    """Neither the pointer nor the keyboard reaches the commands of the Table, however somebody comes to that page."""
    house.play(SEVERAL_MOVES)
    user = visit(role="dealer")
    alarm = user.test("alarm", code="misdealt-card")
    expect(alarm).to_be_visible()
    for _ in range(30):
        user.page.keyboard.press("Tab")
        assert user.page.evaluate("document.activeElement.closest('[data-test=alarm]') !== null")
    covered = "() => document.elementFromPoint(innerWidth / 2, 20).closest('[data-test=alarm]') !== null"
    assert user.page.evaluate(covered)
    user.page.keyboard.press("Escape")
    user.page.evaluate("location.hash = '#/games'")
    expect(user.test("games")).to_be_visible()
    user.page.evaluate("location.hash = '#/table'")
    expect(user.test("alarm-advice")).to_be_visible()
    assert user.page.evaluate(covered)
