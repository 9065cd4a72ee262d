"""The prepared shoe: exact composition, the same for the same seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.cards import RANKS, SUITS, card, composition
from gamecore.notation.playing.shoe import PreparedShoe, ShoeEmptyError, prepared, set_size

FACES = st.sampled_from([rank + suit for rank in RANKS for suit in SUITS])


@given(st.lists(FACES, max_size=8, unique=True), st.integers(1, 8), st.integers(0, 2**63))
def test_given_cards_come_first_and_the_set_stays_exact(faces: list[str], decks: int, seed: int) -> None:
    """The given cards come out first, and all cards together are the set."""
    given_cards = [card(face) for face in faces]
    cards = prepared(RANKS, decks, given_cards, seed)
    assert given_cards == cards[: len(given_cards)]
    assert composition(RANKS, decks) == Counter(one.face for one in cards)


def test_the_shuffle_of_a_seed_never_changes() -> None:
    """Seed 0 gives these cards, on any machine and in any year."""
    expected = ["6D", "9D", "KS", "KC", "5S", "JH", "JC", "AS"]
    assert expected == [str(one) for one in prepared(RANKS, 8, (), 0)[:8]]


def test_a_card_that_the_set_does_not_hold_is_extra() -> None:
    """A joker or a fifth ace of a deck makes the shoe larger than the set."""
    extra = [card("JOKER"), card("AS"), card("AS")]
    assert 54 == len(prepared(RANKS, 1, extra, 0)) == set_size(RANKS, 1, extra)


def test_an_unread_card_is_one_of_the_set() -> None:
    """A card that cannot be read does not make the shoe larger."""
    assert 52 == len(prepared(RANKS, 1, [card("??")], 0)) == set_size(RANKS, 1, [card("??")])


def test_each_load_is_shuffled_anew() -> None:
    """Two loads of one table give different cards, the same two at every table with that seed."""

    def loads(seed: int) -> list[list[str]]:
        shoe = PreparedShoe(RANKS, 1, seed)
        return [[str(shoe.draw()) for _ in range(shoe.load())] for _ in range(2)]

    first, second = loads(1)
    assert first != second
    assert [first, second] == loads(1)


@pytest.mark.parametrize("count", [0, 3, 52, 60, 200])
def test_a_load_of_so_many_cards_holds_so_many(count: int) -> None:
    """A load may be short of the set or beyond it."""
    shoe = PreparedShoe(RANKS, 1, 0)
    assert (count, count) == (shoe.load((), count), len(shoe))


def test_another_card_takes_the_place_of_the_prepared_one() -> None:
    """A card that is read instead uses up the prepared one."""
    shoe = PreparedShoe(RANKS, 1, 0)
    shoe.load([card("AS"), card("KD")])
    assert (card("JOKER"), card("KD")) == (shoe.draw(card("JOKER")), shoe.draw())


def test_an_empty_shoe_gives_no_card() -> None:
    """Nothing can be drawn from an empty shoe, but a card that was read was there."""
    shoe = PreparedShoe(RANKS, 1, 0)
    shoe.load((), 0)
    assert card("AS") == shoe.draw(card("AS"))
    with pytest.raises(ShoeEmptyError):
        shoe.draw()
