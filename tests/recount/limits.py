"""What the limits leave of each wager.

1. MBS: a limit is one of each wager. Over the maximum it counts to the maximum (5.27, Free Bet 5.28). Under the minimum
   it is paid or collected once; a later one of the same Player goes back (5.26, Free Bet 5.27). A round in which it was
   void or withdrawn does not count as the once.
2. RWS: a limit is one of the box and the kind of wager. Over it the wagers count pro rata (5.1.1); one that is below
   the minimum by itself counts in full and beside (5.1.2). No share falls below the minimum. Under the minimum it
   counts (5.2.1). Boom Busted has one limit for the table, and what came last over it goes back (5.1.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.recount.paytables import RWS
from tests.recount.plain import Main, PlainRound, Side

Limits = dict[str, tuple[int, int]]


def apply_limits(game: PlainRound, limits: Limits, warned: set[str]) -> set[str]:
    """Say of every wager what counts; who was under the minimum in this round."""
    for area in game.areas.values():
        for wager in area.wagers:
            wager.counts = wager.amount
    if game.game == RWS:
        _rws(game, limits)
        return set()
    below: set[str] = set()
    for area in game.areas.values():
        for main in area.mains.values():
            _mbs("main", main, limits, warned, below)
        for side in area.sides:
            _mbs(side.kind, side, limits, warned, below)
    return below


def _mbs(kind: str, wager: Main | Side, limits: Limits, warned: set[str], below: set[str]) -> None:
    least, most = limits.get(kind, (0, wager.amount))
    wager.counts = min(wager.amount, most)
    if wager.amount >= least:
        return
    if wager.who in warned:
        wager.returned = wager.returned or "under the minimum again"
    elif not wager.returned:
        below.add(wager.who)


def _rws(game: PlainRound, limits: Limits) -> None:
    for kind in limits.keys() - {"boom-busted"}:
        for area in game.areas.values():
            sides = [side for side in area.sides if side.kind == kind]
            _pro_rata(list(area.mains.values()) if kind == "main" else sides, *limits[kind])
    _boom(game, limits)


def _pro_rata(wagers: Sequence[Main | Side], least: int, most: int) -> None:
    if sum(wager.amount for wager in wagers) <= most:
        return
    sharing = [wager for wager in sorted(wagers, key=lambda wager: wager.slot) if wager.amount >= least]
    left, raised = most, True
    while raised:
        total = sum(main.amount for main in sharing)
        low = [main for main in sharing if main.amount * left < least * total]
        raised = bool(low)
        for main in low:
            main.counts = least
            left = max(0, left - least)
            sharing.remove(main)
    if sharing:
        _share(sharing, left)


def _share(sharing: list[Main | Side], most: int) -> None:
    """The maximum in proportion to the wagers; odd cents to the wager nearest the Dealer, nobody more than they bet."""
    total = sum(main.amount for main in sharing)
    if total <= most:
        return
    for main in sharing:
        main.counts = main.amount * most // total
    odd = most - sum(main.counts for main in sharing)
    for main in sharing:
        more = min(odd, main.amount - main.counts)
        main.counts += more
        odd -= more


def _boom(game: PlainRound, limits: Limits) -> None:
    _, most = limits.get("boom-busted", (0, None))
    if most is None:
        return
    sides = [side for area in game.areas.values() for side in area.sides if side.kind == "boom-busted"]
    chips = sorted(((when, cents, side) for side in sides for when, cents in side.placed), key=lambda chip: chip[0])
    for side in sides:
        side.counts = 0
    left: int = most
    for _, cents, side in chips:
        taken = min(left, cents)
        side.counts += taken
        left -= taken
    for side in sides:
        if not side.counts:
            side.returned = side.returned or "over the table's maximum"
