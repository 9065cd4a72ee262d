"""The table of the pairs: how many rounds of each were found, joined or wrong, and which cannot occur, and why.

1. A cell is tried with one seed after the other until both irregularities were committed, as often as asked for.
2. A pair of codes is one line: its cells of all games and fittings together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.gamecore.pairs.acts import Expect
from tests.gamecore.pairs.cells import Cell, PlayedPair, play, why_not
from tests.gamecore.pairs.judge import Fault, faults

MOST_TRIES = 300
WORDS = {"found": "found", "joins": "joined", "wrong": "wrong", "cannot": "cannot occur"}


@dataclass(slots=True)
class Tally:
    """What became of some cells."""

    counts: dict[tuple[str, str, str], Counter[str]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[PlayedPair, list[Fault]]] = field(default_factory=list)
    unreached: list[Cell] = field(default_factory=list)

    def count(self, cell: Cell, what: str) -> None:
        """One more round, or one more cell that cannot occur."""
        self.counts.setdefault((cell.first, cell.moment, cell.second), Counter())[what] += 1

    def lines(self) -> Iterator[str]:
        """The table as text."""
        yield f"{'first':24} {'when':7} {'second':24} {'found':>6} {'joins':>6} {'wrong':>6} {'cannot':>7}"
        for (first, moment, second), counts in sorted(self.counts.items()):
            figures = f"{counts['found']:6} {counts['joins']:6} {counts['wrong']:6} {counts['cannot']:7}"
            yield f"{first:24} {moment:7} {second:24} {figures}"
        for reason, number in sorted(self.reasons.items()):
            yield f"{number:5} cells cannot occur: {reason}"
        for cell in self.unreached:
            yield f"not reached: {cell}"
        yield self.sums()

    def sums(self) -> str:
        """The counts of all cells together."""
        rounds = Counter[str]()
        for counts in self.counts.values():
            rounds += counts
        return ", ".join(f"{rounds[what]} {word}" for what, word in WORDS.items())


def reach(cell: Cell, seed: int, times: int = 1) -> Iterator[PlayedPair]:
    """Rounds of a cell in which both were committed."""
    reached = 0
    for number in range(MOST_TRIES * times):
        pair = play(cell, seed + number)
        if pair.first is not None and pair.second is not None:
            yield pair
            reached += 1
            if reached == times:
                return


def tally(cells: Iterable[Cell], seed: int, times: int = 1) -> Tally:
    """Play the cells and judge the rounds."""
    result = Tally()
    for cell in cells:
        reason = why_not(cell)
        if reason:
            result.count(cell, "cannot")
            result.reasons[reason] += 1
            continue
        rounds = list(reach(cell, seed, times))
        if not rounds:
            result.unreached.append(cell)
        for pair in rounds:
            wrong = faults(pair)
            joins = pair.second is not None and pair.second.expect is Expect.JOINS
            result.count(cell, "wrong" if wrong else "joins" if joins else "found")
            if wrong:
                result.wrong.append((pair, wrong))
    return result
