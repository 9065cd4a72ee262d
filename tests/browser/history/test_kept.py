"""History as people keep it: a search in the address, links to a step, notes, print, CSV, the seal of the journal."""

from __future__ import annotations

import csv
import io
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware_bridge.journal.segments import segments
from firmware_bridge.texts.languages import LANGUAGES
from tests.browser.conftest import Visit
from tests.browser.history.test_past import find, listed, past
from tests.browser.page_user import PageUser
from tests.browser.served_table import Console, House, name_of
from tests.browser.table.test_attention import NAME

__all__ = ["past"]
pytestmark = pytest.mark.usefixtures("past")
FINDING = "foreign-card"
_BEGINS = """
async (times) => {
  const { beginOf } = await import("/static/pages/history/find.js");
  const two = (number) => String(number).padStart(2, "0");
  const local = (at) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:00`;
  const begins = (period) => times.map((at) => local(beginOf(period, new Date(at))));
  return ["today", "shift", "week"].map((period) => [period, ...begins(period)]);
}
"""
#: Where on a printed page its number and how many there are stand: the margins that the browser has understood.
_NUMBERED = """
() => {
  const under = (sheet) => [...sheet.cssRules].flatMap((rule) => (rule.styleSheet ? under(rule.styleSheet) : [rule]));
  return [...document.styleSheets].flatMap(under)
    .filter((rule) => rule instanceof CSSPageRule)
    .flatMap((rule) => [...rule.cssRules])
    .filter((rule) => /counter\\(page\\).*counter\\(pages\\)/.test(rule.style.content))
    .map((rule) => rule.name.replace("@", ""));
}
"""
PRINTED = "() => { window.dispatchEvent(new Event('beforeprint')); }"


def opened(user: PageUser, finding: str = "") -> str:
    """Open the newest round, or the newest with a finding; its key."""
    if finding:
        user.page.evaluate(f"location.hash = '#/history?finding={finding}'")
        expect(user.page.locator("#find-finding")).to_have_value(finding)
    user.test("round").first.click()
    expect(user.test("scrubber")).to_be_visible()
    return str(user.page.evaluate("location.hash")).split("/")[2]


def address(page: Page) -> str:
    """The part of the address after the sharp sign."""
    return str(page.evaluate("location.hash"))


def test_a_search_stands_in_the_address(visit: Visit) -> None:
    """What is searched for can be reloaded, gone back to from a round, and begun with a preset."""
    user = visit(role="surveillance", route="history")
    find(user, outcome="void", clause="5.1")
    expect(user.page.locator(".find-asked")).to_contain_text("Void")
    assert "#/history?clause=5.1&outcome=void" == address(user.page)
    found = listed(user)
    assert found
    user.page.reload()
    expect(user.test("round")).to_have_count(len(found))
    assert found == listed(user)
    user.test("round").first.click()
    user.test("back").click()
    expect(user.page.locator("#find-outcome")).to_have_value("void")
    user.test("period-today").click()
    expect(user.test("period-today")).to_have_attribute("aria-current", "true")
    assert "period=today" in address(user.page)
    expect(user.test("round")).to_have_count(len(found))
    for period in ("shift", "week"):
        user.test(f"period-{period}").click()
        expect(user.test(f"period-{period}")).to_have_attribute("aria-current", "true")
        expect(user.test("period-today")).not_to_have_attribute("aria-current", "true")
        assert f"period={period}" in address(user.page)
        expect(user.test("round")).to_have_count(len(found))
    user.test("find-clear").click()
    expect(user.page.locator("#find-outcome")).to_have_value("")


def test_a_preset_begins_with_its_day_shift_or_week(visit: Visit) -> None:
    """Shifts begin at 6, 14 and 22 o'clock; a week is this day and the six before."""
    user = visit(role="surveillance", route="history")
    begins = user.page.evaluate(_BEGINS, ["2026-03-02T05:30:00", "2026-03-02T15:00:00"])
    assert [
        ("today", "2026-03-02 00:00", "2026-03-02 00:00"),
        ("shift", "2026-03-01 22:00", "2026-03-02 14:00"),
        ("week", "2026-02-24 00:00", "2026-02-24 00:00"),
    ] == [tuple(one) for one in begins]


def test_rounds_are_found_by_person_and_amount(visit: Visit) -> None:
    """In any case of letters; a stake that nobody placed finds nothing."""
    user = visit(role="surveillance", route="history")
    for query, some in (
        ("person=PANEL", True),
        ("person=nobody", False),
        ("amount=100", True),
        ("amount=99999", False),
    ):
        told = user.get(f"/api/rounds?{query}")["rounds"]
        assert some == bool(told), query
    user.watched.allow("status of 400")
    assert "amount" in user.get("/api/rounds?amount=much")["error"]


def test_a_step_has_an_address_and_findings_have_keys(visit: Visit) -> None:
    """The address follows the step, opens at it, and N and P lead from finding to finding, across rounds."""
    user = visit(role="surveillance", route="history")
    newest = opened(user)
    assert re.fullmatch(r"[0-9]{8}T[0-9]{6}-E[0-9]+", newest)
    assert f"#/history/{newest}" == address(user.page)
    user.test("scrub-first").click()
    user.page.keyboard.press("ArrowRight")
    expect(user.test("scrubber")).to_have_value("1")
    assert f"#/history/{newest}/2" == address(user.page)
    user.page.reload()
    expect(user.test("scrubber")).to_have_value("1")
    user.page.keyboard.press("p")
    expect(user.page.locator(".scrub-found")).not_to_have_count(0)
    before = address(user.page).split("/")[2]
    assert newest != before
    steps = user.get(f"/api/rounds/{before}")["steps"]
    found = [at for at, step in enumerate(steps) if any(one["is"] == "found" for one in step["brought"])]
    expect(user.test("scrubber")).to_have_value(str(found[-1]))
    user.test("scrub-first").click()
    expect(user.test("scrubber")).to_have_value("0")
    user.page.keyboard.press("n")
    expect(user.test("scrubber")).to_have_value(str(found[0]))
    user.page.keyboard.press("?")
    expect(user.page.locator(".help kbd", has_text="Space")).to_be_visible()


def test_what_is_no_round_and_no_page_says_so(visit: Visit) -> None:
    """An event number names no round; an unknown path and an unknown page are told as a page with a way back."""
    user = visit(role="surveillance", route="history")
    user.watched.allow("status of 404")
    user.page.evaluate("location.hash = '#/history/2'")
    expect(user.page.locator(".is-missing")).to_contain_text("there is no such round")
    user.page.evaluate("location.hash = '#/nowhere'")
    expect(user.test("unknown")).to_contain_text("#/nowhere")
    answer = user.page.goto(f"{user.watched.address}/some/where")
    assert answer is not None
    assert 404 == answer.status
    expect(user.test("unknown")).to_contain_text("/some/where")
    user.test("unknown").get_by_role("link").click()
    expect(user.page.locator("#page[data-route=table]")).to_be_attached()


def test_notes_and_a_bookmark_stay_with_the_person(house: House, visit: Visit) -> None:
    """A note and a bookmark are rows of the journal; they are listed, found, and seen by others without the form."""
    user = visit(role="surveillance", route="history")
    key = opened(user)
    user.test("part-notes").click()
    user.test("note-words").fill("the patron asked twice; 9H was under the shoe")
    user.test("note").click()
    expect(user.test("past-note")).to_have_count(1)
    expect(user.test("past-note")).to_contain_text(name_of("surveillance"))
    expect(user.test("past-note")).to_contain_text("9H was under")
    user.test("bookmark").click()
    expect(user.test("bookmark")).to_have_attribute("aria-pressed", "true")
    expect(user.test("past-note")).to_have_count(2)
    user.page.evaluate("location.hash = '#/history?notes=bookmarked'")
    expect(user.test("round").first.locator(".round-mark").first).to_be_visible()
    assert key in listed(user)
    dealer = visit(role="dealer", route=f"history/{key}")
    dealer.test("part-notes").click()
    expect(dealer.test("past-note").first).to_contain_text("??")
    expect(dealer.test("note")).to_have_count(0)
    said = {"id": "not-a-button", "key": key, "text": "mine"}
    _, answer = dealer.post("/api/note", said, dealer.token)
    assert "'note' needs pit-supervisor or surveillance: logged in as dealer" == answer["refused"]
    first = int(key.rpartition("E")[2])
    assert "text: expected 1 to 500 characters, or a bookmark" == house.ask("note", first=first)["error"]
    assert "there is no such round at hand" == house.ask("note", first=first + 1, text="none")["refused"]


def test_a_search_is_saved_as_csv(visit: Visit) -> None:
    """The same rounds in the same order, with the name of the table and the key that the address has."""
    user = visit(role="dealer", route=f"history?finding={FINDING}")
    expect(user.test("round").first).to_be_visible()
    with user.page.expect_download() as saved:
        user.test("csv").click()
    lines = list(csv.DictReader(io.StringIO(saved.value.path().read_text(encoding="utf-8"))))
    assert listed(user) == [line["key"] for line in lines][: len(listed(user))]
    assert {NAME} == {line["table"] for line in lines}
    assert all(FINDING in line["codes"].split() for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_print_has_the_steps_of_the_handbook(lang: str, visit: Visit) -> None:
    """What is to be done about the finding, in the words of the alarm, in the language of the page."""
    user = visit(role="pit-manager", route=f"history?finding={FINDING}", lang=lang)
    told = user.get(f"/api/rounds/{opened(user)}")["round"]["findings"]
    wanted = [step[lang] for one in told for step in one["steps"]]
    user.page.emulate_media(media="print")
    expect(user.test("finding-steps").first).to_be_visible()
    assert wanted
    assert wanted == user.test("finding-steps").locator("li").all_text_contents()
    colours = user.page.locator(".finding-todo").evaluate_all("(all) => all.map((one) => getComputedStyle(one).color)")
    assert {"rgb(51, 51, 51)"} == set(colours)  # though the page itself is dark


def test_a_print_says_whose_it_is_and_what_proves_it(visit: Visit) -> None:
    """Table, key, who and when, the digest of the last row and the signature over it; the picture of the finding."""
    user = visit(role="pit-manager", route=f"history?finding={FINDING}")
    key = opened(user)
    told = user.get(f"/api/rounds/{key}")
    user.page.emulate_media(media="print")
    user.page.evaluate(PRINTED)
    found = [at for at, step in enumerate(told["steps"]) if any(one["is"] == "found" for one in step["brought"])]
    expect(user.test("scrubber")).to_have_value(str(found[0]))
    expect(user.test("print-head")).to_contain_text(f"Table {NAME}")
    expect(user.test("print-head")).to_contain_text(key)
    expect(user.test("printed")).to_contain_text(f"{name_of('pit-manager')} (Pit Manager)")
    proof = told["round"]["proof"]
    expect(user.test("print-proof")).to_contain_text(proof["chain"])
    expect(user.test("print-proof")).to_contain_text(proof["head"]["signature"])
    assert proof["head"]["n"] >= proof["n"]
    pages = user.page.pdf(prefer_css_page_size=True, print_background=True)
    assert pages.startswith(b"%PDF")
    assert ["bottom-right"] == user.page.evaluate(_NUMBERED)


@pytest.fixture
def damaged(house: House, tmp_path: Path) -> Iterator[Console]:
    """A console beside a copy of the journal in which one row is another."""
    state, copied, config = house.table.state_path, tmp_path / "copy", tmp_path / "table.toml"
    shutil.copytree(state, copied)
    with closing(sqlite3.connect(segments(copied)[-1])) as db, db:
        db.execute("UPDATE events SET at = '1999' WHERE n = (SELECT min(n) + 3 FROM events)")
    told = house.table.config_path.read_text(encoding="utf-8")
    config.write_text(told.replace(str(state), str(copied)), encoding="utf-8")
    console = Console(config)
    yield console
    console.close()


def test_a_damaged_copy_has_a_red_seal(damaged: Console, visit: Visit) -> None:
    """The page says that the journal is not whole, and which row is not as it was written."""
    user = visit(role="pit-manager", route="history", at=damaged.address)
    user.test("audit").locator("summary").first.click()
    user.test("verify").click()
    expect(user.test("seal")).to_have_attribute("data-seal", "bad", timeout=60_000)
    expect(user.test("seal")).to_contain_text("The journal is NOT whole")
    expect(user.test("seal")).to_contain_text("event 4 changed")


def test_the_journal_is_verified_from_the_page(visit: Visit) -> None:
    """A green seal where it is whole; affected rounds and a bundle are saved; a dealer sees and gets none of it."""
    user = visit(role="pit-manager", route="history")
    user.test("audit").locator("summary").first.click()
    user.test("verify").click()
    expect(user.test("seal")).to_have_attribute("data-seal", "good", timeout=60_000)
    for name, begins in (("affected", b"<!DOCTYPE html>"), ("affected-csv", b"table,case"), ("bundle", b"\x1f\x8b")):
        with user.page.expect_download() as saved:
            user.test(name).click()
        assert saved.value.path().read_bytes().startswith(begins)
    dealer = visit(role="dealer", route="history")
    expect(dealer.test("round").first).to_be_visible()
    expect(dealer.test("audit")).to_have_count(0)
    dealer.watched.allow("status of 403")
    for path in ("/api/verify", "/api/affected/html", "/api/bundle"):
        assert "this needs surveillance, pit-manager or shift-manager" == dealer.get(path)["error"]
