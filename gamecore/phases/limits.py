"""Wagers are compared with the layout and the limits when bets close.

1. A side wager needs a main wager: on its box, or at RWS for Boom Busted on any box (MBS 3.15, RWS 3.9, 3.9.1).
2. A document may say how many side wagers of a kind may lie on one box (MBS 3.17.1); what was placed later goes back
   at once.
3. Limits are per wager at MBS. At RWS they are per box, and for Boom Busted per table (5.1, 5.1.3, 5.2).
4. Any other departure is a fact for judgement, and not decided here.
"""

from __future__ import annotations

from gamecore.model.events.facts import WagerFact
from gamecore.model.places import Place
from gamecore.model.round import Box, SideWager
from gamecore.model.state import TableState

BOOM_BUSTED = "boom-busted"


def check(t: TableState) -> None:
    """State what is wrong with the wagers of the round."""
    for _, box in sorted(t.round.boxes.items()):
        if box.sides:
            _check_sides(t, box)
        if t.config.limits:
            for kind, bounds in t.config.limits.items():
                _check_limit(t, box, kind, bounds)
    if BOOM_BUSTED in t.config.limits and t.rules.limit_per_box.value:
        _check_table(t)


def _check_sides(t: TableState, box: Box) -> None:
    for side in [side for side in box.sides if not side.returned_by]:
        rule = t.rules.side(side.kind)
        based = bool(t.round.order) if rule.needs_main == "table" else bool(box.mains)
        if not based:
            place = Place(box.number, 0, side.slot)
            t.suspect(WagerFact("side-wager-without-main", (place,), side.kind))
        most = rule.per_box.value
        if most is not None:
            same = [other for other in box.sides if other.kind == side.kind]
            if sorted(same, key=lambda other: (other.returned_by != "", other.placed[:1])).index(side) >= most:
                side.returned_by = rule.per_box.clause


def _check_limit(t: TableState, box: Box, kind: str, bounds: tuple[int, int]) -> None:
    if kind == "main":
        wagers = [(slot, main.amount, main.player) for slot, main in sorted(box.mains.items())]
    else:
        wagers = [
            (side.slot, side.amount, side.player) for side in box.sides if side.kind == kind and not side.returned_by
        ]
    if t.rules.limit_per_box.value:
        if kind == BOOM_BUSTED or not wagers:
            return
        wagers = [(wagers[0][0], sum(amount for _, amount, _ in wagers), None)]
    for slot, amount, player in wagers:
        _check_amount(t, Place(box.number, 0, slot), kind, amount, player, bounds)


def check_side(t: TableState, box: Box, side: SideWager) -> None:
    """Compare a wager on split Aces with its limits when it is placed (Ace Race 3.21.1)."""
    bounds = t.config.limits.get(side.kind)
    if bounds is not None:
        _check_amount(t, Place(box.number, side.hand, side.slot), side.kind, side.amount, side.player, bounds)


def _check_amount(
    t: TableState, place: Place, kind: str, amount: int, player: str | None, bounds: tuple[int, int]
) -> None:
    least, most = bounds
    if amount < least:
        case = under_case(t, place, player)
        t.suspect(WagerFact("under-minimum", (place,), kind, case, player=player))
    elif amount > most:
        t.suspect(WagerFact("over-maximum", (place,), kind, player=player))


def under_case(t: TableState, place: Place, player: str | None) -> str:
    """Whether a Player's wager under the minimum was paid or collected before (MBS 5.26)."""
    return "again" if _key(place, player) in t.people.paid_once else "first time"


def pay_once(t: TableState, place: Place, kind: str, player: str | None) -> None:
    """Note a wager under the minimum that is paid or collected this once, if it comes to that."""
    t.round.under.append((_key(place, player), place.box, place.slot or 1, kind))


def remember_paid(t: TableState) -> None:
    """Remember the Players whose wager under the minimum had an outcome, and was not returned: they had it once."""
    if not t.round.under:
        return
    settled = {(row.box, row.slot, row.kind) for row in t.round.rows if row.result not in {"returned", "refused"}}
    t.people.paid_once.update(key for key, *wager in t.round.under if tuple(wager) in settled)


def _key(place: Place, player: str | None) -> str:
    """The Player by name, else by the spot."""
    return player if player is not None else f"{place.box}/{place.slot or 1}"


def _check_table(t: TableState) -> None:
    """The Boom Busted limit holds for the whole table."""
    wagers = [(box, side) for box in t.round.boxes.values() for side in box.sides if side.kind == BOOM_BUSTED]
    total = sum(side.amount for _, side in wagers)
    least, most = t.config.limits[BOOM_BUSTED]
    if wagers and total > most:
        places = tuple(Place(box.number, 0, side.slot) for box, side in wagers)
        t.suspect(WagerFact("over-maximum", places, BOOM_BUSTED, "boom-busted"))
    elif wagers and total < least:
        place = Place(wagers[0][0].number, 0, wagers[0][1].slot)
        t.suspect(WagerFact("under-minimum", (place,), BOOM_BUSTED, "first time"))
