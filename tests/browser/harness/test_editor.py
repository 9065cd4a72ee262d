"""The position editor on the page: text and picture, what if, links."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.axe import grave
from tests.browser.browsing import TOUCH, Chromium, Watched
from tests.browser.harness_user import Hands, Sim
from tests.browser.page_user import PageUser

TEXT = """game: mbs-blackjack-v6
fresh: no
shoe: KH 9C 8D 5S

place-bets
bet 1 main 100
bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer; draw 1
"""


def shared(text: str) -> str:
    """The part of the address that carries a text."""
    return "harness/deal=" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.fixture
def editor(hands: Hands) -> Hands:
    """The editor, with the empty table of Blackjack."""
    hands.prepare("game: mbs-blackjack-v6")
    hands.user.open("harness/editor")
    hands.user.test("editor-text").fill("game: mbs-blackjack-v6\nfresh: no\n\n")
    legal(hands)
    return hands


def legal(hands: Hands, value: str = "true") -> None:
    """See whether the position is legal."""
    expect(hands.page.locator("[data-test=editor-says] [data-legal]")).to_have_attribute("data-legal", value)


def place(hands: Hands, tool: Locator, where: str, name: str = "change") -> None:
    """Choose something and press the place for it."""
    tool.click()
    with hands.page.expect_response(f"**/editor/{name}") as answer:
        hands.target(where).click()
    assert answer.value.json().get("ok") is True


def test_a_position_is_made_on_the_picture(editor: Hands) -> None:
    """Chips and cards are dropped on boxes in any order; the text has them in the order of the deal, and plays."""
    user = editor.user
    for box in ("1", "3"):
        place(editor, user.test("editor-chip"), box)
    for where, card in (("3", "9C"), ("1", "KH"), ("1", "5S")):
        place(editor, user.test("editor-card", card=card), where)
    legal(editor, "false")
    expect(user.test("editor-left")).to_contain_text("5♠")
    place(editor, user.test("editor-card", card="8D"), "dealer")
    legal(editor)
    text = user.test("editor-text").input_value()
    assert "shoe: KH 9C 8D 5S" in text
    assert text.endswith("draw 1; draw 3; draw dealer; draw 1\n")
    editor.drag(user.test("editor-card", card="2D"), editor.target("3"), "editor/change")
    assert user.test("editor-text").input_value().endswith("draw 1; draw 3; draw dealer; draw 1; draw 3\n")


def test_the_picture_follows_the_text_and_what_if_is_answered(editor: Hands) -> None:
    """The text is typed; a card dropped where it is not due is asked about, and the text stays."""
    user = editor.user
    user.test("editor-text").fill(TEXT)
    editor.lies("1", ["KH", "5S"])
    user.test("editor-mode", mode="if").click()
    place(editor, user.test("editor-card", card="AH"), "1", "what-if")
    expect(user.test("editor-found", code="misdealt-card")).to_have_attribute("data-clause", "5.6.1")
    expect(user.test("editor-next")).to_contain_text("Next step")
    user.test("editor-statement").fill("draw 3 = AH")
    with editor.page.expect_response("**/editor/what-if"):
        user.test("editor-ask").click()
    expect(user.test("editor-found")).to_have_count(0)
    assert TEXT == user.test("editor-text").input_value()
    editor.lies("1", ["KH", "5S"])
    user.test("editor-text").fill(TEXT + "settle\n")
    legal(editor, "false")
    expect(user.test("editor-says")).to_contain_text("Line 10")


def test_what_the_picture_cannot_say_is_not_lost_unasked(editor: Hands) -> None:
    """A text with a report in it is rewritten only after the question."""
    user = editor.user
    user.test("editor-mode", mode="set").click()
    text = TEXT + "draw 3 = 7H\ncall absent-player\n"
    with editor.page.expect_response("**/editor/look"):
        user.test("editor-text").fill(text)
    expect(user.test("editor-says")).to_contain_text("clause 5.22")
    user.test("editor-card", card="2D").click()
    editor.target("3").click()
    expect(editor.page.get_by_role("dialog")).to_contain_text("Rewrite the text?")
    editor.page.keyboard.press("Escape")
    assert text == user.test("editor-text").input_value()
    user.test("editor-card", card="2D").click()
    editor.target("3").click()
    with editor.page.expect_response("**/editor/change"):
        user.test("editor-anew").click()
    editor.lies("3", ["9C", "7H", "2D"])


def test_a_position_is_put_on_the_table_and_opened_from_a_file(editor: Hands, tmp_path: Path) -> None:
    """A file is opened; its text then lies on the simulated table, card by card."""
    file = tmp_path / "mine.deal"
    file.write_text(TEXT, encoding="utf-8")
    user = editor.user
    user.test("editor-file").set_input_files(file)
    expect(user.test("editor-text")).to_have_value(TEXT)
    legal(editor)
    editor.replaces(user.test("editor-put"), "scenario")
    user.test("editor-back").click()
    editor.lies("1", ["KH", "5S"])
    editor.lies("3", ["9C"])


def test_a_link_carries_the_text_and_asks_first(editor: Hands) -> None:
    """The link of the editor is opened in the same browser: refused, the table stays; allowed, it is replaced."""
    user = editor.user
    user.test("editor-text").fill(TEXT)
    legal(editor)
    user.test("editor-link").click()
    link = user.test("editor-address").input_value()
    assert link.endswith(f"#/{shared(TEXT)}")
    editor.page.keyboard.press("Escape")
    user.open(shared(TEXT))
    expect(editor.page.get_by_role("dialog")).to_contain_text("Replace this table?")
    user.test("keep-table").click()
    expect(user.test("scenario-search")).to_be_visible()
    editor.lies("1", [])
    user.open(shared(TEXT))
    user.test("replace").click()
    expect(user.test("editor-text")).to_have_value(TEXT)
    user.open("harness")
    editor.lies("1", ["KH", "5S"])


@pytest.mark.parametrize("part", ["harness/deal=%25%25", "harness/deal=", shared("x" * 9000)])
def test_a_link_that_holds_no_position_is_told(editor: Hands, part: str) -> None:
    """What is no text, or too long, opens the editor and nothing else."""
    user = editor.user
    user.open(part)
    expect(editor.page.get_by_text("This link holds no position.")).to_be_visible()
    expect(user.test("editor-text")).to_be_visible()


def test_a_text_that_is_too_long_for_a_link_is_told(editor: Hands) -> None:
    """It is to be saved instead."""
    editor.user.test("editor-text").fill("# " + "x" * 8200 + "\n" + TEXT)
    legal(editor)
    editor.user.test("editor-link").click()
    expect(editor.page.get_by_text("A link carries at most 8192 bytes")).to_be_visible()


def test_the_editor_on_a_small_screen(chromium: Chromium, sim: Sim) -> None:
    """With touch at 800x480: all of it can be reached, and axe finds nothing serious."""
    watched = Watched(chromium.browser, sim.address, TOUCH, has_touch=True)
    user = PageUser(watched)
    user.open("harness/editor")
    hands = Hands(user)
    legal(hands)
    assert [] == grave(user.page)
    place(hands, user.test("editor-chip"), "2")
    legal(hands)
    wide = user.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert 0 >= wide
    assert [] == watched.close()
