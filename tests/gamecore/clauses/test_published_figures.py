"""Exact chances, computed through the engine's own rules, beside the figures that Wizard of Odds publishes.

1. The published figures of the Dealer's hand start from a full shoe: no Player's card is removed. A Dealer's natural is
   one of the outcomes (the chances are not divided by those of the other hands). The Dealer plays the hand to its end,
   no matter what the Players hold.
2. Every sequence of point values is enumerated and weighed by exact fractions. Whether the Dealer draws is asked of the
   ruleset, what a hand counts of `Hand`, which row a wager reached of `side_wagers`.
3. Published figures are compared to the six decimals that they are printed with; derived ones as fractions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from gamecore.model.cards import Card, card, deck
from gamecore.model.hands import Hand
from gamecore.model.records import CardRecord
from gamecore.model.round import Box, Round, SideWager
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset

Outcome = tuple[int, int, bool]
"""Cards, total, natural."""
Chances = dict[Outcome, Fraction]


def points_of(rules: Ruleset, decks: int) -> dict[Card, int]:
    """One card for each point value of the set, with how many cards of that value there are."""
    counts = Counter(member.points for member in deck(rules.ranks.value) * decks)
    kept = {member.points: member for member in deck(rules.ranks.value)}
    return {kept[points]: count for points, count in sorted(counts.items())}


@cache
def dealer_chances(game: str, decks: int) -> Chances:
    """The chance of every end of the Dealer's hand from a full shoe."""
    rules = GAMES[game]
    left = points_of(rules, decks)
    chances: Chances = defaultdict(Fraction)
    hand = Hand()

    def draw(ways: int, orders: int, cards_left: int) -> None:
        """Go through every next card; `ways` of `orders` orders of the shoe lead here."""
        if len(hand.cards) >= 2 and not rules.dealer_draws.value(hand.total, hand.soft):
            chances[len(hand.cards), hand.total, hand.natural] += Fraction(ways, orders)
            return
        for following, count in left.items():
            if count:
                left[following] -= 1
                hand.add(following)
                draw(ways * count, orders * cards_left, cards_left - 1)
                hand.remove(len(hand.cards) - 1)
                left[following] += 1

    draw(1, 1, sum(left.values()))
    return dict(chances)


def chance_of_bust(game: str, decks: int, cards: int, above: int = 21) -> Fraction:
    """The chance that the Dealer exceeds a total in this many cards."""
    chances = dealer_chances(game, decks).items()
    return sum((chance for (count, total, _), chance in chances if count == cards and total > above), Fraction())


@cache
def pair_chances(game: str, kind: str, decks: int, after_split: bool = False) -> dict[str | None, Fraction]:
    """The chance of every row of a wager on the two first cards, or on the two cards of a split Ace."""
    rules = GAMES[game]
    faces = deck(rules.ranks.value)
    chances: dict[str | None, Fraction] = defaultdict(Fraction)
    for first, second in product(faces, faces):
        box, hand = Box(1), Hand()
        hand.add(first)
        hand.add(second)
        box.hands.append(hand)
        box.initial = [CardRecord(1, first), CardRecord(2, second)]
        wager = SideWager(kind, 1, 100, None, after_split=after_split)
        ways = decks * (decks - (first is second))
        cards = decks * len(faces)
        chances[rules.side(kind).category(Round(1), box, wager)] += Fraction(ways, cards * (cards - 1))
    return dict(chances)


def expectation(game: str, kind: str, decks: int) -> Fraction:
    """What a wager of 1 wins on average by its pay table."""
    pays = dict(GAMES[game].side(kind).pays)
    chances = pair_chances(game, kind, decks).items()
    return sum((chance * (pays[row].win if row else -1) for row, chance in chances), Fraction())


# --- published -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decks", "published"), [(6, "0.073536"), (8, "0.073544")])
@pytest.mark.parametrize("game", ["mbs-free-bet-v3", "rws-free-bet-2025"])
def test_the_dealer_reaches_22_as_often_as_published(game: str, decks: int, published: str) -> None:
    """A Dealer who draws to soft 17 ends at 22 with the published chance."""
    chance = sum((chance for (_, total, _), chance in dealer_chances(game, decks).items() if total == 22), Fraction())
    assert published == f"{float(chance):.6f}"


@pytest.mark.parametrize(
    ("cards", "published"), [(3, "0.173032"), (4, "0.089392"), (5, "0.020473"), (6, "0.002638"), (7, "0.000214")]
)
def test_the_dealer_is_bust_in_so_many_cards_as_often_as_published(cards: int, published: str) -> None:
    """With six decks and a Dealer who draws to soft 17, each number of cards has the published chance."""
    assert published == f"{float(chance_of_bust('mbs-free-bet-v3', 6, cards)):.6f}"


# --- derived -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize("game", GAMES)
def test_the_chances_of_the_dealers_hand_sum_to_one(game: str, decks: int) -> None:
    """Every hand of the Dealer ends, at 17 or more."""
    chances = dealer_chances(game, decks)
    assert 1 == sum(chances.values())
    assert 17 == min(total for _, total, _ in chances)


@pytest.mark.parametrize("decks", [6, 8])
def test_a_dealer_who_stands_on_soft_17_is_bust_less_often(decks: int) -> None:
    """Blackjack's Dealer stands on soft 17, so 17 is more and bust is less frequent than in Free Bet Blackjack."""
    stands, draws = dealer_chances("mbs-blackjack-v6", decks), dealer_chances("mbs-free-bet-v3", decks)

    def chance(chances: Chances, least: int, most: int) -> Fraction:
        return sum((value for (_, total, _), value in chances.items() if least <= total <= most), Fraction())

    assert chance(stands, 17, 17) > chance(draws, 17, 17)
    assert chance(stands, 22, 26) < chance(draws, 22, 26)


@pytest.mark.parametrize("decks", [4, 8])
@pytest.mark.parametrize("game", GAMES)
def test_a_natural_is_an_ace_and_a_ten_in_either_order(game: str, decks: int) -> None:
    """The chance of a Dealer's natural is twice Aces times tens over all ordered pairs; Pontoon has no rank ten."""
    cards = points_of(GAMES[game], decks)
    aces, tens, whole = cards[card("AC")], cards[card("KC")], sum(cards.values())
    chances = dealer_chances(game, decks).items()
    natural = sum((chance for (_, _, is_natural), chance in chances if is_natural), Fraction())
    assert Fraction(2 * aces * tens, whole * (whole - 1)) == natural


@pytest.mark.parametrize("decks", [6, 8])
def test_the_busted_wager_reaches_the_row_of_the_number_of_cards(decks: int) -> None:
    """Each row of Busted has the chance of a bust in this many cards, the last one of seven or more."""
    rules = GAMES["mbs-free-bet-v3"]
    rows: dict[str | None, Fraction] = defaultdict(Fraction)
    for (cards, total, natural), chance in dealer_chances(rules.id, decks).items():
        hand = Hand()
        hand.cards = [card("2S")] * cards
        hand.hard = total
        row = rules.side("busted").category(Round(1, dealer=hand), Box(1), SideWager("busted", 1, 100, None))
        assert not (natural and row)
        rows[row] += chance
    most = max(cards for cards, _, _ in dealer_chances(rules.id, decks))
    assert 1 - sum(chance_of_bust(rules.id, decks, cards) for cards in range(3, most + 1)) == rows.pop(None)
    expected = {f"{cards} cards": chance_of_bust(rules.id, decks, cards) for cards in range(3, 7)}
    expected["7 cards"] = sum((chance_of_bust(rules.id, decks, cards) for cards in range(7, most + 1)), Fraction())
    assert expected == rows


@pytest.mark.parametrize("game", ["mbs-blackjack-v6", "mbs-free-bet-v3", "mbs-ace-race-v4"])
def test_a_pair_in_eight_decks_is_31_in_415(game: str) -> None:
    """After any first card 31 of the other 415 have its rank."""
    assert {"Pair": Fraction(31, 415), None: Fraction(384, 415)} == pair_chances(game, "pair", 8)
    assert Fraction(-43, 415) == expectation(game, "pair", 8)


def test_a_pair_in_eight_decks_without_tens_is_31_in_383() -> None:
    """Pontoon's decks hold 48 cards."""
    assert {"Pair": Fraction(31, 383), None: Fraction(352, 383)} == pair_chances("mbs-pontoon-v5", "pair", 8)


@pytest.mark.parametrize("decks", [4, 6, 8])
def test_rws_pairs_have_the_chances_of_the_other_cards_of_the_rank(decks: int) -> None:
    """Of the other cards, one less than the decks are suited, as many as the decks coloured, twice as many mixed."""
    others = 52 * decks - 1
    expected = {
        "Ace Pair Suited": Fraction(decks - 1, 13 * others),
        "Suited Pair": Fraction(12 * (decks - 1), 13 * others),
        "Coloured Pair": Fraction(decks, others),
        "Mixed Pair": Fraction(2 * decks, others),
        None: Fraction(48 * decks, others),
    }
    assert expected == pair_chances("rws-free-bet-2025", "rws-pairs", decks)


@pytest.mark.parametrize("decks", [2, 6, 8])
def test_ace_race_has_the_chances_of_the_other_cards_of_the_rank(decks: int) -> None:
    """As RWS Pairs, but a pair of Aces of any suits is a row of its own."""
    others = 52 * decks - 1
    expected = {
        "Pair of Aces": Fraction(4 * decks - 1, 13 * others),
        "Suited Pair": Fraction(12 * (decks - 1), 13 * others),
        "Coloured Pair": Fraction(12 * decks, 13 * others),
        "Mixed Pair": Fraction(24 * decks, 13 * others),
        None: Fraction(48 * decks, others),
    }
    assert expected == pair_chances("mbs-ace-race-v4", "ace-race", decks)


def test_ace_race_after_a_split_is_another_ace_and_nothing_else() -> None:
    """On a split Ace only a second Ace wins."""
    chances = pair_chances("mbs-ace-race-v4", "ace-race", 8, after_split=True)
    assert {"Pair of Aces after Split": Fraction(31, 13 * 415), None: 1 - Fraction(31, 13 * 415)} == chances


@pytest.mark.parametrize("decks", [4, 8])
def test_pandemonium_wins_as_often_as_a_pontoon_is_dealt(decks: int) -> None:
    """An Ace and a picture as the first two cards; the meter decides the row."""
    rules, chance = GAMES["mbs-pontoon-v5"], Fraction()
    faces = deck(rules.ranks.value)
    for first, second in product(faces, faces):
        box, hand = Box(1), Hand()
        hand.add(first)
        hand.add(second)
        box.hands.append(hand)
        box.initial = [CardRecord(1, first), CardRecord(2, second)]
        wager = SideWager("pandemonium", 1, 100, None, multiplier=25)
        row = rules.side("pandemonium").category(Round(1), box, wager)
        assert row in {None, "25x"}
        ways = decks * (decks - (first is second))
        chance += Fraction(ways, 48 * decks * (48 * decks - 1)) if row else 0
    assert Fraction(2 * 4 * 12 * decks, 48 * (48 * decks - 1)) == chance
