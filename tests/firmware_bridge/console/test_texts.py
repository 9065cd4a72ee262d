"""The catalogue of texts: whole in both languages, and neither more nor less than the page uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from drivers.panel.messages import BUTTONS
from firmware_bridge.people.accounts.roles import ROLES
from gamecore.irregularities import matter
from gamecore.irregularities.procedures import next_card, pulled
from gamecore.irregularities.procedures.choices import ORDINALS
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.words import RESULTS
from gamecore.notation.writer import write_event
from gamecore.phases.offers import INSURANCE, SURRENDER
from gamecore.rules.codes import CARDS, CODES, DEALER, DEVICE, PLAYER, RULINGS
from gamecore.rules.games import GAMES
from gamecore.view.allowed import _SPOKEN
from tests.places import ROOT

CONSOLE = ROOT / "firmware_bridge" / "console" / "static"
HARNESS = ROOT / "hal_sim" / "harness" / "static"
TRAINING = ROOT / "hal_sim" / "training" / "static"
LANGUAGES = ("en", "zh")
LOOKED_UP = ("case.", "line.", "note.", "rules.", "stage.", "value.")
"""Beginnings of keys for words of the rules, which the Games page looks up by the word itself."""
OPTIONS = {
    *ORDINALS,
    matter.CONTINUE,
    matter.WITHDRAW,
    pulled.ACCEPT,
    pulled.REFUSE,
    next_card.ACCEPT,
    next_card.REFUSE,
    "skipped",
    "stood",
    "shuffled",
    "unshuffled",
    "unknown",
    "void",
    "CARD",
}
_AT = Place(1)
AT_PLACES = (
    *(said(_AT) for said in (ev.Hit, ev.Stand, ev.Double, ev.FreeDouble, ev.Split, ev.FreeSplit, ev.Rescue)),
    *(said(_AT) for said in (ev.Surrender, ev.EvenMoney, ev.Collect, ev.Pay)),
    ev.Insure(_AT, 100),
    ev.Agree(_AT, "insurance", "Ann"),
    ev.Jackpot(_AT, 25),
    ev.Squeeze(1),
)
"""What is said of a box or a hand."""

_LITERAL = re.compile(r"""\b(?:t|has|english)\(\s*"([^"]+)"\s*[,)]""")
_ANY_TEXT = re.compile(r'"([a-z][\w-]*(?:\.[\w-]+)+)"')
_TEMPLATE = re.compile(r"`([a-z][\w-]*(?:\.[\w-]+)*[.-])\$\{")
_NAMED = re.compile(r"\{(\w+)\}")


def texts(*folders: Path) -> dict[str, dict[str, str]]:
    """Every entry of every catalogue."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(path for folder in folders for path in (folder / "texts").glob("*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def code(*folders: Path) -> str:
    """Every script."""
    return "\n".join(
        path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted(folder.rglob("*.js"))
        if path.is_file()
    )


def missing(prefix: str, words: Iterable[str]) -> list[str]:
    """The words that have no entry."""
    known = texts(CONSOLE)
    return sorted(word for word in words if f"{prefix}.{word}" not in known)


def test_every_text_is_there_in_both_languages() -> None:
    """An entry has a text in English and in Chinese, and neither is empty unless it joins words."""
    found = texts(CONSOLE, HARNESS, TRAINING)
    wrong = {key for key, entry in found.items() if set(entry) != set(LANGUAGES)}
    empty = {key for key, entry in found.items() for text in entry.values() if not text and not key.endswith(".join")}
    assert (set(), set()) == (wrong, empty)


def test_both_languages_have_the_same_gaps_to_fill() -> None:
    """What is filled into a text is named alike in both languages."""
    found = texts(CONSOLE, HARNESS, TRAINING)
    differ = {
        key for key, entry in found.items() if set(_NAMED.findall(entry["en"])) != set(_NAMED.findall(entry["zh"]))
    }
    assert set() == differ


def test_no_key_stands_in_two_files() -> None:
    """A key belongs to one catalogue."""
    paths = [path for folder in (CONSOLE, HARNESS, TRAINING) for path in (folder / "texts").glob("*.json")]
    keys = [key for path in paths for key in json.loads(path.read_text(encoding="utf-8"))]
    assert [] == sorted({key for key in keys if keys.count(key) > 1})


def test_no_text_has_a_long_dash_or_looks_like_markup() -> None:
    """Texts are plain words."""
    found = texts(CONSOLE)
    assert [] == sorted(
        key for key, entry in found.items() for text in entry.values() if re.search("\u2014|[<>]", text)
    )


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("code", CODES),
        ("what", CODES),
        ("ruling", RULINGS),
        ("rule", RULINGS),
        ("whose", {DEALER, PLAYER, CARDS, DEVICE}),
        ("state", {state.value for state in State}),
        ("role", ROLES),
        ("option", OPTIONS),
        ("result", RESULTS),
        ("button", BUTTONS),
        ("offer", {INSURANCE, SURRENDER}),
        ("who", {"pit", "house", "dealer", "all"}),
        ("place", {"dealer", "burn", "discard", "drawn", "aside"}),
        ("rank", "A23456789TJQK"),
        ("suit", "SHDC"),
        ("cutting-card", {"in", "out", "none"}),
        ("wager", {"insurance", "super-bonus", *(kind for rules in GAMES.values() for kind in rules.wager_kinds())}),
        ("duty", {"reconstructed", "cannot-reconstruct", "approve", "answer", "absent"}),
        ("command", {write_event(said).split()[0] for said in (*_SPOKEN, *AT_PLACES)}),
        ("commands", {write_event(said).split()[0] for said in AT_PLACES}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_word_of_the_code_has_its_text(prefix: str, words: Iterable[str]) -> None:
    """What the code can say, the page can put into words."""
    assert [] == missing(prefix, words)


def test_side_wagers_have_a_letter_for_their_chip() -> None:
    """Every wager but the main one is told by a letter too."""
    kinds = {"insurance", *(kind for rules in GAMES.values() for kind in rules.wager_kinds())} - {"main"}
    assert [] == missing("wager.short", kinds)


def test_every_key_that_the_page_uses_exists() -> None:
    """A key that stands in a script stands in a catalogue."""
    known = texts(CONSOLE, HARNESS, TRAINING)
    used = set(_LITERAL.findall(code(CONSOLE, HARNESS, TRAINING)))
    assert [] == sorted(key for key in used if "." in key and key not in known)


def test_every_key_built_in_the_page_has_a_beginning_that_exists() -> None:
    """A key that is put together begins as some key of a catalogue does."""
    known = texts(CONSOLE, HARNESS, TRAINING)
    begun = {
        begin for begin in _TEMPLATE.findall(code(CONSOLE, HARNESS, TRAINING)) if begin.split(".")[0] in _rooms(known)
    }
    assert [] == sorted(begin for begin in begun if not any(key.startswith(begin) for key in known))


def test_every_text_is_used() -> None:
    """No entry waits for nobody: each stands in a script whole, or is put together from a beginning that does."""
    scripts = code(CONSOLE, HARNESS, TRAINING)
    whole, begun = set(_ANY_TEXT.findall(scripts)), tuple(set(_TEMPLATE.findall(scripts)))
    begun = (*begun, *LOOKED_UP)
    assert [] == sorted(
        key for key in texts(CONSOLE, HARNESS, TRAINING) if key not in whole and not key.startswith(begun)
    )


def test_every_irregularity_can_be_reported_by_hand() -> None:
    """The page offers each code to people who saw what no sensor saw."""
    script = (CONSOLE / "pages" / "table" / "byhand.js").read_text(encoding="utf-8")
    listed = script[script.index("const CODES") : script.index("];")]
    assert sorted(CODES) == sorted(re.findall(r'"([\w-]+)"', listed))


def _rooms(known: Iterable[str]) -> set[str]:
    """The first part of every key."""
    return {key.split(".")[0] for key in known}
