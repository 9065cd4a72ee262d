"""Who comes first where several Players want the same side wager or the same insurance option.

1. Chips of several Players may lie at one spot while bets or the offer of insurance are open. Nothing is refused and
   nothing found: when they close, `award_side_wagers` and `award_insurance` let one claim stand, and the others go back
   by the clause that decided. `preference` says who would come first in the meantime.
2. A Player's own option comes before all others. For a side wager that is the Player whose main wager lies at that
   slot, then the Player who controls the playing area (MBS 3.16). Insurance is another's only where its own Player has
   declined, and that is known when the offer closes (3.27.3, Pontoon 3.26.3).
3. Then by the order of the document (`ClaimOrder`): wagers on that playing area, nearest the Dealer first; the nearest
   playing area; at equal distance the lowest total of such wagers; equal claims without an agreement bar everybody.
   Players without a wager on the round come last, in the order of placing, which counts nowhere else.
4. A wager on the round is a main wager that has not gone back. Distance is counted in playing areas.
5. Totals count what stands: neither the claims that are compared nor others that are still open. Claims that need no
   totals are therefore decided first, then the rest, clockwise from the Dealer's left.
6. A Player is known by name, else by their spot, ``3/1``.
7. Where the document has no order (RWS) there is nothing to decide: insurance belongs to its own Player alone (3.15.2),
   and a side wager of anybody stands beside the others (3.9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass

from gamecore.model.events.outputs import Awarded, Claimed, Preference
from gamecore.model.places import Place
from gamecore.model.round import Box, InsuranceWager, SideWager
from gamecore.model.state import TableState
from gamecore.rules.ruleset import ClaimOrder
from gamecore.standing import control

INSURANCE = "insurance"
Wager = SideWager | InsuranceWager


@dataclass(frozen=True, slots=True)
class Claim:
    """One Player's chips at a spot, and where that Player has main wagers in the round, as (box, slot)."""

    player: str
    chips: tuple[Wager, ...]
    wagers: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """A spot that several Players claim, their claims in the order of placing."""

    box: Box
    slot: int
    kind: str
    order: ClaimOrder
    owners: tuple[str, ...]  # whose option it is, the first of them before the others
    claims: tuple[Claim, ...]

    @property
    def spot(self) -> tuple[int, int, str]:
        """Box, slot and kind of wager."""
        return self.box.number, self.slot, self.kind


@dataclass(frozen=True, slots=True)
class First:
    """Whose claim is first, by which clause; `player` is None where no claim is accepted."""

    player: str | None
    clause: str
    equal: tuple[str, ...] = ()


Total = Callable[[str, str], int]


# --- at the table --------------------------------------------------------------------------------------------------


def award_side_wagers(t: TableState) -> None:
    """Let one of the claims to each side wager stand, or none, now that bets close."""
    if _award(t, [contest for contest in _contests(t) if contest.kind != INSURANCE]):
        for box in t.round.boxes.values():
            box.sides.sort(key=lambda side: side.returned_by != "")


def award_insurance(t: TableState) -> None:
    """Let one of the claims to each insurance option stand, or none, now that the offer closes."""
    if _award(t, [contest for contest in _contests(t) if contest.kind == INSURANCE]):
        for box in t.round.boxes.values():
            box.insurance.sort(key=lambda wager: wager.returned_by != "")


def preferences(t: TableState) -> list[Preference]:
    """Who would come first for each spot that several Players claim, if bets or the offer closed now."""
    return [_preference(contest, first) for contest, first in _decisions(t, _contests(t))]


def preference(t: TableState, box: int, slot: int, kind: str) -> Preference | None:
    """Who would come first for one spot; None where there is one claim or none."""
    if t.rules.side_claims.value is None or len(list(_piles(t, t.round.box(box), slot, kind))) <= 1:
        return None
    place = Place(box, 0, slot)
    return next((found for found in preferences(t) if (found.place, found.kind) == (place, kind)), None)


def say_who_is_first(t: TableState, box: int, slot: int, kind: str) -> None:
    """Where several Players claim a wager, say whose claim comes first so far."""
    found = preference(t, box, slot, kind)
    if found is not None:
        t.out.append(Claimed(found))


def claims_it(t: TableState, box: Box, slot: int, kind: str, player: str) -> bool:
    """Whether a Player has chips at a spot that have not gone back."""
    return any(key == player for key, _ in _piles(t, box, slot, kind))


def owner_of(t: TableState, box: Box, slot: int) -> str:
    """The Player of a spot: by the main wager there, while bets are open by the spot's name, else the spot itself."""
    main = box.mains.get(slot)
    name = main.player if main is not None else None
    if name is None and t.bets_open:
        name = t.people.names.get((box.number, slot))
    return name or f"{box.number}/{slot}"


def _award(t: TableState, contests: list[Contest]) -> bool:
    """Let the first claims stand and return the others; whether there was anything to decide."""
    for contest, first in _decisions(t, contests):
        for wager in _others(contest, first):
            wager.returned_by = first.clause
        t.out.append(Awarded(_preference(contest, first)))
    return bool(contests)


def _decisions(t: TableState, contests: list[Contest]) -> list[tuple[Contest, First]]:
    """Who comes first in each contest: those decided first that need no totals, each by what stands until then."""
    decided: list[tuple[Contest, First]] = []
    aside = [wager for contest in contests for claim in contest.claims for wager in claim.chips]
    for contest in sorted(contests, key=_needs_totals):
        first = decide(t, contest, _totals(t, aside))
        lost = _others(contest, first)
        own = [wager for claim in contest.claims for wager in claim.chips]
        aside = [wager for wager in aside if wager not in own or wager in lost]
        decided.append((contest, first))
    return decided


def _others(contest: Contest, first: First) -> list[Wager]:
    """The chips of all claims but the first."""
    return [wager for claim in contest.claims if claim.player != first.player for wager in claim.chips]


def _preference(contest: Contest, first: First) -> Preference:
    place = Place(contest.box.number, 0, contest.slot)
    players = tuple(claim.player for claim in contest.claims)
    return Preference(place, contest.kind, players, first.equal, first.player, first.clause)


# --- what is claimed -----------------------------------------------------------------------------------------------


def _contests(t: TableState) -> list[Contest]:
    """Every spot with chips of several Players, clockwise from the Dealer's left."""
    if t.rules.side_claims.value is None and t.rules.insurance_claims.value is None:
        return []
    shared = [box for box in t.round.boxes.values() if len(box.sides) + len(box.insurance) > 1 and box.mains]
    return [
        contest
        for box in sorted(shared, key=lambda box: box.number)
        for slot, kind in _spots(box)
        if (contest := _contest(t, box, slot, kind)) is not None
    ]


def _spots(box: Box) -> list[tuple[int, str]]:
    """Slot and kind wherever more than one pile of chips lies."""
    sides = {(side.slot, side.kind) for side in box.sides if not side.after_split}
    return sorted({*sides, *((wager.slot, INSURANCE) for wager in box.insurance)})


def _contest(t: TableState, box: Box, slot: int, kind: str) -> Contest | None:
    order = (t.rules.insurance_claims if kind == INSURANCE else t.rules.side_claims).value
    piles: dict[str, list[Wager]] = {}
    for player, wager in _piles(t, box, slot, kind):
        piles.setdefault(player, []).append(wager)
    if order is None or len(piles) <= 1:
        return None
    claims = tuple(Claim(player, tuple(chips), _main_wagers(t, player)) for player, chips in piles.items())
    owners: tuple[str, ...] = (owner_of(t, box, slot),) if slot in box.mains else ()
    if kind != INSURANCE:
        owners = (*owners, owner_of(t, box, _controller(t, box)))
    return Contest(box, slot, kind, order, owners, claims)


def _piles(t: TableState, box: Box, slot: int, kind: str) -> Iterator[tuple[str, Wager]]:
    """The chips at a spot that have not gone back, and whose they are, in the order of placing."""
    if kind == INSURANCE:
        lying: list[Wager] = [wager for wager in box.insurance if wager.slot == slot]
    else:
        lying = [side for side in box.sides if (side.slot, side.kind) == (slot, kind) and not side.after_split]
    for wager in lying:
        if not wager.returned_by:
            yield wager.player or owner_of(t, box, slot), wager


def _main_wagers(t: TableState, player: str) -> tuple[tuple[int, int], ...]:
    """Where a Player has a main wager that has not gone back."""
    return tuple(
        (number, slot)
        for number, box in sorted(t.round.boxes.items())
        for slot, main in sorted(box.mains.items())
        if owner_of(t, box, slot) == player and not main.returned_by and not _withdrawn(box, slot)
    )


def _withdrawn(box: Box, slot: int) -> bool:
    stakes = [hand.stakes[slot] for hand in box.hands if slot in hand.stakes]
    return bool(stakes) and all(stake.returned_by for stake in stakes)


def _controller(t: TableState, box: Box) -> int:
    """Who controls a box; while bets are open, who would."""
    if box.hands:
        return box.controller
    closed = copy(box)
    closed.seated = control.seated(t, box)
    return control.controller(t.rules, closed, t.people.absent)


def _totals(t: TableState, aside: list[Wager]) -> Total:
    """The total of a Player's wagers of a kind, but for those that several claim or that are lost to another."""

    def total(player: str, kind: str) -> int:
        return sum(
            wager.amount
            for box in t.round.boxes.values()
            if kind != INSURANCE or owner_of(t, box, box.controller) != player
            for slot, wager in _lying(box, kind)
            if (wager.player or owner_of(t, box, slot)) == player and not wager.returned_by and wager not in aside
        )

    return total


def _lying(box: Box, kind: str) -> list[tuple[int, Wager]]:
    if kind == INSURANCE:
        return [(wager.slot, wager) for wager in box.insurance]
    return [(side.slot, side) for side in box.sides if side.kind == kind]


# --- the order of preference ---------------------------------------------------------------------------------------


def decide(t: TableState, contest: Contest, total: Total) -> First:
    """Whose claim comes first, and by which clause."""
    order, box, claims = contest.order, contest.box.number, contest.claims
    for owner in contest.owners:
        if any(claim.player == owner for claim in claims):
            return First(owner, order.own)
    on_area = [claim for claim in claims if _slot(claim, box) is not None]
    if on_area:
        return First(min(on_area, key=lambda claim: _slot(claim, box) or 0).player, order.same_area)
    if not any(claim.wagers for claim in claims):
        return First(claims[0].player, order.without_wager)
    nearest = _nearest(contest)
    if len(nearest) == 1:
        return First(nearest[0].player, order.nearest)
    totals = {claim.player: total(claim.player, contest.kind) for claim in nearest}
    equal = tuple(player for player, amount in totals.items() if amount == min(totals.values()))
    if len(equal) == 1:
        return First(equal[0], order.lowest)
    agreed = t.round.agreed.get(contest.spot)
    return First(agreed if agreed in equal else None, order.equal, equal)


def _needs_totals(contest: Contest) -> bool:
    """Whether nothing but the total of their wagers can tell the first claims apart."""
    claims, box = contest.claims, contest.box.number
    if any(claim.player in contest.owners or _slot(claim, box) is not None for claim in claims):
        return False
    return any(claim.wagers for claim in claims) and len(_nearest(contest)) > 1


def _nearest(contest: Contest) -> list[Claim]:
    """The claims from the nearest playing area; where the order is from front to back, the front one of each area."""
    box = contest.box.number
    on_round = [claim for claim in contest.claims if claim.wagers]
    distance = min(_distance(claim, box) for claim in on_round)
    nearest = [claim for claim in on_round if _distance(claim, box) == distance]
    if not contest.order.front_to_back:
        return nearest
    fronts = [_front(nearest, area) for area in (box - distance, box + distance)]
    return [claim for claim in nearest if claim in fronts]


def _front(claims: list[Claim], area: int) -> Claim | None:
    """Of the claims with a wager on a playing area the one whose wager is nearest the Dealer."""
    there = [claim for claim in claims if _slot(claim, area) is not None]
    return min(there, key=lambda claim: _slot(claim, area) or 0, default=None)


def _slot(claim: Claim, box: int) -> int | None:
    """The slot of the claim's wager on a playing area, the one nearest the Dealer."""
    return min((slot for area, slot in claim.wagers if area == box), default=None)


def _distance(claim: Claim, box: int) -> int:
    return min(abs(area - box) for area, _ in claim.wagers)
