"""``truedeal shuffler``: what all its shoes together say of each shuffler, for the technician.

1. The report has for each shuffler the verdict with the evidence, and what explains it. For the technician it has how
   often neighbours of the last order came again, and chi-squared over ranks and suits by tenths of the shoe.
2. With ``--json`` it is a line for each shuffler, in the shape of `ShufflerHealth`: the daemon reads it once a day
   (`daemon.daily_shufflers`). The evidence after each of the last `SHOES` shoes is there too.
3. Exit status: 0 no shuffler is in doubt; 1 one is, by the alarm, or events are left out because their table has no
   beginning here; 2 something cannot be read. An advisory is printed and is no failure.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_bridge.commands.audit import add_audit, give_way, say_passed_over
from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    from firmware_bridge.audit.shuffling.pooled_shoes import Judgement, Shuffler
    from firmware_bridge.shown.health_type import ShufflerHealth

SHOES = 200
_VERDICTS = {
    "none": "nothing against it",
    "advisory": "ADVISORY: at most one proper shuffler in a thousand shows as much",
    "alarm": "ALARM: at most one proper shuffler in a million shows as much",
}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = add_audit(
        commands,
        "shuffler",
        "judge each shuffler by all the shoes that it has shuffled",
        "Holds the order of the cards of all shoes of a shuffler against a fair shuffle, pooled.",
        examples(
            ("truedeal shuffler /var/lib/truedeal", "the shufflers of this table"),
            ("truedeal shuffler /var/lib/truedeal --json", "for a program: a line for each shuffler"),
            status="Exit status: 0 no shuffler is in doubt, 1 one is or events are left out, 2 cannot be read.",
        ),
        _judge_shufflers,
    )
    parser.add_argument("--json", action="store_true", help="a line of JSON for each shuffler")
    parser.add_argument("--tied", action="store_true", help="give way, and end when the standard input ends")


def _judge_shufflers(args: argparse.Namespace, step: Callable[[], None]) -> int:
    from firmware_bridge.audit.shuffling.pooled_shoes import judge_shufflers  # noqa: PLC0415
    from firmware_bridge.commands.table.observe import print_json  # noqa: PLC0415

    found = judge_shufflers(args.state, give_way(step) if args.tied else step)
    told = [_facts(shuffler, judgement) for shuffler, judgement in found.shufflers.items()]
    if args.json:
        for one in told:
            print_json(one)
    else:
        sys.stdout.writelines(f"{line}\n" for one in told for line in _report(one))
        if not told:
            sys.stdout.write("no shuffle was followed by a load\n")
    left_out = say_passed_over("shuffler", found.passed_over)
    return 1 if any(one["verdict"] == "alarm" for one in told) else left_out


def _facts(shuffler: Shuffler, judgement: Judgement) -> ShufflerHealth:
    test = judgement.test
    came, expected = test.neighbours
    return {
        "device": shuffler.device,
        "method": shuffler.method,
        "decks": shuffler.decks,
        "cards": 4 * len(shuffler.ranks),
        "since": judgement.since,
        "shoes": test.shoes,
        "verdict": test.verdict.value,
        "evidence": test.wealth,
        "explains": test.explains.value,
        "trace": test.explains.key,
        "neighbours": int(came),
        "expected": expected,
        "chi": [{"over": one.over, "value": one.value, "limit": one.limit} for one in test.chi_squared()],
        "course": [{"at": at, "evidence": evidence} for at, evidence in judgement.course[-SHOES:]],
    }


def _report(told: ShufflerHealth) -> list[str]:
    name = f"{told['device']}, {told['method']}, {told['decks']} x {told['cards']} cards"
    lines = [
        f"{name}: {told['shoes']} shoes, since event {told['since']}",
        f"  {_VERDICTS[told['verdict']]}",
        f"  evidence {told['evidence']:.3g}, most of it by: {told['explains']}",
        f"  neighbours of the last order that came again: {told['neighbours']}, by chance {told['expected']:.1f}",
    ]
    for one in told["chi"]:
        exceeded = "exceeded" if one["value"] > one["limit"] else "within"
        lines.append(
            f"  chi-squared over {one['over']}: {one['value']:.1f}, limit at 95 % {one['limit']:.1f}: {exceeded}"
        )
    return lines
