"""Where the cards lie in a scene, and that one that lies face down is named nowhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.shown.scene import scene
from gamecore.model.cards import Card
from gamecore.model.states import State
from gamecore.table import Table
from tests.firmware_bridge.positions import held_table, table_after, table_of_chance
from tests.firmware_bridge.shown.scene_positions import SAMPLE, SQUEEZED, positions, shown

RWS = "rws-free-bet-2025"
BETS = "place-bets\nbet 1 main 100\nbet 3 main 50\n"
HEAD = f"shoe: 9H 7D 6S KC TD 2C 8H 3S JD\nfresh: no\n\n{BETS}"
PULLED = f"{HEAD}no-more-bets\ndraw 1; draw 3; draw dealer; draw 1; draw 3\n"

tables = st.builds(table_of_chance, st.just(RWS), st.integers(0, 2**32), st.integers(0, 120))
held = st.builds(held_table, st.just(RWS), st.integers(0, 2**32))


def lying(table: Table) -> dict[str, list[str]]:
    """Return the cards that lie at no hand, by place."""
    elsewhere = scene(table)["elsewhere"]
    return {one["place"]: one["cards"] for one in elsewhere}


def of_box(table: Table, number: int) -> list[tuple[list[str], int | None]]:
    """Return cards and total of each hand of a box."""
    boxes = scene(table)["boxes"]
    return [(hand["cards"], hand["total"]) for hand in boxes[number - 1]["hands"]]


def face_down(table: Table) -> list[Card]:
    """Return the face-down cards of which no equal one is anywhere else; one that nobody could read has no name."""
    view = table.view()
    hidden = [card for box in view.round.boxes.values() for hand in box.hands for card in hand.face_down]
    matters = [card for matter in (*view.matters, *view.pulls) for card in (*matter.cards, *matter.hidden)]
    out = Counter([*(lying.card for lying in view.round.cards), *view.next_cards, *view.in_transit, *matters])
    return [card for card in hidden if out[card] == 1 and card.readable]


def named(text: str, cards: list[Card]) -> list[str]:
    """Return those of the cards that a text names, as a word of their own."""
    words = set(text.replace('"', " ").replace(",", " ").split())
    return [str(card) for card in cards if str(card) in words]


@pytest.mark.parametrize("file", SQUEEZED, ids=lambda file: file.name)
def test_a_squeezed_card_is_named_nowhere(file: Path) -> None:
    """At no position of a scenario with squeezing, in no field; and some card does lie face down there."""
    hidden = 0
    for where, table in positions(file):
        cards = face_down(table)
        hidden += len(cards)
        assert (where, []) == (where, named(shown(table), cards))
    assert hidden or "exposed" in file.name


@settings(max_examples=200)
@given(st.one_of(tables, held))
def test_a_face_down_card_is_named_nowhere_whatever_has_happened(table: Table) -> None:
    """Not in a hand, a finding, a move, a question or on the panel; and its hand has no total."""
    assert [] == named(shown(table), face_down(table))
    boxes = [box for number, box in table.view().round.boxes.items() if number <= table.view().box_count]
    for box in boxes:
        pairs = zip(of_box(table, box.number), box.hands, strict=True)
        told = [total for (_, total), hand in pairs if hand.face_down]
        assert [None] * len(told) == told


def test_a_turned_card_is_named() -> None:
    """Face down it has a back and no total, turned it has both."""
    text = f"{HEAD}squeeze 1\nno-more-bets\ndraw 1; draw 3; draw dealer; draw 1; draw 3\n"
    assert [(["??", "??"], None)] == of_box(table_after(text, RWS), 1)
    assert [(["9H", "KC"], 19)] == of_box(table_after(f"{text}turn 1\n", RWS), 1)


def test_a_stray_card_lies_where_it_was_laid() -> None:
    """It counts for no hand, and is shown at its place beside them."""
    table = table_after(f"{HEAD}no-more-bets\ndraw 1; draw 5\n")
    assert ({"5": ["7D"]}, [(["9H"], 9)]) == (lying(table), of_box(table, 1))


def test_a_stray_card_in_a_squeezed_box_is_face_down() -> None:
    """Nobody has turned it, wherever it belongs."""
    table = table_after(f"{HEAD}squeeze 3\nno-more-bets\ndraw 3\n", RWS)
    assert {"3": ["??"]} == lying(table)
    assert "9H" not in shown(table)


def test_while_held_a_hand_shows_what_lies_there() -> None:
    """A card that was carried elsewhere lies there, and the hand it counts for has no total meanwhile."""
    table = table_after(f"{HEAD}no-more-bets\ndraw 3\ndraw 1\nmove 9H 3 1\n")
    assert State.HELD is table.state
    assert {"1": ["9H", "7D"]} == lying(table)
    taken = table_after(f"{PULLED}move KC 1 3\n")
    assert (State.HELD, {"3": ["KC"]}) == (taken.state, lying(taken))
    assert ([(["9H"], None)], [(["7D", "TD"], 17)]) == (of_box(taken, 1), of_box(taken, 3))


def test_the_burn_is_a_pile_with_its_face_down() -> None:
    """It lies there from when it was drawn until bets are open again."""
    dealt = f"shoe: 5C 9H 7D 8S KC TD 9D\n\n{BETS}no-more-bets\ndraw burn\n"
    assert {"burn": ["??"]} == lying(table_after(dealt))
    settled = f"{dealt}draw 1; draw 3; draw dealer; draw 1; draw 3\nstand 1; stand 3\ndraw dealer\nsettle\n"
    assert {"burn": ["??"]} == lying(table_after(settled))
    assert {} == lying(table_after(f"{settled}place-bets\n"))


def test_a_card_between_shoe_and_table_is_drawn_and_not_seen() -> None:
    """It has left the shoe and lies nowhere yet."""
    table = table_after(f"{HEAD}no-more-bets\ndraw none\n")
    assert {"drawn": ["??"]} == lying(table)


@pytest.mark.parametrize(("show", "seen"), [(0, ["??", "??"]), (1, ["2C", "??"]), (2, ["2C", "8H"])])
def test_of_a_pull_only_disclosed_cards_are_named(show: int, seen: list[str]) -> None:
    """Aside, and in the matter that is open about them."""
    pull = f"pull 2 show {show}" if show else "pull 2"
    table = table_after(f"{PULLED}{pull}\n")
    matters = scene(table)["matters"]
    assert ({"aside": seen}, seen) == (lying(table), matters[0]["cards"])


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_card_of_the_round_is_lost(file: Path) -> None:
    """While the round is held, every card that was dealt lies somewhere, once."""
    for where, table in positions(file):
        if table.state is State.HELD:
            drawn, aside = scene(table), lying(table)
            boxes, dealer = drawn["boxes"], drawn["dealer"]
            on_hands = sum(len(hand["cards"]) for box in boxes for hand in box["hands"]) + len(dealer["cards"])
            beside = sum(len(cards) for place, cards in aside.items() if place not in {"aside", "drawn"})
            assert (where, len(table.view().round.cards)) == (where, on_hands + beside)
