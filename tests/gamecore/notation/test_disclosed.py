"""Which cards of a pull are disclosed may be said with the pull or after it."""

import pytest

from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.rules.games import GAMES
from tests.places import SCENARIOS

SHOWN = [file for file in sorted(SCENARIOS.rglob("*.deal")) if " show " in file.read_text(encoding="utf-8")]

DEALT = """game: mbs-blackjack-v6
shoe: 5C | 9H 7D 6S KC TD 2C 8H 3S JD

place-bets; bet 1 main 100; bet 3 main 50; no-more-bets
draw burn; draw 1; draw 3; draw dealer; draw 1; draw 3
offer surrender; close surrender
"""


class ToldLater(InProcess):
    """A table whose shoe says which cards came out, and a person afterwards which of them showed."""

    def happen(self, line: int, event: ev.Event) -> None:
        """Part a pull with disclosed cards into what the shoe knows and what a person adds."""
        if isinstance(event, ev.CardsPulled) and event.shown:
            super().happen(line, ev.CardsPulled(event.cards, (), event.ordered))
            super().happen(line, ev.CardsDisclosed(event.shown))
        else:
            super().happen(line, event)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_pull_told_in_two_steps_ends_like_one_told_at_once(game: str) -> None:
    """Every scenario that discloses cards gives an equal report either way."""
    files = [file for file in SHOWN if file.parent.name == game]
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert play_text(text, "a", GAMES).report == play_text(text, "a", GAMES, ToldLater).report, file.name


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("disclose 2C", "no cards have just come out in one pull"),
        ("pull 2; shoe-count 408; disclose 2C", "no cards have just come out in one pull"),
        ("pull 2; disclose KD", "these are not the cards that came out"),
        ("pull 2; disclose 2C 2C", "these are not the cards that came out"),
    ],
)
def test_only_cards_that_have_just_come_out_can_be_disclosed(said: str, reason: str) -> None:
    """Nothing else may have happened since the pull, and the cards must be of it."""
    error = play_text(f"{DEALT}{said}\n", "a.deal", GAMES).error
    assert error is not None
    assert reason in error


def test_a_card_pushed_back_is_referred_and_comes_out_again() -> None:
    """No clause provides for it; the set of cards counts it as in the shoe, so that it is no extra card later."""
    again = "draw none; push-back 2C; approve shift-manager"
    played = play_text(f"{DEALT}hit 1; {again}\nexpect finding uncovered clause 6.1 ruling refer\n", "a.deal", GAMES)
    assert (None, ()) == (played.error, played.failures)
    venue_events = [event for event in played.events if isinstance(event, ev.CardPushedBack)]
    assert [ev.CardPushedBack(card("2C"))] == venue_events


@pytest.mark.parametrize(("said", "expected"), [("open-shoe", "finding uncovered clause 6.1"), ("", "findings none")])
def test_a_shoe_opened_in_a_round_is_referred(said: str, expected: str) -> None:
    """The shoe is opened to be loaded, between rounds; in a round no clause provides for it."""
    text = f"{DEALT}{said}\nexpect {expected}\n"
    assert () == play_text(text, "a.deal", GAMES).failures
    assert () == play_text("game: mbs-blackjack-v6\n\nopen-shoe\nexpect findings none\n", "a.deal", GAMES).failures
