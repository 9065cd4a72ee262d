"""Hands a second: our five games beside two independent programs, in one run.

1. Every program takes its turn in every repetition, so that a busy moment of the machine affects all of them. The
   figure is the median of the repetitions.
2. The main figure is `live`: the events are made in the loop and the table is asked what is due. `prepared` replays the
   same events, which is what a recovery from the journal does.
3. Each of ours runs a second time with its detectors switched off, on the same shoes: the ratio is what they cost.
4. gymnasium plays one Player with an endless deck and pays one number; it checks no order and names no clause.
   blackjack21 plays seven Players. They are here for scale.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Sequence

from gamecore.rules.games import GAMES
from tests.bench.beside.others import SEATS, blackjack21_rounds, gym_rounds
from tests.bench.rounds import live, prepared
from tests.gamecore.both_builds import core_in_use

Program = Callable[[], int]
GYM = "gymnasium Blackjack-v1"
OFF = ", no detectors"


def programs(rounds: int, seed: int) -> dict[str, Program]:
    """Every program by name, ready to run."""
    found: dict[str, Program] = {GYM: gym_rounds(rounds * SEATS, seed), "blackjack21": blackjack21_rounds(rounds)}
    for game, rules in GAMES.items():
        found[f"{game} live"] = live(rules, rounds, seed)
        found[f"{game} live{OFF}"] = live(rules, rounds, seed, watches=False)
        found[f"{game} prepared"] = prepared(rules, rounds, seed)
        found[f"{game} prepared{OFF}"] = prepared(rules, rounds, seed, watches=False)
    return found


def measure(found: dict[str, Program], repetitions: int) -> dict[str, list[float]]:
    """Hands a second of each program in each repetition; the first turn of each warms up and does not count."""
    rates: dict[str, list[float]] = {name: [] for name in found}
    for repetition in range(repetitions + 1):
        for name, program in found.items():
            start = time.perf_counter()
            hands = program()
            taken = time.perf_counter() - start
            if repetition:
                rates[name].append(hands / taken)
    return rates


def lines(rates: dict[str, list[float]]) -> list[str]:
    """The figures as a table."""
    medians = {name: statistics.median(values) for name, values in rates.items()}
    width = max(map(len, medians))
    head = f"{'':{width}}  {'hands/s':>9}  {'lowest':>9}  {'highest':>9}  {'x gymnasium':>11}"
    return [
        head,
        *(
            f"{name:{width}}  {median:9,.0f}  {min(rates[name]):9,.0f}  {max(rates[name]):9,.0f}  "
            f"{median / medians[GYM]:11.2f}"
            for name, median in medians.items()
        ),
    ]


def detector_lines(rates: dict[str, list[float]]) -> list[str]:
    """What the detectors cost: the time of a round with them by the time without, repetition by repetition."""
    pairs = [(name, rates[name], rates[name + OFF]) for name in rates if name + OFF in rates]
    ratios = {name: [off / on for on, off in zip(with_, without, strict=True)] for name, with_, without in pairs}
    head = "time with detectors / without"
    width = max(map(len, [head, *ratios]))
    return [
        f"{head:{width}}  {'median':>7}  {'lowest':>7}  {'highest':>7}",
        *(
            f"{name:{width}}  {statistics.median(values):7.3f}  {min(values):7.3f}  {max(values):7.3f}"
            for name, values in ratios.items()
        ),
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Hands a second, beside other programs.")
    parser.add_argument("--rounds", type=int, default=200, help="rounds a repetition (default 200)")
    parser.add_argument("--repetitions", type=int, default=9, help="repetitions (default 9)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the shoes (default 1)")
    args = parser.parse_args(argv)
    print(f"Python {platform.python_version()}, {platform.machine()}, {core_in_use()} core, seed {args.seed}")
    print(f"{args.repetitions} interleaved repetitions of {args.rounds} rounds, median; draw below 17, else stand")
    print("live: events made in the loop, two a card. prepared: the same events, made beforehand.\n")
    rates = measure(programs(args.rounds, args.seed), args.repetitions)
    print("\n".join([*lines(rates), "", *detector_lines(rates)]))


if __name__ == "__main__":
    main()
