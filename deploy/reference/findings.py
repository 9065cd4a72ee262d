"""Every finding: whose error it is, which sensors find it, and the clauses that govern it in each game."""

from __future__ import annotations

import json
from pathlib import Path

import firmware_bridge.console
from deploy.reference.pages import MADE, check_names, table
from firmware_bridge.commands.documents.sensor_coverage import NEEDS
from gamecore.rules.codes import CODES
from gamecore.rules.matrices import MATRICES

_HEAD = """# Findings

{made}
A finding is a stated irregularity. Its code is the same in all games; what follows from it, at each stage of the
round, is in the rulings matrix: `truedeal rulings GAME`. "Found with" names the sensors that must be fitted for the
table to find it by itself; without them a person reports it with `call CODE`.

"""


def page() -> str:
    """Return the page."""
    check_names("findings", CODES, NEEDS)
    games = list(MATRICES)
    rows = [
        [f"`{code}`", _what(code), whose, _sensors(code), *(clauses(game, code) for game in games)]
        for code, whose in CODES.items()
    ]
    return _HEAD.format(made=MADE) + table(("code", "what happened", "whose error", "found with", *games), rows)


def clauses(game: str, code: str) -> str:
    """Return the clauses that govern a finding in a game, in the order of its stages."""
    found = dict.fromkeys(cell.clause for row in MATRICES[game] if row.code == code for cell in row.cells.values())
    return ", ".join(clause for clause in found if clause) or "none"


def _sensors(code: str) -> str:
    if not NEEDS[code]:
        return "nothing: a person reports it"
    return " or ".join(" and ".join(sorted(sensors)) or "no sensor" for sensors in NEEDS[code])


def _what(code: str) -> str:
    """Return what the page of the console says."""
    texts = Path(firmware_bridge.console.__file__).parent / "static" / "texts" / "words.json"
    said: dict[str, dict[str, str]] = json.loads(texts.read_text(encoding="utf-8"))
    return said[f"what.{code}"]["en"]
