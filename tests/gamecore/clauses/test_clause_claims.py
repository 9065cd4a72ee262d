"""The code that the clause matrix names is entered through `Table.apply` by the scenarios that hold the clause.

1. Every file that holds a clause is played once, under the recorder (`clause_recorder`). That takes seconds for a game,
   so one test looks at all that its files show: tests run in several processes, which share no recording. Each name of
   a claim must be entered by one of the files that hold its clause; two names may be entered by two files.
2. A function, method or property counts when it is entered inside `Table.apply`. A class counts when one of its methods
   or properties is, its construction included.
3. Some code cannot be entered through `Table.apply`, because it makes the table and its cards before anything happens:
   `BEFORE_PLAY`. It counts when it is entered while the scenario is read and played.
4. A field of a ruleset counts when it is read inside `apply`; one that says what a table is made of (`MAKES_TABLE`)
   counts when it is read at all. Of the side wagers the pay table that the clause sets must be read.
5. A rulings matrix counts when a cell with this very clause is looked up inside `apply`.
6. Only scenarios count. A Python test may say `# tests:` too; it cannot make a claim true alone.
7. To be entered is not yet to decide. So each clause that a ruleset gives for an outcome or a refusal, or a matrix for
   a ruling, must also be cited by the table itself, in a scenario that holds it.
8. Where a name is no longer there, or is not entered, the message names the clause and code that may be meant: what
   the holders did enter with a similar name.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import CodeType

import pytest

from firmware_bridge.commands.documents.clause_tests import find_holders
from gamecore.rules.clauses import TRACES
from gamecore.rules.clauses.trace import Trace
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import MatrixRow
from gamecore.rules.ruleset import Clauses, Ruleset
from tests.gamecore.clauses.clause_recorder import Recording, read_fields, record
from tests.places import ROOT

CORE = ROOT / "gamecore"

BEFORE_PLAY = ("notation.", "model.cards.")
MAKES_TABLE = {"ranks", "decks", "boxes", "slots"}
#: What says which document a ruleset is; the command line and the console show it.
IDENTITY = {"title", "casino", "edition", "in_force"}


@cache
def held() -> dict[tuple[str, str], list[Path]]:
    """By game and clause: the files that hold it."""
    found = find_holders(ROOT / "tests").items()
    return {key: [holder.file for holder in holders if not holder.test] for key, holders in found}


@cache
def recording(file: Path) -> Recording | str:
    """What a file entered when it was played, or why it does not play."""
    return record(file.read_text(encoding="utf-8"), str(file))


def holders_of(game: str, clause: str) -> list[Recording]:
    """The recordings of the files that hold a clause."""
    played = map(recording, held().get((game, clause), []))
    return [one for one in played if isinstance(one, Recording)]


# --- what a name counts as -------------------------------------------------------------------------------------------


def find_object(name: str) -> object:
    """What a name of the matrix means.

    Raises:
        LookupError: nothing.
    """
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found: object = importlib.import_module(".".join(["gamecore", *parts[:count]]))
        except ModuleNotFoundError:
            continue
        for member in parts[count:]:
            if not hasattr(found, member):
                raise LookupError(name)
            found = inspect.getattr_static(found, member) if isinstance(found, type) else getattr(found, member)
        return found
    raise LookupError(name)


def codes_of(found: object) -> set[CodeType]:
    """The code objects that are entered when what was found runs."""
    match found:
        case property(fget=getter):
            return codes_of(getter)
        case classmethod(__func__=function) | staticmethod(__func__=function):
            return codes_of(function)
        case type():
            return {code for member in vars(found).values() for code in codes_of(member)}
    code = getattr(inspect.unwrap(found), "__code__", None) if callable(found) else None
    return set() if code is None else {code}


def is_matrix(found: object) -> bool:
    """Whether it is a rulings matrix."""
    return isinstance(found, tuple) and all(isinstance(row, MatrixRow) for row in found)


def field_is_read(rules: Ruleset, name: str, clause: str, played: Recording) -> bool:
    """Whether a field of the ruleset is read; of the side wagers the pay table that the clause sets."""
    if name == "side_wagers":
        tables = {f"side_wagers.{side.kind}.pays" for side in rules.side_wagers if side.pay_table == clause}
        return any(one.applied and one.name in tables for one in played.read)
    return any(one.name == name and (one.applied or name in MAKES_TABLE) for one in played.read)


def is_entered(name: str, clause: str, played: Iterable[Recording]) -> bool:
    """Whether one of the recordings entered what the name means.

    Raises:
        LookupError: it means nothing.
    """
    ruleset, _, member = name.rpartition(".")
    if ruleset.endswith(".RULES"):
        rules = find_object(ruleset)
        if not isinstance(rules, Ruleset) or member not in {one.name for one in fields(rules)}:
            raise LookupError(name)
        return any(field_is_read(rules, member, clause, one) for one in played)
    found = find_object(name)
    if is_matrix(found):
        return any(clause in one.ruled for one in played)
    codes = codes_of(found)
    before = name.startswith(BEFORE_PLAY)
    return any(codes & one.applied or (before and codes & one.outside) for one in played)


# --- the claims ------------------------------------------------------------------------------------------------------


def meant(name: str, played: Iterable[Recording]) -> str:
    """Code with a similar name: first what the holders entered, then any."""
    entered = {code.co_name for one in played for code in one.applied if "/gamecore/" in code.co_filename}
    last = name.rpartition(".")[2]
    close = [one for pool in (entered, defined()) for one in difflib.get_close_matches(last, pool, 2, 0.6)]
    listed = [where for one in dict.fromkeys(close) for where in defined().get(one, []) if where != name]
    return f"; perhaps {', '.join(listed[:4])}" if listed else ""


@cache
def defined() -> dict[str, list[str]]:
    """Every function, class and method of `gamecore` by its last name, with its whole name."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(CORE.rglob("*.py")):
        open_nodes = [(".".join(file.relative_to(CORE).with_suffix("").parts), ast.parse(file.read_text("utf-8")).body)]
        for inside, body in open_nodes:
            for node in body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    found[node.name].append(f"{inside}.{node.name}")
                if isinstance(node, ast.ClassDef):
                    open_nodes.append((f"{inside}.{node.name}", node.body))
    return found


def untrue(game: str, trace: Trace) -> list[str]:
    """What a claim names without right, each with a reason."""
    played = holders_of(game, trace.clause)
    found = []
    for name in trace.code.split():
        try:
            entered = is_entered(name, trace.clause, played)
            reason = f"is entered by none of its {len(played)} scenarios"
        except LookupError:
            entered, reason = False, "is not there"
        if not entered:
            found.append(f"{game} {trace.clause}: {name} {reason}{meant(name, played)}")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_claims_is_shown_by_its_scenarios(game: str) -> None:
    """Every holder plays, enters each name of the claims, and the table cites every clause that decides.

    A file that does not play holds nothing; a refusal that it expects is one when the command is given. Each name of a
    claim is entered by one of the scenarios that hold the clause. An outcome, a ruling or a refusal by a clause comes
    out of the table in a scenario that holds it.
    """
    files = {file for (played, _), holders in held().items() for file in holders if played == game}
    assert [] == [one for one in map(recording, sorted(files)) if isinstance(one, str)]
    wrong = [line for trace in TRACES[game] for line in untrue(game, trace)]
    assert not wrong, "\n".join(wrong)
    assert set() == {clause for clause in deciding(game) if not is_cited(game, clause)}


def deciding(game: str) -> set[str]:
    """The clauses of a game that its ruleset or its matrix gives for an outcome, a ruling or a refusal."""
    rules = GAMES[game]
    found = {getattr(part, one.name) for part in (rules.outcomes, rules.clauses) for one in fields(part)}
    found |= {clause for side in rules.side_wagers for clause in (side.wins_by, side.loses_by)}
    found |= {cell.clause for row in MATRICES[game] for cell in row.cells.values() if cell.ruling}
    return found & {trace.clause for trace in TRACES[game]}


def is_cited(game: str, clause: str) -> bool:
    """Whether the table cites a clause in a file that holds it."""
    return any(clause in one.reported | one.refused for one in holders_of(game, clause))


def test_a_name_that_is_gone_is_reported_with_what_may_be_meant() -> None:
    """The clause, the name, and code that its scenarios enter."""
    real = next(trace for trace in TRACES["mbs-blackjack-v6"] if trace.clause == "3.34")
    gone = Trace(real.clause, real.standing, "phases.dealer.dealer_must_draw", real.note)
    assert ["mbs-blackjack-v6 3.34: phases.dealer.dealer_must_draw is not there; perhaps phases.dealer.must_draw"] == [
        line.split(",")[0] for line in untrue("mbs-blackjack-v6", gone)
    ]


def test_code_that_another_clause_enters_does_not_count() -> None:
    """A claim is measured by its own scenarios: a split is not shown by a file that only stands."""
    real = next(trace for trace in TRACES["mbs-blackjack-v6"] if trace.clause == "3.34")
    false = Trace(real.clause, real.standing, "phases.decisions.do_split", real.note)
    assert 1 == len(untrue("mbs-blackjack-v6", false))


# --- what the rulesets state -----------------------------------------------------------------------------------------


def test_every_field_of_a_ruleset_is_read_outside_the_rules() -> None:
    """A parameter or clause that no code reads decides nothing: it goes, or is used where it belongs."""
    unread = {one.name for one in fields(Ruleset)} - IDENTITY
    unread |= {f"clauses.{one.name}" for one in fields(Clauses)}
    files = sorted({file for holders in held().values() for file in holders})
    random.Random(1).shuffle(files)  # so that the first few read almost all
    while unread and files:
        file = files.pop()
        unread -= {one.name for one in read_fields(file.read_text("utf-8"), str(file)) if not one.by_rules}
    assert set() == unread
