"""Which clauses the fitted sensors cover, and which wait for somebody to speak.

1. The table itself finds an irregularity only if it has the sensors: for each code `NEEDS` lists sets of sensors, one
   of which must be fitted. An empty set needs none; no set at all means that only a person can see it.
2. The clauses are those that the rulings matrix of the game gives for the code, at any stage.
3. What is not covered is not lost: a person reports it with ``call``, and from then on it is ruled like any other.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from gamecore.rules.matrices import MATRICES

_SHOE = (frozenset({"shoe"}),)
_PLACES = (frozenset({"shoe", "positions"}), frozenset({"shoe", "positions-count"}))
_BETS = (frozenset({"bets"}),)
_PANEL = (frozenset({"panel"}),)
_ALWAYS = (frozenset[str](),)
_NEVER: tuple[frozenset[str], ...] = ()

CARRIERS = {
    "shoe": ("shoe", "shuffler"),
    "panel": ("panel",),
    "positions": ("hub",),
    "positions-count": ("hub",),
    "bets": ("hub",),
    "discard": ("hub",),
}
"""The devices that carry each sensor; one of them is enough."""

NEEDS: dict[str, tuple[frozenset[str], ...]] = {
    "foreign-card": _SHOE,
    "extra-card": _SHOE,
    "missing-card": _SHOE,
    "unshuffled-cards": _SHOE,
    "insufficient-cards": _SHOE,
    "cut-card-passed": _SHOE,
    "missing-burn": _PLACES,
    "double-draw": _SHOE,
    "face-up-card": _SHOE,
    "unreadable-card": _SHOE,
    "misdealt-card": _PLACES,
    "dealer-not-dealt": _PLACES,
    "box-not-dealt": _PLACES,
    "box-short": _PLACES,
    "unwagered-box-dealt": _PLACES,
    "card-in-error": _PLACES,
    "dealer-overdraw": _PLACES,
    "hand-skipped": _PLACES,
    "late-wager": _BETS,
    "wager-withdrawn": _BETS,
    "under-minimum": _BETS,
    "over-maximum": _BETS,
    "side-wager-without-main": _BETS,
    "insurance-not-offered": (frozenset({"shoe", "panel"}),),
    "absent-player": _NEVER,
    "power-failure": _ALWAYS,
    "unsettled-side-wager": _PANEL,
    "link-lost": _ALWAYS,
    "uncovered": _NEVER,
}


@dataclass(frozen=True, slots=True)
class Covered:
    """One finding code of a game: its clauses, whether the sensors find it, and which are missing if not."""

    code: str
    clauses: tuple[str, ...]
    covered: bool
    missing: str


def coverage(game: str, sensors: Collection[str]) -> list[Covered]:
    """Every code that the game knows, in the order of its matrix."""
    clauses: dict[str, dict[str, None]] = {}
    for row in MATRICES[game]:
        known = clauses.setdefault(row.code, {})
        known.update((cell.clause, None) for cell in row.cells.values() if cell.ruling)
    return [_covered(code, tuple(found), frozenset(sensors)) for code, found in clauses.items() if found]


def _covered(code: str, clauses: tuple[str, ...], sensors: frozenset[str]) -> Covered:
    sets = NEEDS[code]
    if any(needed <= sensors for needed in sets):
        return Covered(code, clauses, True, "")
    missing = min((needed - sensors for needed in sets), key=len, default=frozenset[str]())
    return Covered(code, clauses, False, " and ".join(sorted(missing)))
