"""What hands do on the harness page that they could not: by keyboard, and without losing a table."""

from __future__ import annotations

from playwright.sync_api import expect

from gamecore.model.events import events as ev
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.browser.harness_user import Hands

GAME = "mbs-blackjack-v6"
HEADER = f"game: {GAME}\nfresh: no\nshoe: KH 8D 5S 9C 4D"
OPENED = f"game: {GAME}\n\nplace-bets\nbet 1 main 100; bet 3 main 50\nno-more-bets\n"


def opened(hands: Hands) -> None:
    """Set up a table with two wagers, bets closed."""
    hands.prepare(HEADER)
    for statement in parse(OPENED, GAMES).statements:
        hands.play(statement)


def test_a_card_in_the_dealers_hand_is_laid_by_keyboard(hands: Hands) -> None:
    """It is chosen with Enter, and so is the place; the pointer chooses it too, and lets go by a second press."""
    opened(hands)
    user = hands.user
    hands.type("draw none")
    card = user.test("in-hand")
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    card.click()
    expect(card).to_have_attribute("aria-pressed", "false")
    card.focus()
    hands.page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")
    place = hands.page.locator(".h-table .drop-target[data-place='1']")
    place.focus()
    with hands.page.expect_response("**/api/harness/act") as answer:
        hands.page.keyboard.press("Enter")
    assert answer.value.json()["ok"] is True
    hands.lies("1", ["KH"])
    expect(card).to_have_count(0)


def test_the_pull_counts_one_card_again(hands: Hands) -> None:
    """After two cards in one pull the next card is one."""
    opened(hands)
    user = hands.user
    user.test("count", value="2").click()
    user.test("show").select_option("1")
    hands.does(user.test("pull"), "pull")
    expect(user.test("count", value="1")).to_have_attribute("aria-pressed", "true")
    expect(user.test("count", value="2")).to_have_attribute("aria-pressed", "false")


def test_chips_have_boxes_alone_as_targets(hands: Hands) -> None:
    """Dealer, burn cards and discards are marked for a card, and not for a chip."""
    hands.prepare(HEADER)
    user = hands.user

    def marked() -> set[str]:
        found: list[str] = hands.page.evaluate(
            "[...document.querySelectorAll('.h-table .drop-target')]"
            ".filter((one) => !getComputedStyle(one).stroke.endsWith(', 0)')).map((one) => one.dataset.place)"
        )
        return set(found)

    assert set() == marked()
    user.test("chip", amount="100").click()
    boxes = marked()
    assert {str(box) for box in range(1, 8)} == boxes
    hands.page.keyboard.press("Escape")
    user.test("shoe").click()
    assert boxes | {"dealer", "burn", "discard"} == marked()
    hands.page.keyboard.press("Escape")


def test_a_chip_keeps_its_colour_on_the_way_to_the_table(hands: Hands) -> None:
    """In the rack it has the colour of the wager that it will be; so it lies on the felt."""
    hands.prepare(HEADER)
    user = hands.user
    hands.press(ev.PlaceBets())
    for kind in ("main", "pair"):
        user.test("wager").select_option(kind)
        rack = user.test("chip", amount="100").evaluate("(one) => getComputedStyle(one).backgroundColor")
        user.test("chip", amount="100").click()
        hands.does(hands.target("1"), "act")
        chip = hands.page.locator(f".h-table [data-wager={kind}] .chip").first
        expect(chip).to_have_css("fill", rack)


def test_one_event_is_one(hands: Hands) -> None:
    """Record and dialog say "1 event", then "2 events"."""
    hands.prepare(HEADER)
    user = hands.user
    hands.press(ev.PlaceBets())
    expect(hands.page.locator("[data-test=record-count]")).to_have_text("1 event")
    user.test("new-table").click()
    expect(user.test("table-lost")).to_contain_text("1 event has happened")
    hands.page.keyboard.press("Escape")
    hands.type("bet 1 main 100")
    expect(hands.page.locator("[data-test=record-count]")).to_have_text("2 events")


def test_a_table_is_not_thrown_away_unasked(hands: Hands) -> None:
    """Opening a scenario asks first, with the way to save; the form of a new table says what is lost."""
    opened(hands)
    user = hands.user
    user.test("new-table").click()
    expect(user.test("table-lost")).to_contain_text("4 events")
    hands.page.keyboard.press("Escape")
    user.test("scenario-search").fill("demo mbs-pontoon")
    user.test("scenario").first.click()
    expect(hands.page.get_by_role("dialog")).to_contain_text("Replace this table?")
    expect(user.test("save-first")).to_be_visible()
    user.test("keep-table").click()
    user.stands("bets-closed")
    user.test("scenario").first.click()
    hands.does(user.test("replace"), "scenario")
    user.stands("idle")
    hands.does(user.test("scenario-step"), "scenario")
    hands.does(user.test("scenario-again"), "scenario")  # what a file has is not asked about


def test_scenarios_of_the_game_come_first_and_their_names_whole(hands: Hands) -> None:
    """Pontoon is set up: its files lead the list, and no name is cut."""
    hands.prepare("game: mbs-pontoon-v5")
    user = hands.user
    user.test("scenario-search").fill("")
    expect(user.test("scenario").first).to_have_attribute("data-game", "mbs-pontoon-v5")
    cut = hands.page.locator(".h-file-name").evaluate_all(
        "(names) => names.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    )
    assert [] == cut


def test_the_example_of_the_line_is_a_statement_that_is_taken(hands: Hands) -> None:
    """What the empty line shows can be typed as it stands."""
    opened(hands)
    shown = hands.user.test("statement").get_attribute("placeholder") or ""
    hands.type(shown.partition("such as ")[2])
    expect(hands.page.locator("[data-test=record] li").last).to_contain_text("draw")
