"""The five approved games. One file states one approved document, whole."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gamecore.rules.games import mbs_ace_race_v4, mbs_blackjack_v6, mbs_free_bet_v3, mbs_pontoon_v5, rws_free_bet_2025
from gamecore.rules.ruleset import Ruleset

GAMES: Mapping[str, Ruleset] = MappingProxyType(
    {
        rules.id: rules
        for rules in (
            mbs_blackjack_v6.RULES,
            mbs_free_bet_v3.RULES,
            rws_free_bet_2025.RULES,
            mbs_pontoon_v5.RULES,
            mbs_ace_race_v4.RULES,
        )
    }
)
