"""What people who may not see every card are told: all of it goes through the core's veil (`gamecore.view.veil`).

1. An answer names only cards that lie open. News name no card at all: one that is drawn, burnt or put back may equal a
   card that lies open.
2. While a card of a hand lies face down, news say that something was refused, but not why: the reason may give away
   the hand.
3. A fault is told without the bytes that were seen: they may be those of a card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_bridge.people.masking import without_bytes
from firmware_bridge.shown.news_type import News
from gamecore.table import Table
from gamecore.view.veil import lying, open_in, veiled, veiled_report

NOT_TOLD = "not told while a card lies face down"


def news(table: Table, news: News) -> Mapping[str, object]:
    """News without a card, without bytes, and without a reason that would give away a hand."""
    if "fault" in news:
        news = {"fault": {**news["fault"], "detail": without_bytes(news["fault"]["detail"])}}
    elif "seen" in news and news["seen"]["refused"] is not None and hides_a_card(table):
        news = {"seen": {**news["seen"], "refused": NOT_TOLD}}
    return {what: veiled(said) for what, said in news.items()}


def report(table: Table, told: dict[str, object]) -> dict[str, object]:
    """A report of the whole table, with only the cards that lie open."""
    lie_open = lying(table.view()).open
    return {key: veiled(one, lie_open) for key, one in told.items()}


def round_report(table: Table) -> dict[str, object]:
    """The report of the round that is on, with only the cards that lie open."""
    return veiled_report(table.round_report(), lying(table.view()).open)


def past_round(found: dict[str, Any]) -> dict[str, object]:
    """A round that is over, as the journal has it, with only the cards that its report shows."""
    lie_open = open_in(found["report"])
    told = {key: veiled(one, lie_open) for key, one in found.items() if key != "report"}
    return told | {"report": veiled_report(found["report"], lie_open)}


def refusal(table: Table, answer: dict[str, object]) -> dict[str, object]:
    """Why something was refused, for the one who said it, with only the cards that lie open."""
    lie_open = lying(table.view()).open
    return {key: veiled(said, lie_open) for key, said in answer.items()}


def hides_a_card(table: Table) -> bool:
    """Whether a card of a hand lies face down."""
    return any(hand.face_down for box in table.view().round.boxes.values() for hand in box.hands)
