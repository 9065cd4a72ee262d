"""The order in which cards go into the discard holder, and what the next shoe is compared with."""

import random

from gamecore.cards.shuffle_test import Verdict, Watch
from gamecore.model.cards import RANKS, card, deck
from gamecore.model.events.events import CardLifted, Loaded, PlaceBets, Shuffled
from gamecore.model.places import place
from gamecore.table import Table
from tests.gamecore.test_confirming import table_after

HEAD = "game: mbs-blackjack-v6\nfresh: no\nshoe: TS 9S 6D 6H 9H | 6C | KC TD\n"
ROUND = """
place-bets
bet 1 main 100; bet 2 main 100
no-more-bets
draw 1; draw 2; draw dealer; draw 1; draw 2
offer surrender; close surrender
draw 1
stand 2
draw dealer; draw dealer
settle
"""


def last_order(table: Table) -> list[str]:
    """Return what the next shoe is compared with, once the cards are shuffled and loaded."""
    table.apply(Shuffled("machine"))
    table.apply(Loaded(table.view().cards.size))
    watch = table._state.shoe.watch
    assert watch is not None
    return [str(member) for member in watch.made_of[2]]


def test_hands_go_as_they_are_over_then_from_the_right() -> None:
    """Where nobody sees them go: the hand that was bust, then the others from the Dealer's right, the Dealer's last."""
    assert ["TS", "6H", "6C", "9S", "9H", "6D", "KC", "TD"] == last_order(table_after(ROUND, HEAD))


def test_cards_that_were_seen_to_go_went_in_that_order() -> None:
    """Cards that are lifted off their hands after the round went into the holder as they were lifted."""
    table = table_after(ROUND, HEAD)
    for text, at in (("6D", "dealer"), ("TD", "dealer"), ("9H", "2"), ("9S", "2")):
        table.apply(CardLifted(card(text), place(at)))
    assert ["6D", "TD", "9H", "9S", "TS", "6H", "6C", "KC"] == last_order(table)


def test_rounds_go_upon_one_another_and_nothing_twice() -> None:
    """Each round goes into the holder when the next one begins; what was loaded is not in it any more."""
    table = table_after(ROUND, HEAD)
    table.apply(PlaceBets())
    assert 8 == len(table._state.shoe.discarded)
    assert 8 == len(last_order(table))
    assert [] == table._state.shoe.discarded
    assert [] == last_order(table)


def test_a_shoe_that_repeats_the_holder_is_found(seed: int) -> None:
    """Cards that come out as they went into the holder, hand by hand, are found within ten cards."""
    chance = random.Random(seed)
    pack = list(deck(RANKS)) * 8
    chance.shuffle(pack)
    # Rounds of three hands and the Dealer's, two cards each: dealt in turn, cleared away hand by hand.
    rounds = [pack[first : first + 8] for first in range(0, len(pack), 8)]
    cleared = [member for dealt in rounds for hand in range(4) for member in dealt[hand::4]]
    watch = Watch(RANKS, 8, cleared)
    assert Verdict.ALARM in [watch.see(member) for member in cleared[:10]]
