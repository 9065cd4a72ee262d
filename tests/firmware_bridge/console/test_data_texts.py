"""The texts of History, Health and Games: one for every word that they can show, in both languages, and no other."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from firmware_bridge.commands.service import computer_facts, doctor
from firmware_bridge.commands.service.doctor import Check
from gamecore.model.events.texts import key_of
from gamecore.notation import writer
from gamecore.rules.clauses import TRACES
from gamecore.rules.compare import compare
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.stages import Stage
from tests.firmware_bridge.commands.test_doctor import HEALTH, STATS
from tests.places import ROOT

STATIC = ROOT / "firmware_bridge" / "console" / "static"
IN_TABLES = {"device", "table", "sensors", "not-sensed", "link-uncounted"}
"""Checks that the page shows by themselves, in words of its own."""
OTHERS = (
    *("seat", "bet", "unbet", "insure", "double", "jackpot", "draw", "pull", "lay", "move", "disclose", "push-back"),
    "agree",
    *(
        "squeeze",
        "turn",
        "offer",
        "close",
        "call",
        "answer",
        "approve",
        "shuffle",
        "load",
        "shoe-count",
        "discard-count",
    ),
    *("unplug", "plug"),
)
"""Statements that say more than a word and a place."""
PLAIN = re.compile(r"-|\d+( to \d+)?|[A2-9TJQK]+|[\d, ]+")
"""Values that need no text: numbers, odds, ranks."""
NUMBERED = frozenset({"super-bonus", "bonus-hands", *(f"edition-{game}" for game in GAMES)})
"""Values whose text repeats amounts, odds or dates of the ruleset."""
LONGEST_KEY = 48


def catalogue(*names: str) -> dict[str, dict[str, str]]:
    """The texts of some files."""
    return {
        found: text
        for name in names
        for found, text in json.loads((STATIC / "texts" / f"{name}.json").read_text(encoding="utf-8")).items()
    }


def words_of_games() -> Iterator[str]:
    """The keys of all that Games says of the rulesets and the matrices."""
    for line in compare(GAMES.values()):
        yield from (f"wager.{line.wager}", f"line.{line.key}") if line.wager else (f"rules.{line.key}",)
        for cell in line.cells:
            if cell.key:
                yield f"value.{cell.key}"
            elif not PLAIN.fullmatch(cell.value):
                yield f"{'natural' if line.key == 'natural' else 'wager'}.{cell.value.lower()}"
    for matrix in MATRICES.values():
        for entry in matrix:
            yield f"code.{entry.code}"
            if entry.case:
                yield f"case.{key_of(entry.case)}"
            for ruled in entry.cells.values():
                yield f"ruling.{ruled.ruling}" if ruled.ruling else "games.cannot"
                if ruled.note:
                    yield f"note.{ruled.note.key}"
    yield from (f"stage.{stage.key}" for stage in Stage)
    yield from (f"game.{game}" for game in GAMES)
    yield from (f"standing.{trace.standing.value}" for traces in TRACES.values() for trace in traces)


def test_the_text_of_a_value_has_its_numbers() -> None:
    """A key outlives the wording; so that it does not outlive the value, the numbers are compared in each language."""
    texts = catalogue("games")
    for cell in (cell for line in compare(GAMES.values()) for cell in line.cells if cell.key in NUMBERED):
        numbers = {int(number) for number in re.findall(r"\d+", cell.value)}
        for text in texts[f"value.{cell.key}"].values():
            assert (cell.key, numbers) == (cell.key, {int(number) for number in re.findall(r"\d+", text)})


def test_no_key_is_made_of_a_text() -> None:
    """Keys are names, short ones, and no script makes a key out of words that it was told."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js"))
    assert [] == re.findall(r"replace\(/\[\^a-z0-9\]\+/", scripts)
    keys = catalogue(*(path.stem for path in (STATIC / "texts").glob("*.json")))
    assert [] == [found for found in keys if len(found) > LONGEST_KEY]


def test_every_word_of_the_games_is_in_the_catalogue() -> None:
    """Parameters, values, cases, stages, notes, rulings and standings, in both languages."""
    texts = catalogue("games", "history", "refusals", "shell", "words")
    assert set() == set(words_of_games()) - texts.keys()


def checks() -> Iterator[Check]:
    """Every check that the doctor can make, well and not."""
    wrong: Any = copy.deepcopy(HEALTH) | {"memory": 10**9, "disk": {"free": 1, "total": 2}, "open": True}
    wrong["links"]["hub"] |= {"up": False, "proved": False, "link": STATS | {"bad": 1000}}
    wrong["links"].pop("panel")
    wrong["table"]["alarms"] = [{"n": 1, "code": "uncovered", "clause": "6.1"}]
    for journal in ({"stalled": "full"}, {"quarantined": 1}, {"archiving": "damaged"}, {"archived": 3}):
        wrong["journal"] = HEALTH["journal"] | journal
        yield from doctor.of_health(wrong)
    yield from doctor.of_health(HEALTH)
    yield from doctor.of_health(HEALTH | {"memory": None, "disk": None})
    for program in (
        {"state": "changed", "wrong": "x"},
        {"waits": "x"},
        {"state": "development"},
        {"state": "checking"},
    ):
        yield from doctor.of_health(HEALTH | {"program": HEALTH["program"] | program})
    yield doctor.no_daemon("no answer")


def test_every_check_of_the_doctor_is_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found by its code; of a problem also its name and its remedy."""
    found = list(checks())
    for told in (True, False, None):
        monkeypatch.setattr(computer_facts, "clock_synchronised", lambda told=told: told)
        monkeypatch.setattr(computer_facts, "undervoltage", lambda told=told: told)
        monkeypatch.setattr(computer_facts, "usb_resets", lambda told=told: None if told is None else 99)
        found += doctor.of_machine()
    texts = catalogue("health")
    problems = {check.code for check in found if check.well is False}
    assert 14 <= len(problems)
    wanted = {f"health.{part}.{code}" for code in problems for part in ("name", "said", "remedy")}
    wanted |= {f"health.said.{check.code}" for check in found if check.code not in IN_TABLES}
    assert set() == wanted - texts.keys()


def test_every_text_that_a_page_names_is_in_the_catalogue() -> None:
    """Whole names, whatever they are handed to; what a page puts together is looked for by the other tests."""
    texts = catalogue(*(path.stem for path in (STATIC / "texts").glob("*.json")))
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js"))
    subjects = "|".join({key.partition(".")[0] for key in texts})
    named = {*re.findall(r'\bt\("([^"]+)"', scripts), *re.findall(rf'"((?:{subjects})\.[a-z0-9.-]+)"', scripts)}
    assert (True, set()) == (len(named) > 100, named - texts.keys())


def test_every_statement_has_its_words() -> None:
    """Whatever can happen at a table is told in both languages."""
    script = (STATIC / "pages" / "event_words.js").read_text(encoding="utf-8")
    for verb in (*writer._ALONE.values(), *writer._AT_PLACE.values(), *OTHERS):
        assert f'"{verb}"' in script, verb


@pytest.mark.parametrize("name", ["history", "health", "games"])
def test_every_text_is_there_in_both_languages_with_the_same_values(name: str) -> None:
    """What stands in braces in one stands in braces in the other."""
    for found, text in catalogue(name).items():
        values = [sorted(set(re.findall(r"\{(\w+)\}", text[language]))) for language in ("en", "zh")]
        assert (found, {"en", "zh"}, values[0]) == (found, set(text), values[1])


@pytest.mark.parametrize("name", ["history", "health", "games"])
def test_no_text_is_left_over(name: str) -> None:
    """Each is named in a script, whole or by its beginning."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js"))
    known = set(words_of_games())
    for found in catalogue(name):
        beginnings = [f"`{found[: at + 1]}${{" for at, sign in enumerate(found) if sign in ".-"]
        assert f'"{found}"' in scripts or found in known or any(one in scripts for one in beginnings), found
