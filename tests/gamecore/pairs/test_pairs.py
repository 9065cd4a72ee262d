"""Any two irregularities in one round: found once or joined, ruled by the clause of the stage, ended, and paid right.

1. In the suite a sample of the cells, the same in every run: a change is judged by rounds that were right before it. In
   the soak all of them, several rounds each, by the seed of the run. TRUEDEAL_PAIRS is the number of cells of the
   sample, TRUEDEAL_PAIRS_ROUNDS that of the rounds of a cell in the soak.
2. The sums of the sample, and in the soak the table of all pairs, with what cannot occur and why, are printed at the
   end of the run. `python -m tests.gamecore.pairs` prints failing rounds in deal notation.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable

import pytest

from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from tests.gamecore.pairs.acts import BY_CODE, INSIDE, NOT_INSIDE
from tests.gamecore.pairs.cells import FITTINGS, SPAN, Cell, cells, why_not
from tests.gamecore.pairs.notes import as_line
from tests.gamecore.pairs.tally import reach, tally

SAMPLE = int(os.environ.get("TRUEDEAL_PAIRS", "1000"))
SOAK_ROUNDS = int(os.environ.get("TRUEDEAL_PAIRS_ROUNDS", "5"))
REACHED = 150
SAMPLED = 1117
"""The seed of the sample."""
Record = Callable[[str, object], None]


def every_cell() -> list[Cell]:
    """All cells of the table."""
    return list(cells(GAMES, FITTINGS, CODES))


def a_sample(seed: int, number: int) -> list[Cell]:
    """Some cells that can occur."""
    can = [cell for cell in every_cell() if not why_not(cell)]
    return random.Random(f"pairs/{seed}").sample(can, number)


def test_every_code_has_its_acts() -> None:
    """Each code can be committed first, and inside a hold or with a reason why not."""
    assert set(CODES) == set(BY_CODE) == set(SPAN)
    assert set(CODES) == INSIDE.keys() | NOT_INSIDE.keys()
    assert not INSIDE.keys() & NOT_INSIDE.keys()


def test_every_code_occurs_in_every_game_and_fitting() -> None:
    """No code is left out of the table by its reasons alone, except where the game knows no such thing."""
    can = Counter((cell.game, cell.fitting, cell.first) for cell in every_cell() if not why_not(cell))
    left_out = {(g, code) for g in GAMES for f in FITTINGS for code in CODES if not can[g, f, code]}
    voids = {"foreign-card", "extra-card", "missing-card", "unshuffled-cards"}
    unknown = {(g, c) for g, c in left_out if c not in voids and (c, g) != ("insufficient-cards", "rws-free-bet-2025")}
    mbs = {g for g, rules in GAMES.items() if rules.casino == "MBS"}
    rws = set(GAMES) - mbs
    assert unknown == {(g, "unsettled-side-wager") for g in mbs} | {
        (g, code) for g in rws for code in ("missing-burn", "insurance-not-offered")
    }


def test_pairs_that_can_occur_do() -> None:
    """A cell without a reason is reached: both irregularities are committed in one round."""
    sample = a_sample(SAMPLED + 1, REACHED)
    assert [] == [str(cell) for cell in sample if not any(True for _ in reach(cell, SAMPLED))]


def test_pairs_are_found_ruled_ended_and_paid(record_property: Record) -> None:
    """A sample of the cells."""
    result = tally(a_sample(SAMPLED, SAMPLE), SAMPLED)
    record_property("table", f"pairs, a sample: {result.sums()}")
    assert [] == [as_line(*entry) for entry in result.wrong]


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_all_pairs_are_found_ruled_ended_and_paid(game: str, seed: int, record_property: Record) -> None:
    """Every cell of a game, several rounds each; each that can occur does."""
    result = tally(cells([game], FITTINGS, CODES), seed, SOAK_ROUNDS)
    record_property("table", "\n".join((f"pairs of {game}", *result.lines())))
    assert [] == [str(cell) for cell in result.unreached]
    assert [] == [as_line(*entry) for entry in result.wrong]
