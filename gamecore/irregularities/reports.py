"""What a person can report, held against what the table knows.

1. Some irregularities come once in a round at a place: reported again, they are on the list already.
2. A box that was not dealt, or is short, has a wager in play (MBS 5.14, 5.16). Without one nothing can be missing.
3. No hand is skipped before one could act.
4. Where places are sensed, the cards that lie there are known, and a report that they are missing is contradicted.
   Without sensors a person is believed.
"""

from __future__ import annotations

from gamecore.model.events import Call
from gamecore.model.places import Place
from gamecore.model.round import Box, Finding
from gamecore.model.state import TableState

ONCE = frozenset(
    {
        "box-not-dealt",
        "box-short",
        "dealer-not-dealt",
        "insurance-not-offered",
        "missing-burn",
        "over-maximum",
        "under-minimum",
        "unsettled-side-wager",
    }
)
#: how many cards a box has that the report speaks of
_MISSING = {"box-not-dealt": 0, "box-short": 1}


def contradicted(t: TableState, command: Call) -> str:
    """Why what is reported cannot be; nothing where it can."""
    if command.code == "dealer-not-dealt":
        return "the Dealer has cards" if _sensed(t) and t.round.dealer.cards else ""
    if command.code == "hand-skipped":
        return "" if _some_hand_dealt(t) else "no hand could act yet"
    most = _MISSING.get(command.code)
    if most is None or command.place is None or command.place.box <= 0:
        return ""
    box = t.round.boxes.get(command.place.box)
    if box is None or not box.mains:
        return f"there is no wager at {command.place}"
    return f"{len(_cards(box))} cards lie at {command.place}" if _sensed(t) and len(_cards(box)) > most else ""


def speaks_of(finding: Finding, place: Place | None) -> bool:
    """Whether a finding is about a place: where it bites, or where a card of it lies or belongs."""
    bites = [*finding.places, *(end for move in finding.moves for end in (move.source, move.target))]
    if place is None or not bites:
        return True
    return any(at.box == place.box and (at.slot == place.slot or not at.slot or not place.slot) for at in bites)


def _some_hand_dealt(t: TableState) -> bool:
    return any(len(hand.cards) > 1 for box in t.round.boxes.values() for hand in box.hands)


def _sensed(t: TableState) -> bool:
    return t.senses_places and "hub" not in t.away


def _cards(box: Box) -> list[object]:
    return [card for hand in box.hands for card in hand.cards]
