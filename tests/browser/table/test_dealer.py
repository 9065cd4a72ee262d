"""The Dealer's page: the loud line, buttons that keep their places, pills on boxes, the pay-and-take guide."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from firmware_bridge.texts.languages import LANGUAGES
from tests.browser.access.test_touch import LEAST, fits
from tests.browser.browsing import PHONE, TOUCH, ZOOMED
from tests.browser.conftest import Visit
from tests.browser.page_user import PageUser
from tests.browser.served_table import House

LAPTOP = (1366, 768)
ALL = range(1, 8)
BETS = "".join(f"bet {box} main 100\n" for box in ALL)
ROW = "; ".join(f"draw {box}" for box in ALL)
HEADER = "game: mbs-blackjack-v6\nfresh: no\nshoe: TH 9H 8D AD 7C 6S 5D AS KC TD 2C KD 3S JD 4C 9C 9S 8S\n\n"
DEALT = f"{HEADER}place-bets\n{BETS}bet 2 pair 10\nno-more-bets\n{ROW}; draw dealer; {ROW}\n"
CLOSED = f"{DEALT}offer insurance; insure 2 50; even-money 4; close insurance\n"
READY = f"{CLOSED}double 1; draw 1\n{'; '.join(f'stand {box}' for box in (2, 3, 5, 6, 7))}; draw dealer\n"
PAIRED = """game: mbs-blackjack-v6
fresh: no
shoe: TH 9H 6S 9D 8C TD 9C

place-bets
bet 1 main 100; bet 1 pair 10; bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer; draw 1; draw 3
offer surrender; close surrender
stand 1; stand 3; draw dealer; draw dealer
"""
TWICE = "\u00d72"
GRID = [
    *("bets", "offer", "close", "interim", "settle", "undo", "more"),
    *("hit", "stand", "double", "split", "free-double", "free-split", "surrender"),
]
_CELLS = "(root) => [...document.querySelectorAll('.cell')].map((one) => one.dataset[root])"
_PLACES = "() => [...document.querySelectorAll('.cell')].map((one) => JSON.stringify(one.getBoundingClientRect()))"


def loud(user: PageUser) -> str:
    """The loud line, as it stands there."""
    expect(user.test("advice")).to_contain_text("▶")
    return user.test("advice").inner_text().removeprefix("▶").strip()


@pytest.mark.parametrize("size", [TOUCH, LAPTOP], ids=["800x480", "1366x768"])
def test_insurance_on_seven_boxes_takes_nine_presses(size: tuple[int, int], house: House, visit: Visit) -> None:
    """Offer, a pill on each box, Close: nothing is looked for in a menu."""
    house.play(DEALT)
    user = visit(role="dealer", size=size)
    user.sees(house.scene())
    assert "Offer insurance" == loud(user)
    assert ["offer"] == [cell for cell in GRID if user.page.locator(f".cell-{cell}.is-loud").count()]
    presses = [f".pill[data-box='{box}'] .pill-say" for box in ALL]
    for press in [".cell-offer", *presses, ".cell-close"]:
        user.press(user.page.locator(press))
        user.sees(house.scene())
        if size == TOUCH:
            fits(user)
    insured = [box["number"] for box in house.scene()["boxes"] if box["insurance"]]
    evens = [box["number"] for box in house.scene()["boxes"] if box["hands"][0]["stakes"][0]["even_money"]]
    assert ([1, 2, 3, 5, 6, 7], [4], 9) == (insured, evens, len(presses) + 2)
    expect(user.page.locator("[data-ribbon='ribbon.even-money']")).to_have_count(1)
    natural = user.page.locator("g[data-box='4']")
    expect(natural).to_have_attribute("aria-label", re.compile("Blackjack"))
    assert "soft" not in (natural.get_attribute("aria-label") or "") + (natural.text_content() or "")


def test_buttons_keep_their_places(house: House, visit: Visit) -> None:
    """In every state of a round; what cannot be done now is dim, and what the game never has is empty."""
    house.play(HEADER)
    user = visit(role="dealer", size=TOUCH)
    user.stands("idle")
    assert GRID == user.page.evaluate(_CELLS, "cell")
    places = [user.page.evaluate(_PLACES)]
    for step in (
        "place-bets",
        BETS,
        f"no-more-bets\n{ROW}; draw dealer; {ROW}",
        "offer insurance\nclose insurance",
        "hit 1",
    ):
        house.let_happen(*step.strip().splitlines())
        user.sees(house.scene())
        places.append(user.page.evaluate(_PLACES))
        assert 1 >= user.page.locator(".cell.is-loud").count()
    assert [] == [other for other in places if other != places[0]]
    looks = dict(zip(GRID, user.page.evaluate(_CELLS, "look"), strict=True))
    assert ("dim", "dim", "empty", "ready") == (looks["stand"], looks["bets"], looks["free-split"], looks["undo"])
    assert "Next card to Box 1" == loud(user)


def test_a_dim_button_says_why(house: House, visit: Visit) -> None:
    """Reason and clause are the table's; nothing is commanded and nothing is written."""
    house.play(CLOSED)
    user = visit(role="dealer")
    user.sees(house.scene())
    before = house.scene()["n"]
    with user.page.expect_response("**/api/why") as answer:
        user.page.locator(".cell-settle").dispatch_event("click")
    assert "hand-not-played" == answer.value.json()["refusal"]["key"]
    expect(user.page.locator("#toasts")).to_contain_text("Refused")
    assert before == house.scene()["n"]


def test_a_double_tap_does_one_thing(house: House, visit: Visit) -> None:
    """The second tap on Open bets does not close them, though chips lie there: the button's meaning has changed."""
    house.play(f"{HEADER}bet 1 main 100\n")
    user = visit(role="dealer", size=TOUCH)
    user.stands("idle")
    user.page.evaluate(
        """() => {
          const button = document.querySelector(".cell-bets");
          const tap = new MutationObserver(() => {
            if (button.dataset.statement !== "no-more-bets") return;
            tap.disconnect();
            button.click();
          });
          tap.observe(button, { attributes: true });
        }"""
    )
    user.press(user.page.locator(".cell-bets"))
    expect(user.page.locator(".cell-bets:not([data-fresh])")).to_have_attribute("data-statement", "no-more-bets")
    user.stands("betting")


def test_a_slip_is_undone(house: House, visit: Visit) -> None:
    """Stand leaves its mark; Undo takes it back; a card that has come since makes it dim."""
    house.play(CLOSED)
    user = visit(role="dealer")
    user.say("stand 1")
    mark = user.page.locator("[data-box='1'] [data-ribbon='ribbon.stood']")
    expect(mark).to_have_count(1)
    user.press(user.test("correction", statement="take-back"))
    expect(mark).to_have_count(0)
    assert "Box 1: Player to decide (20)" == loud(user)
    user.say("double 1")
    expect(user.page.locator(".cell-undo")).to_have_attribute("aria-label", "Undo: Double Box 1")
    expect(user.page.locator("[data-box='1'] [data-wager='main']")).to_have_attribute("data-added", "100")
    house.let_happen("draw 1")
    expect(user.page.locator(".cell-undo")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize(
    ("lang", "mark", "words"),
    [("en", "Insured 50", "Undo: Insure 50 Box 2"), ("zh", "已保险 50", "撤销\uff1a保险 50 2号位")],
)
def test_insurance_leaves_its_mark_that_takes_it_back(
    lang: str, mark: str, words: str, house: House, visit: Visit
) -> None:
    """The pill becomes the mark while a slip can be taken back; with the next word it is a chip alone."""
    house.play(f"{HEADER}place-bets\n{BETS}no-more-bets\n{ROW}; draw dealer; {ROW}\noffer insurance\n")
    user = visit(role="dealer", size=TOUCH, lang=lang)
    chip = user.page.locator("[data-box='2'] [data-wager='insurance']")
    user.say("insure 2 50")
    undo = user.test("insured")
    expect(undo).to_have_text(mark)
    expect(undo).to_have_attribute("aria-label", words)
    expect(user.page.locator(".cell-undo")).to_have_attribute("aria-label", words)
    expect(chip).to_have_count(1)
    user.press(undo)
    expect(chip).to_have_count(0)
    user.say("insure 2 50")
    user.say("insure 3 50")
    expect(undo).to_have_attribute("aria-label", words.replace("2", "3"))
    expect(chip).to_have_count(1)


def test_the_guide_says_what_to_pay_and_take(house: House, visit: Visit) -> None:
    """On a large screen the whole list, before the press and after it; each box has its sum."""
    house.play(READY)
    user = visit(role="dealer", size=LAPTOP)
    user.sees(house.scene())
    rows = [
        tuple(row.get_attribute(f"data-{name}") for name in ("box", "kind", "act", "amount"))
        for row in user.test("payment").all()
    ]
    assert ("1", "main", "take", "200.00") == rows[0]
    assert {("2", "insurance", "take", "50.00"), ("2", "pair", "take", "10.00")} <= set(rows)
    assert ("4", "main", "pay", "100.00") in rows
    expect(user.test("sums")).to_contain_text("To pay now 100.00")
    ribbons = user.page.locator("[data-box] [data-ribbon]").all_text_contents()
    assert ["TAKE 200", "TAKE 160", "TAKE 100", "PAY 100", "TAKE 100", "TAKE 100", "TAKE 100"] == ribbons
    user.say("settle")
    user.stands("complete")
    expect(user.test("guide")).to_have_attribute("data-done", "true")
    assert "PAID 100" in user.page.locator("[data-box] [data-ribbon]").all_text_contents()


def test_on_a_small_screen_the_rows_are_behind_the_box(house: House, visit: Visit) -> None:
    """A press on a box shows what its sum is made of, with the clause."""
    house.play(READY)
    user = visit(role="dealer", size=TOUCH)
    user.sees(house.scene())
    fits(user)
    user.page.locator("g[data-box='2']").click()
    rows = user.page.locator("[role=dialog] [data-test=payment]")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("4.3.1")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [TOUCH, PHONE, ZOOMED], ids=["800x480", "phone", "zoomed"])
def test_what_to_pay_and_take_is_large_enough_on_every_small_screen(
    size: tuple[int, int], lang: str, house: House, visit: Visit
) -> None:
    """A box that is paid and taken from has both on two lines; its rows are behind a press."""
    house.play(PAIRED)
    user = visit(role="dealer", size=size, lang=lang)
    user.sees(house.scene())
    box = user.page.locator(".box-row[data-row='1'] .row-mark" if size == PHONE else "g[data-box='1'] [data-ribbon]")
    words = re.sub(r"\s", "", box.text_content() or "")
    assert {"en": "PAY100TAKE10", "zh": "赔100收10"}[lang] == words.replace("·", "")
    letters = box if size == PHONE else box.locator("text")
    for line in letters.all():
        assert line.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= LEAST
    box.click()
    expect(user.page.locator("[role=dialog] [data-test=payment]")).to_have_count(2)


def test_page_and_panel_say_the_same(house: House, visit: Visit) -> None:
    """In small letters here, in capitals there."""
    house.play(HEADER)
    user = visit(role="dealer")
    for step in (
        "",
        "place-bets",
        BETS,
        "no-more-bets",
        f"{ROW}; draw dealer; {ROW}",
        "offer insurance",
        "close insurance",
    ):
        house.let_happen(*step.strip().splitlines())
        scene = house.scene()
        user.sees(scene)
        assert scene["panel"]["upper"] == loud(user).upper()


def test_an_approval_in_the_strip_must_be_held(house: House, visit: Visit) -> None:
    """Free Bet 5.26: insurance that was missed. A short press approves nothing."""
    missed = f"{DEALT.replace('mbs-blackjack-v6', 'mbs-free-bet-v3').replace('bet 2 pair 10', '')}draw 1\n"
    house.play(missed)
    user = visit(role="pit-supervisor", size=TOUCH)
    approve = user.page.locator(".strip [data-statement='approve pit-supervisor']")
    expect(approve).to_contain_text("hold")
    approve.click()
    expect(user.test("toast")).to_contain_text("Hold the button longer")
    assert "Pit Supervisor to approve insurance" == loud(user)
    user.press(approve)
    expect(approve).to_have_count(0)


def test_the_drawer_shuts_by_escape_and_beside_it(house: House, visit: Visit) -> None:
    """And a press beside it opens nothing else."""
    house.play(CLOSED)
    user = visit(role="dealer", size=TOUCH)
    drawer = user.page.locator(".drawer")
    user.test("more").click()
    expect(drawer).to_be_visible()
    user.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    user.test("more").click()
    user.test("drawer-back").click(position={"x": 5, "y": 5})
    expect(drawer).to_be_hidden()
    expect(user.page.locator("[role=dialog]")).to_have_count(0)


ON_THE_WAY = """game: mbs-blackjack-v6
fresh: no
shoe: TH AH 8H 6S 5C KD 8S 9C 3D 2C

place-bets
bet 1 main 100; bet 1 pair 10; bet 2 main 100; bet 3 main 40; bet 3/2 main 20
no-more-bets
draw 1; draw 2; draw 3; draw dealer; draw 1; draw 2; draw 3
offer surrender; close surrender
interim; pay 2; double 1; draw 1; collect 1
"""


@pytest.mark.parametrize("size", [TOUCH, PHONE], ids=["800x480", "phone"])
def test_what_was_settled_on_the_way_stays_marked(size: tuple[int, int], house: House, visit: Visit) -> None:
    """The pair wager is ticked, hands say PAID and TAKEN with the amount; details do not say Open."""
    house.play(ON_THE_WAY)
    user = visit(role="dealer", size=size)
    user.sees(house.scene())
    if size == TOUCH:
        chip = user.page.locator("g[data-box='1'] [data-wager='pair']")
        expect(chip).to_have_attribute("data-act", "take")
        expect(chip).to_contain_text("✓10")
        ribbons = user.page.locator("[data-box] [data-ribbon]").all_text_contents()
        assert ["TAKEN 200", "PAID 150"] == ribbons
        user.page.locator("g[data-box='1']").click()
    else:
        row = user.page.locator(".box-row[data-row='1']")
        expect(row.locator(".row-wagers")).to_have_text(f"{TWICE} 100+100 · P ✓10")
        expect(row.locator(".row-mark")).to_have_text("TAKEN 200")
        expect(user.page.locator(".box-row[data-row='2'] .row-natural")).to_have_text("Blackjack")
        row.click()
    pair = user.page.locator("[role=dialog] tr[data-act=take]", has_text="Pair")
    expect(pair).to_contain_text("✓ taken")
    expect(pair).to_contain_text("10.00")
    expect(user.page.locator("[role=dialog] tr", has_text="Open")).to_have_count(0)


@pytest.mark.parametrize("size", [TOUCH, PHONE], ids=["800x480", "phone"])
def test_marks_of_split_hands_and_of_one_of_several_players(size: tuple[int, int], house: House, visit: Visit) -> None:
    """One of two Players who surrenders is named by their chip; a split hand that is doubled has its mark."""
    house.play(f"{ON_THE_WAY.partition('close')[0]}surrender 3/2\n")
    user = visit(role="dealer", size=size)
    user.sees(house.scene())
    ribbon = "g[data-box='3'] [data-ribbon]" if size == TOUCH else ".box-row[data-row='3'] .row-mark"
    expect(user.page.locator(ribbon)).to_have_text(re.compile(r"2: 1/2 BACK\s*10"))
    house.play(f"{ON_THE_WAY}split 3; draw 3.1; double 3.1; draw 3.1\n")
    user.sees(house.scene())
    if size == TOUCH:
        expect(user.page.locator("g[data-box='3'] .total-note", has_text=TWICE)).to_have_count(1)
    else:
        expect(user.page.locator(".box-row[data-row='3'] .row-hand").first).to_contain_text(f"13 {TWICE}")
