"""What properly shuffled shoes bring: ``python -m tests.bench.fair_shoes --shoes 1000000 --workers 2``.

1. A shoe is in a fair order, with a known last order that has nothing to do with it, and is dealt to its end, so that
   every alternative bets. Nine shoes in ten have one deck of 52 cards, the others any of the sets.
2. Printed are the shoes that ever brought an advisory, and those that brought an alarm. At most one in a thousand and
   one in a million are promised. The exit status is 1 if there are more than chance brings once in a million runs in
   which the promise is only just kept.
3. Every batch has a seed of its own, so that shoes can be counted on several processors, and in several runs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import secrets
from collections.abc import Sequence

from gamecore.cards.shuffle_test import ShuffleTest, Verdict
from gamecore.model.cards import RANKS
from tests.bench.shuffle_power import DECKS, SETS, shuffled
from tests.gamecore.shuffled_shoes import most_by_chance

BATCH = 1000
OTHERS = 0.1
"""The share of shoes of any set."""


def count_batch(batch: tuple[int, int]) -> tuple[int, int]:
    """The advisories, alarms among them, and the alarms of a batch of shoes from a seed."""
    seed, shoes = batch
    chance = random.Random(f"{seed} fair")
    advisories = alarms = 0
    for _ in range(shoes):
        any_set = chance.random() < OTHERS
        ranks = chance.choice(list(SETS.values())) if any_set else RANKS
        decks = chance.choice(DECKS) if any_set else 1
        test = ShuffleTest(ranks, decks, shuffled(ranks, decks, chance))
        for member in shuffled(ranks, decks, chance):
            test.see(member)
        advisories += test.verdict is not Verdict.NONE
        alarms += test.verdict is Verdict.ALARM
    return advisories, alarms


def count(shoes: int, seed: int, workers: int) -> tuple[int, int]:
    """The advisories and alarms of all shoes together."""
    batches = [(seed + first // BATCH, min(BATCH, shoes - first)) for first in range(0, shoes, BATCH)]
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        found = pool.map(count_batch, batches, chunksize=1)
    return sum(one for one, _ in found), sum(other for _, other in found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fair_shoes", description="What fair shoes bring.")
    parser.add_argument("--shoes", type=int, default=1_000_000, help="how many (1000000)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="of the first thousand")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}", flush=True)
    advisories, alarms = count(asked.shoes, asked.seed, asked.workers)
    print(f"{asked.shoes} fair shoes: {advisories} advisories, {alarms} of them alarms")
    kept = advisories <= most_by_chance(asked.shoes, 1 / 1000) and alarms <= most_by_chance(asked.shoes, 1 / 1_000_000)
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
