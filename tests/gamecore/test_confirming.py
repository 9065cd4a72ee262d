"""One gate: whatever gives a wager back stands behind it, in the source and at the table.

1. In the source: a round is voided or concluded, and a wager marked as returned, by the functions listed here alone.
2. A function of the irregularities that gives a wager back asks `confirmed`, or is reached only by one that did.
3. At the table: what is pending can be read in the view, and findings say how they became known.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import gamecore
from gamecore.model.events import events
from gamecore.model.events.outputs import SENSED, TOLD, IrregularityFound
from gamecore.model.steps import Effect
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view import keeping
from tests.gamecore.model.containers import sources

CORE = Path(gamecore.__file__).parent

#: Who voids or concludes a round, or marks a wager as returned: behind the gate, or why it needs none.
BEHIND = {
    "irregularities/wager_effects.py:void": "it asks",
    "irregularities/player_options.py:return_wager": "it asks",
    "irregularities/player_options.py:return_excess": "it asks",
    "irregularities/wager_effects.py:_give_back": "the functions of WAYS reach it",
    "irregularities/wager_effects.py:return_undecidable": "the functions of WAYS reach it",
    "irregularities/wager_effects.py:conclude_if_nothing_stands": "every wager has gone back before",
    "irregularities/approvals.py:conclude_if_empty": "every wager has gone back before",
    "phases/cards/shoe.py:_state_faults": "the cards are known to be unshuffled: shown by a device, or approved",
    "phases/ending.py:end_as_kept": "the journal says so",
    "phases/limits.py:_check_sides": "while bets close, by the rules",
    "phases/offers.py:lapse": "a device shows that the deal is wrong, or a second person says it is put right",
    "phases/offers.py:do_even_money": "the Player's own choice within an offer",
    "standing/claims.py:_award": "another claim comes first, by the rules",
}
#: What reaches the two that give back, and where the gate stands before it.
WAYS = {
    "_give_back": {"withdraw", "withdraw_everywhere", "return_box"},
    "return_undecidable": {"_give_back", "short_box_goes_on"},
    "return_box": {"return_box"},
    "withdraw": {"take_answer", "_carry_out_answer"},
    "withdraw_everywhere": {"_take_power_answer"},
    "take_answer": {"all_answered", "short_answered", "withdraw", "withdrawn"},
}
ASK = {"void", "return_wager", "return_excess", "return_box", "short_box_goes_on", "void_next"}
"""The functions that ask `confirmed`."""


def functions() -> list[tuple[str, ast.FunctionDef]]:
    """Every function of the core with its file."""
    return [
        (file, node)
        for file, tree in sources(CORE).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def calls_of(node: ast.AST) -> set[str]:
    """The names that a function calls, with the module before them where one is written."""
    return {ast.unparse(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}


def gives_back(node: ast.FunctionDef) -> bool:
    """Whether a function ends a round without a result, or marks a wager as returned."""
    ends = {"ending.void", "ending.conclude", "_end"} & calls_of(node) and "settle" not in node.name
    marks = any(
        isinstance(target, ast.Attribute) and target.attr == "returned_by"
        for part in ast.walk(node)
        if isinstance(part, ast.Assign)
        for target in part.targets
    )
    return bool(ends) or marks


def test_nothing_else_gives_a_wager_back() -> None:
    """Every function that does is listed, with why it may."""
    found = {f"{file}:{node.name}" for file, node in functions() if gives_back(node)}
    ends = {"phases/ending.py:void", "phases/ending.py:conclude"}
    assert set(BEHIND) == found - ends


def test_the_gate_stands_before_every_way() -> None:
    """What gives back is called by the listed functions alone, and those that decide ask first."""
    rooms = [(file, node) for file, node in functions() if file.startswith("irregularities/")]
    for name, ways in WAYS.items():
        callers = {
            node.name
            for _, node in rooms
            if {name, f"wager_effects.{name}", f"player_options.{name}", f"rights.{name}"} & calls_of(node)
        }
        assert ways == callers, name
    asking = {node.name for _, node in rooms if "confirmed" in calls_of(node)}
    assert asking == ASK
    words = {node.name for _, node in rooms if "confirming.withdrawal_waits" in calls_of(node)}
    assert words == {"_carry_out_answer"}


def test_an_answer_reaches_a_procedure_by_three_doors() -> None:
    """A person's, which is asked about first; one by leaving, which only continues; one that was approved."""
    doors = {node.name for _, node in functions() if any(call.endswith(".answer") for call in calls_of(node))}
    assert doors == {"_carry_out_answer", "answered_by_leaving", "do_approve", "_carry_out"}


# --- at the table --------------------------------------------------------------------------------------------------

HEAD = "game: mbs-blackjack-v6\nfresh: no\nconfirm: yes\nshoe: 9H 7D 6S 8C 5D KC 4C 2H\n\n"
DEAL = """place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer; draw 1; draw 3
hit 1
pull 2
"""


def table_after(text: str, head: str = HEAD) -> Table:
    """A table after some statements."""
    venues: list[InProcess] = []

    def venue(header: object, rules: object) -> InProcess:
        venues.append(InProcess(header, rules))  # type: ignore[arg-type]
        return venues[0]

    played = play_text(head + text, "here", GAMES, venue)
    assert (None, ()) == (played.error, played.failures)
    return venues[0].table


def test_what_is_pending_is_in_the_view() -> None:
    """Code, what it would do, whose approval, by which events it was said, and who withdraws."""
    table = table_after(DEAL + "answer 3 withdraw\ncall foreign-card\ncall uncovered 1\n")
    said = table.events
    first, second = table.view().pending
    assert (first.code, first.effect, first.role, first.players) == (
        "double-draw",
        "withdraw",
        "pit-supervisor",
        ("3",),
    )
    assert (second.code, second.effect, second.role, second.players) == ("foreign-card", "void", "pit-manager", ())
    assert (first.words, second.words) == ((said - 2,), (said - 1,))
    assert first.began_with_a_word
    assert second.began_with_a_word


def test_a_referral_and_a_set_in_doubt_are_pending_too() -> None:
    """They wait for the shift manager, whether anybody has said so or not."""
    (referred,) = table_after("place-bets\nbet 1 main 50\nno-more-bets\ncall uncovered 1\n").view().pending
    assert ("uncovered", "continue", "shift-manager", True) == (
        referred.code,
        referred.effect,
        referred.role,
        referred.began_with_a_word,
    )
    (doubted,) = table_after("shoe-count 7\n").view().pending
    assert ("place-bets", "shift-manager", False) == (doubted.effect, doubted.role, doubted.began_with_a_word)


@pytest.mark.parametrize(
    ("head", "text", "how"),
    [
        ("", "draw 1 = JOKER\n", SENSED),
        ("sensors: panel\n", "draw 1 = JOKER\n", TOLD),
        ("", "call foreign-card\n", TOLD),
        ("", "shoe-count 7\n", SENSED),
        ("", "power-cut\npower-on\n", SENSED),
        ("", "absent 1\n", TOLD),
        ("", "draw 3\n", SENSED),
        ("", "sensor-wrong 1\n", TOLD),
        ("", "bet 1 main 50\n", SENSED),
        ("sensors: shoe positions\n", "bet 1 main 50\n", TOLD),
        ("sensors: shoe\n", "lay JOKER 1\n", TOLD),
        ("sensors: shoe positions-count bets panel\n", "draw 1; draw dealer\nmove 9H 1 3\n", TOLD),
        ("sensors: shoe positions-count bets panel\n", "draw 3\n", SENSED),
    ],
)
def test_a_finding_says_how_it_became_known(head: str, text: str, how: str) -> None:
    """A fitted device has shown it, or a person has said so."""
    table = table_after(f"place-bets\nbet 1 main 50\nno-more-bets\n{text}", HEAD.replace("shoe:", f"{head}shoe:"))
    assert {how} == {finding.how for finding in table.view().round.findings}


def test_an_approval_is_asked_for_once_it_can_be_given() -> None:
    """Not while others have to answer: then it would come too early."""
    table = table_after(DEAL.replace("hit 1\npull 2\n", "power-cut\npower-on\n") + "answer 1 withdraw\n")
    assert () == table.view().pending
    said = table.apply(events.Answer("3", ("continue",)))
    assert ["pit-supervisor"] == [one.ask.who for one in said if hasattr(one, "ask")]
    assert not any(isinstance(one, IrregularityFound) for one in said)
    assert [Effect.WITHDRAW.value] == [one.effect for one in table.view().pending]


def test_what_is_pending_outlives_a_snapshot() -> None:
    """Kept as plain data and read again, it waits as before, and is carried out as it was said."""
    table = table_after(DEAL + "answer 3 withdraw\ncall foreign-card\n")
    again = Table.resumed(keeping.read(json.loads(json.dumps(keeping.written(table.snapshot())))))
    assert table.view().pending == again.view().pending
    for one in (table, again):
        one.apply(events.Approve("pit-supervisor", "double-draw"))
        one.apply(events.Retract("foreign-card"))
    assert table.report() == again.report()
    assert ["first", "second"] == list(again.view().asks[0].options)
