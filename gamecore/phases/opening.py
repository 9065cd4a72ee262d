"""A table before its first round, as its configuration says: which cards, which sensors, whether a burn is due."""

from __future__ import annotations

from gamecore.cards.shuffle_test import Watch
from gamecore.model.cardset import CardSet
from gamecore.model.config import TableConfig
from gamecore.model.state import Fitting, ShoeState, TableState
from gamecore.rules.ruleset import Ruleset


def new_state(rules: Ruleset, config: TableConfig) -> TableState:
    """A table before its first round, whose shoe is as the configuration says."""
    continuous = config.shuffling == "continuous"
    cards = CardSet(rules.ranks.value, config.decks, config.left, continuous=continuous)
    watched = config.watches and config.fresh and not continuous
    watch = Watch(rules.ranks.value, config.decks) if watched else None
    shoe = ShoeState(cards, watch, burn_due=config.fresh and config.burn and not continuous)
    senses = "positions" in config.sensors or "positions-count" in config.sensors
    t = TableState(rules, config, shoe, Fitting(senses, senses and "positions" not in config.sensors))
    t.expect_nothing()
    return t
