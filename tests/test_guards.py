"""What is easily lost when two irregularities meet: each such thing is guarded by scenarios of its own.

1. A scenario says what it guards in a line `# guards: WHAT`; a file may guard several things.
2. Each thing is guarded by at least `LEAST_FILES` scenarios, in as many games and fittings of position sensors as
   `GUARDED` says: two of each for most, all five games for what a word alone gives back.
3. Two things have only one game or fitting: only one document has a total that stands off and a Pit Manager who
   selects, and only places that count leave open which card has arrived.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.places import ROOT

SCENARIOS = ROOT / "tests" / "scenarios"

#: What is guarded, and in how many games and fittings at least.
GUARDED = {
    "a card that waits has one place": (2, 2),
    "moves in a hold": (2, 2),
    "order within a hand": (2, 2),
    "one way of dealing a card": (2, 2),
    "who is a Player here": (2, 2),
    "what is decided": (2, 2),
    "a value that does not matter": (2, 2),
    "a report against the sensors": (2, 2),
    "what is most detrimental": (1, 2),
    "a card that no shoe dealt": (2, 2),
    "hands after a withdrawal": (2, 2),
    "a card that nobody can name": (2, 2),
    "a counted place gets the card that was pulled": (2, 1),
    "moved to where it is due": (2, 2),
    "cards left over or pushed back": (2, 2),
    "a power failure while a value is asked": (2, 2),
    "a word alone gives nothing back": (5, 2),
}
LEAST_FILES = 4


@dataclass(frozen=True, slots=True)
class Guard:
    """A scenario that guards something."""

    what: str
    game: str
    fitting: str
    file: Path


def fitting(text: str) -> str:
    """How a scenario's table knows where cards lie: sensed, counted or told."""
    fitted = re.search(r"^sensors:(.*)$", text, re.MULTILINE)
    sensors = fitted[1].split() if fitted else ["positions"]
    if "positions" in sensors:
        return "sensed"
    return "counted" if "positions-count" in sensors else "told"


def guards() -> list[Guard]:
    """Every line that says what a scenario guards."""
    files = {file: file.read_text(encoding="utf-8") for file in sorted(SCENARIOS.rglob("*.deal"))}
    return [
        Guard(what, file.parent.name, fitting(text), file.relative_to(SCENARIOS))
        for file, text in files.items()
        for what in re.findall(r"^# guards: (.*)$", text, re.MULTILINE)
    ]


GUARDS = guards()


def test_a_scenario_guards_what_is_listed() -> None:
    """No scenario guards something that nobody counts."""
    assert [] == [str(guard.file) for guard in GUARDS if guard.what not in GUARDED]


@pytest.mark.parametrize("what", GUARDED)
def test_each_is_guarded_by_several_scenarios(what: str) -> None:
    """Enough files, in several games and fittings."""
    mine = [guard for guard in GUARDS if guard.what == what]
    games, fittings = GUARDED[what]
    assert len(mine) >= LEAST_FILES
    assert len({guard.game for guard in mine}) >= games
    assert len({guard.fitting for guard in mine}) >= fittings
