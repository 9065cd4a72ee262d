"""The test of the shuffle: the premises of its proof, and its false alarms.

1. The premises carry the names that they have in `gamecore.cards.shuffle_test`. They are tested on sets so small that
   all orders, or all ways to go on, can be tried, and along whole shoes. Chances are fractions; what the test computes
   in doubles is converted without loss and may be off by rounding alone.
2. Where chance decides whether a test passes, it fails a right program once in a million runs.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from gamecore.cards.shuffle_test import ShuffleTest, Verdict
from gamecore.cards.shuffle_test.bet import Bet
from gamecore.model.cards import RANKS, Card, deck
from tests.bench.shuffle_power import SETS, cut, riffled, shuffled
from tests.gamecore.shuffled_shoes import ALL_SETS, cards, most_by_chance, told

ROUNDING = Fraction(1, 10**12)

# Ranks, decks, the last order, and how many cards deep all ways to go on are tried.
SMALL_SETS = [
    pytest.param("A", 2, "", 6, id="four faces twice"),
    pytest.param("A", 2, "AS AS AH AD AC AH AD AC", 6, id="four faces twice, last order known"),
    pytest.param("A2", 1, "AS 2S AH 2H AD 2D AC 2C", 4, id="eight faces"),
    pytest.param("A23", 2, "3S AS AS 2C", 3, id="last order known in part"),
]


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
            member: Fraction(test._counts[0][number], test._cards)
            for number, member in enumerate(deck(ranks))
            if test._counts[0][number]
        }
        assert expected == {member: Fraction(times, following.total()) for member, times in following.items()}


def foretold(test: ShuffleTest) -> Iterator[tuple[Bet, Fraction]]:
    """Yield each alternative with the sum of the chances that it gives to what remains."""
    for counts, bets in zip(test._counts, test._bets, strict=True):
        for bet in bets:
            whole = Fraction(0)
            for symbol, count in enumerate(counts):
                if count:
                    chance = Fraction(count, test._cards)
                    said = Fraction(bet.evenly) * chance + Fraction(bet.share) * Fraction(bet.awaits[symbol])
                    assert said > 0
                    whole += said
            yield bet, whole


def owned(test: ShuffleTest) -> Fraction:
    """Return what the alternatives own, with what was let go and what waits for those that begin later."""
    aside = Fraction(test._let_go) + Fraction(test._book.idle)
    return sum((Fraction(bet.wealth) for bets in test._bets for bet in bets), aside)


@pytest.mark.parametrize(("ranks", "decks", "previous", "depth"), SMALL_SETS)
def test_p3_what_is_foretold_adds_up_to_one(ranks: str, decks: int, previous: str, depth: int) -> None:
    """Whatever was seen, the chances that an alternative gives to the cards that remain add up to one."""
    for seen, _ in histories(ranks, decks, depth):
        test = told(ranks, decks, cards(previous), seen)
        test.settle()
        assert all(abs(whole - 1) < ROUNDING for _, whole in foretold(test))


@pytest.mark.parametrize(("decks", "known", "riffles"), [*itertools.product([1, 2, 8], [0.4, 0.75, 1], [None, 1, 3])])
def test_p3_holds_along_whole_shoes(seed: int, decks: int, known: float, riffles: int | None) -> None:
    """The same at every card of whole shoes, also where a cutting card has left part of the last order unknown."""
    chance = random.Random(f"{seed} {decks} {known} {riffles}")
    last = shuffled(RANKS, decks, chance)
    pack = shuffled(RANKS, decks, chance) if riffles is None else cut(riffled(last, chance, riffles), chance)
    test = ShuffleTest(RANKS, decks, last[: int(known * len(last))])
    for member in pack[:-1]:
        test.see(member)
        if test.verdict is Verdict.ALARM:
            break
        test.settle()
        assert all(abs(whole - 1) < ROUNDING for _, whole in foretold(test))
        assert abs(owned(test) / Fraction(test.wealth) - 1) < ROUNDING


@pytest.mark.parametrize(("ranks", "decks"), ALL_SETS)
@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
def test_p4_all_start_with_one_unit(ranks: str, decks: int, known: bool) -> None:
    """The alternatives start with one unit of wealth between them."""
    test = ShuffleTest(ranks, decks, deck(ranks) if known else ())
    assert abs(owned(test) - 1) < ROUNDING
    assert test.wealth == 1.0


def test_what_is_settled_early_is_the_same(seed: int) -> None:
    """Whether `settle` is called between cards, before some of them or never, the evidence is the same to the bit."""
    chance = random.Random(seed)
    for decks, riffles in ((1, 3), (2, 2), (8, 4)):
        last = shuffled(RANKS, decks, chance)
        pack = riffled(last, chance, riffles)
        never, always, sometimes = (ShuffleTest(RANKS, decks, last) for _ in range(3))
        for member in pack:
            for test in (never, always, sometimes):
                test.see(member)
            always.settle()
            for _ in range(chance.randrange(3)):
                sometimes.settle()
            assert never.wealth == always.wealth == sometimes.wealth
            assert never.explains is always.explains is sometimes.explains


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


@pytest.mark.parametrize(("ranks", "decks", "shoes"), [(RANKS, 1, 1000), (SETS[48], 2, 400), (RANKS, 8, 100)])
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
