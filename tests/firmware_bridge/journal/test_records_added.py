"""Records of rounds are added, never changed: an amendment is another record, and the newest counts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.audit.replay import replay
from firmware_bridge.console.history.search import Search
from firmware_bridge.console.history.wanted import wanted
from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.rounds.round_reader import last_rounds, one_round
from firmware_bridge.people.alarms_from_records import _FOUND
from tests.firmware_bridge.audit.journals import CARDS, HEAD, LOAD, ROUND, House, made, rounds

UNSHUFFLED = f"load {CARDS}\n"
VOID = "place-bets\nbet 1 main 100\nno-more-bets\ndraw 1\n"
RECORDS = ("rounds", "findings", "rulings")


def records(state: Path) -> list[list[tuple[Any, ...]]]:
    """Every record of the segments, table by table."""
    found: list[list[tuple[Any, ...]]] = [[] for _ in RECORDS]
    for path in segments.segments(state):
        with closing(sqlite3.connect(path)) as connection:
            for at, table in enumerate(RECORDS):
                found[at] += connection.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()  # noqa: S608  ours
    return found


@pytest.mark.parametrize("length", [writer.LONG, 1])
def test_what_is_found_out_later_is_another_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    """The first record stays to the byte, also where the second lies in the next segment; readers tell the second."""
    monkeypatch.setattr(writer, "LONG", length)
    state = tmp_path / "state"
    before: list[list[list[tuple[Any, ...]]]] = []

    def scene(house: House) -> None:
        house.plays(HEAD + LOAD + ROUND + UNSHUFFLED + VOID)
        before.append(records(state))
        house.plays(HEAD + UNSHUFFLED + LOAD)

    made(state, scene)
    after = records(state)
    if length > 1:
        assert before[0] == [listed[: len(known)] for listed, known in zip(after, before[0], strict=True)]
    firsts = [row[3] for row in after[0]]
    assert (3, 2) == (len(firsts), len(set(firsts)))
    assert [2, 1] == [one["number"] for one in last_rounds(state, 10)]
    assert [2, 1] == [one["number"] for one in Search(state).page(wanted({})).rounds]
    newest = one_round(state, 2)
    assert newest is not None
    assert [1, 2] == [len(row[-2].split('"unshuffled-cards"')) - 1 for row in after[0] if row[1] == 2]
    assert 2 == len(list(newest["findings"]))  # type: ignore[call-overload]
    assert ([], 2, 0) == ((told := replay(state)).differences, told.rounds, told.unrecorded)


def test_a_page_tells_an_amended_round_once_though_it_ends_between_two_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page, the older record in the segment before is passed over."""
    monkeypatch.setattr(writer, "LONG", 1)
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + UNSHUFFLED + VOID + UNSHUFFLED + LOAD + ROUND))
    found: list[int] = []
    follows: str | None = ""
    while follows is not None:
        page = Search(state).page(wanted({"count": "1", "next": follows}))
        found += [one["number"] for one in page.rounds]
        follows = page.next
    assert [3, 2, 1] == found


def test_an_earlier_record_that_was_changed_is_told(tmp_path: Path) -> None:
    """Not the newest alone must be what the events made."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + UNSHUFFLED + VOID + UNSHUFFLED + LOAD + ROUND))
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection, connection:
        (id_,) = connection.execute("SELECT min(id) FROM rounds WHERE number = 2").fetchone()
        connection.execute("UPDATE rounds SET outcome = 'settled' WHERE id = ?", (id_,))
    assert ["outcome: kept is 'settled', the events give 'void'"] == [one.detail for one in replay(state).differences]


def test_a_record_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    """A daemon that begins again from an older snapshot, or from none, makes the same records and adds nothing."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + UNSHUFFLED + VOID + UNSHUFFLED + LOAD), killed=True)
    expected = records(state)
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection, connection:
        connection.execute("DELETE FROM snapshots")
    made(state, rounds(0))
    assert expected == records(state)


def test_an_alarm_is_listed_by_the_newest_record(tmp_path: Path) -> None:
    """A finding that two records tell is one alarm."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + UNSHUFFLED + VOID + UNSHUFFLED + LOAD))
    with closing(sqlite3.connect(segments.segments(state)[-1])) as connection:
        found = connection.execute(_FOUND).fetchall()
    assert len(found) == len({row[:4] for row in found}) > 0
