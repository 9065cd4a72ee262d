"""Why a press was refused, on the display of a panel: in its language, in the words of the page, on two lines."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.panel.messages import CATALOGUE, LINE_LENGTH, UNICODE, UnicodeText, fitted_unicode
from firmware_bridge.shown.device_outputs import Show
from firmware_bridge.texts.denials import Denial, Ground, Why, deny
from firmware_bridge.texts.languages import columns
from firmware_bridge.texts.refusal_words import _GAPS, on_two_lines, refusal_words
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.events.refusals import Reason, Refused, Since, refuse
from gamecore.model.places import DEALER, Place
from tests.firmware_bridge.positions import table_after
from tests.firmware_bridge.shown.test_panel_picture import Shown
from tests.places import ROOT

STATIC = ROOT / "firmware_bridge" / "console" / "static"
TEXTS = json.loads((STATIC / "texts" / "refusals.json").read_text(encoding="utf-8"))
#: What fills a gap in a test, by the last part of its name; all else is the number 7.
FILLED: dict[str, object] = {
    "place": Place(2, 1, 3), "card": card("KH"), "who": "3/1", "code": "misdealt-card", "ruling": "void",
    "role": "pit-manager", "roles": ("pit-supervisor", "shift-manager"), "signatories": ("engineer", "shift-manager"),
    "device": "shoe", "devices": ("shoe", "hub"), "tables": ("one", "two"), "kinds": ("one", "two"),
    "offer": "insurance", "wager": "pair", "since": Since.CARD_LAID, "note": "record", "natural": "Blackjack",
    "softness": "soft", "players": ("ANN", "BEN"), "options": ("accept", "refuse"),
}  # fmt: skip


def filled(text: Reason | Ground) -> Why:
    """A refusal with something in each of its gaps."""
    gaps = re.findall(r"\{(\w+)\}", text.value)
    arguments = tuple((name, FILLED.get(name.rpartition("_")[2], 7)) for name in gaps)
    return Refused(text, "3.1", arguments) if isinstance(text, Reason) else Denial(text, arguments)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (refuse(Reason.BETS_NOT_OPEN, "3.2"), "现在不是下注时间\uff08第 3.2 条\uff09"),
        (refuse(Reason.NO_OFFER_AGAINST, "3.25", card=card("9H"), offer="insurance"), "红心9"),
        (refuse(Reason.OTHER_TURN, "3.12", turn_place=Place(2, 1), place=DEALER), "2号位第1手"),
        (refuse(Reason.OTHER_TURN, "3.12", turn_place=Place(2, 1), place=DEALER), "庄家"),
        (refuse(Reason.ASKED_FOR, "5.8", who="3/1", options=("accept", "refuse")), "3号位第1注位的玩家"),
        (deny(Ground.TURN_KEY_ON, statement="settle", roles=("pit-supervisor", "pit-manager")), "赌区主管或赌区经理"),
    ],
)
def test_a_refusal_is_worded_in_chinese(why: Why, said: str) -> None:
    """With its cards, places and roles, and its clause."""
    assert said in refusal_words(why, "zh")
    assert str(why) == refusal_words(why, "en")


@pytest.mark.parametrize("text", [*Reason, *Ground], ids=lambda text: text.key)
def test_every_refusal_is_said_in_the_words_of_the_page(text: Reason | Ground) -> None:
    """None is left in English, and no gap stays open."""
    words = refusal_words(filled(text), "zh")
    for part in re.split(r"\{\w+\}", TEXTS[f"refusal.{text.key}"]["zh"]):
        assert part in words
    assert not re.search(r"[{}]", words)


def test_panel_and_page_know_the_same_gaps() -> None:
    """What the page words, the panel words too."""
    script = (STATIC / "refusals.js").read_text(encoding="utf-8")
    listed = script[script.index("const GAPS") : script.index("};")]
    assert set(re.findall(r"^  (\w+):", listed, re.MULTILINE)) == set(_GAPS)


def test_a_panel_is_told_the_reason_in_its_language() -> None:
    """One that shows Chinese, of a table that speaks it; any other is told in English."""
    panel = Shown()
    show, table = Show({"panel": panel}), table_after("fresh: no\n\n")
    show.language = "zh"
    show.refused(table.verify(ev.NoMoreBets()))
    show.update(table)
    assert "bets are not open (3.2)" in str(panel.heard())
    show.met("panel", UNICODE)
    show.update(table)
    assert UnicodeText("现在不是下注时间\uff08第 3.2 条\uff09", "") in panel.heard()


# --- two lines -------------------------------------------------------------------------------------------------------


@given(st.text(max_size=120))
def test_any_reason_fits_two_lines(reason: str) -> None:
    """Whatever a reason says, the panel can show it."""
    upper, lower = map(fitted_unicode, on_two_lines(reason))
    shown = UnicodeText(upper, lower)
    assert shown == CATALOGUE.decode_command(*CATALOGUE.encode(shown))
    assert columns(upper) <= LINE_LENGTH


@given(st.lists(st.text("abc(.)", min_size=1, max_size=12), max_size=12))
def test_a_reason_is_parted_at_a_space(words: list[str]) -> None:
    """No word is cut while the reason has words of a usual length; what fits is all there."""
    reason = " ".join(words)
    upper, lower = on_two_lines(reason)
    assert reason == f"{upper} {lower}".strip()
    assert upper.split() == words[: len(upper.split())]


def test_a_short_reason_stands_on_the_upper_line() -> None:
    """Forty columns are one line: twenty Chinese characters."""
    assert ("x" * 40, "") == on_two_lines("x" * 40)
    assert ("x" * 40, "x") == on_two_lines("x" * 41)
    assert ("牌" * 20, "") == on_two_lines("牌" * 20)
    assert ("牌" * 20, "牌") == on_two_lines("牌" * 21)
