"""The table as a plain value: what it holds, that it is JSON, and that it names what may be said."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.shown.panel_picture import picture
from firmware_bridge.shown.scene import scene
from firmware_bridge.shown.scene_statements import _offered
from firmware_bridge.shown.scene_type import Scene
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.positions import held_table, table_after, table_of_chance
from tests.firmware_bridge.shown.scene_positions import SAMPLE, positions, read_back
from tests.gamecore.play.candidates import commands

MOST_CALLS = 1800
"""Function calls that no scene needs: twice what one does."""
FULL = "".join(f"bet {box} main 100\nbet {box}/2 main 50 by ann\nbet {box} pair 25\n" for box in range(1, 8))
DEALT = "draw; " * 14 + "draw\n"

tables = st.builds(table_of_chance, st.sampled_from(sorted(GAMES)), st.integers(0, 2**32), st.integers(0, 80))
held = st.builds(held_table, st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))


def full(rest: str = "", sensors: str = "shoe positions bets discard panel") -> Table:
    """Return a table of seven boxes with two wagers each, and what happened then."""
    head = f"boxes: 7\nseed: 5\nfresh: no\nsensors: {sensors}\nlimits: main 25-5000, pair 5-500\n\n"
    return table_after(f"{head}place-bets\n{FULL}no-more-bets\n{rest}")


def box_of(table: Table, number: int) -> dict[str, object]:
    """Return one box of a scene."""
    return dict(scene(table)["boxes"][number - 1])


def hands_of(table: Table, number: int, *keys: str) -> list[tuple[object, ...]]:
    """Return what a scene says of the hands of a box."""
    hands = box_of(table, number)["hands"]
    assert isinstance(hands, list)
    return [tuple(hand[key] for key in keys) for hand in hands]


def said(table: Table) -> list[tuple[object, object]]:
    """Return the statements that a scene offers, with their places."""
    return [(one["statement"], one["place"]) for one in scene(table)["can"]]


# --- every position --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_position_of_a_scenario_has_its_scene(file: Path) -> None:
    """It is JSON that reads back as it was, it changes nothing, and every statement in it is taken by the table.

    A hand that lies face down is offered whatever a hand may be: what is left out would tell what it is.
    """
    for where, table in positions(file):
        before = pickle.dumps(table.snapshot())
        drawn = scene(table)
        assert (where, drawn) == (where, json.loads(json.dumps(drawn)))
        assert before == pickle.dumps(table.snapshot()), where
        refused = [one for one in offered(table, drawn) if not table.can(one)]
        assert (where, []) == (where, [(one, table.verify(one)) for one in refused if not is_face_down(table, one)])


def is_face_down(table: Table, command: Command) -> bool:
    """Whether a command speaks of a hand that has a card face down."""
    place = getattr(command, "place", None)
    box = table.view().round.boxes.get(place.box) if place is not None else None
    return box is not None and any(hand.face_down for hand in box.hands)


def offered(table: Table, drawn: Scene) -> list[Command]:
    """Return every command that a scene offers, as the parser reads it."""
    can, duties, asks = drawn["can"], drawn["duties"], drawn["asks"]
    answers = [answer["statement"] for ask in asks for answer in ask["answers"]]
    said = [*(one["statement"] for one in can), *(one["statement"] for one in duties), *answers]
    read = [read_back(table, statement) for statement in said]
    return [one for one in read if isinstance(one, Command)]


@settings(max_examples=150)
@given(st.one_of(tables, held))
def test_a_scene_follows_from_the_table_alone(table: Table) -> None:
    """Whatever has happened, it is JSON, the same twice, and states what table, report and panel state."""
    drawn = scene(table)
    assert drawn == json.loads(json.dumps(scene(table)))
    view, seen, due = table.view(), picture(table), table.next_place
    expected = (view.rules.id, table.state.value, None if due is None else str(due), seen.upper, list(seen.lamps))
    panel = drawn["panel"]
    assert expected == (drawn["game"], drawn["state"], drawn["next"], panel["upper"], panel["lamps"])
    report = table.round_report()
    assert (report["wagers"], report["outcome"]) == (drawn["wagers"], drawn["outcome"])


@settings(max_examples=150)
@given(st.one_of(tables, held))
def test_what_may_be_said_is_what_the_engine_allows(table: Table) -> None:
    """All of it within the layout, but for stands that change nothing and a round that is over."""
    view = table.view()

    def counts(command: Command) -> bool:
        place = getattr(command, "place", None)
        if max(getattr(command, "box", 0), place.box if place is not None else 0) > view.box_count:
            return False
        if isinstance(command, ev.Rescue):
            return view.round_is_on
        hand = view.round.hand_at(command.place) if isinstance(command, ev.Stand) else None
        return hand is None or not hand.complete

    expected = [command for command in commands(table) if counts(command)]
    assert sorted(map(repr, expected)) == sorted(map(repr, table.allowed().commands))


@settings(max_examples=100)
@given(st.one_of(tables, held))
def test_what_is_said_shortly_means_the_same(table: Table) -> None:
    """A statement without the hand or the slot does what the whole one does, be it that both are refused."""
    drawn = scene(table)["can"]
    for one, whole in zip(drawn, _offered(table.view(), table.allowed().commands), strict=True):
        short = read_back(table, one["statement"])
        after = []
        for command in (short, whole):
            other = table.copied()
            after.append((repr(other.apply(command)), _without_its_words(scene(other))))
        assert after[1] == after[0], one


def _without_its_words(drawn: Scene) -> dict[str, object]:
    """A scene without the words of what can be taken back: they are as short as that was said."""
    corrections = [{**one, "of": ""} for one in drawn["corrections"]]
    return {**drawn, "corrections": corrections}


# --- what it holds ---------------------------------------------------------------------------------------------------


def test_before_the_first_round_there_is_none() -> None:
    """The layout is there, the round is not, and bets may be opened."""
    drawn = scene(table_after("fresh: no\nboxes: 5\n\n"))
    assert ("idle", None, "open", 5) == (drawn["state"], drawn["round"], drawn["outcome"], len(drawn["boxes"]))
    assert [{"statement": "place-bets", "place": None}] == drawn["can"]
    assert ("mbs-blackjack-v6", "Blackjack") == (drawn["game"], drawn["title"])


def test_a_box_has_its_wagers_and_who_controls_it() -> None:
    """Main wagers by slot, side wagers by kind, names, who is seated."""
    box = box_of(full("seat 3 bob\n"), 3)
    assert [("100.00", None), ("50.00", "ann")] == [(one["amount"], one["player"]) for one in box["mains"]]  # type: ignore[attr-defined]
    pair = {"kind": "pair", "slot": 1, "amount": "25.00", "player": None, "hand": 1, "returned": None, "act": ""}
    assert [pair] == box["sides"]
    assert (1, 1, False, 1) == (box["controller"], box["seated"], box["squeeze"], box["lamp"])


def test_a_wager_that_several_claim_says_who_comes_first() -> None:
    """Equal claims may be agreed on; when bets have closed, what went back says by which clause."""
    bets = "bet 3 main 50 by ann\nbet 4 main 50\nbet 5 main 50 by cat\nbet 4/2 pair 5 by ann\nbet 4/2 pair 5 by cat\n"
    table = table_after(f"fresh: no\n\nplace-bets\n{bets}")
    claimed = {"place": "4/2", "kind": "pair", "claims": ["ann", "cat"], "equal": ["ann", "cat"]}
    assert [{**claimed, "first": None, "clause": "3.17.2.4"}] == scene(table)["claims"]
    assert "4/2 PAIR: EQUAL CLAIMS 3.17.2.4" == picture(table).lower
    assert [("agree 4/2 pair by ann", "4"), ("agree 4/2 pair by cat", "4")] == said(table)[-2:]
    table.apply(ev.Agree(Place(4, 0, 2), "pair", "cat"))
    assert [{**claimed, "first": "cat", "clause": "3.17.2.4"}] == scene(table)["claims"]
    assert "4/2 PAIR: CAT 3.17.2.4" == picture(table).lower
    table.apply(ev.NoMoreBets())
    sides = box_of(table, 4)["sides"]
    assert [("cat", None), ("ann", "3.17.2.4")] == [(side["player"], side["returned"]) for side in sides]  # type: ignore[attr-defined]
    assert [] == scene(table)["claims"]


def test_chips_that_came_early_lie_at_their_box() -> None:
    """They count when bets open; till then the scene shows them apart."""
    box = box_of(table_after("fresh: no\n\nbet 2/3 main 75 by cy\n"), 2)
    assert [{"kind": "main", "slot": 3, "amount": "75.00", "player": "cy"}] == box["early"]
    assert [] == box["mains"]


def test_limits_and_spots_say_what_may_be_wagered() -> None:
    """Kinds of the game's layout, least and most by kind."""
    drawn = scene(full())
    limits = {"main": {"min": "25.00", "max": "5000.00"}, "pair": {"min": "5.00", "max": "500.00"}}
    assert (["pair"], limits) == (drawn["spots"], drawn["limits"])


def test_the_hand_whose_turn_it_is_is_marked() -> None:
    """Its total is told, and what may be said of it is said in the shortest words."""
    table = full(DEALT)
    number = int(str(scene(table)["turn"]))
    assert [True] == [turn for (turn,) in hands_of(table, number, "turn")]
    assert {(f"hit {number}", str(number)), (f"stand {number}", str(number))} <= set(said(table))
    others = [turn for box in range(1, 8) if box != number for (turn,) in hands_of(table, box, "turn")]
    assert [False] * 6 == others


def test_a_split_box_has_hands_of_their_own_place() -> None:
    """A Player who joined has chips on both, one who did not has them on the first."""
    text = "shoe: 8H 6S 8D 3C TD\nfresh: no\n\nplace-bets\nbet 2 main 100\nbet 2/2 main 50\nno-more-bets\n"
    table = table_after(f"{text}draw 2; draw dealer; draw 2\nsplit 2\n")
    assert [("2.1", ["8H"], True), ("2.2", ["8D"], False)] == hands_of(table, 2, "place", "cards", "turn")
    assert ("split 2.1/2", "2.1") in said(table)
    amounts = [[stake["amount"] for stake in stakes] for (stakes,) in hands_of(table, 2, "stakes")]  # type: ignore[attr-defined]
    assert [["100.00", "50.00"], ["100.00"]] == amounts


def test_a_free_bet_marker_is_counted_beside_the_chips() -> None:
    """A free split costs no chips, a free double none either."""
    text = "shoe: 5H 6S 5D 4C\nfresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    table = table_after(f"{text}draw 1; draw dealer; draw 1\nfree-split 1\n", "mbs-free-bet-v3")
    marks = [
        (stake["amount"], stake["free_split"], stake["free_double"])
        for (stakes,) in hands_of(table, 1, "stakes")
        for stake in stakes  # type: ignore[attr-defined]
    ]
    assert [("100.00", 0, 0), ("0.00", 1, 0)] == marks


def test_a_settled_round_stays_with_its_results() -> None:
    """Until the next one begins, hands, results and the Dealer's hand are there."""
    text = "shoe: TH 6S 9D TC TS\nfresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    table = table_after(f"{text}draw 1; draw dealer; draw 1\nstand 1\ndraw dealer; draw dealer\nsettle\n")
    drawn = scene(table)
    dealer = {"cards": ["6S", "TC", "TS"], "total": 26, "soft": False, "natural": "", "bust": True}
    assert ("complete", "settled", dealer) == (drawn["state"], drawn["outcome"], drawn["dealer"])
    assert [(19, True, "win")] == hands_of(table, 1, "total", "over", "result")


def test_the_shoe_tells_what_has_left_it_and_the_cutting_card() -> None:
    """Cards out, cards of the set, the cutting card, and the lock of a held round."""
    text = "decks: 6\nfresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\ndraw 1; draw dealer\n"
    expected = {"out": 2, "cards": 312, "cutting_card": "in", "locked": False, "away": False}
    assert expected == scene(table_after(text))["shoe"]
    assert (
        expected | {"cutting_card": "out", "locked": True}
        == scene(table_after(f"{text}cut-card\ncall uncovered\n"))["shoe"]
    )
    continuous = table_after(text.replace("fresh: no", "fresh: no\nshuffling: continuous"))
    assert expected | {"cutting_card": "none"} == scene(continuous)["shoe"]
    assert scene(table_after(f"{text}unplug shoe\n"))["shoe"]["away"]


@pytest.mark.parametrize(("game", "name"), [("mbs-blackjack-v6", "blackjack"), ("mbs-pontoon-v5", "pontoon")])
def test_a_natural_has_its_name(game: str, name: str) -> None:
    """A Player's and the Dealer's; 21 in three cards has none."""
    bets = "fresh: no\n\nplace-bets\nbet 1 main 100; bet 3 main 100\nno-more-bets\n"
    dealt = (
        f"shoe: AH 7C KS KD 7D 7H AS\n{bets}draw 1; draw 3; draw dealer; draw 1; draw 3\nhit 3; draw 3; draw dealer\n"
    )
    table = table_after(dealt, game)
    assert ([(name,)], [("",)]) == (hands_of(table, 1, "natural"), hands_of(table, 3, "natural"))
    assert (name, 21) == (scene(table)["dealer"]["natural"], scene(table)["dealer"]["total"])


def test_a_pull_may_be_disclosed_until_something_else_happens() -> None:
    """The scene says so, and no longer than the table takes it."""
    text = "fresh: no\n\nplace-bets\nbet 1 main 100\nno-more-bets\npull 2\n"
    assert (True, False) == (scene(table_after(text))["disclose"], scene(table_after(f"{text}seat 2\n"))["disclose"])


def test_what_is_to_be_watched_stands_in_the_scene_while_there_is_any() -> None:
    """A strange order of the cards is to be watched; nothing is held by it."""
    text = "shoe: AS 2S 3S 4S 5S\n\nplace-bets\nbet 1 main 100\nno-more-bets\n"
    assert [] == scene(table_after(text))["watch"]
    drawn = scene(table_after(f"{text}draw burn; draw 1; draw dealer; draw 1\n"))
    advice = "the cards may not be shuffled: factory order"
    assert ([advice], [], []) == ([by["en"] for by in drawn["watch"]], drawn["findings"], drawn["matters"])


@pytest.mark.parametrize("sensors", ["shoe positions bets discard panel", "shoe panel"])
def test_a_full_table_costs_little(sensors: str) -> None:
    """Seven boxes with two wagers each, in the middle of the round."""
    table = full(f"{DEALT}stand 1\n", sensors)
    assert State.PLAYER_TURN is table.state
    scene(table)  # what is worked out once is not counted
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    scene(table)
    sys.setprofile(None)
    assert calls < MOST_CALLS
