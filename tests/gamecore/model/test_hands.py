"""Hands: totals, Aces, naturals, stakes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.cards import RANKS, Card, card
from gamecore.model.hands import Hand, Stake

hands_of_cards = st.lists(st.sampled_from(RANKS).map(lambda rank: card(f"{rank}S")), min_size=1, max_size=12)


def hand_of(text: str) -> Hand:
    """Return a hand with these ranks."""
    hand = Hand()
    for rank in text:
        hand.add(card(f"{rank}H"))
    return hand


def best_total(cards: list[Card]) -> tuple[int, bool]:
    """Return the highest total within 21 of all ways to count the Aces, else the lowest, and whether an Ace is 11."""
    values = [(1, 11) if member.is_ace else (member.points,) for member in cards]
    totals = {(sum(ways), 11 in ways) for ways in product(*values)}
    within = [total for total in totals if total[0] <= 21]
    return max(within) if within else min(totals)


@pytest.mark.parametrize(
    ("ranks", "total", "soft"),
    [
        ("A", 11, True),
        ("AA", 12, True),
        ("AAA", 13, True),
        ("A6", 17, True),
        ("A6T", 17, False),
        ("A9A", 21, True),
        ("AKA", 12, False),
        ("AK", 21, True),
        ("777", 21, False),
        ("KQ2", 22, False),
        ("AAAAAAAAAAA", 21, True),
        ("AAAAAAAAAAAA", 12, False),
    ],
)
def test_a_hand_has_its_total(ranks: str, total: int, soft: bool) -> None:
    """An Ace counts 11 as long as the total stays within 21."""
    hand = hand_of(ranks)
    assert (total, soft) == (hand.total, hand.soft)


@given(hands_of_cards)
def test_the_total_is_the_best_of_all_ways_to_count_the_aces(cards: list[Card]) -> None:
    """The total agrees with trying every value of every Ace."""
    hand = Hand()
    for member in cards:
        hand.add(member)
    assert best_total(cards) == (hand.total, hand.soft)
    assert (best_total(cards)[0] > 21) == hand.bust


@given(cards=hands_of_cards, at=st.integers(0))
def test_taking_a_card_off_undoes_laying_it(cards: list[Card], at: int) -> None:
    """A hand from which a card was taken counts as if the card had never lain there."""
    hand, other = Hand(), Hand()
    taken = cards[at % len(cards)]
    for member in [*cards, taken]:
        hand.add(member)
    for member in cards:
        other.add(member)
    hand.remove(hand.cards.index(taken))
    assert (other.hard, other.aces, other.total, sorted(map(str, other.cards))) == (
        hand.hard,
        hand.aces,
        hand.total,
        sorted(map(str, hand.cards)),
    )


def test_a_card_that_does_not_lie_there_cannot_be_taken() -> None:
    """Taking it raises and changes nothing."""
    hand = hand_of("A6")
    with pytest.raises(IndexError):
        hand.remove(2)
    assert (17, 2) == (hand.total, len(hand.cards))


@pytest.mark.parametrize(
    ("ranks", "fixed", "total", "soft"),
    [("A9", 1, 10, False), ("A9A", 1, 21, True), ("A9K", 1, 20, False), ("AA8", 2, 10, False), ("A5A", 1, 17, True)],
)
def test_an_ace_of_a_doubled_hand_counts_one_where_the_document_says_so(
    ranks: str, fixed: int, total: int, soft: bool
) -> None:
    """The Aces of the first two cards count 1; an Ace that comes with the double may count 11."""
    hand = hand_of(ranks)
    hand.aces_as_one = fixed
    assert (total, soft) == (hand.total, hand.soft)


@pytest.mark.parametrize("first", RANKS)
@pytest.mark.parametrize("second", RANKS)
def test_a_natural_is_an_ace_and_a_ten_point_card(first: str, second: str) -> None:
    """In either order, and no other two cards; a hand of a split has none."""
    hand = hand_of(first + second)
    natural = (first == "A" and second in "TJQK") or (second == "A" and first in "TJQK")
    assert natural == hand.natural
    hand.split = True
    assert not hand.natural


@pytest.mark.parametrize("ranks", ["A55", "777", "A28", "A", "K"])
def test_no_other_number_of_cards_is_a_natural(ranks: str) -> None:
    """Two cards exactly."""
    assert not hand_of(ranks).natural


@pytest.mark.parametrize(("ranks", "initial"), [("", False), ("A", False), ("A5", True), ("A52", False)])
def test_initial_is_two_cards(ranks: str, initial: bool) -> None:
    """Only a hand of two cards can be doubled or split."""
    assert initial == hand_of(ranks).initial


def test_a_card_without_a_value_adds_nothing() -> None:
    """An unread card and a joker count 0."""
    hand = hand_of("9")
    hand.add(card("??"))
    hand.add(card("JOKER"))
    assert (9, False) == (hand.total, hand.soft)


# --- stakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stake", "at_risk", "plays_for", "doubled"),
    [
        (Stake(100, 100), 100, 100, False),
        (Stake(100, 100, added=60), 160, 160, True),
        (Stake(100, 0, free_split=True), 0, 100, False),
        (Stake(100, 0, free_split=True, free_double=True), 0, 200, True),
        (Stake(100, 100, free_double=True), 100, 200, True),
        (Stake(100, 0, added=40, free_split=True), 40, 140, True),
    ],
)
def test_a_stake_risks_chips_and_plays_for_markers_too(
    stake: Stake, at_risk: int, plays_for: int, doubled: bool
) -> None:
    """Own chips can be lost; the original wager, chips added and a free double can be won."""
    assert (at_risk, plays_for, doubled) == (stake.at_risk, stake.plays_for, stake.doubled)


@pytest.mark.parametrize("how", ["surrendered", "even_money", "rescued"])
def test_a_hand_is_in_play_while_one_stake_is(how: str) -> None:
    """A Player who gave up or was paid has no further part; the hand goes on for the others."""
    hand = hand_of("88")
    seen = [hand.in_play]
    hand.stakes = {1: Stake(100, 100), 2: Stake(100, 100)}
    for stake in hand.stakes.values():
        seen.append(hand.in_play)
        setattr(stake, how, True)
    seen.append(hand.in_play)
    assert [False, True, True, False] == seen
