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
from tests.firmware_bridge.setup.test_house_documents import document


def added(house: House, file: Path) -> subprocess.CompletedProcess[str]:
    """Run `truedeal document add` as a shift manager."""
    command = [sys.executable, "-m", "firmware_bridge.cli", "document", "add", str(file)]
    command += ["--name", name_of(SHIFT_MANAGER), "--control", str(house.table.control_path)]
    return subprocess.run(command, input=f"{PIN}\n", capture_output=True, text=True, check=False)


def test_the_words_of_a_clause_are_one_tap_away(house: House, visit: Visit, tmp_path: Path) -> None:
    """Before the document is added the page says that there is none; one that lacks a clause is refused."""
    house.play(SEVERAL_MOVES)
    desk = visit(role="pit-supervisor")
    clause = desk.test("clause", clause="5.6.1")
    clause.click()
    expect(desk.test("clause-words")).to_contain_text("has not put its approved document")
    desk.page.keyboard.press("Escape")
    short, whole = tmp_path / "short.md", tmp_path / "whole.md"
    short.write_text("5.6.1 words\n", encoding="utf-8")
    whole.write_text(document(), encoding="utf-8")
    refused = added(house, short)
    assert (1, True) == (refused.returncode, "are missing" in refused.stderr)
    done = added(house, whole)
    assert (0, "") == (done.returncode, done.stderr)
    clause.click()
    expect(desk.test("clause-words")).to_contain_text("Words of 5.6.1.")
