"""Sets of cards and tests that have seen some of them: for the tests of the shuffle."""

from collections.abc import Sequence
from math import exp, lgamma, log, log1p

import pytest

from gamecore.cards.shuffle_test import ShuffleTest
from gamecore.model.cards import Card, card
from tests.bench.shuffle_power import DECKS, SETS

# A bound that chance breaks once in a million runs.
RARE = 1e-6
ALL_SETS = [pytest.param(ranks, decks, id=f"{decks}x{size}") for size, ranks in SETS.items() for decks in DECKS]


def cards(text: str) -> list[Card]:
    """Return the cards that a text names."""
    return [card(name) for name in text.split()]


def told(ranks: str, decks: int, previous: Sequence[Card], seen: Sequence[Card]) -> ShuffleTest:
    """Return a test that has seen these cards."""
    test = ShuffleTest(ranks, decks, previous)
    for member in seen:
        test.see(member)
    return test


def most_by_chance(trials: int, rate: float) -> int:
    """Return the number of cases that is exceeded once in a million runs if each trial is one at this rate."""
    above, count = 1.0, -1
    while above > RARE:
        count += 1
        ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
        above -= exp(ways + count * log(rate) + (trials - count) * log1p(-rate))
    return count
