"""The "do" column of the handbook's alarms, from the same catalogue as the steps on the page in the browser.

1. `do_column(code)` has what is ruled about a finding in any game, each ruling once, with its steps as the page shows
   them; the role is the one that stands behind the ruling. A ruling that only notes the finding has its steps too.
2. `written(text)` is the page of alarms with every such cell renewed, in the rows of the codes that the core can find.
   What they mean, and every other row, is written by hand.
3. ``python -m firmware_bridge.commands.documents.handbook_steps deploy/ALARMS.md`` writes it; a test compares.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from firmware_bridge.shown.progress import HOLD_NEXT, NOTED, RECORD, REFER, VOID_NEXT, steps_for
from firmware_bridge.texts.languages import ENGLISH
from gamecore.rules.codes import CODES
from gamecore.rules.matrices import MATRICES

WORDS = Path(__file__).parents[2] / "console" / "static" / "texts" / "words.json"
_ROW = re.compile(r"^(\| [^|]* `([a-z-]+)` \| [^|]* \| )[^|]*( \|)$", re.MULTILINE)


def do_column(code: str) -> str:
    """What is to be done about a finding: each ruling with its steps."""
    rules = json.loads(WORDS.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for ruling, procedure in _rulings(code):
        noted = ruling == REFER and procedure == RECORD
        shown = procedure if procedure in {VOID_NEXT, HOLD_NEXT} else NOTED if noted else ruling
        steps = [step[ENGLISH] for step in steps_for(code, ruling, procedure)]
        ended = [step if step.endswith("?") else f"{step}." for step in steps]
        told = " ".join(f"{number}. {step}" for number, step in enumerate(ended, start=1))
        found.setdefault(told, rules[f"rule.{shown}"][ENGLISH])
    return "<br>".join(f"*{rule}* {told}" for told, rule in found.items())


def _rulings(code: str) -> list[tuple[str, str]]:
    """The rulings of a code with their procedures, in the order of the games and stages."""
    cells = [cell for matrix in MATRICES.values() for row in matrix if row.code == code for cell in row.cells.values()]
    return list(dict.fromkeys((cell.ruling, cell.procedure.value) for cell in cells if cell.procedure is not None))


def written(text: str) -> str:
    """The page of alarms with the steps as they are now."""
    return _ROW.sub(lambda row: row[0] if row[2] not in CODES else f"{row[1]}{do_column(row[2])}{row[3]}", text)


def main() -> None:
    """Write the column of the file that is named."""
    path = Path(sys.argv[1])
    path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
