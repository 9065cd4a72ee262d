"""Reading deal notation: every statement, every header key, and what an error says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.notation.expect.forms import CLAIMS
from gamecore.notation.parser import parse, read
from gamecore.notation.statements import STATEMENTS
from gamecore.notation.syntax import (
    AskIs,
    Draw,
    FindingIs,
    Load,
    MoveIs,
    NextIs,
    NoFindings,
    Noise,
    NotationError,
    Pull,
    RefusedIs,
    StateIs,
    TotalIs,
    VoidIs,
    WagerIs,
    What,
)
from gamecore.rules.games import GAMES

HEAD = "game: mbs-blackjack-v6\n\n"
FREE_BET = "game: rws-free-bet-2025\n\n"


def meanings(body: str, head: str = HEAD) -> list[What]:
    """Return what the statements of a body mean."""
    return [statement.what for statement in parse(head + body, GAMES).statements]


def error_of(text: str) -> tuple[int, str]:
    """Return the line and message of a text that is wrong."""
    with pytest.raises(NotationError) as caught:
        parse(text, GAMES)
    return caught.value.line, caught.value.message


def first_error(text: str) -> NotationError | None:
    """Return the error of a text, if it has one. Anything else that is raised is a fault."""
    try:
        parse(text, GAMES)
    except NotationError as error:
        return error
    return None


KD, C5 = card("KD"), card("5C")

EXAMPLES: list[tuple[str, What]] = [
    ("place-bets", ev.PlaceBets()),
    ("no-more-bets", ev.NoMoreBets()),
    ("seat 2/1", ev.Seat(Place(2, 0, 1))),
    ("seat 2 Ann", ev.Seat(Place(2, 0, 1), "Ann")),
    ("stand-up 2/3", ev.StandUp(Place(2, 0, 3))),
    ("bet 1/2 pair 10 by Ann", ev.WagerPlaced(Place(1, 0, 2), "pair", 1000, "Ann")),
    ("bet 1 main 12.50", ev.WagerPlaced(Place(1, 0, 1), "main", 1250)),
    ("bet 1.2/1 main 10", ev.WagerPlaced(Place(1, 2, 1), "main", 1000)),
    ("unbet 1/2 pair", ev.WagerRemoved(Place(1, 0, 2), "pair")),
    ("unbet 1 pair 5", ev.WagerRemoved(Place(1, 0, 1), "pair", 500)),
    ("unbet 1 pair 5 by Ann", ev.WagerRemoved(Place(1, 0, 1), "pair", 500, "Ann")),
    ("unbet 1/2 pair by Ann", ev.WagerRemoved(Place(1, 0, 2), "pair", None, "Ann")),
    ("draw 1", Draw(Place(1))),
    ("draw", Draw()),
    ("draw none", Draw(laid=False)),
    ("draw burn", Draw(BURN)),
    ("draw 1 = JOKER", Draw(Place(1), card("JOKER"))),
    ("draw dealer=??", Draw(DEALER, card("??"))),
    ("draw = AS#17 face-up", Draw(None, card("AS#17"), face_up=True)),
    ("draw 1.2 face-up", Draw(Place(1, 2), face_up=True)),
    ("draw 1 exposed", Draw(Place(1), exposed=True)),
    ("pull 2", Pull(2)),
    ("pull 2 show 1", Pull(2, 1)),
    ("pull 3 show KD 5C ordered", Pull(3, 0, (KD, C5), ordered=True)),
    ("lay KD 1.2", ev.CardLaid(KD, Place(1, 2))),
    ("lay KD 1 exposed", ev.CardLaid(KD, Place(1), exposed=True)),
    ("squeeze 2", ev.Squeeze(2)),
    ("turn 2", ev.CardsTurned(2)),
    ("disclose KD 5C", ev.CardsDisclosed((KD, C5))),
    ("take-back", ev.TakeBack()),
    ("retract box-short", ev.Retract("box-short")),
    ("sensor-wrong dealer", ev.SensorWrong(DEALER)),
    ("push-back KD", ev.CardPushedBack(KD)),
    ("open-shoe", ev.ShoeOpened()),
    ("cut-card", ev.CuttingCardOut()),
    ("offer insurance", ev.Offer("insurance")),
    ("close surrender", ev.Close("surrender")),
    ("insure 1/1 50 by Bob", ev.Insure(Place(1, 0, 1), 5000, "Bob")),
    ("agree 1/1 insurance by Bob", ev.Agree(Place(1, 0, 1), "insurance", "Bob")),
    ("agree 3/3 pair by Bob", ev.Agree(Place(3, 0, 3), "pair", "Bob")),
    ("even-money 1/1", ev.EvenMoney(Place(1, 0, 1))),
    ("surrender 1", ev.Surrender(Place(1))),
    ("stand 1", ev.Stand(Place(1))),
    ("hit 1.2", ev.Hit(Place(1, 2))),
    ("double 1/2 25", ev.Double(Place(1, 0, 2), 2500)),
    ("double 1", ev.Double(Place(1))),
    ("free-double 1", ev.FreeDouble(Place(1))),
    ("split 1/2", ev.Split(Place(1, 0, 2))),
    ("free-split 1", ev.FreeSplit(Place(1))),
    ("rescue 1/1", ev.Rescue(Place(1, 0, 1))),
    ("jackpot 1/1 25", ev.Jackpot(Place(1, 0, 1), 25)),
    ("absent 2", ev.Absent(Place(2))),
    ("absent 2/1", ev.Absent(Place(2, 0, 1))),
    ("interim", ev.Interim()),
    ("collect 1.2", ev.Collect(Place(1, 2))),
    ("pay 1", ev.Pay(Place(1))),
    ("settle", ev.Settle()),
    ("lift KD 1.2", ev.CardLifted(KD, Place(1, 2))),
    ("move KD 1 burn", ev.CardMoved(KD, Place(1), BURN)),
    ("reconstructed", ev.Reconstructed()),
    ("cannot-reconstruct", ev.CannotReconstruct()),
    ("call misdealt-card", ev.Call("misdealt-card")),
    ("call misdealt-card 3 round 2", ev.Call("misdealt-card", Place(3), 2)),
    ("call power-failure round 1", ev.Call("power-failure", None, 1)),
    ("answer 3 KD 5C", ev.Answer("3", ("KD", "5C"))),
    ("answer 2/1 withdraw", ev.Answer("2/1", ("withdraw",))),
    ("answer all continue", ev.Answer("all", ("continue",))),
    ("answer pit KD", ev.Answer("pit", ("KD",))),
    ("approve pit-manager", ev.Approve("pit-manager")),
    ("approve pit-manager foreign-card", ev.Approve("pit-manager", "foreign-card")),
    ("discard-count 12", ev.DiscardCounted(12)),
    ("shoe-count 0", ev.ShoeCounted(0)),
    ("shuffle machine", ev.Shuffled("machine")),
    ("shuffle riffle 3", ev.Shuffled("riffle", 3)),
    ("load", Load()),
    ("load KD 5C", Load((KD, C5))),
    ("load 415 KD", Load((KD,), 415)),
    ("power-cut", ev.PowerCut()),
    ("power-on", ev.PowerOn()),
    ("restart", ev.Restarted()),
    ("unplug shoe", ev.LinkLost("shoe")),
    ("unplug acme-scale", ev.LinkLost("acme-scale")),
    ("plug acme-scale", ev.LinkBack("acme-scale")),
    ("call uncovered device acme-scale", ev.Call("uncovered", device="acme-scale")),
    ("plug hub", ev.LinkBack("hub")),
    ("noise panel 0.01", Noise("panel", "0.01")),
    ("expect state player-turn", StateIs("player-turn")),
    ("expect next 1.2", NextIs(Place(1, 2))),
    ("expect next none", NextIs(None)),
    ("expect total 1 soft 17", TotalIs(Place(1), 17, soft=True)),
    ("expect total dealer 17", TotalIs(DEALER, 17)),
    (
        "expect finding double-draw clause 5.23.2 ruling as-next-card at 3",
        FindingIs("double-draw", "5.23.2", "as-next-card", Place(3)),
    ),
    ("expect finding late-wager", FindingIs("late-wager")),
    ("expect findings none", NoFindings()),
    ("expect ask 3 accept|refuse", AskIs("3", ("accept", "refuse"))),
    ("expect ask pit KD | 5C", AskIs("pit", ("KD", "5C"))),
    ("expect move 9H 1 discard", MoveIs(card("9H"), Place(1), DISCARD)),
    ("expect wager 1 main win +150", WagerIs(Place(1, 1, 1), "main", "win", 15000)),
    ("expect wager 1.2/3 insurance lose -12.50", WagerIs(Place(1, 2, 3), "insurance", "lose", -1250)),
    ("expect wager 1 pair returned 0", WagerIs(Place(1, 1, 1), "pair", "returned", 0)),
    (
        "expect wager 3/1 insurance returned 0 by Bob clause 3.27.4.2",
        WagerIs(Place(3, 1, 1), "insurance", "returned", 0, "Bob", "3.27.4.2"),
    ),
    ("expect void", VoidIs()),
    ("expect refused stand 1", RefusedIs(ev.Stand(Place(1)))),
]


@pytest.mark.parametrize(("text", "expected"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_each_form_of_a_statement_has_its_meaning(text: str, expected: What) -> None:
    """Each form of a statement is read as what it says."""
    assert [expected] == meanings(text)


def test_the_examples_cover_the_whole_language() -> None:
    """No statement and no form of expect is without an example above."""
    first = {text.split()[0] for text, _ in EXAMPLES}
    claims = {text.split()[1] for text, _ in EXAMPLES if text.startswith("expect")}
    assert {*STATEMENTS, "expect"} == first
    assert {*CLAIMS, "refused"} == claims


def test_statements_of_one_line_are_parted_by_semicolons_and_comments_are_dropped() -> None:
    """Several statements may share a line, and a comment ends it; a card's code is no comment."""
    assert [ev.PlaceBets(), Draw(Place(1), card("AS#17")), ev.Settle()] == meanings(
        "place-bets; draw 1 = AS#17 ;; settle# now; stand 1"
    )


def test_a_statement_keeps_its_line_and_text() -> None:
    """A statement knows where it stands and how it was written."""
    statements = parse(f"# first\n{HEAD}place-bets\n\nbet 1 main 5;  settle # x\n", GAMES).statements
    assert [(4, "place-bets"), (6, "bet 1 main 5"), (6, "settle")] == [(s.line, s.text) for s in statements]


ERRORS = [
    ("stnd 1", "'stnd' is no statement: did you mean 'stand'? expected one of place-bets, no-more-bets"),
    (
        "bet 1 main -5",
        "bet: expected BOX[/SLOT] KIND AMOUNT [by PLAYER], got 'bet 1 main -5': '-5' is no amount: expected dollars",
    ),
    ("bet 1 main", "bet: expected BOX[/SLOT] KIND AMOUNT [by PLAYER], got 'bet 1 main': an amount is missing"),
    ("bet 8 main 5", "bet: there is no box 8: this table has boxes 1 to 7"),
    ("bet 1/4 main 5", "bet: box 1 has no place for wager 4: a box holds up to 3 wagers"),
    ("bet 1 busted 5", "bet: 'busted' has no place on the layout of mbs-blackjack-v6: it has main, pair"),
    ("bet dealer main 5", "bet: expected BOX[/SLOT] KIND AMOUNT [by PLAYER], got 'bet dealer main 5': 'dealer' is no"),
    ("settle now", "settle: expected nothing after it, got 'settle now': 'now' is too much"),
    ("draw 1/2", "draw: expected [PLACE|none] [= CARD] [face-up] [exposed], got 'draw 1/2': '1/2' names a wager"),
    ("draw 1 = 1S", "draw: expected [PLACE|none] [= CARD] [face-up] [exposed], got 'draw 1 = 1S': '1S' is no card"),
    ("draw 1 up", "draw: expected [PLACE|none] [= CARD] [face-up] [exposed], got 'draw 1 up': 'up' is not expected"),
    ("pull 2 show 3", "pull: expected N [show M|show CARD…] [ordered], got 'pull 2 show 3': 3 cards cannot be"),
    ("squeeze 2.1", "squeeze: expected BOX, got 'squeeze 2.1': '2.1' is more than a box"),
    (
        "approve boss",
        "approve: expected pit-supervisor|pit-manager|shift-manager [CODE], got 'approve boss': 'boss' is",
    ),
    ("approve pit-manager late", "approve: expected pit-supervisor|pit-manager|shift-manager [CODE], got 'approve"),
    (
        "call misdeal",
        "call: expected CODE [PLACE] [round N] [device DEVICE], got 'call misdeal': 'misdeal' is no irregularity: did",
    ),
    ("answer 3 -5", "answer: expected BOX[/SLOT]|all|dealer|pit|house ANSWER|CARD…, got 'answer 3 -5': '-5' is no"),
    ("noise shoe 2", "noise: expected DEVICE RATE, got 'noise shoe 2': '2' is no rate"),
    ("expect stat", "expect: 'stat' cannot be expected: did you mean 'state'? expected one of state, next"),
    ("expect", "expect: nothing is expected: expected one of state, next"),
    ("expect state asleep", "expect state: expected STATE, got 'expect state asleep': 'asleep' is no state"),
    (
        "expect wager 1 main win 5.5",
        "expect wager: expected BOX[.HAND][/SLOT] KIND RESULT NET [by PLAYER] [clause X], got",
    ),
    ("expect finding late-wager clause x", "expect finding: expected CODE [clause X] [ruling R] [at PLACE], got"),
    ("expect refused", "expect refused: expected a statement, got nothing"),
    ("expect refused draw 1", "expect refused: 'draw' is no command: what happens physically is never refused"),
    ("expect refused stand 9", "expect refused stand: there is no box 9"),
    ("seat 1 A\x1b[31m", "'seat 1 A\\x1b[31m' holds a character that cannot be printed"),
    ("expect refused expect void", "'expect' is no statement"),
]


@pytest.mark.parametrize(("text", "expected"), ERRORS, ids=[text for text, _ in ERRORS])
def test_an_error_says_what_was_expected(text: str, expected: str) -> None:
    """A statement that is wrong is named with its line, what was expected and what stands there."""
    line, message = error_of(f"{HEAD}place-bets\n{text}\n")
    assert (4, expected) == (line, message[: len(expected)])


def test_a_layout_without_a_number_of_wagers_takes_any_slot() -> None:
    """RWS sets no number of wagers a box."""
    assert [ev.WagerPlaced(Place(1, 0, 9), "main", 500)] == meanings("bet 1/9 main 5", FREE_BET)


def test_reading_keeps_what_stands_before_the_first_error() -> None:
    """A text that breaks off keeps its good statements and the error."""
    scenario = read(f"{HEAD}place-bets\nstnd 1\nsettle\n", GAMES)
    assert [ev.PlaceBets()] == [statement.what for statement in scenario.statements]
    assert scenario.error is not None
    assert 4 == scenario.error.line


@given(st.text(max_size=80))
def test_garbage_is_a_notation_error_and_nothing_else(text: str) -> None:
    """Whatever stands in a file, reading it gives a scenario or a NotationError."""
    error = first_error(text)
    assert error is None or (error.line >= 1 and error.message.isprintable())


WORDS = st.sampled_from(
    [*STATEMENTS, *CLAIMS, "expect", "refused", "1", "1.2/3", "8", "dealer", "AS", "??", "=", "show", "5", "-5", "main"]
)


@given(st.lists(st.one_of(WORDS, WORDS, st.text(max_size=5)), max_size=7).map(" ".join))
def test_any_words_are_a_statement_or_a_notation_error(text: str) -> None:
    """Whatever words follow each other, they are a statement or a NotationError of that line."""
    error = first_error(f"{HEAD}{text}")
    assert error is None or error.line >= 3
