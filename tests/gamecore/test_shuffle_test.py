"""What the test of the shuffle finds and how soon, and how it behaves.

1. Shoes are made by `tests.bench.shuffle_power`, which measures the power that is only bounded here.
2. Where chance decides whether a test passes, it fails a right program once in a million runs.
"""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.cards.shuffle_test import Order, ShuffleTest, Verdict
from gamecore.model.cards import JOKER, RANKS, SUITS, UNREAD, Card, card, deck
from tests.bench.shuffle_power import (
    MID_SHOE,
    SETS,
    cards_to_alarm,
    cut,
    deck_among_others,
    factory_order,
    part_shuffled,
    riffled,
    shelved,
    shuffled,
    sorted_order,
    stuck,
)
from tests.gamecore.shuffled_shoes import ALL_SETS, most_by_chance, told

# What is found


@pytest.mark.parametrize(("upwards", "within"), [(RANKS, 8), (RANKS[1:] + "A", 10)], ids=["ace low", "ace high"])
@pytest.mark.parametrize("runs_down", list(itertools.product([False, True], repeat=4)))
def test_factory_order_of_any_maker(upwards: str, within: int, runs_down: tuple[bool, ...]) -> None:
    """Suits in any order, each up or down, cut anywhere, are found within 8 cards; with the ace above the king, 10."""
    for number, suits in enumerate(itertools.permutations(SUITS)):
        pack = [
            card(rank + suit)
            for suit, down in zip(suits, runs_down, strict=True)
            for rank in (upwards[::-1] if down else upwards)
        ]
        for place in range(number % 4, len(pack), 4):
            found = cards_to_alarm(RANKS, 1, (pack[place:] + pack[:place])[:within])
            assert found is not None


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
def test_factory_order(seed: int, ranks: str, decks: int) -> None:
    """Decks in factory order, cut, are found within 8 cards, and the report says so."""
    chance = random.Random(seed)
    for _ in range(25):
        pack = cut(factory_order(ranks, decks), chance)
        assert told(ranks, decks, [], pack[:8]).verdict is Verdict.ALARM
        assert told(ranks, decks, [], pack).explains is Order.FACTORY
        assert told(ranks, decks, shuffled(ranks, decks, chance), pack[:8]).verdict is Verdict.ALARM


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
def test_sorted_decks(seed: int, ranks: str, decks: int) -> None:
    """Decks that a machine sorted together are found within 10 cards, those sorted by rank or suit alone within 30."""
    chance = random.Random(seed)
    for _ in range(25):
        assert told(ranks, decks, [], cut(sorted_order(ranks, decks), chance)[:10]).verdict is Verdict.ALARM
        mixed = shuffled(ranks, decks, chance)
        by_rank = told(ranks, decks, [], cut(sorted(mixed, key=lambda member: ranks.index(member.rank)), chance)[:30])
        assert by_rank.verdict is Verdict.ALARM
        by_suit = told(ranks, decks, [], cut(sorted(mixed, key=lambda member: member.suit), chance)[:30])
        assert by_suit.verdict is Verdict.ALARM


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_repeated_order(seed: int, ranks: str, decks: int, backwards: bool) -> None:
    """The last order, uncut or cut, is found within 12 cards, and within 8 in all but perhaps one of forty shoes."""
    chance = random.Random(seed)
    soon = 0
    for trial in range(40):
        previous = shuffled(ranks, decks, chance)
        pack = previous[::-1] if backwards else previous
        if trial % 2:
            pack = cut(pack, chance)
        test = told(ranks, decks, previous, pack[:12])
        assert test.verdict is Verdict.ALARM
        assert test.explains is (Order.REVERSED if backwards else Order.REPEATED)
        soon += told(ranks, decks, previous, pack[:8]).verdict is Verdict.ALARM
    assert soon >= 39


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
def test_one_riffle(seed: int, ranks: str, decks: int) -> None:
    """Factory order and the last order, riffled once and cut, are found within 26 cards."""
    chance = random.Random(seed)
    for _ in range(25):
        fresh = cut(riffled(factory_order(ranks, decks), chance), chance)
        assert told(ranks, decks, [], fresh[:26]).verdict is Verdict.ALARM
        previous = shuffled(ranks, decks, chance)
        again = cut(riffled(previous, chance), chance)
        assert told(ranks, decks, previous, again[:26]).verdict is Verdict.ALARM


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
def test_two_riffles(seed: int, ranks: str, decks: int) -> None:
    """Two riffles of the whole shoe do not hide factory order or the last order."""
    chance = random.Random(seed)
    for _ in range(10):
        fresh = cut(riffled(factory_order(ranks, decks), chance, 2), chance)
        assert told(ranks, decks, [], fresh).verdict is Verdict.ALARM
        previous = shuffled(ranks, decks, chance)
        again = cut(riffled(previous, chance, 2), chance)
        assert told(ranks, decks, previous, again).verdict is Verdict.ALARM


@pytest.mark.parametrize("decks", [1, 8])
def test_riffled_decks_of_any_maker(seed: int, decks: int) -> None:
    """Suits in any order, each up or down, riffled twice and cut, are found within 40 cards."""
    chance = random.Random(seed)
    for _ in range(10):
        suits = [(suit, chance.random() < 0.5) for suit in chance.sample(SUITS, len(SUITS))]
        packed = [card(rank + suit) for suit, down in suits for rank in (RANKS[::-1] if down else RANKS)]
        pack = cut(riffled(packed * decks, chance, 2), chance)
        assert told(RANKS, decks, [], pack[:40]).verdict is Verdict.ALARM


@pytest.mark.parametrize(
    ("decks", "riffles", "known", "rate"),
    [(1, 4, False, 0.15), (1, 4, True, 0.15), (8, 4, True, 0.05), (8, 5, False, 0.1)],
    ids=["one deck, fresh 4", "one deck, last 4", "eight decks, last 4", "eight decks, fresh 5"],
)
def test_many_riffles(seed: int, decks: int, riffles: int, known: bool, rate: float) -> None:
    """Of shoes that were riffled as often as can be found at all, no more are missed than the rate says."""
    chance = random.Random(seed)
    missed, shoes = 0, 30
    for _ in range(shoes):
        order = shuffled(RANKS, decks, chance) if known else factory_order(RANKS, decks)
        pack = cut(riffled(order if chance.random() < 0.5 else order[::-1], chance, riffles), chance)
        missed += cards_to_alarm(RANKS, decks, pack, order if known else []) is None
    assert missed <= most_by_chance(shoes, rate)


@pytest.mark.parametrize("known", [0.4, 0.75])
def test_last_order_known_in_part(seed: int, known: float) -> None:
    """Where a cutting card has left part of the last order unknown, what was dealt of it is found, riffled or not."""
    chance = random.Random(seed)
    for riffles in (0, 1, 2):
        for _ in range(5):
            order = shuffled(RANKS, 8, chance)
            pack = riffled(order, chance, riffles)
            assert cards_to_alarm(RANKS, 8, pack, order[: int(known * len(order))]) is not None


@pytest.mark.parametrize("before", MID_SHOE)
def test_order_that_begins_in_mid_shoe(seed: int, before: int) -> None:
    """A fresh deck among shuffled ones, and cards that lie as they lay behind shuffled ones, are found as they come."""
    chance = random.Random(seed)
    for _ in range(10):
        order = shuffled(RANKS, 8, chance)
        found = cards_to_alarm(RANKS, 8, deck_among_others(RANKS, 8, before, chance), order)
        assert found is not None
        assert found - before <= 20
        found = cards_to_alarm(RANKS, 8, part_shuffled(order, before, chance), order)
        assert found is not None
        assert found > before


@pytest.mark.parametrize("before", MID_SHOE)
def test_riffled_order_that_begins_in_mid_shoe(seed: int, before: int) -> None:
    """A shoe of which the first cards were shuffled and the others riffled once is found."""
    chance = random.Random(seed)
    for _ in range(5):
        order = factory_order(RANKS, 8)
        first, rest = order[:before], order[before:]
        chance.shuffle(first)
        assert cards_to_alarm(RANKS, 8, first + riffled(rest, chance)) is not None


@pytest.mark.parametrize(("shelves", "within"), [(5, 120), (10, 250)])
def test_shelf_shuffler(seed: int, shelves: int, within: int) -> None:
    """The last order out of a shelf shuffler, once and cut, is found, and the report says so."""
    chance = random.Random(seed)
    for _ in range(8):
        order = shuffled(RANKS, 8, chance)
        test = told(RANKS, 8, order, cut(shelved(order, shelves, chance), chance)[:within])
        assert test.verdict is Verdict.ALARM
        assert test.explains is Order.SHELVES


@pytest.mark.parametrize("size", [10, 20])
def test_packets_that_stuck_together(seed: int, size: int) -> None:
    """Packets of the last order, each in itself as it lay, are found within 40 cards."""
    chance = random.Random(seed)
    for _ in range(10):
        order = shuffled(RANKS, 8, chance)
        found = cards_to_alarm(RANKS, 8, stuck(order, size, chance), order)
        assert found is not None
        assert found <= 40


def test_unread_cards_delay_little(seed: int) -> None:
    """A burned card that nobody sees and one that the shoe cannot read still leave the alarm within 16 cards."""
    chance = random.Random(seed)
    for _ in range(50):
        previous = shuffled(RANKS, 8, chance)
        pack = [UNREAD, *cut(previous, chance)[1:16]]
        pack[chance.randrange(2, 8)] = UNREAD
        assert told(RANKS, 8, previous, pack).verdict is Verdict.ALARM


# How it behaves


def test_sorted_orders_are_named() -> None:
    """Groups of ranks, of suits and of equal faces are told apart in the report."""
    mixed = [member for offset in range(5) for member in deck(RANKS)[offset::5]]
    by_rank = sorted(mixed, key=lambda member: RANKS.index(member.rank))
    by_suit = sorted(mixed, key=lambda member: member.suit)
    assert Order.RANKS is told(RANKS, 1, [], by_rank).explains
    assert Order.SUITS is told(RANKS, 1, [], by_suit).explains
    assert Order.FACES is told(RANKS, 8, [], sorted_order(RANKS, 8)).explains


@given(
    ranks=st.sampled_from(["A", "A2", SETS[48], RANKS]),
    decks=st.integers(1, 10),
    previous=st.lists(st.sampled_from([*deck(RANKS), JOKER, UNREAD, card("7H#17")]), max_size=60),
    pack=st.lists(st.sampled_from([*deck(RANKS), JOKER, UNREAD, card("7H#17")]), max_size=120),
)
def test_any_cards_may_come(ranks: str, decks: int, previous: list[Card], pack: list[Card]) -> None:
    """Whatever comes, nothing is raised, the verdict never goes down, and cards out of place change nothing."""
    steps = list(Verdict)
    test, plain = ShuffleTest(ranks, decks, previous), ShuffleTest(ranks, decks, previous)
    left = Counter(member.face for member in deck(ranks) * decks)
    highest = 0
    for member in pack:
        verdict = test.see(member)
        if left[member.face] > 0:
            left[member.face] -= 1
            plain.see(member)
        assert plain.wealth == test.wealth
        assert plain.verdict is verdict
        assert steps.index(verdict) >= highest
        highest = steps.index(verdict)
        assert test.wealth > 0


def test_advisory_comes_before_the_alarm() -> None:
    """In factory order the verdict rises from none by an advisory to the alarm."""
    test = ShuffleTest(RANKS, 8)
    verdicts = [test.see(member) for member in factory_order(RANKS, 8)[:8]]
    assert [Verdict.NONE, Verdict.ADVISORY, Verdict.ALARM] == list(dict.fromkeys(verdicts))


def test_alarm_ends_the_test() -> None:
    """After the alarm no card changes the evidence or what explains it."""
    pack = factory_order(RANKS, 8)
    test = told(RANKS, 8, [], pack[:8])
    wealth = test.wealth
    for member in reversed(pack):
        assert test.see(member) is Verdict.ALARM
    assert wealth == test.wealth
    assert test.explains is Order.FACTORY


def test_same_cards_same_wealth_on_any_machine() -> None:
    """The evidence is the same to the last bit everywhere: here for orders that no generator of chance made."""
    keyed = [(place**3 * 7919 % 104_729, member) for place, member in enumerate(deck(RANKS) * 8, start=1)]
    previous = [member for _, member in sorted(keyed, key=lambda pair: pair[0])]
    pack = [member for _, member in sorted(keyed, key=lambda pair: pair[0] * 31 % 9973)]
    pack[50:50] = previous[200:203]
    # Recorded from this program under CPython 3.11 on x86-64: they show that machines agree, not that the values are
    # right, which is what the tests of the proof are for. A change to a constant or an order changes them.
    expected = {
        1: "0x1.fffffffffffffp-1",
        10: "0x1.b31f6b38f0ed1p-2",
        100: "0x1.4baf2baf28be8p-3",
        416: "0x1.5c83117c23385p-5",
    }
    actual = {length: told(RANKS, 8, previous, pack[:length]).wealth.hex() for length in (1, 10, 100, 416)}
    assert expected == actual
