"""What a person reports, as a fact: where it bites, which case of the documents it is, whose chips it is about.

1. Where no place is said, the report bites at the only place possible, if there is one, else nowhere.
2. The case follows from how the table stands when the report comes.
3. A report about chips is about the main wager of the spot, unless its code is about a side wager.
"""

from __future__ import annotations

from gamecore.cards.queries import dealt
from gamecore.irregularities.procedures import reconstruct
from gamecore.model.events.events import Call
from gamecore.model.events.facts import DeviceFact, Fact, ReportFact, WagerFact
from gamecore.model.places import DEALER, Place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.phases import limits
from gamecore.phases.cards import shoe
from gamecore.standing import control
from gamecore.standing.decided import outcome_established

_ABOUT_CHIPS = frozenset({"late-wager", "wager-withdrawn", "side-wager-without-main", "over-maximum", "under-minimum"})


def fact_of(t: TableState, command: Call) -> Fact:
    """The fact that a person reports."""
    case, places = case_of(t, command), places_of(command)
    if command.device:
        return DeviceFact(command.code, command.device, case, places)
    if command.code not in _ABOUT_CHIPS:
        return ReportFact(command.code, case, places)
    kind = "" if command.code == "side-wager-without-main" else "main"
    return WagerFact(command.code, places, kind, case, player=_player(t, places[0] if places else None))


def places_of(command: Call) -> tuple[Place, ...]:
    """Where a report bites."""
    place = command.place or (DEALER if command.code == "dealer-not-dealt" else None)
    return (place,) if place is not None else ()


def _player(t: TableState, place: Place | None) -> str | None:
    """The Player of the main wager that a report speaks of, if they are known by name."""
    box = t.round.boxes.get(place.box) if place is not None else None
    main = box.mains.get(place.slot or 1) if box is not None and place is not None else None
    return main.player if main is not None else None


def case_of(t: TableState, command: Call) -> str:
    """The case of a finding that a person reports."""
    match command.code:
        case "insufficient-cards" | "cut-card-passed":
            return shoe.case_by_shuffling(t)
        case "insurance-not-offered":
            return "Dealer's second card" if len(t.round.dealer.cards) > 1 else ""
        case "face-up-card":
            return "later card" if dealt(t) else "first card"
        case "hand-skipped":
            return "more hands" if _hands_after(t, command.place) > 1 else "next hand"
        case "dealer-overdraw":
            return "complete" if reconstruct.was_complete(t) else "below"
        case "double-draw":
            return _pull_case(t, command.place)
        case "under-minimum":
            place = command.place or Place(0)
            return limits.under_case(t, place, _player(t, place))
        case "absent-player":
            return absent_case(t, command.place or Place(0))
        case "power-failure":
            return "outcome" if outcome_established(t) else "no outcome"
    return ""


def _pull_case(t: TableState, place: Place | None) -> str:
    """Whose hand a pull is on that a person tells: the one at the place, or else where the next card is due."""
    fact = shoe.aim(t, (), "none disclosed")
    if place is None:
        return fact.case
    return shoe.aimed_at(place, fact.case)


def _hands_after(t: TableState, place: Place | None) -> int:
    """How many hands after a box, the Dealer's among them, have received cards in the subsequent deal."""
    if place is None:
        return 0
    places = {record.felt for record in dealt(t) if record.subsequent and record.felt is not None}
    return len({after.box for after in places if after.box > place.box or after == DEALER})


def absent_case(t: TableState, place: Place) -> str:
    """Whether another Player, whose wager is in play on the box, can decide (MBS 5.22.1)."""
    box = t.round.boxes.get(place.box)
    if box is None or not box.mains:
        return "alone"
    gone = absent_slots(box, place)
    left = [slot for slot in box.mains if slot not in gone and (box.number, slot) not in t.people.absent]
    plays = [slot for slot in left if not box.hands or not control.out(box, slot)]
    return "others" if plays else "alone"


def absent_slots(box: Box, place: Place) -> list[int]:
    """The slots at which a Player is absent: their own, and those where they wager under the same name."""
    slot = place.slot or box.controller or min(box.mains)
    name = box.mains[slot].player if slot in box.mains else None
    return [other for other, main in box.mains.items() if other == slot or (name is not None and main.player == name)]
