"""The header of a file: defaults, bounds, and what an error says."""

import pytest

from gamecore.model.cards import card
from gamecore.notation.parser import parse
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.games import GAMES

ALL = frozenset({"shoe", "positions", "bets", "discard", "panel"})


def header(text: str) -> Header:
    """Return the header of a text."""
    return parse(f"{text}\n\n", GAMES).header


def test_what_is_not_said_has_its_default() -> None:
    """A header that names a game alone describes a whole fresh table with every sensor."""
    expected = Header("mbs-blackjack-v6", 8, 7, (), (), 0, None, True, True, "machine", ALL)
    assert expected == header("game: mbs-blackjack-v6")


@pytest.mark.parametrize(("game", "decks", "burn"), [("mbs-pontoon-v5", 8, True), ("rws-free-bet-2025", 8, False)])
def test_defaults_follow_the_game(game: str, decks: int, burn: bool) -> None:
    """The most decks up to 8, and a burn at MBS alone."""
    found = header(f"game: {game}")
    assert (decks, burn) == (found.decks, found.burn)


def test_every_value_is_read() -> None:
    """Each key sets its value."""
    found = header(
        "# a table\nGAME\ndecks: 6\nboxes: 5\nlimits: main 25-5000, pair 5-12.50\nshoe: 5C | 9H#1 ??\nseed: 7\n"
        "left: 100\nfresh: no\nburn: no\nshuffling: manual\nsensors: shoe, panel\nconfirm: yes".replace(
            "GAME", "game: mbs-blackjack-v6  # edition 6"
        )
    )
    assert found == Header(
        "mbs-blackjack-v6",
        6,
        5,
        (("main", 2500, 500000), ("pair", 500, 1250)),
        (card("5C"), card("9H#1"), card("??")),
        7,
        100,
        False,
        False,
        "manual",
        frozenset({"shoe", "panel"}),
        confirm=True,
    )
    assert {"main": (2500, 500000), "pair": (500, 1250)} == table_config(found).limits
    assert table_config(found).confirm


def test_a_continuous_shuffler_has_no_burn() -> None:
    """No burn is due where the shuffler is continuous."""
    assert not header("game: mbs-blackjack-v6\nshuffling: continuous").burn


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "the header names no game: expected 'game: ' and one of mbs-blackjack-v6, mbs-free-bet-v3"),
        ("decks: 8", 1, "the header names no game"),
        ("game: blackjack", 1, "game: 'blackjack' is no game: did you mean 'mbs-blackjack-v6'? expected one of mbs-"),
        ("place-bets", 1, "'place-bets' is no header line: expected KEY: VALUE; an empty line ends the header"),
        ("GAME\ndeck: 8", 2, "'deck' is no header key: did you mean 'decks'? expected one of game, decks"),
        ("GAME\ndecks: 6\ndecks: 6", 3, "decks: stands twice in the header, first in line 2"),
        ("GAME\ndecks: 9", 2, "decks: 9 is not possible: mbs-blackjack-v6 is played with 1 to 8 decks (2.1)"),
        ("GAME\ndecks: six", 2, "decks: 'six' is not a number of decks: expected a whole number"),
        ("GAME\nboxes: 8", 2, "boxes: 8 is not possible: the layout of mbs-blackjack-v6 has 5 to 7 boxes"),
        ("GAME\nlimits: pot-of-gold 5-10", 2, "limits: 'pot-of-gold' has no place on the layout of mbs-blackjack-v6"),
        ("GAME\nlimits: main 50-10", 2, "limits: the least wager 50.00 is above the most 10.00"),
        ("GAME\nlimits: main 50", 2, "limits: 'main 50' is no limit: expected KIND MIN-MAX such as main 25-5000"),
        ("GAME\nlimits: main 5-6, main 5-7", 2, "limits: 'main' has two limits"),
        ("GAME\nshoe: 5C 1X", 2, "shoe: '1X' is no card"),
        ("GAME\nleft: 417", 2, "left: 417 cards cannot be left of a set of 416"),
        ("GAME\nshoe: 5C 9H\nleft: 1", 3, "left: the shoe lists 2 cards, it cannot hold only 1"),
        ("GAME\nfresh: maybe", 2, "fresh: 'maybe' is no answer: expected one of yes, no"),
        ("GAME\nshuffling: hand", 2, "shuffling: 'hand' is no way to shuffle"),
        ("GAME\nshuffling: continuous\nburn: yes", 3, "burn: a continuous shuffler has no burn, expected no"),
        ("GAME\nsensors: eyes", 2, "sensors: 'eyes' is no sensor"),
        ("GAME\nsensors: positions positions-count", 2, "sensors: positions and positions-count exclude each other"),
    ],
)
def test_an_error_names_the_line_the_key_and_what_was_expected(text: str, line: int, expected: str) -> None:
    """What is wrong in a header is said with its line, before any card is dealt."""
    with pytest.raises(NotationError) as caught:
        header(text.replace("GAME", "game: mbs-blackjack-v6"))
    assert (line, expected) == (caught.value.line, caught.value.message[: len(expected)])
