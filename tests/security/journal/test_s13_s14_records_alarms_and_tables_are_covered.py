"""S13, S14: an alarm ends by a clearing alone; records are covered by the head; a segment has no tables but its own."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, made, rounds
from tests.firmware_bridge.restarted_daemon import kept
from tests.firmware_bridge.table_with_roles import Post, at_post


def test_no_file_ends_an_alarm(tmp_path: Path) -> None:
    """Whatever lies in the state folder: the rows say what is open."""

    async def opens(post: Post) -> None:
        dealer = await post.client("dealer")
        await dealer.ask("say", statement="place-bets")
        await dealer.ask("say", statement="call foreign-card")
        assert ["foreign-card"] == [one["code"] for one in (await dealer.ask("status"))["alarms"]]

    async def looks(post: Post) -> None:
        dealer = await post.client("dealer")
        assert ["foreign-card"] == [one["code"] for one in (await dealer.ask("status"))["alarms"]]
        manager = await post.client("pit-manager")
        assert "ok" in await manager.ask("clear", reason="cards checked")

    async def is_clear(post: Post) -> None:
        assert [] == (await (await post.client("dealer")).ask("status"))["alarms"]

    at_post(tmp_path, opens)
    (tmp_path / "state/alarms.json").write_text(json.dumps({"open": [], "events": 10**6}), encoding="utf-8")
    at_post(tmp_path, looks)
    at_post(tmp_path, is_clear)


FORGERIES = (
    "UPDATE rounds SET outcome = 'void'",
    "UPDATE findings SET whose = 'nobody'",
    "DELETE FROM rulings",
    "DELETE FROM rounds WHERE id = (SELECT max(id) FROM rounds)",
    "INSERT INTO findings SELECT NULL, round, n, 'x', clause, ruling, places, cards, whose, how, '', '' FROM findings",
    "INSERT INTO rounds SELECT NULL, 99, game, first, last, began, ended, outcome, boxes, report, state FROM rounds",
)


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_changed_record_does_not_fit_the_head(tmp_path: Path, forgery: str) -> None:
    """One that is changed, added or removed, without a replay."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + LOAD + ROUND.replace("settle", "call foreign-card")))
    assert verify(state).whole
    with closing(sqlite3.connect(segments.segments(state)[-1], isolation_level=None)) as connection:
        assert connection.execute(forgery).rowcount > 0
    assert not verify(state).whole


FOREIGN = (
    "CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM findings; END",
    "CREATE VIEW losses AS SELECT * FROM rounds",
    "CREATE TABLE more (x)",
    "CREATE INDEX other ON events (at)",
)


@pytest.mark.parametrize("foreign", FOREIGN)
def test_what_is_not_ours_in_a_segment_is_damage(tmp_path: Path, foreign: str) -> None:
    """Verify names it; the daemon writes nothing more into such a file, and asks the shift manager."""
    state = tmp_path / "state"
    made(state, rounds(1))
    with closing(sqlite3.connect(segments.segments(state)[-1], isolation_level=None)) as connection:
        connection.execute(foreign)
    assert ["damaged"] == [problem.what for problem in verify(state).problems]
    made(state, lambda _: None)
    assert (True, 1) == (ev.Call("uncovered", device="computer") in kept(state), len(list(state.glob("*.quarantined"))))
