"""``truedeal clauses``: standing, note, code with its line and scenarios with their paths, whole and unfolded."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.cli import main
from firmware_bridge.commands.documents.clause_tests import Holder, find_holders
from firmware_bridge.commands.documents.code_places import find_code
from gamecore.rules.clauses import TRACES
from gamecore.rules.games import GAMES
from tests.places import ROOT

GAME = "mbs-blackjack-v6"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command in the product's folder; its status, output and errors."""
    monkeypatch.chdir(ROOT)

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["clauses", *words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def rows(text: str) -> list[dict[str, Any]]:
    """The objects of an output."""
    return [json.loads(line) for line in text.splitlines()]


def test_a_clause_is_shown_with_code_line_and_scenarios(said: Any) -> None:
    """Standing, note as a sentence, each piece of code at its definition, each scenario by a path that opens."""
    status, out, _ = said(GAME, "3.34")
    lines = out.splitlines()
    assert (0, f"{GAME} 3.34", "  standing   enforced: code decides it") == (status, lines[0], lines[1])
    assert lines[2].startswith("  note       ")
    assert lines[2].endswith(".")
    where = find_code("phases.dealer.must_draw")
    assert f"{where.file.relative_to(ROOT)}:{where.line} phases.dealer.must_draw" in out
    scenarios = [word for word in out.split() if word.endswith(".deal")]
    assert scenarios
    assert all((ROOT / name).is_file() for name in scenarios)


def test_a_clause_stands_for_those_below_it(said: Any) -> None:
    """5.2 means 5.2 and not 5.20 or 5.23; 5.23 means all that begin with it; several may be named."""
    told = rows(said(GAME, "5.2", "5.23.4", "--json")[1])
    below = [f"5.23.4.{number}" for number in range(1, 7)]
    assert ["5.2", "5.23.4", *below] == [row["clause"] for row in told]


def test_a_python_test_is_named_as_pytest_takes_it(said: Any, tmp_path: Path) -> None:
    """The file and the first test below the comment."""
    test = tmp_path / "test_order.py"
    test.write_text(f"# tests: {GAME} 3.34\n@mark\ndef test_the_dealer_draws() -> None:\n    pass\n", "utf-8")
    assert f"{test}::test_the_dealer_draws" in said(GAME, "3.34", "--tests", str(tmp_path))[1]
    assert {(GAME, "3.34"): [Holder(test, "test_the_dealer_draws")]} == find_holders(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((GAME, "5.99"), "has no clause '5.99': near it are 5.9"),
        ((GAME, "3.34", "nothing"), f"has no clause 'nothing': `truedeal clauses {GAME}` lists them"),
        (("rws-fre-bet-2025",), "there is no game 'rws-fre-bet-2025' (did you mean rws-free-bet-2025?)"),
        ((GAME, "--tests", "/no/such/folder"), "/no/such/folder: there is no such folder"),
    ],
)
def test_what_is_not_known_is_an_error_with_what_is_near(said: Any, words: tuple[str, ...], message: str) -> None:
    """One clear line, status 2, and nothing is printed."""
    status, out, err = said(*words)
    assert (2, "") == (status, out)
    assert message in err


@pytest.mark.parametrize("game", GAMES)
def test_a_pipe_gets_one_whole_line_a_clause(said: Any, game: str) -> None:
    """Nothing folded, cut or left out: every file of every clause stands in its clause's line."""
    lines = said(game)[1].splitlines()[1:-2]
    told = rows(said(game, "--json")[1])
    assert [trace.clause for trace in TRACES[game]] == [line.split()[0] for line in lines]
    for line, row in zip(lines, told, strict=True):
        missing = [one["file"] for one in (*row["code"], *row["held_by"]) if one["file"] not in line]
        assert [] == missing


def test_a_terminal_folds_between_words_and_never_in_a_file_name(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are short, but each file name is whole."""
    whole = {word for word in said(GAME)[1].split() if "/" in word}
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    folded = said(GAME)[1]
    assert whole == {word for word in folded.split() if "/" in word}
    assert [] == [line for line in folded.splitlines() if len(line) > 80 and len(line.split()) > 4]


def test_files_are_named_from_where_the_command_runs(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere by their whole path, so that they open all the same."""
    monkeypatch.chdir("/")
    (row,) = rows(said(GAME, "3.34", "--json")[1])
    assert all(Path("/", one["file"]).is_file() for one in (*row["code"], *row["held_by"]))


def test_without_scenarios_the_output_says_so(said: Any, tmp_path: Path) -> None:
    """An installed product has none beside it."""
    assert "no scenarios here" in said(GAME, "3.34", "--tests", str(tmp_path))[1]


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_the_matrix_has_its_line(game: str) -> None:
    """The line holds the last part of the name."""
    for name in {name for trace in TRACES[game] for name in trace.code.split()}:
        place = find_code(name)
        assert name.rpartition(".")[2] in place.file.read_text(encoding="utf-8").splitlines()[place.line - 1]


@pytest.mark.parametrize("game", GAMES)
def test_no_trail_breaks(said: Any, game: str) -> None:
    """Command, code, scenario: three opens for each claimed clause, whose scenario is of its game and names it."""
    for row in rows(said(game, "--json")[1]):
        for code in row["code"]:
            line = (ROOT / code["file"]).read_text(encoding="utf-8").splitlines()[code["line"] - 1]
            assert code["name"].rpartition(".")[2] in line
        assert bool(row["code"]) == any(one["file"].endswith(".deal") for one in row["held_by"]), row["clause"]
        for file in [one["file"] for one in row["held_by"] if one["file"].endswith(".deal")]:
            text = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^game: {game}$", text, re.MULTILINE), file
            assert re.search(rf"^# \w+:.* {re.escape(row['clause'])}(?: |$)", text, re.MULTILINE), file


@pytest.mark.parametrize("name", ["phases.dealer.must_deal", "nowhere.at_all", "model.hands.Hand.weight", "model"])
def test_a_name_without_code_is_an_error(name: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(LookupError, match=name):
        find_code(name)
