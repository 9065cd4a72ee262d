"""What someone is told who may not see every card: all of it goes through the core's veil (`gamecore.view.veil`).

1. An answer names the cards that lie open, news none at all: what is drawn, burnt or put back may equal a card that
   lies open.
2. While a card of a hand lies face down, news say that something was refused, not why: the reason may tell what the
   hand is.
3. A fault is told without the bytes that were seen. They may be those of a card.
"""

from __future__ import annotations

from typing import Any

from firmware_bridge.people.masking import without_bytes
from gamecore.table import Table
from gamecore.view.veil import lying, open_in, veiled, veiled_report

NOT_TOLD = "not told while a card lies face down"


def news(table: Table, news: dict[str, object]) -> dict[str, object]:
    """What has happened."""
    match news:
        case {"fault": dict() as fault}:
            news = {"fault": fault | {"detail": without_bytes(str(fault["detail"]))}}
        case {"seen": dict() as seen} if seen["refused"] is not None and _face_down(table):
            news = {"seen": seen | {"refused": NOT_TOLD}}
    return {what: veiled(said) for what, said in news.items()}


def report(table: Table) -> dict[str, object]:
    """The report of the whole table."""
    lie_open = lying(table.view()).open
    return {key: veiled(one, lie_open) for key, one in table.report().items()}


def round_report(table: Table) -> dict[str, object]:
    """The round that is on."""
    return veiled_report(table.round_report(), lying(table.view()).open)


def past_round(found: dict[str, Any]) -> dict[str, object]:
    """A round that is over, as the journal has it."""
    lie_open = open_in(found["report"])
    told = {key: veiled(one, lie_open) for key, one in found.items() if key != "report"}
    return told | {"report": veiled_report(found["report"], lie_open)}


def refusal(table: Table, answer: dict[str, object]) -> dict[str, object]:
    """Why something was refused, for the one who said it."""
    lie_open = lying(table.view()).open
    return {key: veiled(said, lie_open) for key, said in answer.items()}


def _face_down(table: Table) -> bool:
    """Whether a card of a hand lies face down."""
    return any(hand.face_down for box in table.view().round.boxes.values() for hand in box.hands)
