"""The words of a clause, one tap away on the alarm and in the history, where the house has put its document here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from firmware_bridge.people.accounts.roles import SHIFT_MANAGER
from tests.browser.conftest import Visit
from tests.browser.served_table import PIN, House, name_of
from tests.browser.table.test_alarms import SEVERAL_MOVES
from tests.browser.table.test_dealer import LAPTOP, READY
from tests.firmware_bridge.setup.test_house_documents import document


def added(house: House, file: Path) -> subprocess.CompletedProcess[str]:
    """Run `truedeal document add` as a shift manager."""
    command = [sys.executable, "-m", "firmware_bridge.cli", "document", "add", str(file)]
    command += ["--name", name_of(SHIFT_MANAGER), "--control", str(house.table.control_path)]
    return subprocess.run(command, input=f"{PIN}\n", capture_output=True, text=True, check=False)


def test_the_words_of_a_clause_are_one_tap_away(house: House, visit: Visit, tmp_path: Path) -> None:
    """Before the document is added the page says that there is none; one that lacks a clause is refused."""
    house.play(SEVERAL_MOVES)
    user = visit(role="pit-supervisor")
    clause = user.test("clause", clause="5.6.1")
    clause.click()
    expect(user.test("clause-words")).to_contain_text("has not put its approved document")
    user.page.keyboard.press("Escape")
    short, whole = tmp_path / "short.md", tmp_path / "whole.md"
    short.write_text("5.6.1 words\n", encoding="utf-8")
    whole.write_text(document(), encoding="utf-8")
    refused = added(house, short)
    assert (1, True) == (refused.returncode, "are missing" in refused.stderr)
    done = added(house, whole)
    assert (0, "") == (done.returncode, done.stderr)
    clause.click()
    expect(user.test("clause-words")).to_contain_text("Words of 5.6.1.")


def test_history_and_paper_have_the_words_of_a_clause(house: House, visit: Visit, tmp_path: Path) -> None:
    """From the settlement and from a finding, one tap each; printed, the finding has them whole."""
    whole = tmp_path / "whole.md"
    whole.write_text(f"{document()}## 4.3.2 Words of 4.3.2.\n", encoding="utf-8")
    house.play(f"{READY}settle\n")
    assert 0 == added(house, whole).returncode
    user = visit(role="surveillance", route="history", size=LAPTOP)
    user.test("round").first.click()
    user.test("part-settlement").click()
    user.page.locator("#part-settlement [data-clause='4.3.2']").first.click()
    expect(user.test("clause-words")).to_contain_text("Words of 4.3.2.")
    user.page.keyboard.press("Escape")
    house.play(f"{SEVERAL_MOVES.partition('draw')[0]}draw 1 = JOKER\n")
    user.page.evaluate("location.hash = '#/history?finding=foreign-card'")
    user.test("round").first.click()
    user.test("part-findings").click()
    found = user.test("finding", code="foreign-card")
    found.locator("[data-test=clause]").click()
    expect(user.test("clause-words")).to_contain_text("Words of 5.1.1.")
    user.page.keyboard.press("Escape")
    user.page.emulate_media(media="print")
    expect(found.locator("[data-test=clause-print]")).to_be_visible()
    expect(found.locator("[data-test=clause-print]")).to_contain_text("Words of 5.1.1.")


def test_a_clause_of_the_guide_leads_to_its_words_and_to_what_is_done_about_it(house: House, visit: Visit) -> None:
    """From the row of a wager, in two taps; the page of the clauses has it in its address."""
    house.play(READY)
    user = visit(role="dealer", size=LAPTOP)
    user.sees(house.scene())
    clause = user.test("payment").first.locator("[data-test=clause]")
    number = clause.get_attribute("data-clause") or ""
    clause.click()
    expect(user.test("clause-words")).to_be_visible()
    user.test("clause-standing").click()
    expect(user.page.locator("#page[data-route=games]")).to_be_attached()
    assert user.page.url.endswith(f"#/games/clauses?game=mbs-blackjack-v6&words={number}")
    expect(user.page.locator(f"tr[data-test=clause][data-clause='{number}']")).to_be_visible()
    user.page.reload()
    expect(user.page.locator(f"tr[data-test=clause][data-clause='{number}']")).to_be_visible()
    user.test("games-rulings").click()
    expect(user.test("ruling").first).to_be_visible()
    assert user.page.url.endswith("#/games/rulings")
    user.page.reload()
    expect(user.test("ruling").first).to_be_visible()
