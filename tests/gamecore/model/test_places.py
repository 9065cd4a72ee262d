"""Places on the layout."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.places import BURN, DEALER, DISCARD, Place, PlaceError, place

numbers = st.integers(1, 99)
not_said = st.just(0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", Place(3)),
        ("3.2", Place(3, 2)),
        ("3/1", Place(3, 0, 1)),
        ("3.2/1", Place(3, 2, 1)),
        ("12.10/11", Place(12, 10, 11)),
        ("dealer", DEALER),
        ("burn", BURN),
        ("discard", DISCARD),
    ],
)
def test_a_place_is_read(text: str, expected: Place) -> None:
    """Box, hand and slot, or a place by its name."""
    assert expected == place(text)


@given(box=numbers, hand=numbers | not_said, slot=numbers | not_said)
def test_a_place_is_read_as_it_is_written(box: int, hand: int, slot: int) -> None:
    """Writing and reading a place changes nothing; what is not said is not written."""
    assert Place(box, hand, slot) == place(str(Place(box, hand, slot)))


@pytest.mark.parametrize("named", [DEALER, BURN, DISCARD])
def test_a_named_place_is_read_as_it_is_written(named: Place) -> None:
    """The Dealer's hand, the burn and the discard holder are no boxes."""
    assert named == place(str(named))
    assert named.box <= 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "3.0",
        "3/0",
        "03",
        "-1",
        "100",
        "3.",
        "3/",
        "/1",
        ".2",
        "3/1.2",
        "3..2",
        "3 ",
        " 3",
        "Dealer",
        "box",
        "3\n",
    ],
)
def test_what_is_no_place_is_refused_with_the_text(text: str) -> None:
    """The message quotes what stands there."""
    with pytest.raises(PlaceError, match="is no place") as error:
        place(text)
    assert f"'{text}'" in str(error.value)


@given(st.text(max_size=8))
def test_any_text_is_a_place_or_a_place_error(text: str) -> None:
    """Nothing else comes out of reading a place."""
    with suppress(PlaceError):
        assert place(text) == place(str(place(text)))
