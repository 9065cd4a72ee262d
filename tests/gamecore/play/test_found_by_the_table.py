"""What the table finds by itself is on the list once, whatever follows, and only where a sensor can tell."""

from __future__ import annotations

from typing import Any

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES

PAIRS = """game: rws-free-bet-2025
{header}shoe: 8H 7D 6S 8C TD | 2C | TH 2C

place-bets
bet 1 main 100; bet 1 rws-pairs 10; bet 2 main 50; bet 2 rws-pairs 10
no-more-bets
draw 1; draw 2; draw dealer; draw 1; draw 2
{before}draw 1
{after}stand 1; stand 2
draw dealer; draw dealer
settle
"""
TAKEN = """game: {game}
fresh: no
shoe: KH QD 9S QC 8D 8C

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer; draw 1; draw 3
{after}
"""


def found(text: str) -> list[tuple[str, list[str]]]:
    """Code and places of every finding of a played text."""
    played = play_text(text, "found", GAMES)
    assert None is played.error
    report: Any = played.report
    return [(entry["code"], entry["places"]) for entry in report["rounds"][0]["findings"]]


UNSETTLED = [("unsettled-side-wager", ["1", "2"])]


@pytest.mark.parametrize(
    ("header", "before", "after", "expected"),
    [
        ("", "", "", UNSETTLED),
        ("", "", "interim\n", UNSETTLED),
        ("", "", "call unsettled-side-wager 2\ncall unsettled-side-wager\n", UNSETTLED),
        ("", "call unsettled-side-wager 1\n", "", [("unsettled-side-wager", ["1"])]),
        ("", "interim\n", "", []),
        ("sensors: shoe positions bets\n", "", "", []),
        ("", "unplug panel\n", "plug panel\n", [("link-lost", [])]),
    ],
)
def test_pairs_that_were_not_settled_are_found_once(
    header: str, before: str, after: str, expected: list[tuple[str, list[str]]]
) -> None:
    """At the first further card, where the panel is heard, unless somebody has said so already."""
    assert expected == found(PAIRS.format(header=header, before=before, after=after))


@pytest.mark.parametrize("game", GAMES)
def test_a_card_taken_off_a_hand_is_found_once(game: str) -> None:
    """The second card of the box, one of another box and a call join the matter that is open."""
    after = "move QC 1 3\nmove KH 1 discard\nmove QD 3 1\ncall box-short 1"
    assert [("box-short", ["1"])] == found(TAKEN.format(game=game, after=after))


@pytest.mark.parametrize(
    "after",
    [
        "move 9S dealer 3",
        "stand 1\nmove QC 1 3",
        "hit 1\nmove QC 1 3",
        "double 1\nmove QC 1 3",
        "split 1\nmove KH 1 3",
        "interim\nmove 4C 1 3",
    ],
)
def test_any_other_card_that_is_moved_is_what_no_clause_covers(after: str) -> None:
    """The Dealer's card, a hand that was acted upon, a card that does not lie there."""
    codes = [code for code, _ in found(TAKEN.format(game="mbs-blackjack-v6", after=after))]
    assert ["uncovered"] == codes


TOLD = """game: mbs-blackjack-v6
fresh: no
sensors: shoe bets panel
shoe: 9H 7D 2C 8H | 5C 9D KD

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
{reports}"""
SHORT = "draw 1; draw 3; draw dealer; draw 1\nhit 1; draw 1\n"


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        (
            "draw 1; draw 3; draw 1; draw 3\nhit 1; draw 1\ncall dealer-not-dealt\ncall dealer-not-dealt\n",
            [("dealer-not-dealt", ["dealer"])],
        ),
        ("absent 1\nabsent 1\n", [("absent-player", ["1"])]),
        ("call over-maximum 1/1\ncall over-maximum 1\n", [("over-maximum", ["1/1"])]),
        (
            SHORT + "call box-short 3\nanswer 3 withdraw\ncall box-short 3\n",
            [("box-short", ["3"])],
        ),
    ],
)
def test_what_is_reported_twice_is_listed_once(reports: str, expected: list[tuple[str, list[str]]]) -> None:
    """A report of what is on the list, at the same place, adds nothing."""
    assert expected == found(TOLD.format(reports=reports))


def test_the_cutting_card_is_found_once_in_a_round() -> None:
    """The first card of a later round is misdealt and laid again: the cutting card was passed once."""
    text = """game: mbs-blackjack-v6
fresh: no
shuffling: manual
shoe: KH 9D QS 8C | KD 9H QH 8D

cut-card
place-bets; bet 1 main 100; no-more-bets
draw 1; draw dealer; draw 1; stand 1; draw dealer; settle
place-bets; bet 1 main 50; no-more-bets
draw dealer
reconstructed
"""
    played = play_text(text, "found", GAMES)
    report: Any = played.report
    assert ["misdealt-card", "cut-card-passed"] == [entry["code"] for entry in report["rounds"][1]["findings"]]
