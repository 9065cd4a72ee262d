"""Every clause of the five documents is classified, and every claim is held by a scenario or a test."""

import hashlib
import re

import pytest

from firmware_bridge.commands.documents.clause_tests import find_holders
from gamecore.notation.parser import parse
from gamecore.notation.syntax import Claim
from gamecore.rules.clauses import TRACES
from gamecore.rules.clauses.trace import Standing
from gamecore.rules.games import GAMES
from gamecore.rules.readings import READINGS
from tests.places import TESTS

CLAIMS = {Standing.ENFORCED, Standing.DETECTED, Standing.ASKED, Standing.RECORDED}

#: How many clauses each document has, and a digest of their numbers in the order of the document.
DOCUMENTS = {
    "mbs-free-bet-v3": (192, "a52c5c4875bbd5e9"),
    "rws-free-bet-2025": (141, "3b35ec592f695e81"),
    "mbs-blackjack-v6": (171, "b3cd97355b116b5f"),
    "mbs-pontoon-v5": (187, "f5e56389c8c43316"),
    "mbs-ace-race-v4": (179, "c28b6c05374f6dfc"),
}


@pytest.mark.parametrize("game", GAMES)
def test_the_trace_has_every_clause_of_the_document_once_and_in_order(game: str) -> None:
    """No clause is unclassified, and none is unknown."""
    clauses = [trace.clause for trace in TRACES[game]]
    digest = hashlib.sha256(" ".join(clauses).encode()).hexdigest()[:16]
    assert DOCUMENTS[game] == (len(clauses), digest)


@pytest.mark.parametrize("game", GAMES)
def test_every_claim_is_held(game: str) -> None:
    """A clause that the product claims has a scenario or a test that says it holds it."""
    holders = find_holders(TESTS)
    unheld = [t.clause for t in TRACES[game] if t.standing in CLAIMS and (game, t.clause) not in holders]
    assert [] == unheld


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_held_that_is_not_claimed(game: str) -> None:
    """A scenario that holds a clause names one that exists and is claimed."""
    claimed = {t.clause for t in TRACES[game] if t.standing in CLAIMS}
    held = {clause for holder, clause in find_holders(TESTS) if holder == game}
    assert set() == held - claimed


@pytest.mark.parametrize("game", GAMES)
def test_every_claim_names_code_and_every_clause_outside_its_reason(game: str) -> None:
    """Whether that code exists and is entered is measured by `test_clause_claims`."""
    for trace in TRACES[game]:
        assert trace.note
        assert (trace.standing in CLAIMS) == bool(trace.code)


def test_a_scenario_that_tests_a_clause_expects_something() -> None:
    """A file that tests a clause can fail, and says `tests`: what holds is a round (`glossary.json`)."""
    for file in sorted(TESTS.rglob("*.deal")):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"^# holds:", text, re.MULTILINE), f"{file.name}: write `# tests:`"
        if "# tests:" in text:
            scenario = parse(text, GAMES)
            assert any(isinstance(statement.what, Claim) for statement in scenario.statements), file.name


def test_every_reading_is_held_by_scenarios_that_exist() -> None:
    """A reading names its games and the files that hold it."""
    for reading in READINGS:
        assert set(reading.games) <= set(GAMES)
        assert reading.held_by
        for name in reading.held_by.split():
            assert (TESTS / "scenarios" / f"{name}.deal").is_file(), f"{reading.name}: {name}"
