"""The program that runs: one from a checkout says so on every page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.served_table import House


def test_a_program_that_nobody_has_signed_says_development(house: House, visit: Visit) -> None:
    """In the header, beside the game, and among what Health tells."""
    house.play("game: mbs-blackjack-v6\n\nplace-bets\n")
    user = visit(role="dealer")
    expect(user.page.locator(".header-game")).to_contain_text("development · ")
    user.page.goto(user.page.url.partition("#")[0] + "#/health")
    expect(user.page.locator("body")).to_contain_text("development: it does not run from where the package puts it")
