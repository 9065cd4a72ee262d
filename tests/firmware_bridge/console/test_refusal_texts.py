"""Refusals of rules and daemon: each is a key with what it speaks of, is used, and has a text in both languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from firmware_bridge.texts.denials import Ground, deny, refusal_answer
from gamecore.model.cards import card
from gamecore.model.events.outputs import Obstacle
from gamecore.model.events.refusals import Reason, Refused, Since, refuse
from gamecore.model.events.texts import Text
from gamecore.model.places import Place
from gamecore.rules.notes import MatrixNote
from gamecore.view.report import refusal_report
from tests.places import ROOT

CORE, DAEMON = ROOT / "gamecore", ROOT / "firmware_bridge"
STATIC = ROOT / "firmware_bridge" / "console" / "static"
TEXTS = json.loads((STATIC / "texts" / "refusals.json").read_text(encoding="utf-8"))
WORDS = json.loads((STATIC / "texts" / "words.json").read_text(encoding="utf-8"))
PLAIN = frozenset(
    {"amount", "box", "count", "least", "limit", "most", "multiplier", "number", "player", "slot", "total"}
    | {"day", "days", "detail", "name", "origin", "person", "program", "seconds", "statement", "version"}
)
"""Gaps that are filled with numbers and names, which every language writes alike."""
KINDS: tuple[tuple[str, type[Text]], ...] = (
    ("refusal", Reason),
    ("refusal", Ground),
    ("since", Since),
    ("note", MatrixNote),
    ("obstacle", Obstacle),
)
OWN = {"refusal.with-clause", "refusal.or", "refusal.and", "softness.soft", "softness.hard"}
"""What the page says of its own."""
ANSWERING = {"control", "links", "login", "people", "texts"}
"""The folders whose modules answer people."""


def gaps(text: str) -> set[str]:
    """What stands in braces."""
    return set(re.findall(r"\{(\w+)\}", text))


@cache
def sources() -> list[tuple[Path, ast.Module]]:
    """Every module of the core and of the daemon."""
    paths = sorted((*CORE.rglob("*.py"), *DAEMON.rglob("*.py")))
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def calls(name: str) -> Iterator[tuple[Path, ast.Call]]:
    """Every call of a function or a method of this name."""
    for path, tree in sources():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called == name:
                    yield path, node


def test_a_refusal_is_made_by_one_function() -> None:
    """Nobody writes a sentence of their own: a refusal is made of a reason, a denial of a ground."""
    made = [path.name for name in ("Refused", "Denial") for path, _ in calls(name)]
    assert ["refusals.py", "denials.py"] == made


def test_no_answer_of_the_daemon_refuses_with_a_sentence() -> None:
    """Nobody writes `refused` into an answer but the one function that adds the key; None says that it was taken."""
    written = [
        path.name
        for path, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict) and DAEMON in path.parents and path.parent.name in ANSWERING
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "refused" and not _is_none(value)
    ]
    assert ["denials.py"] == written


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def test_what_fills_the_gaps_is_named_as_they_are() -> None:
    """A call with a reason or a ground gives exactly what its text speaks of."""
    kinds: dict[str, type[Text]] = {"Reason": Reason, "Ground": Ground}
    wrong = []
    for path, call in (*calls("refuse"), *calls("deny")):
        given = {keyword.arg for keyword in call.keywords}
        texts: list[Text] = [
            kinds[node.value.id][node.attr]
            for node in ast.walk(call.args[0])
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in kinds
        ]
        wrong += [
            f"{path.name}:{call.lineno} {one.name}" for one in texts if None not in given and given != gaps(one.value)
        ]
    assert [] == wrong


@pytest.mark.parametrize(("prefix", "kind"), KINDS)
def test_every_key_is_used(prefix: str, kind: type[Text]) -> None:
    """No text waits for nobody: each stands in a module other than its own."""
    used = {
        node.attr
        for _, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == kind.__name__
    }
    assert (prefix, []) == (prefix, sorted(set(kind.__members__) - used))


@pytest.mark.parametrize(("prefix", "kind"), KINDS)
def test_every_key_has_its_text_in_both_languages(prefix: str, kind: type[Text]) -> None:
    """The English of the page is that of the core, and the other languages have the same gaps."""
    texts = TEXTS | WORDS
    for one in kind:
        told = texts[f"{prefix}.{one.key}"]
        assert (one.value, gaps(one.value)) == (told["en"], gaps(told["zh"]))


def test_the_catalogue_has_no_other_refusal() -> None:
    """No two have the same key, and none is left over."""
    wanted = [f"{prefix}.{one.key}" for prefix, kind in KINDS for one in kind]
    assert len(wanted) == len(set(wanted))
    assert set(wanted) | OWN == {*TEXTS, *(key for key in WORDS if key.startswith("obstacle."))}


def test_the_page_knows_what_stands_in_every_gap() -> None:
    """The last part of a gap's name says what it is; the page has words for each that is no number or name."""
    script = (STATIC / "refusals.js").read_text(encoding="utf-8")
    listed = script[script.index("const GAPS") : script.index("};")]
    known = set(re.findall(r"^  (\w+):", listed, re.MULTILINE))
    used = {gap.split("_")[-1] for gap in chain.from_iterable(gaps(one.value) for one in (*Reason, *Ground))}
    assert (known | PLAIN, set()) == (used, known & PLAIN)


@pytest.mark.parametrize(
    ("refused", "english", "arguments"),
    [
        (refuse(Reason.BETS_NOT_OPEN, "3.2"), "bets are not open (3.2)", {}),
        (
            refuse(Reason.OTHER_TURN, "3.12", turn_place=Place(2, 1), place=Place(1, 0, 2)),
            "it is the turn of 2.1, not of 1/2 (3.12)",
            {"turn_place": "2.1", "place": "1/2"},
        ),
        (
            refuse(Reason.ASKED_FOR, "5.8", who="3/1", options=("accept", "refuse")),
            "3/1 is asked for accept or refuse (5.8)",
            {"who": "3/1", "options": ["accept", "refuse"]},
        ),
        (
            refuse(Reason.CLAIM_COMES_FIRST, "3.16", players=("ANN", "BEN"), player="CAT"),
            "ANN and BEN comes before CAT (3.16)",
            {"players": ["ANN", "BEN"], "player": "CAT"},
        ),
        (
            refuse(Reason.SOMETHING_SINCE, "6.1", since=Since.CARD_LAID),
            "the last command cannot be taken back: a card was laid since (6.1)",
            {"since": "card-laid"},
        ),
        (
            refuse(Reason.NO_OFFER_AGAINST, "3.25", card=card("9H"), offer="insurance"),
            "the Dealer's first card, 9H, gives no insurance (3.25)",
            {"card": "9H", "offer": "insurance"},
        ),
        (refuse(Reason.NO_SUCH_ROUND, "6.1", number=9), "there was no round 9 (6.1)", {"number": 9}),
    ],
)
def test_a_refusal_is_told_in_english_and_by_its_key(
    refused: Refused, english: str, arguments: dict[str, object]
) -> None:
    """Terminals and the journal have the sentence, a page has what it needs to make its own."""
    report = {"key": refused.reason.key, "clause": refused.clause, "arguments": arguments}
    assert (english, report) == (str(refused), refusal_report(refused))


def test_a_denial_is_told_in_english_and_by_its_key() -> None:
    """A ground has no clause; several words are told one by one."""
    answer = refusal_answer(
        deny(Ground.ROLE_NEEDED, statement="void", roles=("engineer", "dealer"), role="surveillance")
    )
    gaps = {"statement": "void", "roles": ["engineer", "dealer"], "role": "surveillance"}
    refusal = {"key": "role-needed", "clause": "", "arguments": gaps}
    assert {"refused": "'void' needs engineer or dealer: logged in as surveillance", "refusal": refusal} == answer
