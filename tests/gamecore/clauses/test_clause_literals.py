"""Clause numbers stand in the rulesets, the matrices and the clause files, and nowhere else in the core.

1. A string that is a clause number (``"5.25"``) in `gamecore` outside `rules` is a citation that no document can
   change. Those that are left are counted by room; a count may only fall, and `LEFT` is lowered with it.
2. Numbers inside longer texts are not looked at: comments, docstrings and messages may cite a clause.
"""

from __future__ import annotations

import ast
import re
from collections import Counter

from tests.places import ROOT

CORE = ROOT / "gamecore"
CLAUSE = re.compile(r"\d(\.\d{1,2}){1,3}")

#: How many are left in each room.
LEFT: dict[str, int] = {}


def literals() -> list[str]:
    """The clause numbers that stand as literals outside the rules, each with its file and line."""
    return [
        f"{file.relative_to(CORE)}:{node.lineno} {node.value}"
        for file in sorted(CORE.rglob("*.py"))
        if file.relative_to(CORE).parts[0] != "rules"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CLAUSE.fullmatch(node.value)
    ]


def test_no_further_clause_is_cited_by_a_literal_outside_the_rules() -> None:
    """As many as are left in each room: with more one must go, with fewer `LEFT` is lowered."""
    found = literals()
    counted = Counter(line.split("/")[0] for line in found)
    assert LEFT == dict(counted), "\n".join(found)
