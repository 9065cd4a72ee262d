"""The pay tables of the five documents, each with its clause."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

BLACKJACK, FREE_BET, PONTOON = "mbs-blackjack-v6", "mbs-free-bet-v3", "mbs-pontoon-v5"
ACE_RACE, RWS = "mbs-ace-race-v4", "rws-free-bet-2025"

PAIR = 11  # MBS 4.1
INSURANCE = 2  # MBS 4.1, RWS 4.1.1


@dataclass(frozen=True, slots=True)
class Game:
    """What one document says about winning and losing."""

    natural: Fraction  # 4.1; RWS 4.1.1
    push_22: bool  # Free Bet 4.7.3, RWS 3.24.5
    low_aces_when_doubled: bool  # Pontoon, Ace Race 3.4.2
    insured_ranks: str  # 1.1.6 and alike


GAMES = {
    BLACKJACK: Game(Fraction(3, 2), push_22=False, low_aces_when_doubled=False, insured_ranks="TJQK"),
    FREE_BET: Game(Fraction(3, 2), push_22=True, low_aces_when_doubled=False, insured_ranks="TJQK"),
    PONTOON: Game(Fraction(3, 2), push_22=False, low_aces_when_doubled=True, insured_ranks="JQK"),
    ACE_RACE: Game(Fraction(6, 5), push_22=False, low_aces_when_doubled=True, insured_ranks="TJQK"),
    RWS: Game(Fraction(3, 2), push_22=True, low_aces_when_doubled=False, insured_ranks="TJQK"),
}

BUSTED = {3: 1, 4: 2, 5: 6, 6: 50, 7: 100}  # Free Bet 4.2, by cards; 7 or more
POT_OF_GOLD = {1: 3, 2: 10, 3: 25, 4: 50, 5: 100}  # Free Bet 4.3, by markers; 5 or more
BOOM_BUSTED = {3: 2, 4: 2, 5: 4, 6: 12, 7: 50, 8: 200}  # RWS 4.1.3, by cards; 8 or more
LUCKY_STASH = {1: 2, 2: 10, 3: 25, 4: 50, 5: 100, 6: 200, 7: 1000}  # RWS 4.1.4, by markers
RWS_PAIRS = {"suited": 20, "coloured": 12, "mixed": 6}  # RWS 4.1.2
RWS_SUITED_ACES = 50  # RWS 4.1.2
ACE_RACE_PAIRS = {"suited": 15, "coloured": 8, "mixed": 5}  # Ace Race 4.2
ACE_RACE_ACES, ACE_RACE_SPLIT_ACES = 50, 10  # Ace Race 4.2

SUPER_BONUS = ((100_00, 5_000_00), (10_00, 1_000_00))  # Pontoon 4.1.1, from this wager on
SUPER_BONUS_OTHERS = 50_00  # Pontoon 4.1.1.2


def pays(amount: int, odds: Fraction | int) -> int:
    """What a wager wins at these odds, rounded half up to the cent."""
    exact = amount * Fraction(odds)
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def half(amount: int) -> int:
    """Half of a wager; the odd half cent is given up too."""
    return (amount + 1) // 2


def from_table(table: dict[int, int], number: int) -> int:
    """The odds for this many; the last line of a table stands for more, and below the first one nothing is won."""
    return table.get(min(number, max(table)), 0)
