"""One reading of an approved document."""

from __future__ import annotations

from dataclasses import dataclass

BLACKJACK = "mbs-blackjack-v6"
FREE_BET = "mbs-free-bet-v3"
RWS = "rws-free-bet-2025"
PONTOON = "mbs-pontoon-v5"
ACE_RACE = "mbs-ace-race-v4"
ALL = (BLACKJACK, FREE_BET, RWS, PONTOON, ACE_RACE)


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
