"""The position editor without its page: what is chosen by hand becomes a text that plays, and is asked "what if"."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamecore.model.cards import card
from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from hal_sim.dealer.robot_dealer import Robot, a_header
from hal_sim.editor.arranged import arranged, header_of
from hal_sim.editor.looked import LONGEST, play, view_of_text
from hal_sim.editor.position import Chips, Position, PositionError, changed, position_of, read_position
from hal_sim.editor.what_if import stated, what_if
from tests.places import ROOT

GAME = "mbs-blackjack-v6"
SCENARIOS = sorted((ROOT / "deploy" / "demo").glob("*.deal"))


def a_position(hands: dict[int, str], game: str = GAME) -> Position:
    """A position with 100.00 on each box that has cards."""
    chips = tuple(Chips(box, 1, "main", 100_00) for box in sorted(hands) if box)
    cards = {box: tuple(map(card, text.split())) for box, text in hands.items()}
    return Position(game, 7, chips, cards)


def test_cards_are_put_into_the_order_of_the_deal() -> None:
    """Two rounds of cards, the offer that an Ace makes due, a hand that stands, the Dealer's second card."""
    made = arranged(a_position({1: "KH 5S", 3: "9C 2D 8H", 0: "AD 7C"}))
    assert ("", ()) == (made.problem, made.left)
    assert "shoe: KH 9C AD 5S 2D 8H 7C\n" in made.text
    assert made.text.endswith(
        "place-bets\nbet 1/1 main 100\nbet 3/1 main 100\nno-more-bets\n"
        "draw 1; draw 3; draw dealer; draw 1; draw 3\noffer insurance\nclose insurance\n"
        "stand 1\ndraw 3\nstand 3\ndraw dealer\n"
    )
    assert view_of_text(made.text)["legal"]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_robot_deals_is_a_position_again(game: str, seed: int) -> None:
    """Of any moment of regular rounds: the position is written, plays without refusal, and has the same cards."""
    header = a_header(GAMES, game, seed)
    robot = Robot(GAMES[game], header, seed)
    tried = 0
    for _ in range(12):
        for _ in robot.play_round():
            view = robot.table.view()
            boxes = view.round.boxes.values()
            plain = all(len(box.hands) == 1 and not box.hands[0].doubled and not box.squeeze for box in boxes)
            if not (plain and view.round.dealer.cards and view.round_is_on):
                continue
            position = position_of(robot.table, header.boxes)
            made = arranged(position)
            if made.problem:
                continue  # somebody surrendered, was paid or claims a wager: that is for the text
            tried += 1
            again = play(made.text)
            assert ("", position.hands) == (again.problem, position_of(again.table, header.boxes).hands)
    assert tried > 20


@pytest.mark.parametrize(
    ("hands", "problem", "left"),
    [
        ({1: "KH 5S", 0: ""}, "the Dealer is due a card first", ((1, "5S"),)),
        ({1: "KH QS 5D 2C", 0: "9D"}, "", ((1, "2C"),)),
        ({1: "KH 9S", 0: "TD 8C 3H"}, "the round is decided", ((0, "3H"),)),
    ],
)
def test_what_is_not_legal_is_told_and_stays(
    hands: dict[int, str], problem: str, left: tuple[tuple[int, str], ...]
) -> None:
    """A card out of order, one for a hand that is bust, one for a Dealer who stands."""
    made = arranged(a_position(hands))
    assert made.problem
    assert problem in made.problem
    assert left == tuple((box, str(one)) for box, one in made.left)
    assert None is play_text(made.text, "made", GAMES).error


def test_a_position_is_changed_as_hands_would() -> None:
    """A card is laid, carried to another box and taken away; chips are placed again and taken back."""
    empty = Position(GAME, 5)
    header = header_of(empty)
    position = empty
    for statement in ("bet 2/1 main 50", "bet 2/1 main 75", "draw 2 = 9H", "draw dealer = AD", "move 9H 2 4"):
        position = changed(position, stated(header, statement).what)
    assert (Chips(2, 1, "main", 75_00),) == position.chips
    assert {2: (), 0: (card("AD"),), 4: (card("9H"),)} == position.hands
    for statement in ("lift AD dealer", "unbet 2/1 main", "lift 9H 4"):
        position = changed(position, stated(header, statement).what)
    assert Position(GAME, 5).as_json() == position.as_json()
    with pytest.raises(PositionError, match="write the rest into the text"):
        changed(position, stated(header, "stand 1").what)
    with pytest.raises(PositionError, match="does not lie there"):
        changed(position, stated(header, "move 9H 1 2").what)


def test_what_if_is_answered_with_finding_ruling_and_clause() -> None:
    """A card for Box 3 instead of Box 1: what the table would find, whom it would ask, what comes next."""
    text = arranged(a_position({1: "KH", 3: "9C", 0: "8D"})).text
    answer = what_if(text, "draw 3 = 5H")
    found = {"code": "misdealt-card", "clause": "5.6.1", "ruling": "reconstruct", "places": ["3"]}
    assert [found] == answer["findings"]
    assert "" == answer["refused"]
    assert {"en": "Move 5H from Box 3 to Box 1", "zh": "将5H从3号位移到1号位"} == answer["next"]
    assert [] == what_if(text, "draw 1 = 5H")["findings"]
    assert view_of_text(text) == view_of_text(text)
    refused = what_if(text, "settle")
    assert refused["refused"]
    assert [] == refused["findings"]


def test_a_plain_text_says_nothing_that_the_picture_would_lose() -> None:
    """The text of a position is plain; one with a decision or a finding in it is not."""
    text = arranged(a_position({1: "KH 5S", 0: "8D"})).text
    assert view_of_text(text)["plain"]
    assert not view_of_text(f"{text}double 1\n")["plain"]
    assert not view_of_text(f"{text}draw dealer = 9C\n")["plain"]
    assert not view_of_text(text.replace("decks: 8", "decks: 6"))["plain"]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_files_of_the_demonstration_are_legal(file: Path) -> None:
    """Each plays to its end, with its expectations."""
    looked = view_of_text(file.read_text(encoding="utf-8"))
    assert (True, "") == (looked["legal"], looked["problem"])


def test_what_is_wrong_in_a_text_has_its_line() -> None:
    """A refused statement, an expectation that fails, a word that is none; and what is no text at all."""
    text = "game: mbs-blackjack-v6\nfresh: no\n\nplace-bets\n"
    assert 5 == view_of_text(f"{text}settle\n")["line"]
    assert 5 == view_of_text(f"{text}expect state offers\n")["line"]
    assert 5 == view_of_text(f"{text}dael 1\n")["line"]
    with pytest.raises(PositionError, match="line 1: "):
        view_of_text("game: poker\n")
    with pytest.raises(PositionError, match="longer than"):
        view_of_text(text + "\n" * LONGEST)
    with pytest.raises(PositionError, match="line 5: "):
        what_if(f"{text}settle\n", "bet 1 main 100")
    with pytest.raises(PositionError, match="an expectation changes nothing"):
        what_if(text, "expect state offers")


@pytest.mark.parametrize(
    "said",
    [
        None,
        {},
        {"game": "poker", "boxes": 7},
        {"game": GAME, "boxes": 70},
        {"game": GAME, "boxes": 7, "hands": {"9": ["KH"]}},
        {"game": GAME, "boxes": 7, "hands": {"1": ["XX"]}},
        {"game": GAME, "boxes": 7, "hands": {"1": ["KH"] * 40}},
        {"game": GAME, "boxes": 7, "chips": [{"box": 1}]},
    ],
)
def test_what_is_no_position_is_refused(said: object) -> None:
    """Nothing of it is dealt."""
    with pytest.raises(PositionError):
        read_position(said)
