"""S29: the time since the computer began stands in each row, and a clock that is set is a row and an alarm."""

from __future__ import annotations

import json
from pathlib import Path
from time import time_ns

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.daemon import startup
from firmware_bridge.journal import writer
from firmware_bridge.journal.clock import JUMPED, Watch
from firmware_bridge.journal.signed import keys
from firmware_bridge.pump import pump
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, made
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.firmware_bridge.table_with_roles import Post, at_post

SECOND = 10**9


def test_the_first_setting_is_a_note_and_any_other_an_alarm() -> None:
    """A board without a battery is set right at every start; small steps and time that passes are nothing."""
    watch = Watch(1000 * SECOND)
    assert "" == watch.jumped(1500 * SECOND, 500 * SECOND) == watch.jumped(2501 * SECOND, 1500 * SECOND)
    assert ('"clock": "set"', False) == (_in(note := watch.jumped(10**6 * SECOND, 1501 * SECOND)), "alarm" in note)
    assert "" == watch.jumped((10**6 + 1) * SECOND, 1502 * SECOND)
    assert ('"clock": "set"', True) == (_in(note := watch.jumped(5 * SECOND, 1503 * SECOND)), "alarm" in note)


def _in(note: str) -> str:
    return '"clock": "set"' if '"clock": "set"' in note else note


def test_a_jump_of_thirty_years_is_an_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays until it is cleared."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        now = time_ns
        for years in (30, -30):
            monkeypatch.setattr(pump, "time_ns", lambda years=years: now() + years * 31_556_952 * SECOND)
            await dealer.ask("say", statement="place-bets")
            post.pump.process_queue()
        assert [JUMPED] == [one["code"] for one in (await dealer.ask("status"))["alarms"]]
        assert [("set", 946_708_560), ("set", -1_893_417_120)] == [
            (note["clock"], round(note["seconds"])) for note in post.notes() if "clock" in note
        ]
        assert all(row.mono is not None for row, _ in post.journal.rows() if row.device == "console")

    at_post(tmp_path, scene)


@pytest.mark.parametrize(("ahead", "told"), [(-3600, True), (3600, False)])
def test_across_two_starts_of_the_computer_it_may_not_go_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: int, *, told: bool
) -> None:
    """A computer that was off for an hour is none that was set back by one."""

    async def scene(post: Post) -> None:
        await (await post.client("dealer")).ask("say", statement="place-bets")
        now = time_ns
        monkeypatch.setattr(startup, "time_ns", lambda: now() + ahead * SECOND)
        assert told is ("alarm" in startup._clock(post.journal.connection, "another", same=False)[1])
        assert "" == startup._clock(post.journal.connection, "one", same=True)[1]

    at_post(tmp_path, scene)


def test_verify_names_a_clock_that_went_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where, and from when to when; a journal is none the less whole."""
    now = time_ns

    def play(house: House) -> None:
        for hours in (0, -2, 0):
            monkeypatch.setattr(pump, "time_ns", lambda hours=hours: now() + hours * 3600 * SECOND)
            house.plays(HEAD + LOAD + ROUND)

    made(tmp_path / "state", play)
    verdict = verify(tmp_path / "state")
    assert (1, []) == (sum("the clock went back" in note for note in verdict.notes), verdict.problems)


def test_each_start_names_its_boot_and_the_time_since_it_is_compared_within_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It starts again with the computer, so that a smaller one says nothing; within one start it never goes back."""
    state = tmp_path / "state"
    for boot, seconds in (("one", 9000), ("one", 9100), ("two", 10), ("two", 5), ("three", 7)):
        monkeypatch.setattr(pump, "since_boot", lambda seconds=seconds: seconds * SECOND)
        made(state, lambda house: house.plays(HEAD + LOAD + ROUND), boot=boot)
    starts = [json.loads(row.body or "")["boot"] for row in all_rows(state) if row.kind == "start"]
    assert ["one", "one", "two", "two", "three"] == starts
    verdict = verify(state)
    assert [] == verdict.problems
    (back,) = (note for note in verdict.notes if "went back" in note)
    assert "the time since the computer began went back, by 5.000 s within one start of it" in back


def test_a_segment_that_a_start_begins_stands_before_its_boot_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computer started again, and the key was gone: the time since is smaller, and nothing went back."""
    state = tmp_path / "state"
    for boot, seconds in (("one", 9000), ("two", 10)):
        monkeypatch.setattr(pump, "since_boot", lambda seconds=seconds: seconds * SECOND)
        monkeypatch.setattr(writer, "since_boot", lambda seconds=seconds: seconds * SECOND)
        made(state, lambda house: house.plays(HEAD + LOAD + ROUND), boot=boot)
        for seed in (state / keys.FOLDER).iterdir():
            seed.unlink()
    kinds = [row.kind for row in all_rows(state)]
    assert ["segment", "start"] == kinds[kinds.index("segment", 1) :][:2]
    assert [] == [note for note in verify(state).notes if "went back" in note]
