"""Who comes first where several Players want the same side wager or the same insurance option.

1. Both functions take the claims and say whose is first and by which clause, or that nobody's is accepted.
2. A Player's own option comes before all others: who has a wager on the playing area has the first priority for a side
   wager (MBS 3.16); insurance is another's only after its own Player declined (3.27.3, Pontoon 3.26.3).
3. Side wagers (3.17.2.x): wagers on that playing area, nearest the Dealer first; then the nearest playing area; at
   equal distance the lowest total of such wagers; equal claims without an agreement bar everybody; who has no wager on
   the round comes last, by the order in which the wagers were placed.
4. Insurance (3.27.4.x, Pontoon 3.26.4.x): the same, with wagers at equal distance on one playing area taken from front
   to back, and the total without the playing areas that the Player controls.
5. Distance is counted in playing areas, from the Player's nearest wager.
6. RWS has no such order: insurance belongs to its own Player alone (3.15.2), a side wager to anybody (3.9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamecore.model.round import Round
from gamecore.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Claim:
    """One Player's wish: his main wagers of the round as (box, slot), and his total of such wagers in cents.

    The position in the list of claims is the order in which the wagers were placed. `total` is the amount of all side
    wagers of that kind or, for insurance, of all Insurance wagers except on playing areas that the Player controls.
    """

    player: str
    wagers: tuple[tuple[int, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class First:
    """Whose claim is first, by which clause; `player` is None where no claim is accepted."""

    player: str | None
    clause: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """The clauses of one document, step by step."""

    own: str
    same_area: str
    nearest: str
    lowest: str
    equal: str
    without_wager: str


SIDE_WAGER = Ladder("3.16", "3.17.2.1", "3.17.2.2", "3.17.2.3", "3.17.2.4", "3.17.2.5")
INSURANCE = Ladder("3.27", "3.27.4.1", "3.27.4.2", "3.27.4.3", "3.27.4.4", "3.27.4.5")
PONTOON_INSURANCE = Ladder("3.26", "3.26.4.1", "3.26.4.2", "3.26.4.3", "3.26.4.4", "3.26.4.5")


def first_side_wager(
    rules: Ruleset, box: int, controller: str | None, claims: Sequence[Claim], agreed: str | None = None
) -> First:
    """Whose side wager is taken on a playing area. `agreed`: whom Players with equal claims agreed upon."""
    if not claims:
        return First(None, SIDE_WAGER.own)
    if rules.slots.value is None:
        return First(claims[0].player, rules.side_wagers[0].placed_by)
    if any(claim.player == controller and _slot(claim, box) is not None for claim in claims):
        return First(controller, SIDE_WAGER.own)
    return _first(SIDE_WAGER, box, claims, agreed, front_to_back=False)


def first_insurance(
    rules: Ruleset, box: int, owner: str | None, claims: Sequence[Claim], agreed: str | None = None
) -> First:
    """Who takes the insurance option on a wager of a playing area, its own Player before all others."""
    if not claims or any(claim.player == owner for claim in claims):
        return First(owner if claims else None, rules.insurance_wins_on.clause)
    if not rules.insurance_by_others.value:
        return First(None, rules.insurance_by_others.clause)
    ladder = INSURANCE if rules.insurance_by_others.clause == "3.27.3" else PONTOON_INSURANCE
    return _first(ladder, box, claims, agreed, front_to_back=True)


def _first(ladder: Ladder, box: int, claims: Sequence[Claim], agreed: str | None, *, front_to_back: bool) -> First:
    on_area = [claim for claim in claims if _slot(claim, box) is not None]
    if on_area:
        return First(min(on_area, key=lambda claim: _slot(claim, box) or 0).player, ladder.same_area)
    on_round = [claim for claim in claims if claim.wagers]
    if not on_round:
        return First(claims[0].player, ladder.without_wager)
    distance = min(_distance(claim, box) for claim in on_round)
    nearest = [claim for claim in on_round if _distance(claim, box) == distance]
    if front_to_back:
        nearest = _front(nearest, box)
    if len(nearest) == 1:
        return First(nearest[0].player, ladder.nearest)
    lowest = min(claim.total for claim in nearest)
    equal = [claim for claim in nearest if claim.total == lowest]
    if len(equal) == 1:
        return First(equal[0].player, ladder.lowest)
    if agreed is not None and any(claim.player == agreed for claim in equal):
        return First(agreed, ladder.equal)
    return First(None, ladder.equal)


def _front(claims: list[Claim], box: int) -> list[Claim]:
    """Of the claims on each nearest playing area only the front one."""
    areas = {area for claim in claims for area in _areas(claim, box)}
    slots = {area: min(_slot(claim, area) or 0 for claim in claims if area in _areas(claim, box)) for area in areas}
    return [claim for claim in claims if any(_slot(claim, area) == slots[area] for area in _areas(claim, box))]


def _slot(claim: Claim, box: int) -> int | None:
    """The slot of the claim's wager on a playing area, the one nearest the Dealer."""
    return min((slot for area, slot in claim.wagers if area == box), default=None)


def _distance(claim: Claim, box: int) -> int:
    return min(abs(area - box) for area, _ in claim.wagers)


def _areas(claim: Claim, box: int) -> set[int]:
    """The playing areas of the claim that are nearest to the one in question."""
    nearest = _distance(claim, box)
    return {area for area, _ in claim.wagers if abs(area - box) == nearest}


# --- claims from the round that is on ------------------------------------------------------------------------------


def side_claim(game_round: Round, player: str, kind: str) -> Claim:
    """A Player's claim to a side wager: his main wagers, and the total of his wagers of that kind."""
    sides = [side for box in game_round.boxes.values() for side in box.sides]
    total = sum(side.amount for side in sides if side.player == player and side.kind == kind)
    return Claim(player, _wagers(game_round, player), total)


def insurance_claim(game_round: Round, player: str) -> Claim:
    """A Player's claim to an insurance option: his Insurance wagers but for those on boxes that he controls."""
    total = 0
    for box in game_round.boxes.values():
        controls = box.controller in box.mains and box.mains[box.controller].player == player
        for slot, wager in box.insurance.items():
            owner = wager.player if wager.player is not None else box.mains[slot].player
            if owner == player and not controls:
                total += wager.amount
    return Claim(player, _wagers(game_round, player), total)


def _wagers(game_round: Round, player: str) -> tuple[tuple[int, int], ...]:
    return tuple(
        (number, slot)
        for number, box in sorted(game_round.boxes.items())
        for slot, main in sorted(box.mains.items())
        if main.player == player
    )
