"""The test of the shuffle: the premises of its proof, its false alarms, and what it finds and how soon.

1. The premises carry the names that they have in `gamecore.cards.shuffle_test`. They are tested on sets so small that
   all orders, or all ways to go on, can be tried. Chances are fractions; what the test computes in doubles is converted
   without loss and may be off by rounding alone.
2. Where chance decides whether a test passes, it fails a right program once in a million runs.
3. Shoes are made by `tests.bench.shuffle_power`, which measures the power that is only bounded here.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.cards.shuffle_test import Order, ShuffleTest, Verdict
from gamecore.model.cards import JOKER, RANKS, SUITS, UNREAD, Card, card, deck
from tests.bench.shuffle_power import DECKS, SETS, cards_to_alarm, cut, factory_order, riffled, shuffled, sorted_order

ROUNDING = Fraction(1, 10**12)
# A bound that chance breaks once in a million runs.
RARE = 1e-6

# Ranks, decks, the last order, and how many cards deep all ways to go on are tried.
SMALL_SETS = [
    pytest.param("A", 2, "", 8, id="four faces twice"),
    pytest.param("A", 2, "AS AS AH AD AC AH AD AC", 8, id="four faces twice, last order known"),
    pytest.param("A2", 1, "AS 2S AH 2H AD 2D AC 2C", 4, id="eight faces"),
    pytest.param("A23", 2, "3S AS AS 2C", 3, id="last order known in part"),
]
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


def histories(ranks: str, decks: int, depth: int) -> Iterator[tuple[tuple[Card, ...], Counter[Card]]]:
    """Yield all that may have been seen of a set before a card, with what remains of it."""
    waiting: list[tuple[tuple[Card, ...], Counter[Card]]] = [((), Counter(deck(ranks) * decks))]
    while waiting:
        seen, left = waiting.pop()
        if not left:
            continue
        yield seen, left
        if len(seen) + 1 < depth:
            waiting += [((*seen, member), left - Counter([member])) for member in left]


def most_by_chance(trials: int, rate: float) -> int:
    """Return the number of cases that is exceeded once in a million runs if each trial is one at this rate."""
    exactly = (1 - rate) ** trials
    above, count = 1 - exactly, 0
    while above > RARE:
        exactly *= (trials - count) / (count + 1) * rate / (1 - rate)
        above, count = above - exactly, count + 1
    return count


def fair_verdicts(shoes: int, ranks: str, decks: int, chance: random.Random) -> Counter[Verdict]:
    """Return the verdicts on fair shuffles after another fair order was dealt."""
    verdicts: Counter[Verdict] = Counter()
    for _ in range(shoes):
        previous, pack = shuffled(ranks, decks, chance), shuffled(ranks, decks, chance)
        verdicts[told(ranks, decks, previous, pack).verdict] += 1
    return verdicts


# The proof


@pytest.mark.parametrize("hidden", [None, 0, 2])
def test_p1_p2_chances_are_what_remains(hidden: int | None) -> None:
    """Over all orders the next face has the chance that the test counts, also when a card was unread."""
    ranks, decks, length = "A", 2, 4
    after: dict[tuple[Card, ...], Counter[Card]] = {}
    for order in itertools.permutations(deck(ranks) * decks, length):
        seen = tuple(member for place, member in enumerate(order) if place != hidden)
        after.setdefault(seen[:-1], Counter())[seen[-1]] += 1
    for seen, following in after.items():
        test = told(ranks, decks, [], seen)
        expected = {
            member: Fraction(test._faces[number], test._cards)
            for number, member in enumerate(deck(ranks))
            if test._faces[number]
        }
        assert expected == {member: Fraction(times, following.total()) for member, times in following.items()}


@pytest.mark.parametrize(("ranks", "decks", "previous", "depth"), SMALL_SETS)
def test_p3_what_is_foretold_adds_up_to_one(ranks: str, decks: int, previous: str, depth: int) -> None:
    """Whatever was seen, the chances that an alternative gives to the cards that remain add up to one."""
    for seen, left in histories(ranks, decks, depth):
        before = told(ranks, decks, cards(previous), seen)
        after = {member: told(ranks, decks, cards(previous), [*seen, member]) for member in left}
        for order, bet in before._orders.items():
            foretold = Fraction(0)
            for member, count in left.items():
                wealth = Fraction(after[member]._orders[order].wealth)
                ratio = (wealth - Fraction(bet._idle)) / Fraction(bet._stake)
                assert ratio > 0
                foretold += ratio * Fraction(count, left.total())
            assert abs(foretold - 1) < ROUNDING


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
def test_p4_all_start_with_one_unit(ranks: str, decks: int, known: bool) -> None:
    """The alternatives start with one unit of wealth between them."""
    test = ShuffleTest(ranks, decks, deck(ranks) if known else ())
    wealth = sum((Fraction(bet.wealth) for bet in test._orders.values()), Fraction(0))
    assert abs(wealth - 1) < ROUNDING
    assert test.wealth == 1.0


@pytest.mark.parametrize(("ranks", "decks", "previous", "depth"), SMALL_SETS)
def test_s2_wealth_is_expected_to_stay(ranks: str, decks: int, previous: str, depth: int) -> None:
    """Whatever was seen, the wealth expected after the next card of a fair shuffle is the wealth now."""
    for seen, left in histories(ranks, decks, depth):
        expected = Fraction(told(ranks, decks, cards(previous), seen).wealth)
        actual = sum(
            (
                Fraction(told(ranks, decks, cards(previous), [*seen, member]).wealth) * Fraction(count, left.total())
                for member, count in left.items()
            ),
            Fraction(0),
        )
        assert abs(actual / expected - 1) < ROUNDING


def test_s2_wealth_is_expected_to_stay_in_a_whole_shoe(seed: int) -> None:
    """Along a shoe of full size, riffled once or fair, the same holds at every tenth card."""
    chance = random.Random(seed)
    for decks, riffles in ((1, 1), (2, 2), (1, None)):
        previous = shuffled(RANKS, decks, chance)
        pack = shuffled(RANKS, decks, chance) if riffles is None else riffled(previous, chance, riffles)
        for length in range(0, len(pack), 10):
            seen, left = pack[:length], Counter(pack[length:])
            now = told(RANKS, decks, previous, seen)
            if now.verdict is Verdict.ALARM:
                break
            expected = Fraction(now.wealth)
            actual = sum(
                (
                    Fraction(told(RANKS, decks, previous, [*seen, member]).wealth) * Fraction(count, left.total())
                    for member, count in left.items()
                ),
                Fraction(0),
            )
            assert abs(actual / expected - 1) < ROUNDING


@pytest.mark.parametrize("previous", ["", "AS AS AH AD AC AH AD AC"])
def test_s3_wealth_rarely_grows(previous: str) -> None:
    """Of all orders of a small set, at most one in c ever brings a wealth of c."""
    highest: list[float] = []
    for order in set(itertools.permutations(deck("A") * 2)):
        test = ShuffleTest("A", 2, cards(previous))
        wealth = []
        for member in order:
            test.see(member)
            wealth.append(test.wealth)
        highest.append(max(wealth))
    for limit in (1.25, 1.5, 2.0, 3.0, 5.0, 10.0):
        assert sum(wealth >= limit for wealth in highest) * limit <= len(highest)


# False alarms


@pytest.mark.parametrize(("ranks", "decks", "shoes"), [(RANKS, 1, 3000), (SETS[48], 2, 800), (RANKS, 8, 150)])
def test_fair_shuffles_pass(seed: int, ranks: str, decks: int, shoes: int) -> None:
    """Fair shuffles bring no more advisories and alarms than one in a thousand and one in a million allow."""
    verdicts = fair_verdicts(shoes, ranks, decks, random.Random(seed))
    assert verdicts[Verdict.ADVISORY] + verdicts[Verdict.ALARM] <= most_by_chance(shoes, 1e-3)
    assert verdicts[Verdict.ALARM] <= most_by_chance(shoes, 1e-6)


@pytest.mark.soak
@pytest.mark.parametrize(("ranks", "decks", "shoes"), [(SETS[48], 4, 20_000), (RANKS, 8, 12_000)])
def test_many_fair_shuffles_pass(seed: int, ranks: str, decks: int, shoes: int) -> None:
    """The same with many more shoes."""
    verdicts = fair_verdicts(shoes, ranks, decks, random.Random(seed))
    assert verdicts[Verdict.ADVISORY] + verdicts[Verdict.ALARM] <= most_by_chance(shoes, 1e-3)
    assert verdicts[Verdict.ALARM] <= most_by_chance(shoes, 1e-6)


@pytest.mark.soak
def test_rate_of_advisories(seed: int) -> None:
    """In 150,000 fair shoes advisories are so few that their rate is below one in a thousand beyond doubt."""
    shoes = 150_000
    verdicts = fair_verdicts(shoes, RANKS, 1, random.Random(seed))
    # At a rate of 1/1000 the mean is 150, and 95 or fewer would come once in a million runs (binomial).
    assert verdicts[Verdict.ADVISORY] + verdicts[Verdict.ALARM] <= 95
    assert verdicts[Verdict.ALARM] <= most_by_chance(shoes, 1e-6)


# What is found


@pytest.mark.parametrize(("upwards", "within"), [(RANKS, 8), (RANKS[1:] + "A", 10)], ids=["ace low", "ace high"])
@pytest.mark.parametrize("runs_down", list(itertools.product([False, True], repeat=4)))
def test_factory_order_of_any_maker(upwards: str, within: int, runs_down: tuple[bool, ...]) -> None:
    """Suits in any order, each up or down, cut anywhere, are found within 8 cards; with the ace above the king, 10."""
    for suits in itertools.permutations(SUITS):
        pack = [
            card(rank + suit)
            for suit, down in zip(suits, runs_down, strict=True)
            for rank in (upwards[::-1] if down else upwards)
        ]
        for place in range(len(pack)):
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


@pytest.mark.parametrize("before", [26, 104, 208])
def test_unshuffled_part_of_a_shoe(seed: int, before: int) -> None:
    """One unshuffled deck in the midst of shuffled ones is found before it has been dealt."""
    chance = random.Random(seed)
    for _ in range(20):
        fair = shuffled(RANKS, 7, chance)
        pack = fair[:before] + factory_order(RANKS, 1) + fair[before:]
        assert told(RANKS, 8, shuffled(RANKS, 8, chance), pack[: before + 52]).verdict is Verdict.ALARM


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
        1: "0x1.42d82d82d82d8p-1",
        10: "0x1.f6b0274b6e8a2p-2",
        100: "0x1.2b4c0e2e0ac39p-2",
        416: "0x1.b968338702ef7p-4",
    }
    actual = {length: told(RANKS, 8, previous, pack[:length]).wealth.hex() for length in (1, 10, 100, 416)}
    assert expected == actual
