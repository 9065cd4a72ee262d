"""What a person reports, compared with what the table knows.

1. Some irregularities come once in a round at a place: reported again, they are on the list already.
2. A box that was not dealt, or is short, has a main wager (MBS 5.14, 5.16). Without one nothing can be missing.
3. No hand is skipped before one could act.
4. What fitted sensors see contradicts a report, and the answer says what they see: cards that lie where they are said
   to be missing, and cards that lie where they were due; a burn; a Dealer's hand with no card too many; chips and their
   amounts. An offer that was announced was made. Nothing else is contradicted: a card may be damaged after it was read.
5. Where nothing is sensed a person is believed, and so is a report that is `told`. Anyone who knows that a sensor errs
   says so first (`sensor-wrong`), and that place is told from then on.
6. Reports about an earlier round are not compared: what it was like is no longer seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gamecore.cards import sensing
from gamecore.cards.order import counts_at
from gamecore.cards.queries import dealt, with_role
from gamecore.irregularities.procedures import reconstruct
from gamecore.model.events.events import Call, SensorWrong
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.money import dollars
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box, Finding
from gamecore.model.state import TableState
from gamecore.phases.cards.detectors import wagered
from gamecore.phases.offers import CLOSED, INSURANCE, OPEN

_Seen = tuple[Reason, dict[str, object]]
"""What the table knows and a report contradicts."""
_Look = Callable[[TableState, Place | None], _Seen | None]
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


def contradicted(t: TableState, command: Call) -> Refused | None:
    """Why what is reported cannot have occurred; None if it can."""
    look = None if command.told else _CONTRADICTED.get(command.code)
    seen = None if look is None else look(t, command.place)
    if seen is None:
        return None
    reason, more = seen
    return refuse(reason, t.rules.clauses.general, code=command.code, **more)


def bites_at(finding: Finding, place: Place) -> bool:
    """Whether a finding bites at a box and slot."""
    return any(
        at.box == place.box and (at.slot == place.slot or not at.slot or not place.slot) for at in finding.places
    )


def speaks_of(finding: Finding, place: Place | None) -> bool:
    """Whether a finding is about a place: where it bites, or where a card of it lies or belongs."""
    bites = [*finding.places, *(end for move in finding.moves for end in (move.source, move.target))]
    if place is None or not bites:
        return True
    return _includes(bites, place)


def _includes(places: Iterable[Place], place: Place) -> bool:
    return any(at.box == place.box and (at.slot == place.slot or not at.slot or not place.slot) for at in places)


# --- cards ---------------------------------------------------------------------------------------------------------


def _missing_at_box(most: int) -> _Look:
    """A box has more cards than the report leaves it, or no wager."""

    def contradiction(t: TableState, place: Place | None) -> _Seen | None:
        if place is None or place.box <= 0:
            return None
        box = t.round.boxes.get(place.box)
        if box is None or not box.mains:
            return Reason.CANNOT_BE_NO_WAGER, {"place": place}
        cards = sum(len(hand.cards) for hand in box.hands)
        if not sensing.sees(t, place) or cards <= most:
            return None
        return Reason.CANNOT_BE_CARDS_LIE, {"count": cards, "place": place}

    return contradiction


def _dealer_dealt(t: TableState, _place: Place | None) -> _Seen | None:
    return (Reason.CANNOT_BE_DEALER_HAS_CARDS, {}) if sensing.sees(t, DEALER) and t.round.dealer.cards else None


def _no_hand_acts(t: TableState, _place: Place | None) -> _Seen | None:
    dealt = any(len(hand.cards) > 1 for box in t.round.boxes.values() for hand in box.hands)
    return None if dealt else (Reason.CANNOT_BE_NO_HAND_ACTS, {})


def _burn_seen(t: TableState, _place: Place | None) -> _Seen | None:
    burnt = with_role(t, Role.BURNT)
    return (Reason.CANNOT_BE_BURNED, {}) if burnt and sensing.sees(t, BURN) else None


def _not_overdrawn(t: TableState, _place: Place | None) -> _Seen | None:
    """Every card of the Dealer's hand was due when it was laid."""
    if not sensing.sees(t, DEALER) or any(record.felt == DEALER and not _lay_right(t, record) for record in dealt(t)):
        return None
    if reconstruct.has_excess(t):
        return None
    return Reason.CANNOT_BE_DEALER_CARDS_DUE, {"count": len(t.round.dealer.cards)}


def _lies_right(t: TableState, place: Place | None) -> _Seen | None:
    """Every card at a place was due there, and none that was due there lies elsewhere."""
    if place is None or not sensing.sees(t, place):
        return None
    about = [record for record in dealt(t) if place.box in {end.box for end in (record.felt, record.due) if end}]
    if not about:
        return Reason.CANNOT_BE_NO_CARD_DUE, {"place": place}
    wrong = any(not _lay_right(t, record) for record in about)
    return None if wrong else (Reason.CANNOT_BE_ALL_DUE, {"place": place})


def _lay_right(t: TableState, record: CardRecord) -> bool:
    """Whether a card counts where it lies, and was due there; one on a hand that had stood was not."""
    at, due = counts_at(t, record), record.due
    lies = record.felt is None or (at is not None and record.felt.box == at.box)
    return at is not None and due is not None and due.box == at.box and lies and not record.stood


# --- wagers and offers ---------------------------------------------------------------------------------------------


def _box_wagered(t: TableState, place: Place | None) -> _Seen | None:
    if place is None or place.box <= 0:
        return None
    if sensing.sees_chips(t, place) and wagered(t.round, place.box):
        return Reason.CANNOT_BE_WAGERED, {"place": place}
    lies = any(record.felt is not None and record.felt.box == place.box for record in dealt(t))
    return None if lies or not sensing.sees(t, place) else (Reason.CANNOT_BE_NO_CARD, {"place": place})


def _offered(t: TableState, _place: Place | None) -> _Seen | None:
    return (Reason.CANNOT_BE_OFFERED, {}) if t.round.offers.get(INSURANCE) in {OPEN, CLOSED} else None


def _amounts(t: TableState, place: Place | None) -> list[tuple[str, int]]:
    """Kind and amount of the wagers that a report may speak of; where a limit is for the box, all that lies there."""
    box = t.round.boxes.get(place.box) if place is not None else None
    if place is None or box is None:
        return []
    mains = [("main", main.amount) for slot, main in box.mains.items() if place.slot in {0, slot}]
    sides = [(side.kind, side.amount) for side in box.sides if place.slot in {0, side.slot}]
    if not t.rules.limit_per_box.value:
        return mains + sides
    kinds = dict.fromkeys(kind for kind, _ in _all_of(box))
    return [(kind, sum(amount for other, amount in _all_of(box) if other == kind)) for kind in kinds]


def _all_of(box: Box) -> list[tuple[str, int]]:
    return [("main", main.amount) for main in box.mains.values()] + [(side.kind, side.amount) for side in box.sides]


def _within(end: int, reason: Reason) -> _Look:
    """Every wager at a place is on the right side of its limit, where limits are displayed."""

    def contradiction(t: TableState, place: Place | None) -> _Seen | None:
        wagers = _amounts(t, place)
        if place is None or not wagers or not sensing.sees_chips(t, place):
            return None
        for kind, amount in wagers:
            limits = t.config.limits.get(kind)
            if limits is None or (amount < limits[0] if end == 0 else amount > limits[1]):
                return None
        kind, amount = wagers[0]
        limit = dollars(t.config.limits[kind][end])
        return reason, {"amount": dollars(amount), "place": place, "wager": kind, "limit": limit}

    return contradiction


def _based(t: TableState, place: Place | None) -> _Seen | None:
    box = t.round.boxes.get(place.box) if place is not None else None
    if place is None or not sensing.sees_chips(t, place):
        return None
    if box is None or not any(place.slot in {0, side.slot} for side in box.sides):
        return Reason.CANNOT_BE_NO_SIDE_WAGER, {"place": place}
    return (Reason.CANNOT_BE_MAIN_WAGER, {"place": place}) if box.mains else None


def _in_time(t: TableState, place: Place | None) -> _Seen | None:
    """Chips that arrive late are found when they do."""
    if place is None or not sensing.sees_chips(t, place):
        return None
    known = any(f.code == "late-wager" and speaks_of(f, place) for f in (*t.round.findings, *t.hold.for_later))
    return None if known else (Reason.CANNOT_BE_NO_CHIPS, {"place": place})


_CONTRADICTED: dict[str, _Look] = {
    "box-not-dealt": _missing_at_box(0),
    "box-short": _missing_at_box(1),
    "dealer-not-dealt": _dealer_dealt,
    "dealer-overdraw": _not_overdrawn,
    "hand-skipped": _no_hand_acts,
    "insurance-not-offered": _offered,
    "late-wager": _in_time,
    "misdealt-card": _lies_right,
    "missing-burn": _burn_seen,
    "over-maximum": _within(1, Reason.CANNOT_BE_BELOW_MAXIMUM),
    "side-wager-without-main": _based,
    "under-minimum": _within(0, Reason.CANNOT_BE_ABOVE_MINIMUM),
    "unwagered-box-dealt": _box_wagered,
}


# --- the sensor is wrong -------------------------------------------------------------------------------------------


def verify_sensor_wrong(t: TableState, command: SensorWrong) -> Refused | None:
    """Only of a place that a sensor reports, of the layout, and once."""
    general, place = t.rules.clauses.general, command.place
    if place.box > t.config.boxes:
        return refuse(Reason.NO_SUCH_BOX, general, box=place.box)
    if sensing.misread(t, place):
        return refuse(Reason.TOLD_ALREADY, general, place=place)
    if not sensing.fitted(t, place):
        return refuse(Reason.NO_SENSOR_AT, general, place=place)
    return None
