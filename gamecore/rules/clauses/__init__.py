"""Each clause of the five approved documents, and how this product stands to it.

One module for each document, and one for the sections that the four MBS documents share (`mbs_irregularities`). Rows
are in the order of the document. `TRACES` holds them by game.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gamecore.rules.clauses import mbs_ace_race_v4, mbs_blackjack_v6, mbs_free_bet_v3, mbs_pontoon_v5, rws_free_bet_2025
from gamecore.rules.clauses.trace import Trace

TRACES: Mapping[str, tuple[Trace, ...]] = MappingProxyType(
    {
        "mbs-blackjack-v6": mbs_blackjack_v6.TRACE,
        "mbs-free-bet-v3": mbs_free_bet_v3.TRACE,
        "rws-free-bet-2025": rws_free_bet_2025.TRACE,
        "mbs-pontoon-v5": mbs_pontoon_v5.TRACE,
        "mbs-ace-race-v4": mbs_ace_race_v4.TRACE,
    }
)
