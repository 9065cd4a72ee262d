"""Which scenarios and tests test which clause.

1. A scenario says so itself: its game is in its header, and a comment line ``# tests: 3.18 3.34`` names the clauses.
2. A Python test says so in a comment line ``# tests: GAME 3.17.2.1 …`` above it.
3. Nothing here checks what they say: a test plays the files and demands that the clause's code is entered.
4. A scenario that is named after the clause comes before those that test it among others; Python tests come last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

_TESTS = re.compile(r"^\s*#\s*tests:\s*(.+)$", re.MULTILINE)
_GAME = re.compile(r"^game:\s*(\S+)", re.MULTILINE)
_TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Holder:
    """A file that tests a clause; `test` is the name of a Python test in it, and empty for a scenario."""

    file: Path
    test: str = ""


Holders = dict[tuple[str, str], list[Holder]]
"""By game and clause: what tests it."""


def find_holders(folder: Path) -> Holders:
    """What tests each (game, clause), with the one to read first at the front."""
    found: Holders = {}
    for file in sorted(folder.rglob("*.deal")):
        text = file.read_text(encoding="utf-8")
        game = _GAME.search(text)
        for match in _TESTS.finditer(text):
            for clause in match[1].split():
                _add(found, game[1] if game else "", clause, Holder(file))
    for file in sorted(folder.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        for match in _TESTS.finditer(text):
            test = _TEST.search(text, match.end())
            game_id, *clauses = match[1].split()
            for clause in clauses:
                _add(found, game_id, clause, Holder(file, test[1] if test else ""))
    return {held: sorted(holders, key=partial(_place, held[1])) for held, holders in found.items()}


def _place(clause: str, holder: Holder) -> tuple[bool, bool]:
    """What the holders of a clause are ordered by."""
    return bool(holder.test), not holder.file.name.startswith(f"{clause}-")


def _add(found: Holders, game: str, clause: str, holder: Holder) -> None:
    holders = found.setdefault((game, clause), [])
    if holder not in holders:
        holders.append(holder)
