"""Refusals of the core: each is a key with what it speaks of, is made somewhere, and has its text in both languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from gamecore.model.cards import card
from gamecore.model.events.refusals import Reason, Refused, Since, refuse
from gamecore.model.events.texts import Text
from gamecore.model.places import Place
from gamecore.rules.notes import MatrixNote
from gamecore.view.report import refusal_report
from tests.places import ROOT

CORE = ROOT / "gamecore"
STATIC = ROOT / "firmware_bridge" / "console" / "static"
TEXTS = json.loads((STATIC / "texts" / "refusals.json").read_text(encoding="utf-8"))
PLAIN = frozenset(
    {"amount", "box", "count", "least", "limit", "most", "multiplier", "number", "player", "slot", "total"}
)
"""Gaps that are filled with numbers and names, which every language writes alike."""
KINDS: tuple[tuple[str, type[Text]], ...] = (("refusal", Reason), ("since", Since), ("note", MatrixNote))


def gaps(text: str) -> set[str]:
    """What stands in braces."""
    return set(re.findall(r"\{(\w+)\}", text))


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the core."""
    for path in sorted(CORE.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def calls(name: str) -> Iterator[tuple[Path, ast.Call]]:
    """Every call of a function by its bare name."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield path, node


def test_a_refusal_is_made_by_one_function() -> None:
    """Nobody writes a sentence of their own: a refusal is made of a reason."""
    assert ["refusals.py"] == [path.name for path, _ in calls("Refused")]


def test_what_fills_the_gaps_is_named_as_they_are() -> None:
    """A call of `refuse` with a reason gives exactly what the text of that reason speaks of."""
    wrong = []
    for path, call in calls("refuse"):
        given = {keyword.arg for keyword in call.keywords}
        match call.args[0]:
            case ast.Attribute(value=ast.Name(id="Reason"), attr=name) if None not in given:
                if given != gaps(Reason[name].value):
                    wrong.append(f"{path.name}:{call.lineno} {name}")
    assert [] == wrong


@pytest.mark.parametrize(("prefix", "kind"), KINDS)
def test_every_key_is_used(prefix: str, kind: type[Text]) -> None:
    """No text waits for nobody: each stands in a module of the core other than its own."""
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
    told = {key.partition(".")[2]: text for key, text in TEXTS.items() if key.startswith(f"{prefix}.")}
    own = {"with-clause", "or"} if kind is Reason else set()
    assert {one.key for one in kind} == told.keys() - own
    for one in kind:
        assert one.value == told[one.key]["en"]
        assert (one.key, gaps(one.value)) == (one.key, gaps(told[one.key]["zh"]))


def test_the_page_knows_what_stands_in_every_gap() -> None:
    """The last part of a gap's name says what it is; the page has words for each that is no number or name."""
    script = (STATIC / "refusals.js").read_text(encoding="utf-8")
    listed = script[script.index("const GAPS") : script.index("};")]
    known = set(re.findall(r"^  (\w+):", listed, re.MULTILINE))
    used = {gap.split("_")[-1] for gap in chain.from_iterable(gaps(reason.value) for reason in Reason)}
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
