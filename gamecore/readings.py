"""Readings: where an approved document can be read in more than one way, the one taken, and why.

1. A reading is not an accident: it names the clause, the ways to read it, the one taken and the reason.
2. Each is held by a scenario or a test, named in `held_by`; a test fails on a reading that nothing holds.
3. A house that reads a clause otherwise finds the place to change here.
"""

from __future__ import annotations

from dataclasses import dataclass

MBS = ("mbs-blackjack-v6", "mbs-free-bet-v3", "mbs-pontoon-v5", "mbs-ace-race-v4")
ALL = (*MBS, "rws-free-bet-2025")


@dataclass(frozen=True, slots=True)
class Reading:
    """One open question of the documents."""

    name: str
    games: tuple[str, ...]
    clauses: str
    question: str
    taken: str
    other: str
    why: str
    held_by: str


READINGS: tuple[Reading, ...] = ()
