"""`python -m tests.gamecore.pairs`: play pairs of irregularities and print the table, or the failing rounds.

`--games`, `--fittings`, `--codes`, `--first`, `--second` and `--moment` narrow the cells; `--seed` and `--times` choose
the rounds; `--list` writes one line a failing round instead of the rounds in deal notation.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from tests.gamecore.pairs.cells import FITTINGS, MOMENTS, Cell, cells
from tests.gamecore.pairs.notes import as_line, as_notation
from tests.gamecore.pairs.tally import tally


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.gamecore.pairs", description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--fittings", nargs="+", default=list(FITTINGS), choices=list(FITTINGS))
    parser.add_argument("--codes", nargs="+", default=list(CODES), choices=list(CODES), help="both are among these")
    parser.add_argument("--first", nargs="+", choices=list(CODES), help="the first is one of these")
    parser.add_argument("--second", nargs="+", choices=list(CODES), help="the second is one of these")
    parser.add_argument("--moment", nargs="+", default=list(MOMENTS), choices=MOMENTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--times", type=int, default=1, help="rounds of each cell")
    parser.add_argument("--list", type=Path, help="write one line a failing round into this file")
    parser.add_argument("--table", action="store_true", help="print the table of all pairs")
    return parser.parse_args()


def wanted(asked: argparse.Namespace) -> Callable[[Cell], bool]:
    """Which cells were asked for."""

    def is_wanted(cell: Cell) -> bool:
        firsts, seconds = asked.first or asked.codes, asked.second or asked.codes
        return cell.first in firsts and cell.second in seconds and cell.moment in asked.moment

    return is_wanted


def main() -> int:
    """Play, print, and say by the exit status whether every round was right."""
    asked = arguments()
    codes = dict.fromkeys([*asked.codes, *(asked.first or ()), *(asked.second or ())])
    chosen = filter(wanted(asked), cells(asked.games, asked.fittings, codes))
    result = tally(chosen, asked.seed, asked.times)
    if asked.list is not None:
        asked.list.write_text("".join(f"{as_line(*entry)}\n" for entry in result.wrong), encoding="utf-8")
    else:
        for entry in result.wrong:
            sys.stdout.write(as_notation(*entry) + "\n")
    lines = list(result.lines())
    sys.stdout.write("\n".join(lines if asked.table else lines[-1:]) + "\n")
    return 1 if result.wrong or result.unreached else 0


if __name__ == "__main__":
    sys.exit(main())
