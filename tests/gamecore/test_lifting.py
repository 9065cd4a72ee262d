"""Lifted and laid: when two reports are one card that was moved."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.model.cards import UNREAD, card
from gamecore.model.events import events as ev
from gamecore.model.places import DEALER, DISCARD, Place
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import Player, play_text
from gamecore.notation.playing.venue import InProcess, table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table

READS = "game: mbs-blackjack-v6\nfresh: no\n\n"
COUNTS = "game: mbs-blackjack-v6\nfresh: no\nsensors: shoe positions-count bets panel\n\n"
HANDS = (("9H", Place(1)), ("8S", Place(3)), ("6S", DEALER), ("KD", Place(1)), ("9H", Place(3)))
LIES = tuple((card(text), place) for text, place in HANDS)


def a_table(header: str = READS) -> Table:
    """Boxes 1 and 3 are dealt: 9H KD, 8S 9H; the Dealer has 6S."""
    told = parse(header, GAMES).header
    table = Table(GAMES[told.game], table_config(told))
    table.apply(ev.PlaceBets())
    for box in (1, 3):
        table.apply(ev.WagerPlaced(Place(box, 0, 1), "main", 100_00))
    table.apply(ev.NoMoreBets())
    for face, place in LIES:
        table.apply(ev.CardDrawn(face))
        table.apply(ev.CardLaid(UNREAD if header == COUNTS else face, place))
    assert [] == table._state.round.findings
    return table


def in_the_air(table: Table) -> list[object]:
    """The cards that were lifted and not laid."""
    return [record for record in table._state.round.records if record.lifted is not None]


def codes(table: Table) -> list[str]:
    """What was found."""
    return [finding.code for finding in table._state.round.findings]


@settings(max_examples=60)
@given(
    moves=st.lists(
        st.tuples(st.sampled_from(LIES), st.sampled_from([Place(5), Place(3), DEALER, DISCARD])),
        max_size=3,
        unique_by=lambda move: move[0],
    )
)
def test_lifted_and_laid_is_moved(moves: list[tuple[tuple[object, Place], Place]]) -> None:
    """One by one, it makes no difference whether a card is seen to move or to be lifted and laid."""
    moved, lifted = a_table(), a_table()
    for (face, source), target in moves:
        assert isinstance(face, type(UNREAD))
        moved.apply(ev.CardMoved(face, source, target))
        lifted.apply(ev.CardLifted(face, source))
        lifted.apply(ev.CardLaid(face, target, exposed=True))
    assert moved.report() == lifted.report()


def test_a_card_that_never_arrives_is_no_news() -> None:
    """No finding speaks of it, whatever hand it was lifted from; the round is played on."""
    table = a_table()
    assert () == table.apply(ev.CardLifted(card("9H"), Place(1)))
    assert () == table.apply(ev.CardLifted(card("9H"), Place(1)))
    assert [] == codes(table)
    assert (19, False) == table.total(Place(1))


def test_a_new_round_forgets_what_was_lifted() -> None:
    """A card of the next round is laid, though one of its face was taken away in the last."""
    table = a_table()
    table.apply(ev.CardLifted(card("9H"), Place(1)))
    for event in (ev.Call("uncovered"), ev.Answer("house", ("void",)), ev.PlaceBets()):
        table.apply(event)
    assert [] == in_the_air(table)


def test_a_fresh_card_is_not_the_one_that_was_lifted() -> None:
    """A card of the same face has left the shoe: it is the one that lies elsewhere, and what was lifted comes back."""
    table = a_table()
    for event in (
        ev.CardLifted(card("9H"), Place(1)),
        ev.CardDrawn(card("9H")),
        ev.CardLaid(card("9H"), Place(3)),
        ev.CardLaid(card("9H"), Place(1)),
    ):
        table.apply(event)
    assert ["hand-skipped"] == codes(table)


def test_of_two_that_were_lifted_each_goes_back_where_it_lay() -> None:
    """Whichever is laid first: two nines of hearts lie as they lay."""
    table = a_table()
    before = table.report()
    for event in (ev.CardLifted, ev.CardLifted, ev.CardLaid, ev.CardLaid):
        table.apply(event(card("9H"), Place(1) if len(in_the_air(table)) % 2 else Place(3)))
    assert before == table.report()
    assert [] == in_the_air(table)


SWEPT_BESIDE_ITS_EQUAL = """game: mbs-pontoon-v5
fresh: no
shoe: JC 9H 6D 9H 8S KS

place-bets; bet 7 main 50; bet 1 main 50; no-more-bets
pull 2
answer 1 second
lay JC 7
draw dealer; draw 1; draw 7
hit 1
draw 1
"""


def test_a_swept_card_comes_back_beside_its_chosen_equal() -> None:
    """A bust hand has two nines of hearts; the chosen one was never seen to lie there, and is not the one laid back."""
    round_ = parse(SWEPT_BESIDE_ITS_EQUAL, GAMES)
    rules = GAMES[round_.header.game]
    venue = InProcess(round_.header, rules)
    player = Player(round_.header, rules, venue)
    for statement in round_.statements:
        player.play(statement)
    before = [(record.card, record.felt) for record in venue.table._state.round.records]
    for event in (ev.CardLifted(card("9H"), Place(1)), ev.CardLaid(card("9H"), Place(1))):
        venue.table.apply(event)
    assert before == [(record.card, record.felt) for record in venue.table._state.round.records]


# --- what a ruling sends away ----------------------------------------------------------------------------------------


OVERDRAWN = """game: mbs-blackjack-v6
fresh: no
shoe: 9H TD KS | 7C 4C

place-bets; bet 1 main 100; no-more-bets
draw 1; draw dealer; draw 1
stand 1
draw dealer; draw dealer
expect finding dealer-overdraw clause 5.7 ruling discard
expect move 4C dealer discard
{}
reconstructed
expect total dealer 17
settle
expect wager 1 main win +100
"""


@pytest.mark.parametrize(
    "done",
    ["move 4C dealer discard", "lift 4C dealer; lay 4C discard", "lift 4C dealer"],
)
def test_a_card_that_is_to_be_discarded_is_done_when_it_has_left(done: str) -> None:
    """The discard holder counts and does not name: no more than that is ever seen."""
    played = play_text(OVERDRAWN.format(done), "overdrawn", GAMES)
    assert ((), None) == (played.failures, played.error)
    whole = play_text(OVERDRAWN.format("move 4C dealer discard"), "overdrawn", GAMES)
    assert whole.report == played.report


def test_a_discarded_card_that_is_laid_elsewhere_was_moved_there() -> None:
    """It was thought to be in the discard holder; a move says the same whether the lift was seen or not."""
    text = OVERDRAWN.split("{}", maxsplit=1)[0]
    lifted = play_text(text + "lift 4C dealer; lay 4C 5", "overdrawn", GAMES).report
    assert play_text(text + "move 4C dealer 5", "overdrawn", GAMES).report == lifted


# --- places that only count ------------------------------------------------------------------------------------------


SWEPT = """game: mbs-blackjack-v6
fresh: no
sensors: shoe positions-count bets panel
shoe: 9H 8S 6S KD 7D 6C 3H

place-bets; bet 1 main 100; bet 3 main 100; no-more-bets
draw 1; draw 3; draw dealer; draw 1; draw 3
hit 1; draw 1
lift ?? 1; lift ?? 1; lift ?? 1
draw 3
"""


def test_a_fresh_card_is_not_one_that_was_swept_away() -> None:
    """A bust hand is swept, and the next card lies at another box: it is dealt there."""
    played = play_text(SWEPT + "expect findings none\nexpect total 3 18\n", "swept", GAMES)
    assert ((), None) == (played.failures, played.error)


def test_a_card_from_nowhere_is_not_one_that_was_swept_away() -> None:
    """With nothing on its way from the shoe either: the place waits for the card that it can be."""
    played = play_text(SWEPT + "lay ?? dealer\nexpect findings none\n", "swept", GAMES)
    assert ((), None) == (played.failures, played.error)


def test_a_journal_that_told_both_is_read_as_one_move() -> None:
    """An earlier edition kept the lift beside the move that it made of it."""
    told, moved = a_table(), a_table()
    told.apply(ev.CardLifted(card("KD"), Place(1)))
    for table in (told, moved):
        table.apply(ev.CardMoved(card("KD"), Place(1), Place(5)))
    assert moved.report() == told.report()
    assert [] == in_the_air(told)


@pytest.mark.parametrize("chosen", [True, False], ids=["chosen for the box", "nobody has chosen yet"])
def test_a_card_of_a_pull_that_nobody_saw_arrive_is_carried_on(chosen: bool) -> None:
    """It leaves the box that it was on its way to: moved, or lifted and laid, the same is found."""
    tables = a_table(), a_table()
    for table in tables:
        table.apply(ev.Hit(Place(1)))
        table.apply(ev.CardsPulled((card("2S"), card("KC"))))
        if chosen:
            table.apply(ev.Answer("1", ("first",)))
    moved, lifted = tables
    moved.apply(ev.CardMoved(card("2S"), Place(1), Place(3)))
    lifted.apply(ev.CardLifted(card("2S"), Place(1)))
    lifted.apply(ev.CardLaid(card("2S"), Place(3)))
    assert moved.report() == lifted.report()
    assert ["double-draw", "uncovered" if chosen else "misdealt-card"] == codes(moved)
