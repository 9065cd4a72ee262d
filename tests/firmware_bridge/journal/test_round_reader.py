"""Rounds that are over: looked up in files at hand, damaged ones and those that were set aside."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from firmware_bridge.journal import segments
from firmware_bridge.journal.rounds import round_reader
from firmware_bridge.journal.writer import Entry, Journal
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House
from tests.firmware_bridge.control_socket_rig import AT, SocketRig, serve


def play(state: Path, rounds: int) -> None:
    """Play this many rounds on a state folder."""

    async def act() -> None:
        house = House(state, parse(HEAD, GAMES).header)
        for _ in range(rounds):
            house.plays(HEAD + LOAD + ROUND)
        house.pump.close()

    asyncio.run(act())


def numbers(state: Path, count: int = 100) -> list[object]:
    """The numbers of the last rounds, newest first."""
    return [one["number"] for one in round_reader.last_rounds(state, count)]


def test_rounds_of_a_segment_that_was_set_aside_are_told(tmp_path: Path) -> None:
    """They were played: a supervisor sees them as they lay."""
    play(tmp_path, 3)
    before = round_reader.one_round(tmp_path, 2)
    segments.set_aside(tmp_path / "journal-000001.db")
    play(tmp_path, 1)
    assert [1, 3, 2, 1] == numbers(tmp_path)
    assert [1, 3] == numbers(tmp_path, 2)
    assert before is not None
    assert before == round_reader.one_round(tmp_path, 2)
    assert before == round_reader.one_round(tmp_path, None, int(str(before["first"])))


@pytest.mark.parametrize("number", [0, -1, 77, 2**63, 10**30])
def test_a_round_that_there_is_not_is_none(tmp_path: Path, number: int) -> None:
    """However large the number is that somebody asks for."""
    play(tmp_path, 1)
    assert (None, None) == (round_reader.one_round(tmp_path, number), round_reader.one_round(tmp_path, None, number))


def test_a_damaged_file_is_told_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    """What cannot be read is passed over, and nobody is cut off for asking."""
    play(tmp_path, 3)
    path = tmp_path / "journal-000001.db"
    with closing(sqlite3.connect(path)) as connection:
        pages = connection.execute("SELECT pageno FROM dbstat WHERE name = 'findings'").fetchall()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    whole = bytearray(path.read_bytes())
    for (page,) in pages:
        whole[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(bytes(whole))
    assert isinstance(round_reader.last_rounds(tmp_path, 100), list)
    found = round_reader.one_round(tmp_path, 2)
    assert found is None or [] == found["findings"]


def test_a_round_that_was_given_up_stands_between_those_that_are_over(tmp_path: Path) -> None:
    """The newest first, page by page; what a damaged row says of one is passed over."""
    play(tmp_path, 1)
    first = round_reader.first_event(tmp_path, 1)
    journal = Journal(tmp_path, AT)
    for one in ({"number": 7, "first": journal.n + 1}, {"number": 1, "first": first}, {"number": 9, "first": "x"}):
        body = json.dumps({"abandoned": one["number"], "round": one})
        journal.append([Entry(AT, "console", "note", body)])
    journal.close()
    play(tmp_path, 1)
    assert [2, 7, 1] == numbers(tmp_path)
    assert [7] == [one["number"] for one in round_reader.last_rounds(tmp_path, 1, 1)]


def test_a_report_that_is_none_is_passed_over(tmp_path: Path) -> None:
    """Its file may be damaged where nobody noticed."""
    play(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / "journal-000001.db")) as connection, connection:
        connection.execute("UPDATE rounds SET report = '{' WHERE number = 1")
    assert (None, 2) == (round_reader.one_round(tmp_path, 1), (round_reader.one_round(tmp_path, 2) or {})["number"])


def test_a_number_that_several_rounds_have_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers start again with every table: the newest is drawn, and how to come to the others is said."""
    statuses: list[int] = []

    async def scene(rig: SocketRig) -> None:
        statuses.append(await asyncio.to_thread(main, ["round", "2", "--control", str(rig.path)]))
        statuses.append(await asyncio.to_thread(main, ["round", "3", "--control", str(rig.path)]))

    state = tmp_path / "state"
    play(state, 2)
    first = round_reader.last_rounds(state, 1)[0]["first"]
    segments.set_aside(state / "journal-000001.db")
    play(state, 3)
    assert [] == serve(tmp_path, scene)
    told = capsys.readouterr().err
    assert [0, 0] == statuses
    assert (1, True) == (told.count("is meant"), f"the newest round 2 is meant. Others: --first {first} (" in told)
