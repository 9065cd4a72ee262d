"""``truedeal shuffler``: what all its shoes together say of each shuffler, for the technician.

1. The report has for each shuffler the verdict with the evidence, and what explains it. For the technician it has how
   often neighbours of the last order came again, and chi-squared over ranks and suits by tenths of the shoe.
2. Exit status: 0 no shuffler is in doubt; 1 one is, by the alarm, or events are left out because their table has no
   beginning here; 2 something cannot be read. An advisory is printed and is no failure.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_bridge.commands.audit import add_audit, say_passed_over

if TYPE_CHECKING:
    from firmware_bridge.audit.shuffling.pooled_shoes import Shuffler
    from gamecore.view.pooled_test import PooledTest

_VERDICTS = {
    "none": "nothing against it",
    "advisory": "ADVISORY: at most one proper shuffler in a thousand shows as much",
    "alarm": "ALARM: at most one proper shuffler in a million shows as much",
}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    add_audit(
        commands,
        "shuffler",
        "judge each shuffler by all the shoes that it has shuffled",
        "Holds the order of the cards of all shoes of a shuffler against a fair shuffle, pooled.",
        "Exit status: 0 no shuffler is in doubt, 1 one is or events are left out, 2 cannot be read.",
        _judge_shufflers,
    )


def _judge_shufflers(args: argparse.Namespace, step: Callable[[], None]) -> int:
    from firmware_bridge.audit.shuffling.pooled_shoes import judge_shufflers  # noqa: PLC0415

    found = judge_shufflers(args.state, step)
    if not found.tests:
        sys.stdout.write("no shuffle was followed by a load\n")
    for shuffler, test in found.tests.items():
        sys.stdout.writelines(f"{line}\n" for line in _report(shuffler, test))
    left_out = say_passed_over("shuffler", found.passed_over)
    return 1 if any(test.verdict.value == "alarm" for test in found.tests.values()) else left_out


def _report(shuffler: Shuffler, test: PooledTest) -> list[str]:
    came, expected = test.neighbours
    lines = [
        f"{shuffler.device}, {shuffler.method}, {shuffler.decks} x {4 * len(shuffler.ranks)} cards: {test.shoes} shoes",
        f"  {_VERDICTS[test.verdict.value]}",
        f"  evidence {test.wealth:.3g}, most of it by: {test.explains}",
        f"  neighbours of the last order that came again: {came}, by chance {expected:.1f}",
    ]
    for one in test.chi_squared():
        exceeded = "exceeded" if one.value > one.limit else "within"
        lines.append(f"  chi-squared over {one.over}: {one.value:.1f}, limit at 95 % {one.limit:.1f}: {exceeded}")
    return lines
