"""Cards, and the set of cards that a game is played with."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.cards import JOKER, RANKS, SUITS, UNREAD, Card, CardError, card, composition, deck
from gamecore.rules.games import GAMES

faces = st.builds("{}{}".format, st.sampled_from(RANKS), st.sampled_from(SUITS))


@pytest.mark.parametrize(
    ("text", "points"),
    [("AS", 1), ("2H", 2), ("9D", 9), ("TC", 10), ("JS", 10), ("QH", 10), ("KD", 10), ("JOKER", 0), ("??", 0)],
)
def test_a_card_has_its_points(text: str, points: int) -> None:
    """An Ace counts 1 by itself, a picture 10, a card without a value nothing."""
    assert points == card(text).points


@pytest.mark.parametrize("text", ["AS", "TD", "7H#17", "7H#x9", "??", "JOKER"])
def test_a_card_is_written_as_it_is_read(text: str) -> None:
    """Reading and writing a card gives the same text."""
    assert text == str(card(text))


@given(face=faces, code=st.from_regex(r"[A-Za-z0-9]{1,8}", fullmatch=True))
def test_a_unique_code_makes_another_card_of_the_same_face(face: str, code: str) -> None:
    """The code tells two cards of one face apart; rank, suit and points stay."""
    plain, coded = card(face), card(f"{face}#{code}")
    assert plain != coded
    assert (plain.face, plain.points) == (coded.face, coded.points)
    assert f"{face}#{code}" == str(coded)


@pytest.mark.parametrize(
    "text",
    ["", "A", "S", "1S", "10S", "AX", "as", "aS", "ASS", "AS#", "AS# 1", "AS#1#2", "#1", "?", "?S", "joker", " AS"],
)
def test_what_is_no_card_is_refused_with_the_text(text: str) -> None:
    """The message quotes what stands there."""
    with pytest.raises(CardError, match="is no card") as error:
        card(text)
    assert f"'{text}'" in str(error.value)


@given(st.text(max_size=6))
def test_any_text_is_a_card_or_a_card_error(text: str) -> None:
    """Nothing else comes out of reading a card."""
    with suppress(CardError):
        assert text == str(card(text))


def test_the_same_text_gives_the_same_object() -> None:
    """Cards are interned."""
    assert card("KD") is card("KD")
    assert JOKER is card("JOKER")
    assert UNREAD is card("??")


def test_only_an_ace_is_an_ace_and_only_an_unread_card_is_unreadable() -> None:
    """What a card says of itself."""
    assert {"A"} == {member.rank for member in deck(RANKS) if member.is_ace}
    assert [] == [member for member in (*deck(RANKS), JOKER) if not member.readable]
    assert not UNREAD.readable
    assert not JOKER.is_ace


def test_a_card_cannot_be_changed() -> None:
    """A card is a value."""
    with pytest.raises(AttributeError):
        card("KD").rank = "A"  # type: ignore[misc]  # that it is forbidden is what is tested


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_holds_every_rank_of_the_game_in_four_suits(game: str) -> None:
    """Fifty-two different cards; forty-eight in Pontoon, which has no ten."""
    ranks = GAMES[game].ranks.value
    cards: tuple[Card, ...] = deck(ranks)
    assert (48 if game == "mbs-pontoon-v5" else 52) == len(set(cards)) == len(cards)
    assert ("T" not in ranks) == (game == "mbs-pontoon-v5")


def test_a_composition_counts_each_face_once_a_deck() -> None:
    """Eight decks hold eight cards of each face."""
    assert {8} == set(composition(RANKS, 8).values())
    assert 416 == composition(RANKS, 8).total()
