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
from tests.browser.page_user import PageUser
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


def listed(user: PageUser) -> list[str]:
    """The rounds in the list, by their keys."""
    return [one.get_attribute("data-key") or "" for one in user.test("round").all()]


def find(user: PageUser, **asked: str) -> list[dict[str, object]]:
    """Search on the page; what the server answered."""
    for name, value in asked.items():
        field = user.page.locator(f"#find-{name}")
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    with user.page.expect_response("**/api/rounds?*") as answer:
        user.test("find").click()
    rounds = list(answer.value.json()["rounds"])
    expect(user.test("round")).to_have_count(len(rounds))
    return rounds


def test_rounds_are_listed_and_found(past: House, visit: Visit) -> None:
    """The newest first; by box, by finding and by card, as the server answers the same question."""
    user = visit(role="surveillance", route="history")
    expect(user.test("round").nth(1)).to_be_visible()
    assert [one["key"] for one in user.get("/api/rounds?count=30")["rounds"]] == listed(user)
    newest, before = listed(user)[:2]
    found = find(user, finding="foreign-card")
    assert before in listed(user)
    assert newest not in listed(user)
    assert all("foreign-card" in one["findings"] for one in found)  # type: ignore[operator]
    user.test("find-clear").click()
    expect(user.test("round").first).to_have_attribute("data-key", newest)
    find(user, rank="A", suit="H", box="1", number="1")
    assert newest in listed(user)
    assert before not in listed(user)
    assert past.scene()["state"] == "complete"


def test_a_round_is_gone_through_step_by_step(past: House, visit: Visit) -> None:
    """The scrubber goes forward and back; at each step the table is drawn as the server says it lay then."""
    del past
    user = visit(role="surveillance", route="history")
    user.test("round").first.click()
    scrubber = user.test("scrubber")
    expect(scrubber).to_be_visible()
    key = user.page.evaluate("location.hash").rpartition("/")[2]
    steps = user.get(f"/api/rounds/{key}")["steps"]
    expect(user.test("step-row")).to_have_count(len(steps))
    expect(scrubber).to_have_value(str(len(steps) - 1))
    user.test("scrub-first").click()
    expect(scrubber).to_have_value("0")
    user.page.keyboard.press("ArrowRight")
    expect(scrubber).to_have_value("1")
    user.page.keyboard.press("ArrowLeft")
    expect(scrubber).to_have_value("0")
    for number in range(0, len(steps), 6):
        scrubber.fill(str(number))
        for box in steps[number]["scene"]["boxes"]:
            for hand in box["hands"]:
                user.lies(hand["place"], [card.partition("#")[0] for card in hand["cards"]])
        user.lies("dealer", steps[number]["scene"]["dealer"]["cards"])


def test_settlement_findings_and_notation(past: House, visit: Visit) -> None:
    """A round says what was paid and by which clause, and gives itself as deal notation that settles the same."""
    del past
    user = visit(role="pit-manager", route="history")
    user.test("round").first.click()
    user.test("part-settlement").click()
    rows = user.page.locator("#part-settlement")
    key = user.page.evaluate("location.hash").rpartition("/")[2]
    told = user.get(f"/api/rounds/{key}")
    for wager in told["round"]["report"]["wagers"]:
        expect(rows).to_contain_text(str(wager["clause"]))
    user.test("part-notation").click()
    notation = user.test("notation").input_value()
    claims = [one.text for one in parse((DEMO / f"{GAME}.deal").read_text(encoding="utf-8"), GAMES).statements]
    again = play_text(notation + "\n" + "\n".join(one for one in claims if one.startswith("expect wager")), GAME, GAMES)
    assert ((), None) == (again.failures, again.error)
    user.test("older").click()
    user.test("part-findings").click()
    expect(user.test("finding", code="foreign-card")).to_be_visible()


def test_who_may_not_know_every_card_gets_no_notation(past: House, visit: Visit) -> None:
    """Deal notation names cards that nobody saw: a dealer is told that it is kept from them."""
    del past
    user = visit(role="dealer", route="history")
    user.test("round").first.click()
    user.test("part-notation").click()
    expect(user.page.locator("#part-notation")).to_be_visible()
    expect(user.test("notation")).to_have_count(0)


def test_health_tells_of_devices_and_sensors(house: House, visit: Visit) -> None:
    """Every device with its link; one that goes is told at once, with what to do; plots are drawn from samples."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    user = visit(role="engineer", route="health")
    for name in house.table.names:
        expect(user.test("device", device=name)).to_have_attribute("data-up", "true")
    user.page.locator("svg[data-test^=plot-], [data-test^=plot-] svg").first.wait_for()
    assert 4 <= user.page.locator("[data-test^=plot-]").count()
    expect(user.test("coverage").first).to_be_visible()
    user.sees(house.scene())
    house.table.device("meter").unplug()
    expect(user.test("device", device="meter")).to_have_attribute("data-up", "false")
    expect(user.test("problem", code="device-away")).to_be_attached()


def test_health_shows_the_course_of_a_shuffler(house: House, visit: Visit) -> None:
    """Nothing before the daemon has looked; then the verdict, the figures and a plot with a point for each shoe."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    user = visit(role="engineer", route="health")
    expect(user.test("no-shufflers")).to_be_visible()
    told = user.get("/api/health")
    course = [{"at": f"2026-11-{day:02}T08:00:00.000Z", "evidence": 4.0**day} for day in range(1, 12)]
    shuffler = {"device": "shuffler", "method": "machine", "decks": 8, "cards": 52, "since": 7, "shoes": 12}
    shuffler |= {"verdict": "alarm", "evidence": 4.0**12, "explains": "", "trace": "next", "neighbours": 900}
    shuffler |= {"expected": 96.3, "chi": [{"over": "ranks", "value": 120.5, "limit": 133.26}], "course": course}
    told["health"]["shufflers"] = [shuffler]
    user.page.route("**/api/health", lambda route: route.fulfill(json=told))
    user.page.reload()
    expect(user.test("shuffler", verdict="alarm")).to_contain_text("the next card of the last order")
    expect(user.test("plot-shuffler")).to_contain_text("16,777,216")
    expect(user.test("plot-shuffler").locator("tbody tr")).to_have_count(len(course))


def test_games_rulings_clauses_and_readings(house: House, visit: Visit) -> None:
    """The five games side by side, a ruling for every code, every clause: as many as the server tells; readings."""
    house.play("game: mbs-blackjack-v6\nfresh: no\n\n")
    user = visit(route="games")
    told = user.get("/api/games")
    assert len(GAMES) == len(told["games"])
    user.test("all-rows").check()
    expect(user.test("rule")).to_have_count(len(told["rows"]))
    user.test("games-rulings").click()
    for code in CODES:
        expect(user.test("ruling", code=code).first).to_be_attached()
    expect(user.test("ruling", code="unshuffled-cards").first.locator("td").first).to_contain_text("Shuffle and load")
    user.test("games-clauses").click()
    clauses = user.get(f"/api/clauses/{GAME}")["rows"]
    expect(user.test("clause")).to_have_count(len(clauses))
    user.test("games-readings").click()
    expect(user.test("reading").first).to_be_visible()
