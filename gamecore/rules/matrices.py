"""The rulings matrix of each game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gamecore.rules import mbs, rws
from gamecore.rules.matrix import Matrix

MATRICES: Mapping[str, Matrix] = MappingProxyType(
    {
        "mbs-blackjack-v6": mbs.BLACKJACK,
        "mbs-free-bet-v3": mbs.FREE_BET,
        "rws-free-bet-2025": rws.FREE_BET,
        "mbs-pontoon-v5": mbs.PONTOON,
        "mbs-ace-race-v4": mbs.ACE_RACE,
    }
)
