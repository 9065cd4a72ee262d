"""How far the report of a table reaches back when the daemon has begun again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drivers import shoe
from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.recovery import ROUNDS
from firmware_bridge.pump.items import NewTable
from gamecore.model.events import events as ev
from gamecore.notation.writer import write_header
from tests.firmware_bridge.journal.test_recovery import PLAIN, SHORT
from tests.firmware_bridge.restarted_daemon import Started, scene


def rounds_of(report: dict[str, object]) -> list[int]:
    """The numbers of the rounds in a report."""
    rounds = report["rounds"]
    assert isinstance(rounds, list)
    return [one["number"] for one in rounds]


def test_a_new_table_and_its_rounds_are_kept_apart_from_the_old_one(tmp_path: Path) -> None:
    """After a restart the report has the rounds of this table and no others."""

    def act() -> tuple[object, object]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT, *SHORT, *SHORT)
        table.happen(NewTable(PLAIN, write_header(PLAIN)))
        table.happen(*SHORT, *SHORT, ev.PlaceBets())
        table.pump.close()
        again = Started(tmp_path, header=PLAIN)
        again.killed()
        return table.pump.table.report(), again.pump.report()

    expected, actual = scene(act)
    assert [1, 2, 3] == [each["number"] for each in expected["rounds"]]  # type: ignore[index]  # plain data
    assert expected == actual


def test_the_report_reaches_back_to_the_beginning_of_the_segment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start it has the rounds whose records a head of the newest segment covers, and the last one."""
    monkeypatch.setattr(writer, "LONG", 10 * len(SHORT))

    def act() -> tuple[dict[str, Any], dict[str, Any], int]:
        table = Started(tmp_path, header=PLAIN)
        for _ in range(ROUNDS + 20):
            table.happen(*SHORT)
            table.says("shoe", table.books.numbers.get("shoe", (0, 0))[0] + 1, shoe.Loaded(416))
        table.happen(*SHORT)
        recorded = len(table.query("SELECT DISTINCT first FROM rounds"))
        table.pump.close()
        again = Started(tmp_path, header=PLAIN)
        again.killed()
        return table.pump.report(), again.pump.report(), recorded

    expected, actual, recorded = scene(act)
    assert len(segments.segments(tmp_path / "state")) > 5
    assert ROUNDS == len(expected["rounds"])
    assert recorded > 1
    assert expected | {"rounds": expected["rounds"][-recorded:]} == actual


def test_the_report_has_no_more_rounds_than_are_promised(tmp_path: Path) -> None:
    """Before a start, after it, and when further rounds are played."""

    def act() -> list[list[int]]:
        found = []
        table = Started(tmp_path, header=PLAIN)
        for number in range(1, ROUNDS + 2):
            table.happen(*SHORT)
            table.says("shoe", number, shoe.Loaded(416))
        found.append(rounds_of(table.pump.report()))
        table.pump.close()
        again = Started(tmp_path, header=PLAIN)
        found.append(rounds_of(again.pump.report()))
        again.happen(*SHORT)
        found.append(rounds_of(again.pump.report()))
        again.killed()
        return found

    first = list(range(2, ROUNDS + 2))
    assert [first, first, [*first[1:], ROUNDS + 2]] == scene(act)
