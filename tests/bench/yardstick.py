"""This edition beside an earlier one, in one run: ``python -m tests.bench.yardstick FOLDER [--cards N]``.

1. FOLDER is a checkout of the earlier edition, such as ``git worktree add --detach FOLDER 98a0b4f``. It needs no
   environment of its own: both run with this Python.
2. Hands a second of processor time in process, then the way of a card through the daemon. Each edition is a process of
   its own (`turns`), and they take turns at every figure, so that a busy moment of the machine affects both. Who goes
   first alternates.
3. A ratio is this edition by the earlier one: above 1.00 hands a second are better, and seconds are worse.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.daemon import quantile
from tests.places import ROOT

TURNS = Path(__file__).parent / "beside" / "turns.py"
SHARES = (0.5, 0.9, 0.99)
WARMING_UP = 100
"""Cards that do not count."""


class Edition:
    """A process that takes turns."""

    def __init__(self, folder: Path, word: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(TURNS), word],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first = self._read()

    def ask(self, word: str) -> float:
        """Let it take its turn; return the figure."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return float(self._read())

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"an edition ended with {self.process.wait()}")
        return line.rstrip("\n")


@contextmanager
def both(folder: Path, word: str) -> Iterator[tuple[Edition, Edition]]:
    """Start this edition and the earlier one."""
    with ExitStack() as stack:
        editions = []
        for where in (ROOT, folder):
            edition = Edition(where, word)
            stack.enter_context(edition.process)  # closes its input and waits
            editions.append(edition)
        yield editions[0], editions[1]


def compare_hands(folder: Path, rounds: int, repetitions: int) -> Iterator[str]:
    """Yield the lines of hands a second."""
    with both(folder, str(rounds)) as (now, before):
        names = [name for name in now.first.split("\t") if name in before.first.split("\t")]
        width = max(map(len, names))
        yield f"{'hands a second':{width}}  {'before':>9}  {'now':>9}  {'ratio':>6}  {'lowest':>6}  {'highest':>7}"
        for name in names:
            pairs = [_in_turn(now, before, name, number) for number in range(repetitions + 1)][1:]
            ratios = [one / other for one, other in pairs]
            middle = [statistics.median(column) for column in zip(*pairs, strict=True)]
            shown = f"{statistics.median(ratios):6.2f}  {min(ratios):6.2f}  {max(ratios):7.2f}"
            yield f"{name:{width}}  {middle[1]:9,.0f}  {middle[0]:9,.0f}  {shown}"


def compare_cards(folder: Path, cards: int) -> Iterator[str]:
    """Yield the lines of a card's way."""
    with both(folder, "cards") as (now, before):
        pairs = [_in_turn(now, before, "card", number) for number in range(cards + WARMING_UP)][WARMING_UP:]
        here, there = ([pair[index] for pair in pairs] for index in (0, 1))
        yield f"{'card to ruling':14}  {'before ms':>9}  {'now ms':>9}  {'ratio':>6}"
        for share in SHARES:
            one, other = quantile(here, share), quantile(there, share)
            yield f"{f'p{share * 100:g}':14}  {other * 1000:9.3f}  {one * 1000:9.3f}  {one / other:6.2f}"
        one, other = now.ask("memory"), before.ask("memory")
        yield f"{'memory MB':14}  {other:9.1f}  {one:9.1f}  {one / other:6.2f}"


def _in_turn(now: Edition, before: Edition, word: str, number: int) -> tuple[float, float]:
    """One figure of each: now, before. Who goes first alternates."""
    if number % 2:
        one = now.ask(word)
        return one, before.ask(word)
    other = before.ask(word)
    return now.ask(word), other


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.yardstick", description="Beside an earlier edition.")
    parser.add_argument("folder", type=Path, help="a checkout of the earlier edition")
    parser.add_argument("--rounds", type=int, default=200, help="rounds a repetition (default 200)")
    parser.add_argument("--repetitions", type=int, default=9, help="repetitions (default 9)")
    parser.add_argument("--cards", type=int, default=2000, help="cards through the daemon (default 2000)")
    args = parser.parse_args(argv)
    folder = args.folder.resolve()
    if not (folder / "gamecore").is_dir():
        parser.error(f"{args.folder}: no checkout of truedeal")
    print(f"Python {platform.python_version()}, {platform.machine()}", flush=True)
    for line in compare_hands(folder, args.rounds, args.repetitions):
        print(line, flush=True)
    print()
    for line in compare_cards(folder, args.cards):
        print(line, flush=True)


if __name__ == "__main__":
    main()
