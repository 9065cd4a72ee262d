"""Which scenarios and tests hold which clause.

1. A scenario says so itself: its game is in its header, and a comment line ``# holds: 3.18 3.34`` names the clauses.
2. A Python test says so in a comment line ``# holds: GAME 3.17.2.1 …`` above it.
3. What is said is not believed here: a test plays the files and demands that the clause's code is entered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_HOLDS = re.compile(r"^\s*#\s*holds:\s*(.+)$", re.MULTILINE)
_GAME = re.compile(r"^game:\s*(\S+)", re.MULTILINE)
_TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Holder:
    """A file that holds a clause; `test` is the name of a Python test in it, and empty for a scenario."""

    file: Path
    test: str = ""


Holders = dict[tuple[str, str], list[Holder]]
"""By game and clause: what holds it."""


def find_holders(folder: Path) -> Holders:
    """What holds each (game, clause), scenarios first."""
    found: Holders = {}
    for file in sorted(folder.rglob("*.deal")):
        text = file.read_text(encoding="utf-8")
        game = _GAME.search(text)
        for match in _HOLDS.finditer(text):
            for clause in match[1].split():
                _add(found, game[1] if game else "", clause, Holder(file))
    for file in sorted(folder.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        for match in _HOLDS.finditer(text):
            test = _TEST.search(text, match.end())
            game_id, *clauses = match[1].split()
            for clause in clauses:
                _add(found, game_id, clause, Holder(file, test[1] if test else ""))
    return found


def _add(found: Holders, game: str, clause: str, holder: Holder) -> None:
    holders = found.setdefault((game, clause), [])
    if holder not in holders:
        holders.append(holder)
