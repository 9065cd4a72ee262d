"""Which shoes of a journal count for which shuffler, and the report."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from firmware_bridge.audit.shuffling.pooled_shoes import judge_shufflers
from firmware_bridge.commands import shuffler
from tests.firmware_bridge.audit.journals import CARDS, HEAD, LOAD, ROUND, made

BY_HAND = f"shuffle riffle 3\nload {CARDS}\n"


def judged(folder: Path, text: str) -> dict[tuple[str, str], int]:
    """How many shoes each shuffler has, in a journal in which this happened."""
    made(folder / "state", lambda house: house.plays(HEAD + text), HEAD)
    return {(one.device, one.method): test.shoes for one, test in judge_shufflers(folder / "state").tests.items()}


def test_a_shoe_counts_for_who_shuffled_it(tmp_path: Path) -> None:
    """The first shoe is nobody's; each load after a shuffle begins one of the device that shuffled, by its method."""
    assert {} == judged(tmp_path / "one", ROUND)
    found = judged(tmp_path / "two", ROUND + LOAD + ROUND + LOAD + ROUND + BY_HAND + ROUND)
    assert [2, 1] == list(found.values())
    assert ["machine", "riffle"] == [method for _, method in found]


def test_the_report_is_for_a_technician(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the verdict, the evidence, the neighbours and chi-squared of every shuffler."""
    judged(tmp_path, ROUND + LOAD + ROUND)
    parser = argparse.ArgumentParser(prog="truedeal")
    shuffler.add(parser.add_subparsers(dest="command"))
    args = parser.parse_args(["shuffler", str(tmp_path / "state")])
    assert 0 == args.run(args)
    printed = capsys.readouterr().out
    assert "machine, 8 x 52 cards: 1 shoes" in printed
    for said in ("nothing against it", "evidence", "neighbours of the last order", "chi-squared over ranks"):
        assert said in printed
