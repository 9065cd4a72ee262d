"""Which shoes of a journal count for which shuffler, and the report."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from firmware_bridge.audit.shuffling.pooled_shoes import Judgement, judge_shufflers
from firmware_bridge.commands import shuffler
from firmware_bridge.people.permissions import SHUFFLER_FAILS
from firmware_bridge.pump.items import CONSOLE, Item, Note
from firmware_bridge.shown.health_type import ShufflerHealth
from gamecore.cards.shuffle_test import Verdict
from tests.firmware_bridge.audit.journals import CARDS, HEAD, LOAD, ROUND, House, made
from tests.firmware_bridge.shown.shapes import misfit_of

BY_HAND = f"shuffle riffle 3\nload {CARDS}\n"
REPEATED = ROUND + (LOAD + ROUND) * 14
"""The same cards again and again: each shoe is too short for an alarm of its own, all together are not."""


def judged(folder: Path, text: str) -> dict[tuple[str, str], Judgement]:
    """The judgement of each shuffler, in a journal in which this happened."""
    made(folder / "state", lambda house: house.plays(HEAD + text), HEAD)
    return by_name(folder)


def by_name(folder: Path) -> dict[tuple[str, str], Judgement]:
    """The judgement of each shuffler of a journal."""
    return {(one.device, one.method): said for one, said in judge_shufflers(folder / "state").shufflers.items()}


def run(folder: Path, *words: str) -> int:
    """The exit status of the command."""
    parser = argparse.ArgumentParser(prog="truedeal")
    shuffler.add(parser.add_subparsers(dest="command"))
    args = parser.parse_args(["shuffler", str(folder / "state"), *words])
    status: int = args.run(args)
    return status


def test_a_shoe_counts_for_who_shuffled_it(tmp_path: Path) -> None:
    """The first shoe is nobody's; each load after a shuffle begins one of the device that shuffled, by its method."""
    assert {} == judged(tmp_path / "one", ROUND)
    found = judged(tmp_path / "two", ROUND + LOAD + ROUND + LOAD + ROUND + BY_HAND + ROUND)
    assert [2, 1] == [one.test.shoes for one in found.values()]
    assert ["machine", "riffle"] == [method for _, method in found]


def test_the_report_is_for_a_technician(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the verdict, the evidence, the neighbours and chi-squared of every shuffler."""
    judged(tmp_path, ROUND + LOAD + ROUND)
    assert 0 == run(tmp_path)
    printed = capsys.readouterr().out
    assert "machine, 8 x 52 cards: 1 shoes" in printed
    for said in ("nothing against it", "evidence", "neighbours of the last order", "chi-squared over ranks"):
        assert said in printed


def test_a_shuffler_that_repeats_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What no single shoe shows adds up; for programs there is the shape of health, with the course of the evidence."""
    judged(tmp_path, REPEATED)
    assert 1 == run(tmp_path, "--json")
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert "" == misfit_of(ShufflerHealth)(told)
    assert ("alarm", 14, 13) == (told["verdict"], told["shoes"], len(told["course"]))
    evidence = [shoe["evidence"] for shoe in told["course"]]
    assert sorted(evidence) == evidence


def test_a_shuffler_that_was_mended_begins_anew(tmp_path: Path) -> None:
    """Who clears the alarm of a shuffler ends its test; the next shoe begins another."""
    (failed,) = judged(tmp_path, REPEATED).values()
    assert Verdict.ALARM is failed.test.verdict

    def cleared(house: House) -> None:
        what = [{"n": 1, "code": SHUFFLER_FAILS, "clause": "", "times": 1}]
        said = {"cleared": what, "by": "eve", "role": "shift-manager", "reason": "exchanged"}
        house.pump.enqueue(Item(CONSOLE, Note(json.dumps(said))))
        house.pump.process_queue()

    made(tmp_path / "state", cleared)
    assert {} == by_name(tmp_path)

    def goes_on(house: House) -> None:
        house.plays(HEAD + LOAD + ROUND)

    made(tmp_path / "state", goes_on)
    (anew,) = by_name(tmp_path).values()
    assert (1, Verdict.NONE) == (anew.test.shoes, anew.test.verdict)
    assert failed.since < anew.since
