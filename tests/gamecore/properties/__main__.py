"""`python -m tests.gamecore.properties`: play tables, and print figures and failures.

Each table is a seed. `--seed S --tables N` plays the seeds from S on, `--workers W` of them at once; without `--seed`
they begin where TRUEDEAL_SEED says, or anywhere. Every failure is printed with its seed, made short, in deal notation;
`--kinds K` ends after this many different ones. What was played and can be left out of the next run is printed as it
goes: `--seed` takes it up again. The exit status says whether every property held.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.gamecore.properties.harness import Failure, Figures, play_table
from tests.gamecore.properties.shrink import as_notation, kind_of, shrunk

BATCH = 100
SPAN = 10**7
"""Seeds of one run: two runs with different seeds share no table."""
EVERY = 30.0
"""Seconds between two lines of progress."""

Played = tuple[int, Figures, list[tuple[int, Failure]]]


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.gamecore.properties", description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=first_seed(), help="of the first table")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kinds", type=int, default=20, help="end after this many kinds of failures")
    parser.add_argument("--into", type=Path, help="write each kind of failure as a .deal file into this folder")
    return parser.parse_args()


def first_seed() -> int:
    """Where the tables begin: as TRUEDEAL_SEED says, or anywhere."""
    return int(os.environ.get("TRUEDEAL_SEED", secrets.randbelow(2**32))) * SPAN


def play_batch(first: int) -> Played:
    """The tables of some seeds."""
    figures, failures = Figures(), list[tuple[int, Failure]]()
    for seed in range(first, first + BATCH):
        try:
            figures.add(play_table(random.Random(seed))[1])
        except Exception as error:
            failure: Failure | None = getattr(error, "failure", None)
            if failure is None:
                raise
            failures.append((seed, failure))
    return first, figures, failures


def played(firsts: range, workers: int) -> Iterator[Played]:
    """Every batch as it is done, in the order of the seeds."""
    if workers < 2:
        yield from map(play_batch, firsts)
        return
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield from pool.imap(play_batch, firsts)


def main() -> int:
    """Play, print, and say whether every property held."""
    asked = arguments()
    total, kinds = Figures(), dict[tuple[str, str], int]()
    say(f"{asked.tables} tables from seed {asked.seed}")
    began = told = time.monotonic()
    for first, figures, failures in played(range(asked.seed, asked.seed + asked.tables, BATCH), asked.workers):
        total.add(figures)
        for seed, failure in failures:
            kind = kind_of(failure)
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] == 1:
                show(seed, shrunk(failure), asked.into)
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
            say(f"{total.tables} tables, {sum(kinds.values())} failures; next seed {first + BATCH}")
        if len(kinds) >= asked.kinds:
            break
    for line in lines(total, kinds, time.monotonic() - began):
        say(line)
    return 1 if kinds else 0


def show(seed: int, failure: Failure, into: Path | None) -> None:
    """One failure in deal notation, printed or kept."""
    text = f"# seed {seed}\n{as_notation(failure)}"
    if into is None:
        say(text)
    else:
        into.mkdir(parents=True, exist_ok=True)
        into.joinpath(f"{failure.name.replace(' ', '-').replace(':', '-')}-{seed}.deal").write_text(
            text, encoding="utf-8"
        )


def lines(total: Figures, kinds: dict[tuple[str, str], int], seconds: float) -> Iterator[str]:
    """The figures."""
    failed = sum(kinds.values())
    count = total.tables + failed
    yield f"{count} tables in {seconds:.0f} s ({count / seconds:.1f} a second), {failed} failed"
    yield f"{total.events} events, {total.refused} of them refused; the round was held {total.held} times"
    for title, counts in (("tables", total.games), ("findings", total.codes), ("exercised", total.exercised)):
        yield title
        yield from (f"  {number:9} {name}" for name, number in sorted(counts.items()))
    for (_, what), number in sorted(kinds.items(), key=lambda entry: -entry[1]):
        yield f"FAILED {number:6} {what}"


def say(line: str) -> None:
    """Print at once, also into a pipe."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
