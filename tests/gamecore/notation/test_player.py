"""Playing a scenario at a table in process."""

from typing import cast

from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, Place
from gamecore.notation.playing.player import Played, play_text
from gamecore.rules.games import GAMES

ROUND = """game: mbs-blackjack-v6
shoe: 5C | 9H 7D 6S KC TD 2C 8H 3S

place-bets
bet 1 main 100
bet 3 main 50 by Ann
no-more-bets
draw burn
draw 1; draw 3; draw dealer; draw 1; draw 3
stand 1
hit 3; draw 3
stand 3
draw dealer; draw dealer
settle
expect wager 1 main win +100
expect wager 3 main win +50
"""
HEAD = "game: mbs-blackjack-v6\nshoe: 5C 9H 7D KC\n"
BETS = "\nplace-bets\nbet 1 main 5\nno-more-bets\n"


def played(text: str) -> Played:
    """Play a text under a name."""
    return play_text(text, "a.deal", GAMES)


def cards_in(result: Played) -> list[ev.Event]:
    """Return the events of cards that reached the table."""
    return [event for event in result.events if isinstance(event, ev.CardDrawn | ev.CardLaid | ev.CardsPulled)]


def test_a_whole_round_is_played_and_its_claims_hold() -> None:
    """A round with true claims has no failure, no error, and a report in the order of the notation."""
    result = played(ROUND)
    assert ((), None) == (result.failures, result.error)
    assert ["file", "game", "state", "rounds", "asks", "failures"] == list(result.report)
    assert ("a.deal", "mbs-blackjack-v6", "complete") == tuple(result.report.values())[:3]


def test_a_claim_that_fails_is_noted_and_the_playing_goes_on() -> None:
    """A failure names its line, and what follows is played."""
    result = played(ROUND.replace("stand 1\n", "expect state held\nstand 1\n"))
    assert "complete" == result.report["state"]
    assert ["line 10: expected state held, but it is offers"] == result.report["failures"] == list(result.failures)


def test_a_refused_command_ends_the_playing_at_its_line() -> None:
    """What had happened before a refused command is in the report, beside file, line, reason and clause."""
    result = played(ROUND.replace("stand 1\n", "place-bets\nstand 1\n"))
    assert result.error is not None
    assert result.error.startswith("a.deal:10: ")
    assert result.error.endswith(")")
    assert result.error == result.report["error"]
    assert "offers" == result.report["state"]
    assert 2 == sum(isinstance(event, ev.WagerPlaced) for event in result.events)


def test_an_unreadable_statement_ends_the_playing_at_its_line() -> None:
    """The statements before a line that cannot be read are played."""
    result = played(ROUND.replace("stand 1\n", "stnd 1\n"))
    assert result.error is not None
    assert result.error.startswith("a.deal:10: 'stnd' is no statement: did you mean 'stand'?")
    assert "offers" == result.report["state"]


def test_a_wrong_header_leaves_nothing_to_play() -> None:
    """The report of a file without a good header is empty but for its error."""
    result = played("game: poker\n\nplace-bets\n")
    assert (None, None, []) == (result.report["game"], result.report["state"], result.report["rounds"])
    assert str(result.report["error"]).startswith("a.deal:1: game: 'poker' is no game")


def test_a_draw_is_two_events_where_places_are_sensed() -> None:
    """The card leaves the shoe, then it lies at its place; a draw alone goes to the next proper place."""
    result = played(f"{HEAD}{BETS}draw\ndraw 1 face-up")
    burned, dealt = card("5C"), card("9H")
    assert cards_in(result) == [
        ev.CardDrawn(burned),
        ev.CardLaid(burned, BURN),
        ev.CardDrawn(dealt, face_up=True),
        ev.CardLaid(dealt, Place(1)),
    ]


def test_a_draw_is_one_event_where_places_are_told() -> None:
    """Without position sensors the place is told with the card, or left to the table."""
    result = played(f"{HEAD}sensors: shoe panel\n{BETS}draw\ndraw 1")
    assert [ev.CardDrawn(card("5C")), ev.CardDrawn(card("9H"), Place(1))] == cards_in(result)


def test_a_card_that_is_laid_nowhere_only_leaves_the_shoe() -> None:
    """The card of a draw none waits for its lay."""
    result = played(f"{HEAD}{BETS}draw none\nlay 5C burn")
    assert [ev.CardDrawn(card("5C")), ev.CardLaid(card("5C"), BURN)] == cards_in(result)


def test_a_pull_takes_its_cards_from_the_shoe() -> None:
    """The first cards of a pull are shown, or those that are named."""
    five, nine, seven, king = (card(text) for text in ("5C", "9H", "7D", "KC"))
    result = played(f"{HEAD}{BETS}pull 2 show 1\npull 2 show KC ordered")
    assert [
        ev.CardsPulled((five, nine), (five,)),
        ev.CardsPulled((seven, king), (king,), ordered=True),
    ] == cards_in(result)


def test_a_card_that_was_not_pulled_cannot_be_shown() -> None:
    """Naming a card that does not come out is an error of the file."""
    result = played(f"{HEAD}{BETS}pull 2 show AS")
    assert "a.deal:7: pull: AS cannot be shown, 5C 9H come out" == result.error


def test_a_card_asked_of_an_empty_shoe_is_insufficient_cards() -> None:
    """A draw when no card is left is a finding, not an error."""
    result = played(f"{HEAD}left: 4\n{BETS}draw burn; draw 1; draw dealer; draw 1; draw 1\n")
    rounds = cast("list[dict[str, list[dict[str, object]]]]", result.report["rounds"])
    assert [finding["code"] for finding in rounds[0]["findings"]] == ["insufficient-cards"]


def test_a_card_read_instead_uses_up_the_prepared_one() -> None:
    """The shoe read another card than the prepared one, which is gone."""
    result = played(f"{HEAD}{BETS}draw burn = 2C; draw 1")
    drawn = [event.card for event in cards_in(result) if isinstance(event, ev.CardDrawn)]
    assert [card("2C"), card("9H")] == drawn


def test_what_an_unplugged_shoe_saw_arrives_when_it_is_back() -> None:
    """The shoe's event comes with the cable, and the hub's, which waits for the shoe, after it."""
    result = played(f"{HEAD}{BETS}unplug shoe\ndraw burn\nplug shoe\n")
    burned = card("5C")
    assert result.events[-4:] == (
        ev.LinkLost("shoe"),
        ev.LinkBack("shoe"),
        ev.CardDrawn(burned),
        ev.CardLaid(burned, BURN),
    )


def test_noise_changes_nothing_in_process() -> None:
    """A noisy link matters on the wire alone."""
    loud = played(ROUND.replace("settle\n", "noise shoe 0.5\nsettle\n"))
    assert played(ROUND).report == loud.report


def test_a_load_tells_the_table_only_how_many_cards_there_are() -> None:
    """Which cards were loaded stays with the scenario."""
    result = played(f"{ROUND}load AS KD\nload 100\n")
    assert (ev.Loaded(416), ev.Loaded(100)) == result.events[-2:]
