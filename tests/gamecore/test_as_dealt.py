"""Where the cards of an initial deal belong that has passed somebody over."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.cards.as_dealt import places_as_dealt
from gamecore.model.places import BURN, DEALER, Place

ORDER = "1 3 5 d 1 3 5"


def places(text: str) -> tuple[Place, ...]:
    """The places of a text: boxes by number, the Dealer, the burn."""
    named = {"d": DEALER, "b": BURN}
    return tuple(named.get(word) or Place(int(word)) for word in text.split())


@pytest.mark.parametrize(
    ("told", "order", "belongs"),
    [
        (ORDER, ORDER, ORDER),
        ("1 3 5 d 1 5 3", ORDER, ORDER),
        ("3 5 1 d 1 3 5", ORDER, ORDER),
        ("1 3 5 d 1 3 3", ORDER, ORDER),
        ("1 3 5 d 1 5 3", "1 3 5 6 d 1 3 5 6", ORDER),
        ("1 3 5 6 d 1 5 3", "1 3 5 6 d 1 3 5 6", "1 3 5 6 d 1 3 5"),
        ("1 2 3 5 d 1 2 5 3", ORDER, "1 2 3 5 d 1 2 3 5"),
        ("1 3 5 1 5 3", ORDER, "1 3 5 1 3 5"),
        ("1 3 5 d 1 5 3", "b " + ORDER, ORDER),
        ("1 2 3 5 d 1 2 3 5", "1 3 5 6 d 1 3 5 6", "1 2 3 5 d 1 2 3 5"),
        ("1 3 5 d 1 3 3", "1 3 5 6 d 1 3 5 6", ORDER),
    ],
)
def test_only_cards_at_one_anothers_places_belong_elsewhere(told: str, order: str, belongs: str) -> None:
    """A box that was passed over, or dealt to without a wager, moves nobody else's card."""
    assert places(belongs) == places_as_dealt(places(told), places(order))


@given(st.data())
def test_leaving_places_out_moves_no_card(data: st.DataObject) -> None:
    """A deal in order that passed some places over is in order as it lies."""
    order = places(ORDER)
    told = tuple(place for place in order if data.draw(st.booleans()))
    belongs = places_as_dealt(told, order)
    assert Counter(told) == Counter(belongs)
    assert told == belongs
