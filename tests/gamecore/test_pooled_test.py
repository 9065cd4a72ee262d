"""The pooled test of a shuffler: its bets keep their value in a fair shuffle, and a slight habit adds up over shoes."""

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from gamecore.cards.shuffle_test import Verdict
from gamecore.model.cards import RANKS, Card, card, deck
from gamecore.view.pooled_test import PooledTest, Trace
from tests.bench.shuffle_power import SETS, Pack, riffled, shelved, shuffled
from tests.gamecore.shuffled_shoes import most_by_chance

ROUNDING = Fraction(1, 10**12)


def after(shoes: list[tuple[list[Card], list[Card]]], decks: int = 1, ranks: str = RANKS) -> PooledTest:
    """Return the test after some shoes, each with its last order."""
    test = PooledTest(ranks, decks)
    for previous, pack in shoes:
        test.begin_shoe(previous)
        for member in pack:
            test.see(member)
    return test


def chained(decks: int, shoes: int, chance: random.Random, shuffle: Callable[[Pack], Pack]) -> PooledTest:
    """Return the test after shoes that are the last ones shuffled again."""
    test, order = PooledTest(RANKS, decks), shuffled(RANKS, decks, chance)
    for _ in range(shoes):
        test.begin_shoe(order)
        order = shuffle(order)
        for member in order:
            test.see(member)
    return test


@pytest.mark.parametrize("decks", [1, 2])
def test_wealth_is_expected_to_stay(seed: int, decks: int) -> None:
    """At any card of any shoe the wealth expected after the next card of a fair shuffle is the wealth now."""
    chance = random.Random(seed)
    first = (shuffled(RANKS, decks, chance), shuffled(RANKS, decks, chance))
    previous, pack = first[1][:30], shuffled(RANKS, decks, chance)
    for length in range(0, len(pack), 9):
        seen, left = pack[:length], Counter(pack[length:])
        expected = Fraction(after([first, (previous, seen)], decks).wealth)
        actual = sum(
            (
                Fraction(after([first, (previous, [*seen, member])], decks).wealth) * Fraction(count, left.total())
                for member, count in left.items()
            ),
            Fraction(0),
        )
        assert abs(actual / expected - 1) < ROUNDING


def test_proper_shufflers_pass(seed: int) -> None:
    """Of fair shufflers no more bring an advisory than one in a thousand allows, over all their shoes."""
    chance = random.Random(seed)
    shufflers = 150
    tests = [chained(1, 20, chance, lambda _: shuffled(RANKS, 1, chance)) for _ in range(shufflers)]
    assert sum(test.verdict is not Verdict.NONE for test in tests) <= most_by_chance(shufflers, 1e-3)
    exceeded = [any(one.value > one.limit for one in test.chi_squared()) for test in tests]
    assert sum(exceeded) <= most_by_chance(shufflers, 0.1)


def test_slight_habits_add_up(seed: int) -> None:
    """Ten shelves and five riffles of one deck show in no single shoe, and over many they do."""
    chance = random.Random(seed)
    shelves = chained(1, 200, chance, lambda order: shelved(order, 10, chance))
    riffles = chained(1, 500, chance, lambda order: riffled(order, chance, 5))
    assert shelves.verdict is riffles.verdict is Verdict.ALARM
    assert Trace.PART is not shelves.explains
    assert Trace.NEXT is riffles.explains
    came, expected = riffles.neighbours
    assert came > expected


def test_chi_squared_sees_an_uneven_shoe(seed: int) -> None:
    """Aces that always come first exceed the limit over ranks; the order among suits does not."""
    chance = random.Random(seed)

    def aces_first(_: Pack) -> Pack:
        return sorted(shuffled(RANKS, 1, chance), key=lambda member: member.rank != "A")

    ranks, suits = chained(1, 40, chance, aces_first).chi_squared()
    assert ranks.value > ranks.limit
    assert suits.value < 3 * suits.limit


def test_cards_out_of_place_and_unknown_orders_bet_nothing() -> None:
    """A card that no set contains, one too many, and a shoe whose last order is unknown change no wealth."""
    test = after([([], list(deck(SETS[48])))], 1, SETS[48])
    assert (1.0, 1) == (test.wealth, test.shoes)
    test = after([(list(deck(RANKS)), [card("JOKER"), card("??")])])
    assert 1.0 == pytest.approx(test.wealth)
