"""What may not grow again: where cards and wagers are kept, who writes them, and words that steer a procedure.

1. The figures are those of today. Anyone who needs fewer lowers them; more is a second place for the same card.
2. A record is written by `gamecore.cards.whereabouts` alone: in the source, and while irregular rounds are played.
3. A procedure's step, its name and what it demands are members of an Enum; none is compared with a text.
"""

from __future__ import annotations

import ast
import dataclasses
import random
import sys
from collections import Counter
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import gamecore
from gamecore.model.hands import Hand
from gamecore.model.matters import Matter
from gamecore.model.records import CardRecord
from gamecore.model.round import Round
from gamecore.model.state import TableState
from gamecore.rules.games import GAMES
from tests.gamecore.model.containers import CARDS, WAGERS, Written, containers, sources, writes
from tests.gamecore.play.irregular_plans import PLANS
from tests.gamecore.play.irregular_robot import IrregularRobot
from tests.gamecore.play.test_irregular_play import NEVER

CORE = Path(gamecore.__file__).parent
WHEREABOUTS = "cards/whereabouts.py"

#: Where cards are kept: a record is on the list of its round and, as far as it counts there, of a hand and its box. A
#: finding has the faces and moves that it was made with; the order of the discard holder is kept for the test of the
#: shuffle.
CARDS_KEPT = {
    *("Round.records", "Hand.records", "Hand.cards", "Box.initial"),
    *("Finding.cards", "Finding.moves", "ShoeState.discarded", "Round.discards"),
}
CARDS_WRITTEN = {
    WHEREABOUTS: 18,
    "cards/difference.py": 1,
    "model/hands.py": 7,
    "model/round.py": 1,
    "phases/cards/shoe.py": 1,
    "phases/ending.py": 1,
}
WAGERS_KEPT = {
    *("Box.mains", "Box.sides", "Box.insurance", "Hand.stakes", "People.early_chips"),
    *("Round.refused", "Round.rows"),
}
WAGERS_WRITTEN = {
    "irregularities/wager_effects.py": 1,
    "model/hands.py": 1,
    "model/round.py": 3,
    "phases/betting.py": 9,
    "phases/decisions.py": 1,
    "phases/ending.py": 2,
    "phases/offers.py": 1,
    "standing/claims.py": 2,
}
MOST_FIELDS = 15

#: What steers a procedure.
STEERING = frozenset({"step", "procedure", "demand"})

#: Other classes have fields of the same names. This is how their objects are called.
OTHERS: dict[str, type] = {"hand": Hand, "hands": Hand, "round": Round, "game_round": Round}


@pytest.mark.parametrize(
    ("kinds", "kept", "written"),
    [(CARDS, CARDS_KEPT, CARDS_WRITTEN), (WAGERS, WAGERS_KEPT, WAGERS_WRITTEN)],
    ids=["cards", "wagers"],
)
def test_containers_and_the_places_that_write_them_do_not_grow(
    kinds: frozenset[str], kept: set[str], written: dict[str, int]
) -> None:
    """Nothing more is kept, nothing more is written, and by no other module."""
    found = containers(CORE, kinds)
    assert kept == found
    counts = Counter(place.file for place in writes(CORE, frozenset(name.partition(".")[2] for name in found)))
    assert {} == {file: count for file, count in counts.items() if count > written.get(file, 0)}


def test_the_state_of_a_table_stays_small() -> None:
    """What belongs together is one field."""
    assert MOST_FIELDS >= len(dataclasses.fields(TableState))


# --- records -------------------------------------------------------------------------------------------------------


def is_of_another_class(place: Written) -> bool:
    """Whether a write is one to a field of another class, by what its object is called."""
    if place.base == "self":
        return place.file != "model/records.py"
    other = OTHERS.get(place.base)
    return other is not None and hasattr(other, place.name)


def test_only_whereabouts_writes_a_record() -> None:
    """No module assigns to a field of a record, puts one on a list or takes it off."""
    names = frozenset(field.name for field in dataclasses.fields(CardRecord))
    others = [place for place in writes(CORE, names) if place.file != WHEREABOUTS]
    assert [] == [place for place in others if not is_of_another_class(place)]
    lists = [place for place in writes(CORE, frozenset({"records"})) if place.file != WHEREABOUTS]
    assert {"model/hands.py"} == {place.file for place in lists}


def test_nothing_else_writes_a_record_while_irregular_rounds_are_played(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever goes wrong in a round, each write to a record comes from there; a copy is made as the record is."""
    writers: Counter[str] = Counter()

    def note(record: CardRecord, name: str, value: object) -> None:
        writers[sys._getframe(1).f_globals["__name__"]] += 1
        object.__setattr__(record, name, value)

    monkeypatch.setattr(CardRecord, "__setattr__", note)
    for game in GAMES:
        for number, plan in enumerate(PLANS):
            if (game, plan.name) not in NEVER:
                chance = random.Random(f"{seed}/{game}/{plan.name}")
                IrregularRobot(GAMES[game], chance, seed + number, plan).play_with(plan)
    assert {"gamecore.cards.whereabouts", CardRecord.__module__} == set(writers) - {"copy"}


# --- words that steer ----------------------------------------------------------------------------------------------


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a text, or a collection of texts."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(is_text(part) for part in parts)
    return False


def steers(node: ast.expr) -> bool:
    """Whether an expression is a step, a procedure or a demand."""
    return isinstance(node, ast.Attribute) and node.attr in STEERING


def compared_with_a_text(node: ast.AST) -> bool:
    """Whether a comparison or a match tells steps apart by texts."""
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            return any(map(steers, sides)) and any(map(is_text, sides))
        case ast.Match(subject=subject, cases=cases) if steers(subject):
            patterns = [part for case in cases for part in ast.walk(case.pattern)]
            return any(isinstance(part, ast.MatchValue) and is_text(part.value) for part in patterns)
    return False


def test_no_procedure_is_steered_by_a_text() -> None:
    """What one module writes and another compares is a member of an Enum."""
    hints = get_type_hints(Matter)
    assert [] == [name for name in STEERING if str in (hints[name], *get_args(hints[name]))]
    found = [
        f"{file}:{node.lineno}"
        for file, tree in sources(CORE).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare | ast.Match) and compared_with_a_text(node)
    ]
    assert [] == found


def test_a_text_that_steers_would_be_noticed() -> None:
    """The two tests of the source see what they look for."""
    source = "if matter.step == 'lay': pass\nmatch matter.procedure:\n    case 'riffle': pass\nrecord.felt = None\n"
    tree = ast.parse(source)
    assert 2 == sum(compared_with_a_text(node) for node in ast.walk(tree))
    assert not is_of_another_class(Written("phases/cards/felt.py", 1, "felt", "record"))
    assert not is_of_another_class(Written("phases/cards/felt.py", 1, "home", "hand"))
