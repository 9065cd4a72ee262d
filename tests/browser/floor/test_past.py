"""Findings, voids and trends of all tables in a browser: filters in the address, saved views, CSV, plots."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.floor.conftest import Look


def test_a_search_is_its_address_and_can_be_kept(look: Look) -> None:
    """What is filled in stands in the address; a view has a name, and leads back there."""
    user = look("findings")
    user.page.locator("[name=table]").fill("bj-7")
    user.page.locator("[name=code]").fill("late-wager")
    user.test("find").click()
    expect(user.page).to_have_url(re.compile(r"#/findings\?table=bj-7&code=late-wager$"))
    expect(user.test("finding", table="bj-7", code="late-wager")).to_have_count(4)
    expect(user.test("finding")).to_have_count(4)
    user.test("view-name").fill("late at seven")
    user.test("view-save").click()
    view = user.test("views").get_by_text("late at seven")
    expect(view).to_be_visible()
    user.open("findings?what=voids")
    expect(user.page.locator("h1")).to_have_text("Void rounds")
    expect(user.test("finding")).to_have_count(36)
    view.click()
    expect(user.test("finding")).to_have_count(4)
    user.test("views").locator("button").click()
    expect(user.test("views").locator("a")).to_have_count(0)


def test_pages_and_periods(look: Look) -> None:
    """A hundred at once, then the rest; a period moves with the clock."""
    user = look("findings")
    expect(user.test("finding")).to_have_count(100)
    user.test("older").click()
    expect(user.test("finding")).to_have_count(120)
    user.test("period-week").click()
    expect(user.page).to_have_url(re.compile("period=week$"))
    expect(user.test("period-week")).to_have_attribute("aria-current", "true")
    expect(user.test("finding")).to_have_count(100)


def test_the_csv_has_every_row_of_the_search(look: Look) -> None:
    """All of them, not the page that is shown."""
    user = look("findings?dealer=1001")
    with user.page.expect_download() as saved:
        user.test("csv").click()
    lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert saved.value.suggested_filename == "findings.csv"
    assert 41 == len(lines)
    assert lines[0].startswith("kind,at_utc,casino,table,dealer")


def test_trends_are_plots_in_each_dimension(look: Look) -> None:
    """Five plots with their figures as tables; a search narrows them."""
    user = look("trends")
    for name in ("code", "table", "dealer", "shuffler", "hour"):
        expect(user.test(f"plot-{name}")).to_be_visible()
    expect(user.page.get_by_text("120 findings in 360 rounds")).to_be_visible()
    expect(user.test("plot-shuffler").locator(".plot-legend li")).to_have_text(["SH-0", "SH-1"])
    user.open("trends?table=bj-7&period=week")
    expect(user.test("plot-table")).to_contain_text("10 findings, 1 different; most: bj-7.")
