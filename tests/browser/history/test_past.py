"""History, Health and Games: the pages show what the server says, and every way into the past leads there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gamecore.notation.parser import parse
from gamecore.notation.playing.player import play_text
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from tests.browser.alarm_scenarios import cause
from tests.browser.conftest import Visit
from tests.browser.page_user import Desk
from tests.browser.served_table import House
from tests.browser.table.test_rounds import DEMO

GAME = "mbs-blackjack-v6"


@pytest.fixture
def past(house: House) -> House:
    """A table at which one round was voided because of a foreign card, and a second one settled."""
    found = cause("foreign-card")
    house.set_up(found.scenario)
    house.go_on(found.scenario, found.statements)
    house.clear()
    house.play((DEMO / f"{GAME}.deal").read_text(encoding="utf-8"))
    return house


def listed(desk: Desk) -> list[str]:
    """The rounds in the list, by the number of their first event."""
    return [one.get_attribute("data-first") or "" for one in desk.test("round").all()]


def find(desk: Desk, **asked: str) -> list[dict[str, object]]:
    """Search on the page; what the server answered."""
    for name, value in asked.items():
        field = desk.page.locator(f"#find-{name}")
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    with desk.page.expect_response("**/api/rounds?*") as answer:
        desk.test("find").click()
    rounds = list(answer.value.json()["rounds"])
    expect(desk.test("round")).to_have_count(len(rounds))
    return rounds


def test_rounds_are_listed_and_found(past: House, visit: Visit) -> None:
    """The newest first; by box, by finding and by card, as the server answers the same question."""
    desk = visit(role="surveillance", route="history")
    expect(desk.test("round").nth(1)).to_be_visible()
    assert [str(one["first"]) for one in desk.get("/api/rounds?count=30")["rounds"]] == listed(desk)
    newest, before = listed(desk)[:2]
    found = find(desk, finding="foreign-card")
    assert before in listed(desk)
    assert newest not in listed(desk)
    assert all("foreign-card" in one["findings"] for one in found)  # type: ignore[operator]
    desk.test("find-clear").click()
    expect(desk.test("round").first).to_have_attribute("data-first", newest)
    find(desk, rank="A", suit="H", box="1", number="1")
    assert newest in listed(desk)
    assert before not in listed(desk)
    assert past.scene()["state"] == "complete"


def test_a_round_is_gone_through_step_by_step(past: House, visit: Visit) -> None:
    """The scrubber goes forward and back; at each step the table is drawn as the server says it lay then."""
    del past
    desk = visit(role="surveillance", route="history")
    desk.test("round").first.click()
    scrubber = desk.test("scrubber")
    expect(scrubber).to_be_visible()
    first = desk.page.evaluate("location.hash").rpartition("/")[2]
    steps = desk.get(f"/api/rounds/{first}")["steps"]
    expect(desk.test("step-row")).to_have_count(len(steps))
    expect(scrubber).to_have_value(str(len(steps) - 1))
    desk.test("scrub-first").click()
    expect(scrubber).to_have_value("0")
    desk.page.keyboard.press("ArrowRight")
    expect(scrubber).to_have_value("1")
    desk.page.keyboard.press("ArrowLeft")
    expect(scrubber).to_have_value("0")
    for number in range(0, len(steps), 6):
        scrubber.fill(str(number))
        for box in steps[number]["scene"]["boxes"]:
            for hand in box["hands"]:
                desk.lies(hand["place"], [card.partition("#")[0] for card in hand["cards"]])
        desk.lies("dealer", steps[number]["scene"]["dealer"]["cards"])


def test_settlement_findings_and_notation(past: House, visit: Visit) -> None:
    """A round says what was paid and by which clause, and gives itself as deal notation that settles the same."""
    del past
    desk = visit(role="pit-manager", route="history")
    desk.test("round").first.click()
    desk.test("part-settlement").click()
    rows = desk.page.locator("#part-settlement")
    first = desk.page.evaluate("location.hash").rpartition("/")[2]
    told = desk.get(f"/api/rounds/{first}")
    for wager in told["round"]["report"]["wagers"]:
        expect(rows).to_contain_text(str(wager["clause"]))
    desk.test("part-notation").click()
    notation = desk.test("notation").input_value()
    claims = [one.text for one in parse((DEMO / f"{GAME}.deal").read_text(encoding="utf-8"), GAMES).statements]
    again = play_text(notation + "\n" + "\n".join(one for one in claims if one.startswith("expect wager")), GAME, GAMES)
    assert ((), None) == (again.failures, again.error)
    desk.test("older").click()
    desk.test("part-findings").click()
    expect(desk.test("finding", code="foreign-card")).to_be_visible()


def test_who_may_not_know_every_card_gets_no_notation(past: House, visit: Visit) -> None:
    """Deal notation names cards that nobody saw: a dealer is told that it is kept from him."""
    del past
    desk = visit(role="dealer", route="history")
    desk.test("round").first.click()
    desk.test("part-notation").click()
    expect(desk.page.locator("#part-notation")).to_be_visible()
    expect(desk.test("notation")).to_have_count(0)


def test_health_tells_of_devices_and_sensors(house: House, visit: Visit) -> None:
    """Every device with its link; one that goes is told at once, with what to do; plots are drawn from samples."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    desk = visit(role="engineer", route="health")
    for name in house.table.names:
        expect(desk.test("device", device=name)).to_have_attribute("data-up", "true")
    desk.page.locator("svg[data-test^=plot-], [data-test^=plot-] svg").first.wait_for()
    assert 4 <= desk.page.locator("[data-test^=plot-]").count()
    expect(desk.test("coverage").first).to_be_visible()
    desk.sees(house.scene())
    house.table.device("meter").unplug()
    expect(desk.test("device", device="meter")).to_have_attribute("data-up", "false")
    expect(desk.test("problem", code="device-away")).to_be_attached()


def test_games_rulings_clauses_and_readings(house: House, visit: Visit) -> None:
    """The five games side by side, a ruling for every code, every clause: as many as the server tells; readings."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    desk = visit(route="games")
    told = desk.get("/api/games")
    assert len(GAMES) == len(told["games"])
    desk.test("all-rows").check()
    expect(desk.test("rule")).to_have_count(len(told["rows"]))
    desk.test("games-rulings").click()
    for code in CODES:
        expect(desk.test("ruling", code=code).first).to_be_attached()
    desk.test("games-clauses").click()
    clauses = desk.get(f"/api/clauses/{GAME}")["rows"]
    expect(desk.test("clause")).to_have_count(len(clauses))
    desk.test("games-readings").click()
    expect(desk.test("reading").first).to_be_visible()
