"""Which scenarios and tests hold which clause.

1. A scenario says so itself: its game is in its header, and a comment line ``# holds: 3.18 3.34`` names the clauses.
2. A Python test says so in a comment line ``# holds: GAME 3.17.2.1 …``.
3. What is said is not believed here: a test checks that the files exist, play and expect something.
"""

from __future__ import annotations

import re
from pathlib import Path

_HOLDS = re.compile(r"^\s*#\s*holds:\s*(.+)$", re.MULTILINE)
_GAME = re.compile(r"^game:\s*(\S+)", re.MULTILINE)


def find_holders(folder: Path) -> dict[tuple[str, str], list[str]]:
    """The names of the files that hold each (game, clause)."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in sorted(folder.rglob("*.deal")):
        text = file.read_text(encoding="utf-8")
        game = _GAME.search(text)
        for match in _HOLDS.finditer(text):
            for clause in match[1].split():
                found.setdefault((game[1] if game else "", clause), []).append(file.name)
    for file in sorted(folder.rglob("test_*.py")):
        for match in _HOLDS.finditer(file.read_text(encoding="utf-8")):
            game_id, *clauses = match[1].split()
            for clause in clauses:
                names = found.setdefault((game_id, clause), [])
                if file.name not in names:
                    names.append(file.name)
    return found
