"""The cells of the table of pairs: game, fitting, first code, second code, and when the second comes.

1. The second comes `inside` the first one's hold or `after` it. `before` is `after` with the two exchanged.
2. A cell that cannot occur says why. A cell that can is played by seed until both were committed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from gamecore.rules.games import GAMES
from tests.gamecore.pairs.acts import BY_CODE, INSIDE, NOT_INSIDE, Act, commit
from tests.gamecore.pairs.robot import FITTINGS, PairRobot, RefusedError
from tests.gamecore.play.irregular_robot import Plan
from tests.gamecore.play.random_dealer import StuckError

MOST_STEPS = 300
MOMENTS = ("inside", "after")
VOIDS = frozenset({"foreign-card", "extra-card", "missing-card", "unshuffled-cards"})
NEVER_HOLDS = frozenset(
    {
        "cut-card-passed",
        "face-up-card",
        "late-wager",
        "wager-withdrawn",
        "under-minimum",
        "over-maximum",
        "side-wager-without-main",
        "unsettled-side-wager",
        "link-lost",
        "absent-player",
    }
)
NEVER_HOLDS_IN = {
    ("rws-free-bet-2025", "power-failure"): "5.4.1 goes on, 5.4.2 voids",
    ("rws-free-bet-2025", "insufficient-cards"): "5.5.3 voids",
    ("mbs-free-bet-v3", "insurance-not-offered"): "5.26 goes on",
}
#: From when to when in a round each is committed: 0 between rounds, 1 bets open, 2 bets closed, 3 first card, 4 the
#: Dealer's first card, 5 second cards, 6 offers, 7 Players' turns, 8 the Dealer's turn, 9 settlement.
SPAN: dict[str, tuple[int, int]] = {
    "foreign-card": (3, 8),
    "extra-card": (3, 8),
    "missing-card": (0, 9),
    "unshuffled-cards": (0, 0),
    "insufficient-cards": (3, 8),
    "cut-card-passed": (0, 0),
    "missing-burn": (2, 2),
    "double-draw": (3, 8),
    "face-up-card": (3, 8),
    "unreadable-card": (3, 8),
    "misdealt-card": (3, 8),
    "dealer-not-dealt": (4, 4),
    "box-not-dealt": (3, 5),
    "box-short": (5, 7),
    "unwagered-box-dealt": (3, 9),
    "card-in-error": (0, 9),
    "dealer-overdraw": (9, 9),
    "hand-skipped": (7, 7),
    "late-wager": (2, 9),
    "wager-withdrawn": (2, 9),
    "under-minimum": (1, 1),
    "over-maximum": (1, 1),
    "side-wager-without-main": (1, 1),
    "insurance-not-offered": (6, 6),
    "absent-player": (2, 8),
    "power-failure": (2, 9),
    "unsettled-side-wager": (6, 6),
    "link-lost": (2, 9),
    "uncovered": (2, 9),
}
TOLD_UNTIL = {"box-not-dealt": 3, "box-short": 5}  # a box is passed over in the initial deal
HOLDS_FROM = {"card-in-error": 7}  # a card between rounds holds none
CANNOT_FOLLOW = {
    ("card-in-error", "missing-burn"): "a card between rounds comes when no burn is due",
    ("missing-card", "missing-burn"): "a set in doubt is not loaded and burned",
    ("cut-card-passed", "missing-burn"): "after a load the cutting card is not passed",
    ("cut-card-passed", "unshuffled-cards"): "after a load the cutting card is not passed",
    ("unshuffled-cards", "cut-card-passed"): "after a load the cutting card is not passed",
}
ONCE = frozenset({"unshuffled-cards", "cut-card-passed", "missing-burn", "dealer-not-dealt", "insurance-not-offered"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the table."""

    game: str
    fitting: str
    first: str
    second: str
    moment: str

    def __str__(self) -> str:
        """The cell in words."""
        return f"{self.game} {self.fitting}: {self.second} {self.moment} {self.first}"


@dataclass(slots=True)
class PlayedPair:
    """What was done in one round, and how it ended; `stuck` says why it did not end."""

    cell: Cell
    seed: int
    robot: PairRobot
    first: Act | None = None
    second: Act | None = None
    stuck: str = ""
    acts: list[Act] = field(default_factory=list)


def cells(games: Iterable[str], fittings: Iterable[str], codes: Iterable[str]) -> Iterator[Cell]:
    """All cells of these games, fittings and codes."""
    listed = tuple(codes)
    for game, fitting, first, second, moment in product(games, fittings, listed, listed, MOMENTS):
        yield Cell(game, fitting, first, second, moment)


def why_not(cell: Cell) -> str:
    """Why a cell cannot occur; empty where it can."""
    for code in (cell.first, cell.second):
        reason = _not_in_game(cell.game, code)
        if reason:
            return reason
    if cell.moment == "inside":
        if cell.first in NEVER_HOLDS or (cell.game, cell.first) in NEVER_HOLDS_IN:
            return f"{cell.first} holds nothing"
        if cell.first in VOIDS:
            return f"{cell.first} ends the round"
        return NOT_INSIDE.get(cell.second, "") or _no_such_box(cell)
    if cell.first in VOIDS or (cell.game, cell.first) == ("rws-free-bet-2025", "insufficient-cards"):
        return f"{cell.first} ends the round"
    if cell.first == cell.second and cell.first in ONCE | {"unsettled-side-wager"}:
        return f"a round has one moment for {cell.first}"
    return _too_late(cell)


def _no_such_box(cell: Cell) -> str:
    """Why no box has as many cards as the second asks for while the first one holds the round."""
    earliest, latest = HOLDS_FROM.get(cell.first, SPAN[cell.first][0]), SPAN[cell.first][1]
    if cell.second == "box-not-dealt" and earliest > 5:
        return "every box has two cards by then"
    if cell.second == "box-not-dealt" and latest < 3:
        return "no box has a card yet"
    if cell.second == "box-short" and latest < 5:
        return "no box has two cards yet"
    if cell.second in {"box-not-dealt", "box-short"} and cell.fitting == "told":
        return "where places are told nobody sees a card moved"
    if (cell.first, cell.second, cell.fitting) == ("double-draw", "misdealt-card", "told"):
        return "where places are told nobody sees where a card that was out is laid"
    if cell.second == "unshuffled-cards" and cell.first == "missing-burn":
        return "the table saw the fresh shoe shuffled"
    return ""


def _too_late(cell: Cell) -> str:
    """Why the second cannot follow the first in the course of a round."""
    latest = SPAN[cell.second][1]
    if cell.fitting == "told":
        latest = TOLD_UNTIL.get(cell.second, latest)
    early = cell.second in {"dealer-not-dealt", "box-not-dealt"}
    if (cell.game, cell.first) == ("rws-free-bet-2025", "power-failure") and early:
        return "nothing is decided then, so the power failure voids the round"
    if SPAN[cell.first][0] > latest:
        return f"{cell.second} comes earlier in a round than {cell.first}"
    return CANNOT_FOLLOW.get((cell.first, cell.second), "")


def _not_in_game(game: str, code: str) -> str:
    rws = GAMES[game].casino == "RWS"
    if rws and code == "missing-burn":
        return "RWS asks for no burn"
    if rws and code == "insurance-not-offered":
        return "RWS asks for no spoken offer"
    if not rws and code == "unsettled-side-wager":
        return "no MBS clause says when a side wager is settled"
    return ""


# --- playing -------------------------------------------------------------------------------------------------------


def play(cell: Cell, seed: int) -> PlayedPair:
    """One round at a table of its own; `first` or `second` is None if it could not be committed."""
    chance = random.Random(f"{seed}/{cell}")
    first = chance.choice(BY_CODE[cell.first])
    second = chance.choice(BY_CODE[cell.second])
    fresh = "missing-burn" in (cell.first, cell.second) or chance.random() < 0.2
    robot = PairRobot(GAMES[cell.game], chance, seed, cell.fitting, fresh=fresh)
    pair = PlayedPair(cell, seed, robot)
    try:
        _play(pair, first, second)
    except RefusedError as error:
        pair.stuck = str(error)
    except StuckError as error:
        pair.stuck = str(error)
    return pair


def _play(pair: PlayedPair, first: Plan, second: Plan) -> None:
    robot, chance = pair.robot, pair.robot.chance
    if "between" in (first.when, second.when):
        _regular_round(robot)
    robot.get_ready()
    _commit_at(pair, first, second, "between")
    robot.open_round()
    _commit_at(pair, first, second, "betting")
    if "insurance-not-offered" in (first.code, second.code):
        robot.ace_for_the_dealer()
    robot.close_bets()
    delay = 0 if "missing-burn" in (first.code, second.code) else chance.choice((0, 0, 1, 2, 4, 7, 12))
    for step in range(MOST_STEPS):
        if robot.over:
            return
        if step >= delay and _try(pair, first, second):
            continue
        robot.take_step()
    raise StuckError(f"{robot.table.state.value} after {MOST_STEPS} steps")


def _regular_round(robot: PairRobot) -> None:
    robot.get_ready()
    robot.open_round()
    robot.close_bets()
    for _ in range(MOST_STEPS):
        if robot.over:
            return
        robot.take_step()


def _commit_at(pair: PlayedPair, first: Plan, second: Plan, when: str) -> None:
    if first.when == when:
        pair.first = commit(first, pair.robot)
    if second.when == when and pair.first is not None and pair.cell.moment == "after":
        pair.second = commit(second, pair.robot)


def _try(pair: PlayedPair, first: Plan, second: Plan) -> bool:
    """Commit what is to be committed now; whether something was."""
    robot = pair.robot
    if pair.first is None:
        if robot.held or first.when != "playing":
            return False
        pair.first = commit(first, robot)
        return pair.first is not None
    if pair.second is not None:
        return False
    if pair.cell.moment == "inside":
        if not robot.held or not robot.wagered() or robot.chance.random() < 0.3:
            return False
        pair.second = INSIDE[pair.cell.second](robot)
    elif not robot.held and second.when == "playing":
        pair.second = commit(second, robot)
    return pair.second is not None


__all__ = ["FITTINGS", "MOMENTS", "Cell", "PlayedPair", "cells", "play", "why_not"]
