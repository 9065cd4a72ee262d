"""What a held round asks of people: questions, matters with their moves, duties, and who may say them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.people import permissions
from firmware_bridge.shown.scene import scene
from gamecore.model.events.events import Answer, Command
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.positions import held_table, table_after
from tests.firmware_bridge.shown.scene_positions import SAMPLE, played, positions, read_back

RWS = "rws-free-bet-2025"
BETS = "place-bets\nbet 1 main 100\nbet 3 main 50\nno-more-bets\n"
HEAD = f"shoe: 9H 7D 6S KC TD 2C 8H 3S JD\nfresh: no\n\n{BETS}"
DEAL = "draw 1; draw 3; draw dealer; draw 1; draw 3\n"


def held_part(table: Table, part: str) -> list[dict[str, object]]:
    """Return one part of a scene that is a list."""
    found = dict(scene(table))[part]
    assert isinstance(found, list)
    return found


def duties(table: Table) -> dict[str, object]:
    """Return the duties of a scene with their roles, without those about absent Players."""
    said = [(str(duty["statement"]), duty["roles"]) for duty in held_part(table, "duties")]
    return {statement: roles for statement, roles in said if not statement.startswith("absent")}


def moves(table: Table) -> list[tuple[object, ...]]:
    """Return the moves of the matter that is open first."""
    found = held_part(table, "matters")[0]["moves"]
    assert isinstance(found, list)
    return [(move["card"], move["from"], move["to"], move["done"]) for move in found]


# --- questions -------------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.builds(held_table, st.sampled_from(sorted(GAMES)), st.integers(0, 2**32)))
def test_every_answer_is_taken_and_every_duty_too(table: Table) -> None:
    """By the parser and by the table, with the roles that the permissions name."""
    for ask in held_part(table, "asks"):
        answers = ask["answers"]
        assert isinstance(answers, list)
        for answer in answers:
            said = read_back(table, answer["statement"])
            assert Answer(str(ask["who"]), (answer["option"],)) == said
            assert table.can(said)
            assert list(permissions.needed(said, table)) == ask["roles"]
    for duty in held_part(table, "duties"):
        said = read_back(table, str(duty["statement"]))
        assert not isinstance(said, Command) or table.can(said)
        assert list(permissions.needed(said, table)) == duty["roles"]


def test_a_question_has_its_answers_as_statements() -> None:
    """Who is asked, by which clause, who may pass the answer on."""
    table = table_after(f"{HEAD}call uncovered\n")
    expected = {
        "who": "house",
        "options": ["continue", "void"],
        "clause": "6.1",
        "roles": ["shift-manager"],
        "answers": [
            {"option": "continue", "statement": "answer house continue"},
            {"option": "void", "statement": "answer house void"},
        ],
    }
    assert [expected] == held_part(table, "asks")


def test_a_card_that_is_to_be_named_has_no_statement() -> None:
    """The pit names it; what else it may say stands there."""
    table = table_after(f"{HEAD}draw 1 = ??\n")
    ask = held_part(table, "asks")[0]
    assert (["CARD", "unknown"], [{"option": "unknown", "statement": "answer pit unknown"}]) == (
        ask["options"],
        ask["answers"],
    )
    assert table.can(Answer("pit", ("9H",)))


def test_several_who_may_withdraw_can_go_on_together() -> None:
    """One statement says so for everybody who is still asked; if only one is, there is none."""
    text = f"{HEAD}{DEAL}power-cut\npower-on\n"
    assert ["dealer"] == duties(table_after(text))["answer all continue"]
    assert {} == duties(table_after(f"{text}answer 1 continue\n"))


# --- matters and moves -----------------------------------------------------------------------------------------------


def test_a_matter_says_what_happened_and_what_is_ruled() -> None:
    """Code, clause, ruling, places, cards, whose error."""
    matter = held_part(table_after(f"{HEAD}draw 3\n"), "matters")[0]
    expected = {"code": "misdealt-card", "clause": "5.6.1", "ruling": "reconstruct", "places": ["3"]}
    assert expected == {key: matter[key] for key in expected}
    assert (["9H"], "Dealer", None) == (matter["cards"], matter["whose"], matter["obstacle"])


def test_moves_are_ticked_off_as_they_are_made() -> None:
    """Each stays in the list, and is done once the card lies where it belongs."""
    text = f"game: mbs-blackjack-v6\n{HEAD}draw 3\ndraw 1\nmove 9H 3 1\nmove 7D 1 3\n"
    tables = {where: moves(table) for where, table in played(text) if table.state is State.HELD}
    first, second = ("9H", "3", "1"), ("7D", "1", "3")
    assert [
        [(*first, False)],
        [(*first, False), (*second, False)],
        [(*first, True), (*second, False)],
        [(*first, True), (*second, True)],
    ] == list(tables.values())


def test_a_card_that_was_carried_astray_is_to_be_moved_from_there() -> None:
    """The move is not done: it begins where the card lies now."""
    table = table_after(f"{HEAD}draw 3\nmove 9H 3 5\n")
    assert [("9H", "5", "1", False)] == moves(table)


def test_a_discard_is_ticked_off_too() -> None:
    """A card too many on the Dealer's hand goes to the discard holder."""
    head = "shoe: TH 9S 7S TC TD 3D\nfresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    text = f"{head}draw 1; draw dealer; draw 1\nstand 1\ndraw dealer\ndraw dealer\n"
    assert [("TD", "dealer", "discard", False)] == moves(table_after(text))
    assert [("TD", "dealer", "discard", True)] == moves(table_after(f"{text}move TD dealer discard\n"))


def test_where_the_cards_are_left_nothing_is_to_be_moved() -> None:
    """The shift manager has been asked instead, and cannot be told that the cards lie as ruled."""
    text = f"{HEAD}{DEAL}hit 1\ndraw 3\n"
    table = table_after(text)
    assert {"cannot-reconstruct": ["pit-supervisor"]} == duties(table)
    after = table_after(f"{text}cannot-reconstruct\n")
    assert ([], {"approve shift-manager": ["shift-manager"]}) == (moves(after), duties(after))


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_what_remains_is_what_is_not_done(file: Path) -> None:
    """The moves that are not ticked off are those that the engine still wants."""
    for where, table in positions(file):
        if table.view().matters and not table.view().matters[0].left_as_laid:
            left = [(str(move.source), str(move.target)) for move in table.view().moves]
            shown = [(source, target) for _, source, target, done in moves(table) if not done]
            assert (where, sorted(left)) == (where, sorted(shown))


# --- duties ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_duty_changes_something(file: Path) -> None:
    """No button does nothing, and a held round has a question, a duty or a card to be moved, or waits for a load."""
    for where, table in positions(file):
        said = duties(table)
        for statement in said:
            other = table.copied()
            other.apply(read_back(other, statement))
            assert scene(table) != scene(other), (where, statement)
        if table.state is State.HELD and not said and not table.view().asks and not table.view().moves:
            assert ("riffle", True) == (table.view().matters[0].procedure, table.view().shuffled), where


def test_discards_that_are_riffled_by_hand_are_said() -> None:
    """Nothing else can tell it; the shoe then reports the load."""
    head = "shoe: 9H 6S KC\nleft: 3\nfresh: no\nshuffling: manual\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    text = f"{head}draw 1; draw dealer; draw 1\nstand 1\ndraw dealer\n"
    assert {"shuffle riffle 1": ["dealer"]} == duties(table_after(text))
    assert {} == duties(table_after(f"{text}shuffle riffle 1\n"))


def test_insurance_that_was_missed_waits_for_a_supervisor() -> None:
    """The round is not held for it; with the approval it is open."""
    head = "shoe: 9H AS 7D 2C 3C\nfresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    table = table_after(f"{head}draw 1; draw dealer; draw 1\nhit 1\ndraw 1\n", "mbs-free-bet-v3")
    assert {"approve pit-supervisor": ["pit-supervisor"]} == duties(table)


def test_every_player_may_be_said_to_be_absent_once() -> None:
    """By box, or by box and slot where several wager there."""
    head = "fresh: no\n\nplace-bets\nbet 1 main 100\nbet 3 main 50\nbet 3/2 main 50\nno-more-bets\n"
    said = [duty["statement"] for duty in held_part(table_after(head), "duties")]
    assert ["absent 1", "absent 3/1", "absent 3/2"] == said
    said = [duty["statement"] for duty in held_part(table_after(f"{head}absent 3/2\n"), "duties")]
    assert ["absent 1", "absent 3/1"] == said
